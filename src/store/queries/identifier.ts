/** A name as SQL takes it literally, on both databases. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
