import type { StatementLine } from './statement/line.ts';

/** Shorter codes turn up in any text. */
const SHORTEST_CODE = 5;
const WORD = /[\p{L}\p{N}]+(?:[-_./][\p{L}\p{N}]+)*/gu;

/** A booking with the codes it is known by: its own, and the channel's. */
export interface KnownCodes {
  readonly reservation: string;
  readonly codes: readonly string[];
}

/** Finds the bookings that lines name, whatever the case of the letters; signs within a code do not matter. */
export function nameFinder(known: readonly KnownCodes[]): (line: StatementLine) => string[] {
  const bookings = new Map<string, string | null>();
  for (const { reservation, codes } of known) {
    for (const code of codes) {
      const plain = plainCode(code);
      if (plain.length < SHORTEST_CODE) continue;
      const other = bookings.get(plain);
      // A code of two bookings names neither.
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

/** Whether a line names the channel whose clearing account it is, whatever the case of the letters and what stands between words. */
export function namesChannel({ text }: StatementLine, account: string): boolean {
  const channel = plainCode(account.split(':').at(-1) ?? '');
  return channel.length >= SHORTEST_CODE && plainCode(text).includes(channel);
}
