import { isTimeZone } from '../../kernel/dates.ts';
import type { MirrorStore } from '../tables/database.ts';

/** The account's time zone, as last mirrored; UTC until the account has been read. */
export interface AccountZone {
  now(): string;
  /** Loads it again. */
  load(): Promise<void>;
}

export async function accountZone(store: MirrorStore, connection: string): Promise<AccountZone> {
  let zone = 'UTC';
  const load = async () => {
    const row = await store.db
      .selectFrom('accounts')
      .select('time_zone')
      .where('connection', '=', connection)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (row?.time_zone && isTimeZone(row.time_zone)) zone = row.time_zone;
  };
  await load();
  return { now: () => zone, load };
}
