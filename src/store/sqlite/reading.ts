import { Worker } from 'node:worker_threads';
import { CompiledQuery, sql } from 'kysely';
import type { Store } from '../store.ts';
import { threadFile } from '../../kernel/program/threadFile.ts';

/** Runs long queries on a database. Changes fail. */
export interface RowReader {
  /** Runs a query; `text` has `$1`, `$2` … for its values. One query at a time; others wait. */
  rows<Row>(text: string, values: readonly string[]): Promise<Row[]>;
  /** Closes the database, even during a query. */
  close(): Promise<void>;
}

const STOPPED = 'the reading was stopped';

type Answer = { rows: unknown[] } | { problem: string };

/**
 * Reads a SQLite file in a worker thread, so that the caller's thread continues; with or without a service that writes.
 * Each query sees the database as of its beginning.
 */
export function readSqliteFile(file: string): RowReader {
  const worker = new Worker(threadFile('store/threads/readWorker'), { workerData: file });
  worker.unref();
  // The reason why no further query is answered, once there is one.
  let ended: Error | undefined;
  worker.on('error', (error: Error) => (ended = error));
  worker.on('exit', () => (ended ??= new Error(STOPPED)));
  let before: Promise<unknown> = Promise.resolve();
  return {
    rows<Row>(text: string, values: readonly string[]) {
      const answer = before.then(() => (ended ? Promise.reject(ended) : answerOf(worker, { text, values })));
      before = answer.catch(() => {});
      return answer.then((rows) => rows as Row[]);
    },
    async close() {
      await worker.terminate();
    },
  };
}

function answerOf(worker: Worker, asked: { text: string; values: readonly string[] }): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      worker.off('message', onAnswer).off('error', onError).off('exit', onExit);
      worker.unref();
      act();
    };
    const onAnswer = (answer: Answer) =>
      settle(() => ('rows' in answer ? resolve(answer.rows) : reject(new Error(answer.problem))));
    const onError = (error: Error) => settle(() => reject(error));
    const onExit = () => settle(() => reject(new Error(STOPPED)));
    worker.ref();
    worker.once('message', onAnswer).once('error', onError).once('exit', onExit);
    worker.postMessage(asked);
  });
}

/** Reads an open PostgreSQL store; closing leaves that open. */
export function readPostgres<DB>(store: Store<DB>): RowReader {
  return {
    rows: <Row>(text: string, values: readonly string[]) =>
      store.transaction(async (trx) => {
        await sql`set transaction read only`.execute(trx);
        const { rows } = await trx.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
        return rows;
      }),
    async close() {},
  };
}
