import { existsSync } from 'node:fs';
import type { Config } from '../../config.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { AskRows, ReplicaAge } from '../../reports/read.ts';
import { standingOf } from '../../store/replica.ts';
import { readPostgres, readSqliteFile } from '../../store/sqlite/reading.ts';
import { openStore } from '../../store/store.ts';
import type { Mirror, MirrorStore } from '../../sync/tables/database.ts';
import { locationOf, replicaOf } from '../stores/stores.ts';

/** Seconds by which a replica may be behind, and still be read. */
export const MOST_BEHIND_S = 60;

/** A way to read the mirror for reports: it changes nothing, and does not hold up the serving thread. */
interface ReportReader {
  readonly ask: AskRows;
  /** Absent when the database itself is read. */
  readonly replica?: ReplicaAge;
  /** Ends it, even during a query. */
  close(): Promise<void>;
}

/** Opens the mirror's database. @param store an open one; on PostgreSQL it is used, and stays open */
export async function openReader(config: Config, store?: MirrorStore): Promise<ReportReader> {
  const location = locationOf(config, 'mirror');
  if (location.kind === 'sqlite') {
    if (!existsSync(location.file)) {
      throw new OperatorError(
        `there is no mirror yet: ${location.file} is missing`,
        'start stayd once, or check STAYD_DATA_DIR',
      );
    }
    const reader = readSqliteFile(location.file);
    return { ask: reader.rows, close: () => reader.close() };
  }
  if (store) return { ask: readPostgres(store).rows, close: async () => {} };
  return closingOnce(await openStore<Mirror>(location));
}

/** Opens the replica; undefined if none is set, it does not answer, or it is too far behind. */
export async function openReplica(config: Config): Promise<ReportReader | undefined> {
  const location = replicaOf(config);
  const store = location && (await openStore<Mirror>(location).catch(() => undefined));
  if (!store) return undefined;
  const { isReplica, behindSeconds } = await standingOf(store.db).catch(() => ({
    isReplica: false,
    behindSeconds: null,
  }));
  if (isReplica && behindSeconds !== null && behindSeconds <= MOST_BEHIND_S) {
    return { ...closingOnce(store), replica: { behind_seconds: behindSeconds } };
  }
  await store.close();
  return undefined;
}

function closingOnce(store: MirrorStore): ReportReader {
  let closing: Promise<void> | undefined;
  return { ask: readPostgres(store).rows, close: () => (closing ??= store.close()) };
}
