import { mirrorMigrations } from '../../../migrations/mirror/index.ts';
import type { Logger } from '../../kernel/log.ts';
import { type Dependents, type Migrations, migrate } from '../../store/migrate.ts';
import type { MirrorStore } from '../../sync/tables/database.ts';
import { commentOnMirror } from '../mirrorSchema/columnComments.ts';
import { detachPostgresViews, makePostgresViews, type ViewsOutcome } from './onPostgres.ts';
import { dropSqliteViews, makeSqliteViews } from './onSqlite.ts';

/**
 * Migrates the mirror and makes the views for BI tools as this version has them, in the same transaction.
 * @returns the applied names
 */
export async function migrateMirror(
  store: MirrorStore,
  { log, migrations = mirrorMigrations }: { log?: Logger; migrations?: Migrations } = {},
): Promise<string[]> {
  const onPostgres = store.kind === 'postgres';
  const views: Dependents = {
    detach: onPostgres ? detachPostgresViews : dropSqliteViews,
    attach: async (db) => void (onPostgres ? tell(await makePostgresViews(db), log) : await makeSqliteViews(db)),
  };
  const applied = await migrate(store, migrations, views);
  await commentOnMirror(store);
  await keepAnalystViews(store, log);
  return applied;
}

/** Makes the views for BI tools where they are missing or of another version. */
export async function keepAnalystViews(store: MirrorStore, log?: Logger): Promise<ViewsOutcome> {
  return store.transaction(async (trx) => {
    if (store.kind === 'postgres') return tell(await makePostgresViews(trx), log);
    const views = await makeSqliteViews(trx);
    return views === 0 ? { state: 'unchanged' } : { state: 'made', views, lost: [] };
  });
}

function tell(outcome: ViewsOutcome, log: Logger | undefined): ViewsOutcome {
  if (outcome.state === 'refused') log?.warn({ why: outcome.why }, 'there are no views for BI tools');
  if (outcome.state === 'made' && outcome.lost.length > 0) {
    log?.warn({ views: outcome.lost }, 'views of others went, since a view below them has other columns now');
  }
  return outcome;
}
