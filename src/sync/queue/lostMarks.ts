import { type MarkContext, markKeys } from './markKeys.ts';

const BATCH = 500;

/**
 * Marks keys again that waiting events name and that are not dirty. On PostgreSQL a mark can be committed after a read
 * with a greater number has made its key clean; on SQLite nothing comes in between.
 * @returns true if there were any
 */
export async function markLost(context: MarkContext): Promise<boolean> {
  const { store, connection } = context;
  const rows = await store.db
    .selectFrom('inbox')
    .select(['resource', 'key'])
    .distinct()
    .where('state', '=', 'pending')
    .where('connection', '=', connection)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('dirty_keys')
            .select('dirty_keys.key')
            .whereRef('dirty_keys.connection', '=', 'inbox.connection')
            .whereRef('dirty_keys.resource', '=', 'inbox.resource')
            .whereRef('dirty_keys.key', '=', 'inbox.key'),
        ),
      ),
    )
    .limit(BATCH)
    .execute();
  const keys = rows.map(({ resource, key }) => ({ resource: resource ?? '', key: key ?? '' }));
  await markKeys(context, keys, 'event');
  return keys.length > 0;
}
