/// <reference lib="es2024.string" />

/**
 * Converts a value so that both databases store the same: booleans become 0 and 1; text that PostgreSQL refuses (NUL)
 * or SQLite garbles (half a surrogate pair from a cut emoji) gets U+FFFD in that place; lists retain their shape.
 * Throws RangeError for a number that one of the two would change: NaN, an infinity, an integer beyond 2^53.
 */
export function portable(value: unknown): unknown {
  if (typeof value === 'string') return portableText(value);
  if (typeof value === 'number') return portableNumber(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (Array.isArray(value)) return value.map(portable);
  return value;
}

function portableText(text: string): string {
  if (text.isWellFormed() && !text.includes('\0')) return text;
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

function portableNumber(number: number): number {
  if (Number.isFinite(number) && (Number.isSafeInteger(number) || !Number.isInteger(number))) return number;
  throw new RangeError(`${number} cannot be stored exactly`);
}
