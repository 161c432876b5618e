/** What a reader does not see, or what makes what is seen stand elsewhere: controls, directions, joiners, tags. */
const UNSEEN =
  /[\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202f\u205f-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]|[\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

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
