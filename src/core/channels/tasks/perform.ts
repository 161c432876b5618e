import { datesFromTo, instantOf } from '../../../kernel/dates.ts';
import { messageOf } from '../../../kernel/errors.ts';
import { changeBlocks } from '../../availabilities/blocks.ts';
import { closedNights } from '../../availabilities/closed.ts';
import { runChange } from '../../change.ts';
import type { Core } from '../../context.ts';
import type { CalendarTaskRow, ListingRow } from '../../database.ts';
import type { CalendarUpdate, Days, PushResult } from '../adapter.ts';
import { calendarsOf } from '../adapters.ts';
import { stretchesOf } from '../cascade.ts';
import { listingById } from '../table.ts';
import { unreachableBecause } from '../rules.ts';
import { recordRules } from '../snapshot.ts';
import { accountOf, finishTask, takeNotices } from './table.ts';
import { isAnnounced, type Push, type Work } from './work.ts';

/**
 * Milliseconds within which a range of days of one listing is announced once. Repeats within it are dropped for good.
 */
const NOTICE_WINDOW_MS = 5_000;

/** Executes a task and stores its outcome, which is final. Safe to repeat after a crash. */
export async function perform(core: Core, task: CalendarTaskRow): Promise<PushResult> {
  const work = JSON.parse(task.work) as Work;
  if (work.kind === 'blocks') return block(core, task, work);
  const listing = await listingById(core.store.db, task.account_id, task.subject_id);
  const problem = listing ? unreachableBecause(listing) : 'the listing is gone';
  if (work.kind === 'settings') return recordSettings(core, task, problem === null ? listing : undefined, problem);
  const result =
    listing && problem === null ? await pushed(core, listing, work) : { outcome: 'failed' as const, problem };
  const announced = result.outcome === 'clean' && listing && isAnnounced(work) ? work.ranges : [];
  await finish(core, task, result, listing, announced);
  return result;
}

async function block(core: Core, task: CalendarTaskRow, work: Work & { kind: 'blocks' }): Promise<PushResult> {
  const account = await accountOf(core.store.db, task);
  const result: PushResult = { outcome: 'clean', problem: null };
  await runChange(core, { account, operator: null }, async (change) => {
    const finished_at = instantOf(change.now);
    if (await finishTask(change.trx, task, { ...result, finished_at }))
      await changeBlocks(change, task.subject_id, work);
  });
  return result;
}

/** Stores a channel's present prices and rules. */
async function recordSettings(
  core: Core,
  task: CalendarTaskRow,
  listing: ListingRow | undefined,
  problem: string | null,
): Promise<PushResult> {
  const account = await accountOf(core.store.db, task);
  const settings = listing && (await calendarsOf(core, listing).readSettings(listing));
  const result: PushResult = settings ? { outcome: 'clean', problem: null } : { outcome: 'failed', problem };
  await runChange(core, { account, operator: null }, async (change) => {
    const at = instantOf(change.now);
    if (!(await finishTask(change.trx, task, { ...result, finished_at: at }))) return;
    if (listing && settings) await recordRules(change, listing, settings);
  });
  return result;
}

async function pushed(core: Core, listing: ListingRow, work: Push): Promise<PushResult> {
  try {
    const update = work.kind === 'availability' ? await inventoryOf(core, listing, work.ranges) : work;
    return await calendarsOf(core, listing).push(listing, update);
  } catch (error) {
    return { outcome: 'failed', problem: messageOf(error) };
  }
}

/** Returns the inventory of these days by the present master calendar. */
async function inventoryOf(core: Core, listing: ListingRow, ranges: readonly Days[]): Promise<CalendarUpdate> {
  const starts = ranges.map((range) => range.start_date).toSorted();
  const ends = ranges.map((range) => range.end_date).toSorted();
  const span = { accountId: listing.account_id, start: starts[0] ?? '', end: ends.at(-1) ?? '' };
  const closed = await closedNights(core.store.db, span, listing.property_id);
  const dates = ranges.flatMap((range) => datesFromTo(range.start_date, range.end_date));
  const of = (inventory: number) => (range: Days) => ({ ...range, inventory });
  return {
    kind: 'inventory',
    ranges: [
      ...stretchesOf(dates.filter((date) => !closed.has(date))).map(of(listing.inventory)),
      ...stretchesOf(dates.filter((date) => closed.has(date))).map(of(0)),
    ],
  };
}

async function finish(
  core: Core,
  task: CalendarTaskRow,
  { outcome, problem }: PushResult,
  listing: ListingRow | undefined,
  announced: readonly Days[],
): Promise<void> {
  const account = await accountOf(core.store.db, task);
  await runChange(core, { account, operator: null }, async (change) => {
    const { trx, now } = change;
    if (!(await finishTask(trx, task, { outcome, problem, finished_at: instantOf(now) }))) return;
    if (!listing || announced.length === 0) return;
    const { channel_type, listing_id } = listing;
    for (const { start_date, end_date } of await takeNotices(
      trx,
      { listing, ranges: announced, now },
      NOTICE_WINDOW_MS,
    )) {
      change.emit({ event: 'listing_calendar_updated', channel_type, listing_id, start_date, end_date });
    }
  });
}
