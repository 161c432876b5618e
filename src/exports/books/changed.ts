import { dateIn } from '../../kernel/dates.ts';
import { openSorter, type Sorter } from '../../store/queries/sorter.ts';
import type { BookExceptionsTable } from '../tables/bookTables.ts';
import { Funds } from '../journal/funds.ts';
import { type Policy, policyOf } from '../journal/policy.ts';
import type { ReservationFact } from '../journal/read/facts.ts';
import { type Ask, countGroups, readAccount } from '../journal/read/readFacts.ts';
import { collect } from '../run/collect.ts';
import type { Listener, Order } from '../run/order.ts';
import { lastLockedDay, lockedMonths } from '../run/readPeriods.ts';
import { type Unconfirmed, UnconfirmedSettings } from '../run/unconfirmed.ts';
import { accountRows, holdersOf, rolesOf } from './accounts.ts';
import { exceptionRows, type GroupRows, groupRows } from './groupRows.ts';
import { KeptGroups } from './keptGroups.ts';
import type { BookHead, BookLot } from './lot.ts';

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

/** Books everything up to today and finds the differences from the stored rows. */
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
  const funds = new Funds(holdersOf(policy));
  const accounts = new Set<string>();
  const channels = new Map<string, BookHead['channels'][number]>();
  const total = await countGroups(ask, connection);
  const kept = new KeptGroups(ask, connection, sorter);
  let [groups, entries] = [0, 0];
  const unconfirmed = new UnconfirmedSettings(policy, order.confirmed, today);
  const asked = {
    connection,
    policy,
    zone,
    today,
    unconfirmed,
    lockedThrough: lastLockedDay(await lockedMonths(ask, connection, zone)),
  };
  for await (const one of collect(ask, { ...asked, corrections: 'reverse_and_rebook' })) {
    const rows = groupRows(book, one);
    funds.add(one.canonical, today);
    for (const { account } of rows.postings) accounts.add(account);
    const channel = channelRow(connection, policy, one.group.reservation);
    if (channel) channels.set(JSON.stringify([channel.channel_type, channel.channel]), channel);
    groups += 1;
    entries += rows.entries.length;
    await kept.compare(rows);
    if (groups % PROGRESS_EVERY === 0) listener.onProgress({ groups, total, entries });
  }
  const gone = await kept.end();
  const exceptions: BookExceptionsTable[] = exceptionRows(book, '', funds.exceptions(today));
  const head: BookHead = {
    through: today,
    groups,
    changed: kept.changed + gone.length,
    entries,
    accounts: accountRows(connection, policy, accounts),
    properties: propertyRows(order, policy, properties.keys()),
    channels: [...channels.values()],
    exceptions,
  };
  return { head, unconfirmed: unconfirmed.result(), gone };
}

function channelRow(
  connection: string,
  policy: Policy,
  reservation: ReservationFact | null,
): BookHead['channels'][number] | undefined {
  if (!reservation) return undefined;
  return {
    connection,
    channel_type: reservation.channelType,
    channel: reservation.channel,
    clearing: policy.clearing(reservation),
    commission: policy.commission(reservation),
    occupancy_tax: policy.occupancyTax(reservation),
  };
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
    const { entries, postings, deposits, exceptions } = rows;
    const more = 1 + entries.length + postings.length + deposits.length + exceptions.length;
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
