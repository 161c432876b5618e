import { writtenSigns } from './currencySigns.ts';

/** The signs a number is written with, by the words a mapping uses for them. */
export const decimalSigns = { point: '.', comma: ',' } as const;
export const thousandsSigns = { none: '', point: '.', comma: ',', space: ' ', apostrophe: "'" } as const;

/** Characters; no amount of money is written with more. */
const LONGEST_NUMBER = 100;

export interface NumberFormat {
  decimal: keyof typeof decimalSigns;
  thousands: keyof typeof thousandsSigns;
}

export interface WrittenNumber {
  /** Plain decimal text, `-1234.50`. */
  plain: string;
  /** The currency the number was written with (`€`, `EUR`, `A$`), or '' for none. */
  mark: string;
}

/**
 * A reader of numbers as one file writes them. Thousands must stand in groups of three, so that `1.50` under
 * a decimal comma is refused instead of read as 150.
 */
export function numberReader(format: NumberFormat): (text: string) => WrittenNumber | undefined {
  const pattern = numberPattern(format);
  const isPlain = format.decimal === 'point' ? /^-?\d+(?:\.\d+)?$/ : /^-?\d+$/;
  return (text) => {
    if (text.length > LONGEST_NUMBER) return undefined;
    if (isPlain.test(text)) return { plain: text, mark: '' };
    const match = pattern.exec(text.replace(/[\s\u00a0\u2007\u202f]+/g, ' ').replace(/[’‘]/g, "'"));
    if (!match) return undefined;
    const [, outer = '', before = '', inner = '', whole = '', fraction = '', after = ''] = match;
    if (whole === '' && fraction === '') return undefined;
    const sign = /[-−]/.test(outer + inner) ? '-' : '';
    const digits = whole.replace(/\D/g, '') || '0';
    return { plain: `${sign}${digits}${fraction && `.${fraction}`}`, mark: before || after };
  };
}

const signs = writtenSigns.map((sign) => sign.replace(/[.$]/g, '\\$&')).join('|');

function numberPattern({ decimal, thousands }: NumberFormat): RegExp {
  const grouped = thousands === 'none' ? '' : `|\\d{1,3}(?:[${thousandsSigns[thousands]}]\\d{3})+`;
  const currency = `([A-Za-z]{3}|\\p{Sc}|${signs})?`;
  const sign = '([-−+]?)';
  const body = `(\\d+${grouped})?(?:[${decimalSigns[decimal]}](\\d+))?`;
  return new RegExp(`^ ?${sign} ?${currency} ?${sign} ?${body} ?${currency} ?$`, 'u');
}
