const MARKS = /\p{M}/gu;
const NO_LETTERS = /[^\p{L}\p{N}]+/gu;

/** Returns the words of a text in lower case without accents, with one blank between and around them. */
export function plainWords(text: string): string {
  return ` ${text.normalize('NFKD').replaceAll(MARKS, '').toLowerCase().replaceAll(NO_LETTERS, ' ').trim()} `;
}

/** Returns the distinct words of a text. */
export function wordsOf(text: string): string[] {
  return [...new Set(plainWords(text).split(' '))].filter((word) => word !== '');
}

/** Returns only the letters and digits of a text, which reveals hidden words. */
export function packed(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(NO_LETTERS, '');
}
