/**
 * Completes a query that has a list of any length: puts `$n` places for these values where the text says `{list}`.
 * Without values the list holds the empty text alone, so a column that is never empty is not in it.
 * @param first number of the place of the first value
 */
export function listed(text: string, values: readonly string[], first: number): string {
  const places = values.length === 0 ? "''" : values.map((_, index) => `$${first + index}`).join(', ');
  return text.replaceAll('{list}', `(${places})`);
}
