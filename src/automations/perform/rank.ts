import type { Automating } from '../context.ts';

/** An installation waits so long for each one that came to the account before it. */
const TURN_MS = 20_000;
const INSTANCE = /[?&]instance=/;

/**
 * How much later than planned this installation acts. Of several on one account the one whose webhook was registered
 * first acts at once; the others come so much later that they see what it has said, and act only if it has not.
 */
export async function rankMs({ store, connection }: Pick<Automating, 'store' | 'connection'>): Promise<number> {
  const own = await store.db
    .selectFrom('connections')
    .select('webhook_id')
    .where('connection', '=', connection)
    .executeTakeFirst();
  const others = await store.db
    .selectFrom('webhooks')
    .select(['id', 'url'])
    .where('connection', '=', connection)
    .where('deleted_at', 'is', null)
    .execute();
  const id = own?.webhook_id ?? Number.POSITIVE_INFINITY;
  return others.filter((one) => one.id < id && INSTANCE.test(one.url)).length * TURN_MS;
}
