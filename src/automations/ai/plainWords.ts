const MARKS = /\p{M}/gu;
const NO_LETTERS = /[^\p{L}\p{N}]+/gu;

/** A text as words alone: small letters without accents, one blank between them and around. */
export function plainWords(text: string): string {
  return ` ${text.normalize('NFKD').replaceAll(MARKS, '').toLowerCase().replaceAll(NO_LETTERS, ' ').trim()} `;
}

/** The words of a text, once each. */
export function wordsOf(text: string): string[] {
  return [...new Set(plainWords(text).split(' '))].filter((word) => word !== '');
}

/** What is left without everything but letters and digits: how hidden words are found. */
export function packed(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(NO_LETTERS, '');
}
