/** A name as it is compared: two that differ only in the case of letters, or in how accents are stored, are one. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
