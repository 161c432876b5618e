import { plainWords } from './plainWords.ts';

/** Small words that identify a language, without accents. They are also useless in a search of the knowledge base. */
const smallWords: Readonly<Record<string, string>> = {
  en: 'the and is are you your we our for with this that have has can could would will there what where when how please hello thanks thank of to in it on at do does not from any my',
  de: 'der die das und ist sind sie ihr ihre wir unser fur mit nicht ein eine einen kann konnen wird es gibt was wo wann wie bitte hallo danke auf im zu von dem den auch noch oder mein ich haben',
  fr: 'le la les et est sont vous votre nous notre pour avec ce cette une dans des du peut il y a que ou quand comment bonjour merci au aux sur pas je avez ne qui s plait mon',
  es: 'el la los las y es son usted su nosotros nuestro para con este esta una un hay puede que donde cuando como hola gracias por favor al del en no se mi tiene tienen de podemos',
  it: 'il lo la gli le e sono lei suo noi nostro per con questo questa una un puo che dove quando come ciao grazie favore al della del nel non si mi c buongiorno avete di possiamo',
  pt: 'o a os as e sao voce seu nosso para com este esta uma um ha pode que onde quando como ola obrigado obrigada por favor ao do da no na nao se meu tem de',
  nl: 'de het en is zijn u uw jij je wij onze voor met dit dat een er kan kunnen wat waar wanneer hoe alstublieft hallo dank bedankt op in van niet ook mijn ik hebben',
  pl: 'i jest sa nie w na z do dla to ten ta czy gdzie kiedy jak prosze dziekuje dzien dobry mozna moj nasz oraz',
  cs: 'a je jsou ne v na s do pro to ten ta kde kdy jak prosim dekuji dobry den muzeme nas vas nebo',
  sv: 'och ar det den en ett vi ni har kan inte for med var nar hur hej tack pa av till som din er',
  da: 'og er det den en et vi i har kan ikke for med hvor hvornar hvordan hej tak pa af til som din jeres',
  no: 'og er det den en et vi dere har kan ikke for med hvor nar hvordan hei takk pa av til som din',
  fi: 'ja on ovat ei se tama mika missa milloin miten hei kiitos voi voimme teidan meidan kanssa mutta myos',
};
const lists = Object.entries(smallWords).map(([language, words]) => [language, new Set(words.split(' '))] as const);
const all = new Set(lists.flatMap(([, words]) => [...words]));

/** Scripts that identify a language. */
const scripts: readonly (readonly [language: string, script: RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['ko', /\p{Script=Hangul}/u],
  ['zh', /\p{Script=Han}/u],
  ['ru', /\p{Script=Cyrillic}/u],
  ['ar', /\p{Script=Arabic}/u],
  ['he', /\p{Script=Hebrew}/u],
  ['el', /\p{Script=Greek}/u],
  ['th', /\p{Script=Thai}/u],
];
/** Languages too similar to be distinguished by small words. */
const nearOnes: readonly (readonly string[])[] = [
  ['sv', 'da', 'no', 'nb', 'nn'],
  ['es', 'pt', 'ca', 'gl'],
  ['cs', 'sk', 'pl'],
  ['ru', 'uk', 'bg'],
];
const LEAST_WORDS = 2;
/** Least share of small words among all words. Names and numbers contain small words of some language by chance. */
const LEAST_PART = 0.2;
const LEAST_LEAD = 1.25;

/** Returns the language of a text, or undefined if it is uncertain. */
export function languageOf(text: string): string | undefined {
  const words = plainWords(text).trim().split(' ');
  const scored = lists
    .map(([language, small]) => ({ language, hits: words.filter((word) => small.has(word)).length }))
    .toSorted((a, b) => b.hits - a.hits);
  const [best, second] = scored;
  if (best && best.hits >= Math.max(LEAST_WORDS, LEAST_PART * words.length)) {
    return best.hits >= (second?.hits ?? 0) * LEAST_LEAD ? best.language : undefined;
  }
  return scripts.find(([, script]) => script.test(text))?.[0];
}

/** Returns true if two languages are the same, as far as {@link languageOf} can distinguish them. */
export function isSameLanguage(one: string, other: string): boolean {
  const [a, b] = [one.slice(0, 2), other.slice(0, 2)];
  return a === b || nearOnes.some((near) => near.includes(a) && near.includes(b));
}

/** Returns true if a word means nothing by itself in any language listed here. */
export function isSmallWord(word: string): boolean {
  return all.has(word) || word.length < 2;
}
