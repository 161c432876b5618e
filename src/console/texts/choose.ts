import { de } from './de.ts';
import { en, type Texts } from './en.ts';

export type { Texts } from './en.ts';

const LANGUAGES: readonly Texts[] = [en, de];

/** The language of a page: its texts, and the form of its dates and numbers. */
export interface Language {
  readonly texts: Texts;
  /** A tag such as `en-GB`. */
  readonly locale: string;
}

/** Chooses the language that a browser asks for first (`Accept-Language`); English if it asks for none of ours. */
export function languageFor(accepted: string | undefined): Language {
  const asked = (accepted ?? '').split(',').map((part) => {
    const [tag = '', parameter = ''] = part.split(';', 2).map((text) => text.trim());
    return { tag, quality: parameter.startsWith('q=') ? Number(parameter.slice(2)) : 1 };
  });
  for (const { tag } of asked.toSorted((a, b) => b.quality - a.quality)) {
    const texts = LANGUAGES.find(({ language }) => language === tag.toLowerCase().split('-', 1)[0]);
    if (texts) return { texts, locale: isLocale(tag) ? tag : texts.language };
  }
  return { texts: en, locale: en.language };
}

function isLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}
