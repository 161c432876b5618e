import { openedColumns } from '../../sync/sealedValues.ts';
import type { Automating } from '../context.ts';

/** An installation waits so long for each one that came to the account before it. */
const TURN_MS = 20_000;
const INSTANCE = /[?&]instance=/;

/**
 * How much later than planned this installation acts. Of several on one account the one whose webhook was registered
 * first acts at once; the others come so much later that they see what it has said, and act only if it has not.
 */
export async function rankMs(context: Pick<Automating, 'store' | 'connection'>): Promise<number> {
  const { own, others } = await installations(context);
  return others.filter((id) => id < own).length * TURN_MS;
}

/** Whether another installation acts on this account too, as far as the mirror knows. */
export async function hasCompany(context: Pick<Automating, 'store' | 'connection'>): Promise<boolean> {
  return (await installations(context)).others.length > 0;
}

/** Their webhooks on the account, the older the smaller. */
async function installations({ store, connection }: Pick<Automating, 'store' | 'connection'>) {
  const own = await store.db
    .selectFrom('connections')
    .select('webhook_id')
    .where('connection', '=', connection)
    .executeTakeFirst();
  const all = await store.db
    .selectFrom('webhooks')
    .select(['id', 'url'])
    .where('connection', '=', connection)
    .where('deleted_at', 'is', null)
    .execute();
  const isOfAnother = ({ id, url }: (typeof all)[number]) =>
    url !== null && INSTANCE.test(openedColumns(store.db, { connection, resource: 'webhook', key: id }, { url }).url);
  const id = own?.webhook_id ?? Number.POSITIVE_INFINITY;
  const others = all.filter((one) => one.id !== id && isOfAnother(one)).map((one) => one.id);
  return { own: id, others };
}
