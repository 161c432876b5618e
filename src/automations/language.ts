import { ANY_LANGUAGE, type Texts } from './rules/actions.ts';

/** Languages by the guest's origin. Countries with several languages are left out. */
const languages: readonly { language: string; countries: readonly string[]; calling: readonly string[] }[] = [
  { language: 'de', countries: ['DE', 'AT', 'LI'], calling: ['+49', '+43', '+423'] },
  { language: 'fr', countries: ['FR', 'MC'], calling: ['+33', '+377'] },
  {
    language: 'es',
    countries: ['ES', 'MX', 'AR', 'CO', 'CL', 'PE', 'UY'],
    calling: ['+34', '+52', '+54', '+57', '+56', '+51', '+598'],
  },
  { language: 'it', countries: ['IT', 'SM'], calling: ['+39', '+378'] },
  { language: 'pt', countries: ['PT', 'BR'], calling: ['+351', '+55'] },
  { language: 'nl', countries: ['NL'], calling: ['+31'] },
  { language: 'pl', countries: ['PL'], calling: ['+48'] },
  { language: 'cs', countries: ['CZ'], calling: ['+420'] },
  { language: 'da', countries: ['DK'], calling: ['+45'] },
  { language: 'sv', countries: ['SE'], calling: ['+46'] },
  { language: 'no', countries: ['NO'], calling: ['+47'] },
  { language: 'fi', countries: ['FI'], calling: ['+358'] },
  { language: 'ja', countries: ['JP'], calling: ['+81'] },
  { language: 'ko', countries: ['KR'], calling: ['+82'] },
  { language: 'zh', countries: ['CN', 'TW'], calling: ['+86', '+886'] },
  { language: 'en', countries: ['GB', 'US', 'IE', 'AU', 'NZ'], calling: ['+44', '+1', '+353', '+61', '+64'] },
];

/** The known origin of a guest. */
interface Speaker {
  /** The custom field `language` of the stay. */
  chosen: string | undefined;
  country: string | null;
  phone: string | null;
}

/** Returns the language for a guest, or undefined if nothing reveals it. */
export function languageOf({ chosen, country, phone }: Speaker): string | undefined {
  if (chosen !== undefined && chosen !== '') return chosen;
  const byCountry = languages.find(({ countries }) => country !== null && countries.includes(country.toUpperCase()));
  if (byCountry) return byCountry.language;
  const digits = phone?.replaceAll(/[^+\d]/g, '').replace(/^00/, '+') ?? '';
  return languages.find(({ calling }) => calling.some((prefix) => digits.startsWith(prefix)))?.language;
}

/** Returns the text in a language, else in the default language, else the first one. */
export function textFor(texts: Texts, language: string | undefined, usual: string): { text: string; language: string } {
  const wanted = [language, language?.slice(0, 2), usual, usual.slice(0, 2), ANY_LANGUAGE];
  const found = wanted.find((one): one is string => one !== undefined && Object.hasOwn(texts, one));
  const name = found ?? Object.keys(texts)[0] ?? ANY_LANGUAGE;
  return { text: texts[name] ?? '', language: name };
}
