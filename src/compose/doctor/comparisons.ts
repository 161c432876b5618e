import { comparisonTroubles } from '../../comparisons/health.ts';
import type { Config } from '../../config.ts';
import type { Clock } from '../../kernel/clock.ts';
import { readRows } from '../../store/queries/readRows.ts';
import type { MirrorDb } from '../../sync/tables/database.ts';
import { locationOf } from '../stores/stores.ts';
import { type Finding, ok, problem } from './finding.ts';

/** Checks that calendars at marketplaces and the mirror know the same stays. */
export async function lookAtComparisons(config: Config, clock: Clock): Promise<Finding[]> {
  const troubles = await readRows(locationOf(config, 'mirror'), async (db: MirrorDb) => {
    const compared = await db.selectFrom('comparisons').select('connection').distinct().execute();
    const found = compared.map(({ connection }) => comparisonTroubles(db, connection, clock.now()));
    return (await Promise.all(found)).flat();
  });
  if (troubles.length === 0) return [ok('comparisons', 'calendars that are compared show what the mirror holds')];
  return troubles.map(({ says, remedy }) => problem('comparisons', says, remedy));
}
