import { messageOf } from '../../kernel/errors.ts';
import type { ExportPorts } from '../ports.ts';
import { areBehind } from './keepBooks.ts';

const MINUTE_MS = 60_000;
/**
 * Ratio of rest to work: storing the books takes at most a twentieth of the time, so slow books are stored less often.
 */
const REST_TIMES = 20;

/** Stores the books of every connection at intervals while anything in them changes. */
export function keepRegularly(ports: ExportPorts, keep: (connection: string) => Promise<unknown>): { stop(): void } {
  const { clock, log } = ports;
  let stopped = false;
  let timer = clock.setTimer(MINUTE_MS, tick);

  function tick(): void {
    const begun = clock.now();
    void keepAll().finally(() => {
      const rest = Math.max(ports.keepMinutes * MINUTE_MS, REST_TIMES * (clock.now() - begun));
      if (!stopped) timer = clock.setTimer(rest, tick);
    });
  }

  async function keepAll(): Promise<void> {
    for (const connection of await readOnce(ports)) {
      try {
        if (stopped) return;
        if (await areBehind(ports, connection)) await keep(connection);
      } catch (error) {
        if (!stopped) log.error({ connection, problem: messageOf(error) }, 'the books could not be kept');
      }
    }
  }

  return {
    stop() {
      stopped = true;
      timer.cancel();
    },
  };
}

/** Returns the connections that have read everything once. Books made earlier would be wrong. */
async function readOnce({ store, log }: ExportPorts): Promise<string[]> {
  try {
    const rows = await store.db
      .selectFrom('connections')
      .select('connection')
      .where('caught_up_at', 'is not', null)
      .orderBy('connection')
      .execute();
    return rows.map(({ connection }) => connection);
  } catch (error) {
    log.error({ problem: messageOf(error) }, 'the books could not be kept');
    return [];
  }
}
