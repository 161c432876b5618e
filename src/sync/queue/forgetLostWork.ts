import { next, sourcesOf } from '../../kernel/transitions.ts';
import { scanLife } from '../tables/states.ts';
import type { MirrorStore } from '../tables/database.ts';
import { releaseAll } from './dirtyKeys.ts';

/** Releases claims and scans of earlier processes. One process owns a SQLite store, so every earlier owner is gone. */
export async function forgetLostWork(store: MirrorStore, connection: string): Promise<void> {
  if (store.kind !== 'sqlite') return;
  await releaseAll(store.db, connection);
  await store.db
    .updateTable('scans')
    .set({ state: next(scanLife, 'running', 'fail'), problem: 'the process ended' })
    .where('connection', '=', connection)
    .where('state', 'in', sourcesOf(scanLife, 'fail'))
    .execute();
}
