import { CallError } from '../../client/callError.ts';
import type { CallOptions } from '../../client/client.ts';
import { msOf } from '../../kernel/dates.ts';
import { absenceOf, noteAbsence, noteThere } from '../scans/absences.ts';
import type { Origin } from '../tables/database.ts';
import type { DirtyKey } from '../queue/dirtyKeys.ts';
import { pendingEvents } from '../queue/inbox.ts';
import type { LookUpContext } from './lookUpContext.ts';
import type { MirrorResource, Page, Reading } from '../tables/rows/resource.ts';
import { otherRoutes } from './otherRoutes.ts';
import { rowQueries } from '../tables/rows/rowTable.ts';

/** Thrown when a known row is missing from an answer. That proves nothing yet: it is looked for again. */
export class DoubtedAbsence extends Error {
  override readonly name = 'DoubtedAbsence';
}

/** The time between the first and the second answer without a row: a short outage lasts some seconds. */
const APART_MS = 20_000;
/** The page for a row whose absence is believed. */
export const goneForGood: Page = { rows: [], quarantined: [] };
/** Reads with these origins have already found the row missing from its list. */
const scanned: ReadonlySet<Origin> = new Set(['scan', 'catch_up', 'command']);
/** The event that announces the end of a row. */
const ENDED = 'transaction_deleted';

interface Look {
  reading: Reading;
  options: CallOptions;
}

/**
 * Judges an answer that lacks a stored row. One such answer proves nothing. A while later the row is looked for again,
 * and in another list. It is believed to be gone if that list lacks it, too, and the source looks well.
 * @returns the page to apply: the given page, unless the other list shows something else
 * @throws DoubtedAbsence if the answer cannot be judged yet
 */
export async function doubt(
  context: LookUpContext,
  resource: MirrorResource,
  dirty: DirtyKey,
  page: Page,
  { reading, options }: Look,
): Promise<Page> {
  const { store, connection, clock, health } = context;
  const name = { connection, resource: resource.name, key: dirty.key };
  const there = { connection, resource: resource.name, keys: [dirty.key] };
  if (page.rows.length > 0) {
    if (dirty.attempts > 0) await noteThere(store.db, there);
    return page;
  }
  if (page.quarantined.length > 0 || page.partial) return page;
  const stored = await rowQueries(resource).storedUnder(store.db, connection, [dirty.key]);
  if (stored.length === 0 || (await isAnnounced(context, resource, dirty.key))) return page;
  if (scanned.has(dirty.origin) && !health.isUnwell()) return goneForGood;
  const known = await absenceOf(store.db, name);
  if (!known) health.missed();
  if (!known || clock.now() - msOf(known.found_at) < APART_MS) {
    if (!known) await noteAbsence(store.db, name, clock.now());
    throw new DoubtedAbsence(`${dirty.key} is missing from an answer`);
  }
  const other = otherRoutes[resource.name];
  const found = other && (await orNothing(other(context.client, reading, stored, options)));
  if (found && found.quarantined.length > 0) throw new DoubtedAbsence(`${dirty.key} may be a row that cannot be read`);
  const rows = found?.rows.filter((row) => row.key === dirty.key) ?? [];
  if (rows.length > 0) {
    await noteThere(store.db, there);
    // This list may not show all of the rows under the key.
    return { rows, quarantined: [], partial: true };
  }
  if (health.isUnwell())
    throw new DoubtedAbsence(`${dirty.key} is missing from an answer of a source that looks unwell`);
  await noteThere(store.db, there);
  return goneForGood;
}

/** Returns true if a waiting event says that the row is gone. */
async function isAnnounced({ store, connection }: LookUpContext, { name: resource }: MirrorResource, key: string) {
  const arg = { connection, resource, keys: [key], number: Number.MAX_SAFE_INTEGER, after: '', limit: 100 };
  return (await pendingEvents(store.db, arg)).some(({ event }) => event === ENDED);
}

async function orNothing(answer: Promise<Page>): Promise<Page | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof CallError && error.client === 'fix') return undefined;
    throw error;
  }
}
