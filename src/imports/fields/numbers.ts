import { writtenSigns } from './currencySigns.ts';

/** Signs in written numbers, by their words in a mapping. */
export const decimalSigns = { point: '.', comma: ',' } as const;
export const thousandsSigns = { none: '', point: '.', comma: ',', space: ' ', apostrophe: "'" } as const;

/** Most characters of a number. No amount of money is longer. */
const LONGEST_NUMBER = 100;

export interface NumberFormat {
  decimal: keyof typeof decimalSigns;
  thousands: keyof typeof thousandsSigns;
}

export interface WrittenNumber {
  /** Plain decimal text, `-1234.50`. */
  plain: string;
  /** Currency written with the number (`€`, `EUR`, `A$`), or '' for none. */
  mark: string;
}

/**
 * Returns a reader of numbers in a file's notation. Thousands must be in groups of three, so `1.50` under a decimal
 * comma is refused instead of read as 150.
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
