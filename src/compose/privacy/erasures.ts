import type { ErasureServices, Whom as WhomOfListener } from '../../api/portal/route.ts';
import type { Config } from '../../config.ts';
import type { CoreDatabase } from '../../core/database.ts';
import type { ConnectionId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/log.ts';
import { rewriteInBackground } from '../../store/sqlite/rewriteFile.ts';
import type { Store } from '../../store/store.ts';
import { countInTables, rewriteTables } from '../../store/sqlite/rewriteTables.ts';
import type { MirrorStore } from '../../sync/tables/database.ts';
import { erase, type Erasing, planErasure } from '../../sync/privacy/erasure/erase.ts';
import { reapplyErasures } from '../../sync/privacy/erasure/reapply.ts';
import type { Fingerprint } from '../../sync/privacy/erasure/subjects.ts';
import { erasureLog } from './erasureLog.ts';
import type { Ports } from '../ports.ts';
import { locationOf } from '../stores/stores.ts';

/** Tables that an erasure writes to. */
export const WRITTEN = [
  'guests',
  'personal_values',
  'stays',
  'transactions',
  'tasks',
  'reviews',
  'conversations',
  'messages',
  'versions',
  'changes',
  'derived_events',
  'inbox',
  'quarantine',
  'automation_plans',
  'automation_drafts',
];

interface ErasureOptions {
  store: MirrorStore;
  config: Config;
  ports: Ports;
  log: Logger;
  fingerprint: Fingerprint;
  /** Wakes the readers of the change feed. */
  notify(connection: ConnectionId): void;
}

export function erasureServices({ store, config, ports, fingerprint, notify }: ErasureOptions): ErasureServices {
  const erasingOf = (connection: ConnectionId): Erasing => ({
    ...ports,
    store,
    connection,
    fingerprint,
    log: erasureLog(config.data_dir),
    onChanges: () => notify(connection),
  });
  return {
    plan: (connection, whom) => planErasure(erasingOf(connection), whom),
    async erase(connection, whom: WhomOfListener, progress) {
      progress({ phase: 'erasing' });
      const { report, strings } = await erase(erasingOf(connection), whom);
      progress({ phase: 'rewriting' });
      const traces = await rewritten(store, config, strings);
      return { ...report, traces };
    },
  };
}

/** Repeats the erasures of values that a restored backup has brought back. */
export async function carryOutErasures(options: Omit<ErasureOptions, 'notify'>): Promise<void> {
  const { store, config, ports, fingerprint, log } = options;
  const erasures = erasureLog(config.data_dir);
  const done = await reapplyErasures({ ...ports, store, fingerprint, log: erasures, onChanges() {} });
  if (done.length === 0) return;
  await rewritten(store, config, []);
  log.info({ connections: done }, 'erased again what a restored or broken-off state had brought back');
}

/** Tables of the core that an erasure writes to. */
const WRITTEN_IN_CORE = [
  'guests',
  'guest_images',
  'checkin_guide_images',
  'stays',
  'transactions',
  'tasks',
  'reviews',
  'conversations',
  'messages',
  'attachments',
  'channel_posts',
  'mail_threads',
  'mail_log',
  'import_rows',
];

/** Removes old bytes from the database of the core. @returns the number of remaining occurrences */
export async function forgetCoreBytes(
  store: Store<CoreDatabase>,
  config: Config,
  strings: readonly string[],
): Promise<number> {
  const location = locationOf(config, 'core');
  if (location.kind === 'sqlite') {
    const { file } = location;
    const counts = await store.exclusively(() => rewriteInBackground({ file, strings }));
    return counts.reduce((sum, count) => sum + count, 0);
  }
  await rewriteTables(store.db, WRITTEN_IN_CORE);
  return countInTables(store.db, strings);
}

/**
 * Removes old bytes from the mirror's database. @returns the number of remaining occurrences, all in free text about
 * others
 */
async function rewritten(store: MirrorStore, config: Config, strings: readonly string[]): Promise<number> {
  const location = locationOf(config, 'mirror');
  if (location.kind === 'sqlite') {
    const { file } = location;
    const counts = await store.exclusively(() => rewriteInBackground({ file, strings }));
    return counts.reduce((sum, count) => sum + count, 0);
  }
  await rewriteTables(store.db, WRITTEN);
  return countInTables(store.db, strings);
}
