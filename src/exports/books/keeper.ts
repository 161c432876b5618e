import { messageOf } from '../../kernel/errors.ts';
import { Worker } from '../../kernel/worker.ts';
import type { MirrorDb } from '../../sync/tables/database.ts';
import type { ExportPorts } from '../ports.ts';
import { areBehind } from './keepBooks.ts';

const MINUTE_MS = 60_000;
/**
 * Ratio of rest to work: storing the books takes at most a twentieth of the time, so slow books are stored less often.
 */
const REST_TIMES = 20;

/** Stores the books of every connection at intervals while anything in them changes. */
export function keepRegularly(ports: ExportPorts, keep: (connection: string) => Promise<unknown>): Worker {
  const { store, clock, log, keepMinutes } = ports;
  const everyMs = keepMinutes * MINUTE_MS;
  return new Worker({
    clock,
    log,
    name: 'storing the books for reports',
    everyMs,
    firstMs: MINUTE_MS,
    async round(signal) {
      let keptMs = 0;
      for (const connection of await readOnce(store.db)) {
        try {
          if (signal.aborted) return undefined;
          if (!(await areBehind(ports, connection))) continue;
          const begun = clock.now();
          await keep(connection);
          keptMs += clock.now() - begun;
        } catch (error) {
          if (!signal.aborted) log.error({ connection, problem: messageOf(error) }, 'the books could not be stored');
        }
      }
      return Math.max(everyMs, REST_TIMES * keptMs);
    },
  });
}

/** Returns the connections that have read everything once. Books made earlier would be wrong. */
async function readOnce(db: MirrorDb): Promise<string[]> {
  const rows = await db
    .selectFrom('connections')
    .select('connection')
    .where('caught_up_at', 'is not', null)
    .orderBy('connection')
    .execute();
  return rows.map(({ connection }) => connection);
}
