import { dateIn, type PlainDate } from '../../kernel/dates.ts';
import { openSorter, type Sorter } from '../../store/queries/sorter.ts';
import { Funds } from '../journal/funds.ts';
import { type Policy, policyOf } from '../journal/policy.ts';
import { type Ask, countGroups, readAccount, UNKNOWN_CHANNEL } from '../journal/read/readFacts.ts';
import { collect } from '../run/collect.ts';
import type { Listener, Order } from '../run/order.ts';
import { lastLockedDay, lockedMonths } from '../run/readPeriods.ts';
import { type Unconfirmed, UnconfirmedSettings } from '../run/unconfirmed.ts';
import { accountRows, holdersOf, rolesOf } from './accounts.ts';
import { exceptionRows, type GroupRows, groupRows } from './groupRows.ts';
import { type Basis, basisOf, basisText, headOf, keptBooks } from './basis.ts';
import { changedAt } from './changedAt.ts';
import { KeptGroups } from './keptGroups.ts';
import { countEntries, END_OF_DAYS, keptSums, Sums } from './keptSums.ts';
import type { BookHead, BookLot } from './lot.ts';
import { staleGroups } from './staleGroups.ts';

/** Number of rows that one write transaction handles; a group is never divided. */
const LOT_ROWS = 200;
const PROGRESS_EVERY = 1_000;

/** Differences from the stored rows, held outside of memory. Callers must close it. */
interface Changes {
  readonly head: BookHead;
  readonly unconfirmed: Unconfirmed;
  lots(): AsyncIterable<BookLot>;
  close(): void;
}

/**
 * Books up to today what may have changed since the books were stored, or everything from scratch, and finds the
 * differences from the stored rows.
 */
export async function changedGroups(ask: Ask, order: Order, listener: Listener): Promise<Changes> {
  const sorter = openSorter();
  try {
    const { head, unconfirmed, gone } = await compare(ask, order, { sorter, listener });
    return { head, unconfirmed, lots: () => lotsOf(sorter, gone), close: () => sorter.close() };
  } catch (error) {
    sorter.close();
    throw error;
  }
}

async function compare(
  ask: Ask,
  order: Order,
  { sorter, listener }: { sorter: Sorter; listener: Listener },
): Promise<{ head: BookHead; unconfirmed: Unconfirmed; gone: readonly string[] }> {
  const { connection } = order;
  const { zone, properties } = await readAccount(ask, connection);
  const policy = policyOf(order.settings);
  const today = dateIn(zone, order.now);
  const book = { connection, policy, roles: rolesOf(policy), today };
  const unconfirmed = new UnconfirmedSettings(policy, order.confirmed, today);
  const lockedThrough = lastLockedDay(await lockedMonths(ask, connection, zone));
  const start = await startOf(ask, order, { policy, zone, today });
  const { basis, seq, only } = start;
  const asked = { connection, policy, zone, today, unconfirmed, lockedThrough, only };
  const total = only?.length ?? (await countGroups(ask, connection));
  const kept = new KeptGroups(ask, connection, sorter);
  let [groups, entries] = [0, start.entries];
  for await (const one of collect(ask, { ...asked, corrections: 'reverse_and_rebook' })) {
    const rows = groupRows(book, one);
    for (const { account, currency, amount_minor } of rows.postings) {
      start.sums.add({ account, currency, amount: BigInt(amount_minor), postings: 1 });
    }
    groups += 1;
    entries += rows.entries.length;
    await kept.compare(rows);
    if (groups % PROGRESS_EVERY === 0) listener.onProgress({ groups, total, entries });
  }
  await kept.end();
  const gone = only ? [] : await kept.gone();
  const funds = new Funds(holdersOf(policy));
  const sums = start.sums.all();
  for (const { account, currency, amount } of sums) funds.addSum(account, currency, amount);
  const accounts = new Set(sums.filter(({ postings }) => postings > 0).map(({ account }) => account));
  const head: BookHead = {
    through: today,
    seq,
    basis: basisText(basis),
    changedAt: await changedAt(ask, connection, only),
    changed: kept.changed + gone.length,
    entries,
    accounts: accountRows(connection, policy, accounts),
    properties: propertyRows(order, policy, properties.keys()),
    channels: await channelRows(ask, connection, policy),
    exceptions: exceptionRows(book, '', funds.exceptions(today)),
  };
  return { head, unconfirmed: unconfirmed.result(), gone };
}

interface Start {
  readonly basis: Basis;
  readonly seq: number;
  /** Keys of the groups to book, in order; undefined for all. */
  readonly only: readonly string[] | undefined;
  /** The sums and the number of the stored entries of all other groups. */
  readonly sums: Sums;
  readonly entries: number;
}

/** Returns what has to be booked, and what the rest comes to. */
async function startOf(
  ask: Ask,
  { connection, fromScratch }: Order,
  now: { policy: Policy; zone: string; today: PlainDate },
): Promise<Start> {
  const basis = await basisOf(ask, connection, now);
  const seq = await headOf(ask, connection);
  const books = fromScratch === true ? undefined : await keptBooks(ask, connection);
  const stale = books && (await staleGroups(ask, connection, now));
  if (!books || !stale) return { basis, seq, only: undefined, sums: new Sums(), entries: 0 };
  const sums = new Sums();
  for (const sum of await keptSums(ask, connection, { before: END_OF_DAYS, without: stale })) sums.add(sum);
  const entries = books.entries - (await countEntries(ask, connection, stale));
  return { basis, seq, only: stale, sums, entries };
}

const CHANNELS = `
select distinct coalesce(channel_type, $2) as channel_type, coalesce(custom_channel, channel_type, $2) as channel
from reservations where connection = $1 order by 1, 2`;

/** Returns what the settings say of every channel by which a reservation came. */
async function channelRows(ask: Ask, connection: string, policy: Policy): Promise<BookHead['channels']> {
  const rows = await ask<{ channel_type: string; channel: string }>(CHANNELS, [connection, UNKNOWN_CHANNEL]);
  return rows.map(({ channel_type, channel }) => {
    const from = { channelType: channel_type, channel };
    return {
      connection,
      channel_type,
      channel,
      clearing: policy.clearing(from),
      commission: policy.commission(from),
      occupancy_tax: policy.occupancyTax(from),
    };
  });
}

/** Returns the properties of the account and those of the settings, with what the settings say of them. */
function propertyRows({ connection, settings }: Order, policy: Policy, ids: Iterable<number>): BookHead['properties'] {
  const all = new Set([...ids, ...Object.keys(settings.properties).map(Number)]);
  return [...all].map((id) => {
    const { code, owner } = policy.property(id, '');
    const said = settings.properties[id];
    const [contract, tax_authority] = [said?.contract ?? null, said?.tax_authority ?? null];
    return { connection, property_id: id, code, owner, contract, tax_authority };
  });
}

/** Yields lots with enough rows to be worth a transaction. */
async function* lotsOf(sorter: Sorter, gone: readonly string[]): AsyncGenerator<BookLot> {
  let groups: GroupRows[] = [];
  let size = 0;
  for await (const text of sorter.sorted()) {
    const rows = JSON.parse(text) as GroupRows;
    const { entries, postings, deposits, exceptions, outcomes } = rows;
    const more = [entries, postings, deposits, exceptions, outcomes].reduce((sum, { length }) => sum + length, 1);
    if (size > 0 && size + more > LOT_ROWS) {
      yield { groups, removed: [] };
      [groups, size] = [[], 0];
    }
    groups.push(rows);
    size += more;
  }
  if (size > 0) yield { groups, removed: [] };
  for (let start = 0; start < gone.length; start += LOT_ROWS) {
    yield { groups: [], removed: gone.slice(start, start + LOT_ROWS) };
  }
}
