import { createHash } from 'node:crypto';
import type { StatementLine } from './statement/line.ts';

const ID_LENGTH = 20;

/** A line with the id it is known again by. */
export interface IdentifiedLine extends StatementLine {
  readonly id: string;
}

/**
 * Ids of lines: of the bank account, the day, the amount, and what the bank knows the line by; where it does not say, of
 * the text and of which of its equals it is. The same line in another file has the same id. Nothing of it can be read back.
 */
export function identified(bank: string, lines: readonly StatementLine[]): IdentifiedLine[] {
  const times = new Map<string, number>();
  const result = new Map<string, IdentifiedLine>();
  for (const line of lines) {
    const said = JSON.stringify([
      bank,
      line.date,
      line.amount,
      line.currency,
      line.bankId,
      line.bankId === null ? line.text : '',
    ]);
    const time = line.bankId === null ? (times.get(said) ?? 0) + 1 : 1;
    times.set(said, time);
    const digest = createHash('sha256').update(`${said}${time}`).digest('hex').toUpperCase();
    const id = digest.slice(0, ID_LENGTH);
    // The same movement in two statements of one file is one.
    if (!result.has(id)) result.set(id, { ...line, id });
  }
  return [...result.values()];
}
