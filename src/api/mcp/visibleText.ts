/** Characters that a reader does not see, or that move visible text: controls, directions, joiners, tags. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Formats a value as JSON in which every character is visible. */
export function quoted(value: unknown): string {
  return JSON.stringify(value).replaceAll(UNSEEN, escaped);
}

/** Formats a name of ours in the same way without quotation marks. */
export function inFull(text: string): string {
  return quoted(text).slice(1, -1);
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
