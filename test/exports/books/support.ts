import assert from 'node:assert/strict';
import { readPostgres, type RowReader } from '../../../src/store/sqlite/reading.ts';
import { sql } from 'kysely';
import type { Asked } from '../../../src/reports/question.ts';
import { type AskRows, getReport, readReport, type ReportAnswer } from '../../../src/reports/read.ts';
import { CONNECTION, type LedgerWorld } from '../support/ledger.ts';

export const quiet = () => {};

/** Asks the mirror of a world as reports do, on the connection that is open. */
export function askOf({ store }: LedgerWorld): AskRows {
  if (store.kind === 'postgres') {
    const reader: RowReader = readPostgres(store);
    return (text, values) => reader.rows(text, values);
  }
  return async <Row>(text: string, values: readonly string[]) => {
    const parts = text.split(/\$\d+/);
    const order = [...text.matchAll(/\$(\d+)/g)].map((match) => values[Number(match[1]) - 1] ?? '');
    const query = sql.join(
      parts.flatMap((part, index) => [sql.raw(part), ...(index < order.length ? [sql`${order[index]}`] : [])]),
      sql``,
    );
    return (await sql<Row>`${query}`.execute(store.db)).rows;
  };
}

/** A report of the kept books. */
export async function answerOf(world: LedgerWorld, name: string, asked: Asked = {}): Promise<ReportAnswer> {
  return readReport(askOf(world), {
    report: getReport(name),
    connection: CONNECTION,
    asked,
    now: world.clock.now(),
  });
}

/** Only these columns of a report, each row as a list. */
export async function figures(
  world: LedgerWorld,
  name: string,
  columns: string,
  asked: Asked = {},
): Promise<unknown[][]> {
  const { rows, columns: all } = await answerOf(world, name, asked);
  for (const row of rows) {
    assert.deepEqual(
      Object.keys(row),
      all.map((column) => column.name),
    );
  }
  return rows.map((row) => columns.split(' ').map((column) => row[column]));
}
