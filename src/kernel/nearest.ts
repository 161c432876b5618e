/** Letters of a word for each allowed mistake; one mistake is always allowed. */
const LETTERS_A_MISTAKE = 4;
/** The maximum length to compare; nothing longer was meant. */
const LONGEST = 80;

/** Returns the word that was probably meant: the nearest one within the allowed mistakes, or undefined. */
export function nearestWord(written: string, words: Iterable<string>): string | undefined {
  if (written.length > LONGEST) return undefined;
  let nearest: { word: string; mistakes: number } | undefined;
  for (const word of words) {
    if (word.length > LONGEST) continue;
    const mistakes = mistakesBetween(written.toLowerCase(), word.toLowerCase());
    if (mistakes < (nearest?.mistakes ?? Infinity)) nearest = { word, mistakes };
  }
  const most = Math.max(1, Math.floor(written.length / LETTERS_A_MISTAKE));
  return nearest && nearest.mistakes <= most ? nearest.word : undefined;
}

/** Counts the insertions, deletions, replacements and exchanges of neighbours between two words. */
function mistakesBetween(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let fewest = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1));
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isExchanged) fewest = Math.min(fewest, (beforeLast[j - 2] ?? 0) + 1);
      row.push(fewest);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
