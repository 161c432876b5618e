import type { StatementLine } from './statement/line.ts';

/** Shortest code that a line can name; shorter ones occur in any text. */
const SHORTEST_CODE = 5;
const WORD = /[\p{L}\p{N}]+(?:[-_./][\p{L}\p{N}]+)*/gu;

/** A reservation with its codes: its own and the channel's. */
export interface KnownCodes {
  readonly reservation: string;
  readonly codes: readonly string[];
}

/** Returns a finder of the reservations that a line names. Ignores case, and punctuation within a code. */
export function nameFinder(known: readonly KnownCodes[]): (line: StatementLine) => string[] {
  const bookings = new Map<string, string | null>();
  for (const { reservation, codes } of known) {
    for (const code of codes) {
      const plain = plainCode(code);
      if (plain.length < SHORTEST_CODE) continue;
      const other = bookings.get(plain);
      // A code of two reservations names neither.
      bookings.set(plain, other === undefined || other === reservation ? reservation : null);
    }
  }
  return ({ text }) => {
    const found = new Set<string>();
    for (const [word] of text.matchAll(WORD)) {
      for (const part of [word, ...word.split(/[-_./]/)]) {
        const reservation = bookings.get(plainCode(part));
        if (reservation != null) found.add(reservation);
      }
    }
    return [...found];
  };
}

function plainCode(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();
}

/** Returns true if a line names the channel of a clearing account. Ignores case and everything between words. */
export function namesChannel({ text }: StatementLine, account: string): boolean {
  const channel = plainCode(account.split(':').at(-1) ?? '');
  return channel.length >= SHORTEST_CODE && plainCode(text).includes(channel);
}
