import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mirrorMigrations } from '../../../migrations/mirror/index.ts';
import { type Config, connectionOf } from '../../config.ts';
import type { Clock } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import { type ConnectionId, ulidMaker } from '../../kernel/ids.ts';
import { silentLogger } from '../../kernel/log.ts';
import { systemRandom } from '../../kernel/random.ts';
import { fingerprinter, sealer } from '../../kernel/seal.ts';
import { migrate } from '../../store/migrate.ts';
import { openStore } from '../../store/store.ts';
import type { Written } from '../../config/withConnection.ts';
import type { Mirror } from '../../sync/tables/database.ts';
import { startDaemon } from '../../sync/connection/daemon.ts';
import { connectionSettings } from '../mirror/connections.ts';
import { backfillPlanText, reconcilePlanText } from '../mirror/plans.ts';
import { userAgent } from '../profiles/profileCheck.ts';

const KEY_BYTES = 32;

/** The cost of a full read and the freshness afterwards, or the reason why they cannot be computed. */
export type Foresight =
  | {
      readonly first_read: ReturnType<typeof backfillPlanText>;
      readonly freshness: ReturnType<typeof reconcilePlanText>;
    }
  | { readonly problem: string };

/** Counts the rows to read, by means of a temporary mirror. It reads no rows and registers nothing. */
export async function foresee(
  config: Config,
  { name, connection, clock }: { name: string; connection: Written; clock: Clock },
): Promise<Foresight> {
  const alone = {
    ...config,
    connections: { [name]: connectionOf(connection) },
    upstream: { ...config.upstream, url: null },
  };
  const folder = mkdtempSync(join(tmpdir(), 'stayd-connect-'));
  try {
    const store = await openStore<Mirror>({ kind: 'sqlite', file: join(folder, 'mirror.db') });
    try {
      await migrate(store, mirrorMigrations);
      const key = systemRandom.bytes(KEY_BYTES);
      const daemon = await startDaemon({
        store,
        clock,
        random: systemRandom,
        ids: ulidMaker(clock, systemRandom),
        sealer: sealer(key, systemRandom),
        fingerprint: fingerprinter(key.toString('base64url')),
        instance: name,
        log: silentLogger,
        userAgent: userAgent(),
        connections: connectionSettings(alone, clock, { url: 'http://127.0.0.1', accounts: [] }),
        duties: new Set(),
      });
      try {
        const id = name as ConnectionId;
        const plan = await daemon.planBackfill(id);
        const size = { listings: plan.counts['listing'] ?? 0, bookings: plan.counts['reservation'] ?? 0 };
        return {
          first_read: backfillPlanText(plan),
          freshness: reconcilePlanText(await daemon.planReconciliation(id, size)),
        };
      } finally {
        await daemon.stop();
      }
    } finally {
      await store.close();
    }
  } catch (error) {
    return { problem: messageOf(error) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
