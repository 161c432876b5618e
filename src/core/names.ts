/** Returns a name for comparison. Names that differ only in case, or in the encoding of accents, are equal. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Returns the search key stored with a text; null where it equals the text. */
export function searchKey(text: string): string | null {
  const key = nameKey(text);
  return key === text ? null : key;
}

/** Returns a LIKE pattern for texts that contain a keyword, in the form of {@link nameKey}. `%` and `_` are literal. */
export function holding(keyword: string): string {
  return `%${nameKey(keyword).replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}
