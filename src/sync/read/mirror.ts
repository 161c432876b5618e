import type { MirrorDb } from '../tables/database.ts';
import { prepared } from '../../store/queries/prepared.ts';

/** The mirror for those who only show it. */
export type { Mirror, MirrorDb } from '../tables/database.ts';

/** The settings of a mirrored account, by which its dates and amounts are meant. */
export interface AccountSettings {
  name: string | null;
  time_zone: string | null;
  currency: string | null;
}

const settingsOf = prepared((db: MirrorDb, arg: { connection: string }) =>
  db
    .selectFrom('accounts')
    .where('connection', '=', arg.connection)
    .where('deleted_at', 'is', null)
    .select(['name', 'time_zone', 'currency'])
    .limit(1),
);

/** Reads the settings of a connection's account; undefined before the account was first read. */
export async function readAccountSettings(db: MirrorDb, connection: string): Promise<AccountSettings | undefined> {
  const [settings] = await settingsOf(db, { connection });
  return settings;
}

const headOf = prepared((db: MirrorDb, arg: { connection: string }) =>
  db.selectFrom('feed_heads').where('connection', '=', arg.connection).select('seq'),
);

/** Reads the number of the newest change of a connection; 0 before the first. */
export async function readFeedHead(db: MirrorDb, connection: string): Promise<number> {
  const [head] = await headOf(db, { connection });
  return head?.seq ?? 0;
}
