/** A name as it is compared: two that differ only in the case of letters, or in how accents are stored, are one. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** The key of a text that is searched, as it is stored beside it; null where it is the text itself. */
export function searchKey(text: string): string | null {
  const key = nameKey(text);
  return key === text ? null : key;
}

/** A pattern of LIKE for texts that hold a keyword, in the form of {@link nameKey}; `%` and `_` mean themselves. */
export function holding(keyword: string): string {
  return `%${nameKey(keyword).replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}
