import { numberReader, type NumberFormat, type WrittenNumber } from '../numbers.ts';

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

/** The currency the amounts are written with, if they all say the same: `€`, `EUR`. */
export function currencyMarkOf(values: readonly string[], format: NumberFormat): string | undefined {
  const read = numberReader(format);
  const marks = new Set(values.map((value) => read(value)?.mark ?? ''));
  const [mark] = marks;
  return marks.size === 1 && mark ? mark : undefined;
}

function decimalsOf(number: WrittenNumber | undefined): number {
  const point = number?.plain.indexOf('.') ?? -1;
  return number && point >= 0 ? number.plain.length - point - 1 : 0;
}
