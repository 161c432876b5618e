import { de } from './texts/de.ts';
import { en, type GuestTexts } from './texts/en.ts';

/** Every language of the pages, English first. */
export const LANGUAGES: readonly GuestTexts[] = [en, de];

/**
 * Chooses the language of a page: the one that its address names, else the first of ours that the browser asks for
 * (`Accept-Language`), else English.
 */
export function languageOf(named: unknown, accepted: string | undefined): GuestTexts {
  const chosen = LANGUAGES.find(({ language }) => language === named);
  if (chosen) return chosen;
  const asked = (accepted ?? '').split(',').map((part) => {
    const [tag = '', parameter = ''] = part.split(';', 2).map((text) => text.trim().toLowerCase());
    return { language: tag.split('-', 1)[0], quality: parameter.startsWith('q=') ? Number(parameter.slice(2)) : 1 };
  });
  for (const { language } of asked.toSorted((a, b) => b.quality - a.quality)) {
    const found = LANGUAGES.find((one) => one.language === language);
    if (found) return found;
  }
  return en;
}
