import { isPlainDate, type PlainDate } from '../../../kernel/dates.ts';

const TOKEN = /YYYY|YY|MM|M|DD|D/g;

/** Returns true for a pattern such as `DD.MM.YYYY`: year, month and day, each once, and no other letters. */
export function isWrittenDate(format: string): boolean {
  const rest = format.replace(TOKEN, '');
  const parts = (format.match(TOKEN) ?? []).map((token) => token[0]);
  const isComplete = ['Y', 'M', 'D'].every((part) => parts.filter((one) => one === part).length === 1);
  return isComplete && parts.length === 3 && !/[\p{L}\d]/u.test(rest) && rest.length <= 10;
}

/** Returns a reader of dates by a pattern. It reads the beginning of a text and ignores a time after the date. */
export function writtenDateReader(format: string): (text: string) => PlainDate | undefined {
  const tokens = format.split(/(YYYY|YY|MM|M|DD|D)/).filter((part) => part !== '');
  return (text) => {
    const read: Record<string, string> = {};
    let at = 0;
    for (const token of tokens) {
      const digits = /^[YMD]/.test(token) ? digitsAt(text, at, token) : text.startsWith(token, at) ? token : undefined;
      if (digits === undefined) return undefined;
      read[token[0] ?? ''] = digits;
      at += digits.length;
    }
    // Digits directly after it would belong to the date.
    if (/^\d/.test(text.slice(at, at + 1))) return undefined;
    const { Y = '', M = '', D = '' } = read;
    const date = `${Y.length === 2 ? `20${Y}` : Y}-${M.padStart(2, '0')}-${D.padStart(2, '0')}`;
    return isPlainDate(date) ? date : undefined;
  };
}

function digitsAt(text: string, at: number, token: string): string | undefined {
  const most = token.length === 1 ? 2 : token.length;
  const digits = /^\d{1,4}/.exec(text.slice(at, at + most))?.[0];
  return digits !== undefined && digits.length >= token.length ? digits : undefined;
}
