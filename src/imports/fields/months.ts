/**
 * Returns the month numbers of a language's month names (`en`, `de`, …), long and short. Names are in lower case
 * without dots, so `Sept.` equals `sept`.
 */
export function monthNames(language: string): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  for (const width of ['long', 'short'] as const) {
    const format = new Intl.DateTimeFormat(language, { month: width, timeZone: 'UTC' });
    for (let month = 1; month <= 12; month += 1) {
      const name = tidyMonth(format.format(Date.UTC(2024, month - 1, 15)));
      names.set(name, month);
      if (width === 'long' && name.length > 3 && !names.has(name.slice(0, 3))) names.set(name.slice(0, 3), month);
    }
  }
  return names;
}

/** Returns the number of a month written as a number or a name; undefined for other text. */
export function monthNumber(text: string, names: ReadonlyMap<string, number>): number | undefined {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  return names.get(tidyMonth(text));
}

/** Returns true when this machine knows the language's month names. */
export function isLanguage(language: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(language).length > 0;
  } catch {
    return false;
  }
}

function tidyMonth(text: string): string {
  return text.toLowerCase().replaceAll('.', '').trim();
}
