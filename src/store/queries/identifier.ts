/** Quotes a name for SQL on both databases. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
