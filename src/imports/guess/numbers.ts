import { numberReader, type NumberFormat, type WrittenNumber } from '../fields/numbers.ts';

/** Tried in this order. */
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
 * How the amounts are written; undefined when they are no numbers in any way. `1,234` alone is taken for a
 * thousand: prices have two decimals, hardly ever three.
 */
export function numberFormatOf(values: readonly string[]): NumberFormat | undefined {
  const fitting = FORMATS.map((format) => ({ format, numbers: values.map(numberReader(format)) })).filter(
    ({ numbers }) => numbers.every((number) => number !== undefined),
  );
  const likely = fitting.find(({ numbers }) => numbers.every((number) => decimalsOf(number) <= 2));
  return (likely ?? fitting[0])?.format;
}

/** The currencies the amounts are written with: `€`, `EUR`. An amount without one counts as `''`, a zero as nothing. */
export function currencyMarksOf(values: readonly string[], format: NumberFormat): Set<string> {
  const numbers = values.map(numberReader(format)).filter((number) => number !== undefined);
  return new Set(numbers.filter(({ plain, mark }) => mark !== '' || Number(plain) !== 0).map(({ mark }) => mark));
}

function decimalsOf(number: WrittenNumber | undefined): number {
  const point = number?.plain.indexOf('.') ?? -1;
  return number && point >= 0 ? number.plain.length - point - 1 : 0;
}
