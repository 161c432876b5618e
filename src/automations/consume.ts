import { turn } from '../kernel/clock.ts';
import { addDays, dateIn } from '../kernel/dates.ts';
import type { MirrorTrx } from '../sync/tables/database.ts';
import type { Change } from '../sync/feed/feed.ts';
import type { Automating } from './context.ts';
import { learnShowing } from './perform/showing.ts';
import { DAYS_BACK, stayPage, staysOfReservations } from './facts/mirrorFacts.ts';
import { planChanges } from './plans/planChanges.ts';
import { planMessages } from './plans/planMessages.ts';
import { planStays } from './plans/planStays.ts';
import type { LoadedRule } from './rules/ruleBook.ts';
import { armedRules } from './rules/syncRules.ts';

const CURSOR = 'plans';
/** Number of changes in one transaction. */
const BATCH = 50;
const STAYS_PAGE = 50;
/** Most stays of a property to plan at once. The regular planning of all stays covers the rest some hours later. */
const STAYS_OF_PROPERTY = 200;

/** Returns the cursor of the feed. Begins at its end, because earlier changes are history. */
export async function beginCursor({ store, connection, feed }: Automating): Promise<number> {
  const head = await feed.head();
  return store.transaction(async (trx) => {
    await trx
      .insertInto('automation_cursors')
      .values({ connection, name: CURSOR, seq: head })
      .onConflict((conflict) => conflict.columns(['connection', 'name']).doNothing())
      .execute();
    return cursorOf(trx, connection);
  });
}

async function cursorOf(trx: MirrorTrx, connection: string): Promise<number> {
  const row = await trx
    .selectFrom('automation_cursors')
    .select('seq')
    .where('connection', '=', connection)
    .where('name', '=', CURSOR)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return row.seq;
}

/**
 * Takes the next changes of the feed. Plans and cursor commit together.
 * @returns the new cursor
 */
export async function consume(context: Automating, from: number, waitMs: number): Promise<number> {
  const changes = await context.feed.wait(from, BATCH, waitMs, context.signal);
  const last = changes.at(-1);
  if (!last) return from;
  const next = await context.store.transaction(async (trx) => {
    const at = await cursorOf(trx, context.connection);
    // Another process has moved the cursor.
    if (at !== from) return at;
    await takeIn(trx, context, changes);
    await trx
      .updateTable('automation_cursors')
      .set({ seq: last.seq })
      .where('connection', '=', context.connection)
      .where('name', '=', CURSOR)
      .execute();
    return last.seq;
  });
  if (next === last.seq && context.book.rules.length > 0) await learnShowing(context, changes);
  return next;
}

async function takeIn(trx: MirrorTrx, context: Automating, changes: readonly Change[]): Promise<void> {
  if (context.book.rules.length === 0) return;
  const rules = await armedRules(trx, context);
  const bookings = new Set(changes.filter(({ resource }) => resource === 'reservation').map(({ key }) => key));
  await planStays(trx, context, await staysOfReservations(trx, context, [...bookings]), rules);
  await followProperties(trx, context, changes, rules);
  await planMessages(trx, context, changes, rules);
  await planChanges(trx, context, changes, rules);
}

/** Plans the stays of changed properties again. A property can appear after its reservations, or change its zone. */
async function followProperties(
  trx: MirrorTrx,
  context: Automating,
  changes: readonly Change[],
  rules: readonly LoadedRule[],
): Promise<void> {
  const ids = new Set(changes.filter(({ resource }) => resource === 'property').map(({ key }) => Number(key)));
  const since = addDays(dateIn(context.zone(), context.clock.now()), -DAYS_BACK);
  for (const property of ids) {
    const page = await stayPage(trx, context, { after: '', since, limit: STAYS_OF_PROPERTY, property });
    await planStays(trx, context, page, rules);
  }
}

/** Plans all stays that are not long over, page by page. */
export async function planAll(context: Automating, wanted: readonly LoadedRule[], property?: number): Promise<void> {
  const { store, signal, clock, zone } = context;
  const names = new Set(wanted.map(({ name }) => name));
  const since = addDays(dateIn(zone(), clock.now()), -DAYS_BACK);
  for (let after: string | undefined = ''; after !== undefined && !signal.aborted; await turn()) {
    const from: string = after;
    after = await store.transaction(async (trx) => {
      const page = await stayPage(trx, context, { after: from, since, limit: STAYS_PAGE, property });
      const rules = (await armedRules(trx, context)).filter(({ name }) => names.has(name));
      await planStays(trx, context, page, rules);
      return page.length === STAYS_PAGE ? page.at(-1)?.stay.stay_code : undefined;
    });
  }
}
