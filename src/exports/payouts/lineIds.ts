import { createHash } from 'node:crypto';
import type { StatementLine } from './statement/line.ts';

const ID_LENGTH = 20;

/** A statement line with its stable id. */
export interface IdentifiedLine extends StatementLine {
  readonly id: string;
}

/**
 * Gives each line an id, made of the bank account, the day, the amount and the bank's own id. Without a bank id, the
 * text and the number among equal lines serve instead. The same line in another file has the same id. The id reveals
 * nothing of its parts.
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
    // The same movement in two statements of one file is one line.
    if (!result.has(id)) result.set(id, { ...line, id });
  }
  return [...result.values()];
}
