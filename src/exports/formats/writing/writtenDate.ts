import type { PlainDate } from '../../../kernel/dates.ts';
import { unreachable } from '../../../kernel/errors.ts';

/** The date formats that targets use. */
export const dateStyles = ['DD/MM/YYYY', 'MM/DD/YYYY', 'DD MMM YYYY', 'YYYY-MM-DD'] as const;
/** A date format of a target. */
export type DateStyle = (typeof dateStyles)[number];

/** Writes `20270305`. */
export function digitsOf(date: PlainDate): string {
  return date.replaceAll('-', '');
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Writes a date in a target's format. */
export function writtenDate(date: PlainDate, style: DateStyle): string {
  const [year = '', month = '', day = ''] = date.split('-');
  switch (style) {
    case 'DD/MM/YYYY':
      return `${day}/${month}/${year}`;
    case 'MM/DD/YYYY':
      return `${month}/${day}/${year}`;
    case 'DD MMM YYYY':
      return `${day} ${MONTHS[Number(month) - 1]} ${year}`;
    case 'YYYY-MM-DD':
      return date;
    default:
      return unreachable(style);
  }
}
