import type { OperationId } from '../../contract/index.ts';
import type { RowsUnknowns } from '../../client/readData.ts';
import type { Clock, Timer } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { count, readCounters } from '../tables/connection/counters.ts';
import type { MirrorDb, MirrorStore } from '../tables/database.ts';

/** The interval at which counts are written together. */
const WRITE_MS = 10_000;

const kinds = ['rows_read', 'fields_missing', 'fields_unreadable'] as const;
type Counter = `${(typeof kinds)[number]}/${string}`;

/** Counts the fields that upstream leaves out, or spells so that they cannot be read. */
export interface UnknownFields {
  note(operation: OperationId, unknowns: RowsUnknowns): void;
  /** Writes the remaining counts. */
  stop(): Promise<void>;
}

interface Options {
  store: MirrorStore;
  connection: string;
  clock: Clock;
  log: Logger;
}

export function countUnknownFields({ store, connection, clock, log }: Options): UnknownFields {
  const counts = new Map<Counter, number>();
  let timer: Timer | undefined;
  let writing: Promise<void> = Promise.resolve();

  function add(name: Counter, value: number): void {
    counts.set(name, (counts.get(name) ?? 0) + value);
  }

  async function write(): Promise<void> {
    const taken = Object.fromEntries(counts) as Record<Counter, number>;
    counts.clear();
    try {
      await store.transaction((trx) => count(trx, connection, taken));
    } catch (error) {
      log.warn({ connection, problem: messageOf(error) }, 'fields that upstream leaves out could not be counted');
      for (const [name, value] of Object.entries(taken)) add(name as Counter, value);
    }
  }

  function writeSoon(): void {
    timer ??= clock.setTimer(WRITE_MS, () => {
      timer = undefined;
      writing = writing.then(write);
    });
  }

  return {
    note(operation, { rows, missing, unreadable }) {
      if (missing.size + unreadable.size === 0) return;
      add(`rows_read/${operation}`, rows);
      for (const [field, times] of missing) add(`fields_missing/${operation}/${field}`, times);
      for (const [field, times] of unreadable) add(`fields_unreadable/${operation}/${field}`, times);
      writeSoon();
    },
    async stop() {
      timer?.cancel();
      await writing;
      if (counts.size > 0) await write();
    },
  };
}

/** A field of an operation's rows that is not always known. */
export interface UnknownField {
  operation: string;
  /** Its path below a row, such as `guests[].country`. */
  field: string;
  /** The number of times it was left out. */
  missing: number;
  /** The number of times its value could not be read. */
  unreadable: number;
}

/** Returns the unknown fields in the answers of a connection since the mirror was created. */
export async function unknownFields(db: MirrorDb, connection: string): Promise<UnknownField[]> {
  const found = new Map<string, UnknownField>();
  for (const [name, times] of Object.entries(await readCounters(db, connection))) {
    const [kind, operation = '', field = ''] = name.split('/');
    if (kind !== 'fields_missing' && kind !== 'fields_unreadable') continue;
    const key = `${operation}/${field}`;
    const known = found.get(key) ?? { operation, field, missing: 0, unreadable: 0 };
    known[kind === 'fields_missing' ? 'missing' : 'unreadable'] += times;
    found.set(key, known);
  }
  return [...found.values()].toSorted((a, b) => (`${a.operation}/${a.field}` < `${b.operation}/${b.field}` ? -1 : 1));
}
