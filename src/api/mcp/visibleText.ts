/** What a reader does not see, or what makes what is seen stand elsewhere: controls, directions, joiners, tags. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** A value as JSON in which every character can be seen. */
export function quoted(value: unknown): string {
  return JSON.stringify(value).replaceAll(UNSEEN, escaped);
}

/** The same without quotation marks, for names of ours. */
export function inFull(text: string): string {
  return quoted(text).slice(1, -1);
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
