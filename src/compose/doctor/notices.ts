import type { Config } from '../../config.ts';
import type { Clock } from '../../kernel/clock.ts';
import { noticeTroubles } from '../../notices/health.ts';
import { readRows } from '../../store/queries/readRows.ts';
import type { MirrorDb } from '../../sync/tables/database.ts';
import { locationOf } from '../stores/stores.ts';
import { type Finding, ok, problem } from './finding.ts';

/** Checks that notices reach the places where people are told. */
export async function lookAtNotices(config: Config, clock: Clock): Promise<Finding[]> {
  const connections = await readRows(locationOf(config, 'mirror'), connectionsTold);
  const troubles = await readRows(locationOf(config, 'mirror'), async (db: MirrorDb) => {
    const found = connections.map(({ connection }) => noticeTroubles(db, connection, clock.now()));
    return (await Promise.all(found)).flat();
  });
  if (troubles.length === 0) return [ok('notices', 'each place where people are told takes what it is told')];
  return troubles.map(({ says, remedy }) => problem('notices', says, remedy ?? 'test it: ./stayd notices test NAME'));
}

function connectionsTold(db: MirrorDb): Promise<{ connection: string }[]> {
  return db.selectFrom('notice_places').select('connection').distinct().execute();
}
