import { numberReader, type NumberFormat, type WrittenNumber } from '../fields/numbers.ts';

/** Formats in the order of trial. */
const FORMATS: readonly NumberFormat[] = [
  { decimal: 'point', thousands: 'none' },
  { decimal: 'comma', thousands: 'none' },
  { decimal: 'comma', thousands: 'point' },
  { decimal: 'point', thousands: 'comma' },
  { decimal: 'comma', thousands: 'space' },
  { decimal: 'point', thousands: 'apostrophe' },
  { decimal: 'point', thousands: 'space' },
];

/**
 * Returns the notation of the amounts; undefined when they are no numbers in any. `1,234` alone counts as a thousand,
 * since prices have two decimals and hardly ever three.
 */
export function numberFormatOf(values: readonly string[]): NumberFormat | undefined {
  const fitting = FORMATS.map((format) => ({ format, numbers: values.map(numberReader(format)) })).filter(
    ({ numbers }) => numbers.every((number) => number !== undefined),
  );
  const likely = fitting.find(({ numbers }) => numbers.every((number) => decimalsOf(number) <= 2));
  return (likely ?? fitting[0])?.format;
}

/**
 * Returns the currency signs of the amounts: `€`, `EUR`. An amount without one counts as `''`, and a zero is ignored.
 */
export function currencyMarksOf(values: readonly string[], format: NumberFormat): Set<string> {
  const numbers = values.map(numberReader(format)).filter((number) => number !== undefined);
  return new Set(numbers.filter(({ plain, mark }) => mark !== '' || Number(plain) !== 0).map(({ mark }) => mark));
}

function decimalsOf(number: WrittenNumber | undefined): number {
  const point = number?.plain.indexOf('.') ?? -1;
  return number && point >= 0 ? number.plain.length - point - 1 : 0;
}
