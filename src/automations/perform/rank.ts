import { msOf } from '../../kernel/dates.ts';
import { openedColumns } from '../../sync/tables/rows/sealedValues.ts';
import type { Automating } from '../context.ts';
import { turnAt, type Turns, turnMs } from '../guards/turns.ts';
import type { Plan } from '../plans/table.ts';
import { showsWithin } from './showing.ts';
import { Stopped } from './stopped.ts';

const INSTANCE = /[?&]instance=/;

type Context = Pick<Automating, 'store' | 'connection'>;

/**
 * Returns the delay of this installation for actions other than messages. Of several installations on an account, the
 * one whose webhook was registered first acts at once. The others wait long enough to see its effects.
 */
export async function rankMs(context: Context): Promise<number> {
  const turns = await turnsOf(context);
  return turns.rank * turnMs(turns);
}

/** Returns true if the mirror shows another installation on this account. */
export async function hasCompany(context: Context): Promise<boolean> {
  return (await installations(context)).others.length > 0;
}

/**
 * Throws Stopped while it is another installation's turn to speak. A message checked in a turn must leave in it, so
 * that it shows before the next turn.
 */
export async function checkTurn(context: Automating, plan: Plan): Promise<void> {
  const turns = await turnsOf(context);
  if (turns.of < 2) return;
  // Measured by the clock that all installations share.
  const now = context.clock.now() - context.timekeeper.aheadMs();
  const at = turnAt(msOf(await beganAt(context, plan)), now, turns);
  if (at > now) throw new Stopped('waiting', 'turn', { waitMs: at - now });
}

/** Returns a moment of the subject that all installations know. */
async function beganAt({ store, connection }: Context, plan: Plan): Promise<string> {
  if (plan.message_id === null) return plan.send_at;
  const row = await store.db
    .selectFrom('messages')
    .select('sent_at')
    .where('connection', '=', connection)
    .where('conversation_id', '=', plan.conversation_id)
    .where('message_id', '=', plan.message_id)
    .executeTakeFirst();
  return row?.sent_at ?? plan.send_at;
}

async function turnsOf(context: Context): Promise<Turns> {
  const { own, others } = await installations(context);
  const rank = others.filter((id) => id < own).length;
  const showsMs = await showsWithin(context.store.db, context.connection);
  return { rank, of: others.length + 1, showsMs };
}

/** Returns the ids of the installations' webhooks on the account; older ones are smaller. */
async function installations({ store, connection }: Context) {
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
