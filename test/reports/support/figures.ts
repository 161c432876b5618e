import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { readPostgres, type RowReader } from '../../../src/store/sqlite/reading.ts';
import { sql } from 'kysely';
import type { Asked } from '../../../src/reports/question.ts';
import { getReport, readReport, type ReportRow } from '../../../src/reports/read.ts';
import type { MirrorStore } from '../../../src/sync/tables/database.ts';
import { CONNECTION, openWorld, type World } from '../../support/mirror.ts';
import { truthWithBooks } from './books.ts';

/** The book, mirrored into a database of some kind. */
export interface Books {
  world: World;
  /** Rows of a report as its view has them. */
  report(name: string, asked?: Asked): Promise<readonly ReportRow[]>;
  /** The same, only these columns, each row as a list. */
  figures(name: string, columns: string, asked?: Asked): Promise<unknown[][]>;
}

export async function openBooks(database?: string): Promise<Books> {
  const world = await openWorld({ truth: truthWithBooks(), ...(database !== undefined && { database }) });
  await world.quiet();
  const reader = readerOf(world.store);
  const report: Books['report'] = async (name, asked = {}) => {
    const answer = await readReport((text, values) => reader.rows(text, values), {
      report: getReport(name),
      connection: CONNECTION,
      asked,
      now: world.clock.now(),
    });
    for (const row of answer.rows) {
      assert.deepEqual(
        Object.keys(row),
        answer.columns.map((column) => column.name),
      );
    }
    return answer.rows;
  };
  return {
    world,
    report,
    async figures(name, columns, asked) {
      const names = columns.split(' ');
      return (await report(name, asked)).map((row) => names.map((column) => row[column]));
    },
  };
}

function readerOf(store: MirrorStore): RowReader {
  if (store.kind === 'postgres') return readPostgres(store);
  // The same text as the conversation gets, on the connection that is open.
  return {
    async rows<Row>(text: string, values: readonly string[]) {
      const parts = text.split(/\$\d+/);
      const order = [...text.matchAll(/\$(\d+)/g)].map((match) => values[Number(match[1]) - 1] ?? '');
      const query = sql.join(
        parts.flatMap((part, index) => [sql.raw(part), ...(index < order.length ? [sql`${order[index]}`] : [])]),
        sql``,
      );
      return (await sql<Row>`${query}`.execute(store.db)).rows;
    },
    async close() {},
  };
}

export type Check = (books: Books) => Promise<void>;

/** Runs the same checks on the book in one database. */
export function checkAll(checks: Record<string, Check>, books: () => Books): void {
  for (const [name, check] of Object.entries(checks)) test(name, (_: TestContext) => check(books()));
}
