import { NO_PROPERTY } from '../../../sync/tables/rowFacts.ts';
import { dateIn, type Instant, isTimeZone, msOf, type PlainDate } from '../../../kernel/dates.ts';
import { isCurrency, type Currency } from '../../../kernel/money.ts';
import type { Ask } from '../ask.ts';
import type { IssuedBefore } from '../book.ts';
import type { DepositFact, Group, ReservationFact, StayFact, TransactionFact } from './facts.ts';
import { grouped } from '../grouped.ts';
import { DEPOSITS, type DepositNow, type DepositRow, depositStates } from './readDeposits.ts';
import { ISSUED, type IssuedRow, issuedOf, lockedSeals, LOOSE_ISSUED } from './readIssued.ts';
import { readMoved } from './readMoved.ts';
import { transactionOf, type TransactionRow } from './transactionRow.ts';
import { readPayouts } from './readPayouts.ts';

export type { Ask };

/** A group of facts with the entries that were issued for it. */
export interface ReadGroup extends Group, IssuedBefore {
  /** All ledger entries, including those that are gone or belong to another group now. */
  readonly ledger: readonly TransactionFact[];
}

/** The operator's account as the books need it. */
export interface AccountFacts {
  readonly zone: string;
  readonly currency: Currency;
  readonly properties: ReadonlyMap<number, string>;
}

/** Reads zone, currency and properties of the account. Defaults to UTC and EUR if upstream gives no valid value. */
export async function readAccount(ask: Ask, connection: string): Promise<AccountFacts> {
  const [account] = await ask<{ time_zone: string | null; currency: string | null }>(
    'select time_zone, currency from accounts where connection = $1 and deleted_at is null',
    [connection],
  );
  const properties = await ask<{ id: number; name: string }>(
    'select id, name from properties where connection = $1 order by id',
    [connection],
  );
  const zone = account?.time_zone ?? '';
  const currency = account?.currency ?? '';
  return {
    zone: isTimeZone(zone) ? zone : 'UTC',
    currency: isCurrency(currency) ? currency : 'EUR',
    properties: new Map(properties.map(({ id, name }) => [id, name])),
  };
}

/** Counts the groups. Leaves out groups that only an issued entry or a payout knows. */
export async function countGroups(ask: Ask, connection: string): Promise<number> {
  const [row] = await ask<{ count: number }>(
    `select (select count(*) from reservations where connection = $1)
      + (select count(*) from transactions where connection = $1 and reservation_code is null) as count`,
    [connection],
  );
  return Number(row?.count ?? 0);
}

const PAGE = '100';

interface Asked {
  connection: string;
  zone: string;
  /** The job whose deliveries `isDelivered` of an issued entry reports. */
  job?: string | undefined;
  /** Keys of the only groups to read. Default: all. */
  only?: readonly string[] | undefined;
}

/**
 * Yields every group in a fixed order: reservations by code, then ledger entries without one by id. Holds one page at a
 * time in memory. A group that is asked for by its key is yielded even if nothing is known of it.
 */
export async function* readGroups(ask: Ask, { connection, zone, job = '', only }: Asked): AsyncGenerator<ReadGroup> {
  const issued = issuedOf(await lockedSeals(ask, connection));
  if (only) {
    for (const key of only) {
      const own = key.slice(1);
      const page = { connection, zone, job, issued, bounds: [own, own] } as const;
      if (key.startsWith('r')) yield* bookings(ask, page, [own]);
      else yield* looseEntries(ask, page, [Number(own)]);
    }
    return;
  }
  for (let after = ''; ;) {
    const codes = await ask<{ code: string }>(CODES, [connection, after, PAGE]);
    const [first, last] = [codes[0]?.code, codes.at(-1)?.code];
    if (first === undefined || last === undefined) break;
    yield* bookings(
      ask,
      { connection, zone, job, issued, bounds: [first, last] },
      codes.map(({ code }) => code),
    );
    after = last;
  }
  for (let after = '0'; ;) {
    const ids = await ask<{ id: number }>(LOOSE_IDS, [connection, after, PAGE]);
    const [first, last] = [ids[0]?.id, ids.at(-1)?.id];
    if (first === undefined || last === undefined) break;
    yield* looseEntries(
      ask,
      { connection, job, issued, bounds: [String(first), String(last)] },
      ids.map(({ id }) => id),
    );
    after = String(last);
  }
}

/** Selects the codes of all known reservations, ledger entries, issued entries and payouts. */
const CODES = `
select code from (
  select * from (select reservation_code as code from reservations
    where connection = $1 and reservation_code > $2 order by reservation_code limit cast($3 as bigint)) r
  union
  select * from (select distinct reservation_code as code from transactions
    where connection = $1 and reservation_code > $2 order by reservation_code limit cast($3 as bigint)) t
  union
  select * from (select distinct group_code as code from export_entries
    where connection = $1 and group_code > $2 order by group_code limit cast($3 as bigint)) e
  union
  select * from (select group_code as code from payouts
    where connection = $1 and group_code > $2 order by group_code limit cast($3 as bigint)) p
) codes order by code limit cast($3 as bigint)`;

// The expression is deliberate: with the index of reservation codes, SQLite sorts every such entry again for each page.
const LOOSE_IDS = `
select id from (
  select * from (select id from transactions
    where connection = $1 and id > cast($2 as bigint) and coalesce(reservation_code, '') = '' order by id limit cast($3 as bigint)) t
  union
  select * from (select distinct group_number as id from export_entries
    where connection = $1 and group_number > cast($2 as bigint) order by group_number limit cast($3 as bigint)) e
) ids order by id limit cast($3 as bigint)`;

interface Page {
  connection: string;
  zone: string;
  job: string;
  issued: ReturnType<typeof issuedOf>;
  /** The first and the last code or id of the page. */
  bounds: readonly [first: string, last: string];
}

async function* bookings(ask: Ask, page: Page, codes: readonly string[]): AsyncGenerator<ReadGroup> {
  const { connection, zone, job, issued: toIssued, bounds } = page;
  const values = [connection, ...bounds];
  const heads = new Map((await ask<HeadRow>(HEADS, values)).map((row) => [row.reservation_code, row]));
  const stays = grouped(await ask<StayRow>(STAYS, values), (row) => row.reservation_code);
  const deposits = grouped(await ask<DepositRow>(DEPOSITS, values), (row) => row.stay_code);
  const transactions = grouped(await ask<TransactionRow>(TRANSACTIONS, values), (row) => row.reservation_code);
  const issued = grouped(await ask<IssuedRow>(ISSUED, [...values, job]), (row) => row.group_code);
  const { payouts, undone } = await readPayouts(ask, connection, bounds);
  const moved = await readMoved(ask, connection, { of: 'reservations', bounds });
  for (const code of codes) {
    const head = heads.get(code);
    const own = stays.get(code) ?? [];
    const rows = transactions.get(code) ?? [];
    yield {
      key: `r${code}`,
      reservation: head ? reservationOf(head, own, deposits, zone) : null,
      payout: payouts.get(code),
      transactions: rows.filter((row) => row.deleted_at === null).map(transactionOf),
      ledger: [...rows, ...moved.from(code)].map(transactionOf),
      gone: goneOf({ transactions: rows, stays: own, head, undonePayout: undone.get(code), moved: moved.from(code) }),
      issued: (issued.get(code) ?? []).map(toIssued),
      elsewhere: moved.to(code),
    };
  }
}

async function* looseEntries(
  ask: Ask,
  { connection, job, issued: toIssued, bounds }: Omit<Page, 'zone'>,
  ids: readonly number[],
): AsyncGenerator<ReadGroup> {
  const values = [connection, ...bounds];
  const transactions = new Map((await ask<TransactionRow>(LOOSE, values)).map((row) => [row.id, row]));
  const issued = grouped(await ask<IssuedRow>(LOOSE_ISSUED, [...values, job]), (row) => row.group_number);
  const moved = await readMoved(ask, connection, { of: 'ledger', bounds });
  for (const id of ids) {
    const row = transactions.get(id);
    yield {
      key: `t${id}`,
      reservation: null,
      transactions: row && row.deleted_at === null ? [transactionOf(row)] : [],
      ledger: [...(row ? [row] : []), ...moved.from(String(id))].map(transactionOf),
      gone: goneOf({ transactions: row ? [row] : [], stays: [], head: undefined, moved: moved.from(String(id)) }),
      issued: (issued.get(id) ?? []).map(toIssued),
      elsewhere: moved.to(String(id)),
    };
  }
}

interface HeadRow {
  reservation_code: string;
  channel_type: string | null;
  custom_channel: string | null;
  cancelled_at: Instant | null;
  deleted_at: Instant | null;
}

const HEADS = `
select reservation_code, channel_type, custom_channel, cancelled_at, deleted_at from reservations
where connection = $1 and reservation_code >= $2 and reservation_code <= $3`;

interface StayRow extends DepositNow {
  reservation_code: string;
  stay_code: string;
  property_id: number | null;
  status: string | null;
  check_in_date: PlainDate | null;
  check_out_date: PlainDate | null;
  currency: string | null;
  rate_minor: number | null;
  commission_minor: number | null;
  tax_minor: number | null;
  payment_currency: string | null;
  received_minor: number | null;
  deleted_at: Instant | null;
}

const STAYS = `
select reservation_code, stay_code, property_id, status, check_in_date, check_out_date, currency, rate_minor,
  commission_minor, tax_minor, payment_currency, received_minor, deposit_currency, deposit_paid_minor,
  deposit_deducted_minor, deposit_pending_refund_minor, changed_at, deleted_at
from stays where connection = $1 and reservation_code >= $2 and reservation_code <= $3
order by reservation_code, stay_code`;

const TRANSACTIONS = `
select id, reservation_code, property_id, direction, item_id, item_name, payment_method_id, payment_method_name,
  amount_minor, currency, action_date, deleted_at
from transactions where connection = $1 and reservation_code >= $2 and reservation_code <= $3
order by reservation_code, id`;

const LOOSE = `
select id, reservation_code, property_id, direction, item_id, item_name, payment_method_id, payment_method_name,
  amount_minor, currency, action_date, deleted_at
from transactions where connection = $1 and id >= cast($2 as bigint) and id <= cast($3 as bigint)
  and coalesce(reservation_code, '') = '' order by id`;

/** The channel of a reservation that says none. */
export const UNKNOWN_CHANNEL = 'unknown';

function reservationOf(
  head: HeadRow,
  rows: readonly StayRow[],
  deposits: ReadonlyMap<string, DepositRow[]>,
  zone: string,
): ReservationFact {
  const present = rows.filter((row) => row.deleted_at === null);
  const paid = present.find((row) => row.received_minor !== null);
  const day = (instant: Instant | null) => (instant === null ? null : dateIn(zone, msOf(instant)));
  return {
    code: head.reservation_code,
    channelType: head.channel_type ?? UNKNOWN_CHANNEL,
    channel: head.custom_channel ?? head.channel_type ?? UNKNOWN_CHANNEL,
    cancelled: day(head.cancelled_at),
    received: paid?.received_minor ?? null,
    currency: paid?.payment_currency ?? null,
    stays: present.flatMap((row) => stayOf(row, depositStates(row, deposits.get(row.stay_code) ?? [], zone))),
    gone: present.length === 0 ? (day(head.deleted_at) ?? null) : null,
  };
}

/**
 * Returns the stay as a fact, or nothing if its dates are unknown. Without dates no day earns it, so its reservation
 * waits.
 */
function stayOf(row: StayRow, deposits: readonly DepositFact[]): StayFact[] {
  const { check_in_date: checkIn, check_out_date: checkOut } = row;
  if (checkIn === null || checkOut === null) return [];
  const stay: StayFact = {
    code: row.stay_code,
    propertyId: row.property_id ?? NO_PROPERTY,
    status: row.status ?? '',
    checkIn,
    checkOut,
    currency: row.currency !== null && isCurrency(row.currency) ? row.currency : null,
    rate: row.rate_minor,
    commission: row.commission_minor,
    tax: row.tax_minor,
    deposits,
  };
  return [stay];
}

/** Returns the keys of sources that are no longer in the group, and of which this is known. */
function goneOf({
  transactions,
  stays,
  head,
  undonePayout,
  moved,
}: {
  transactions: readonly TransactionRow[];
  stays: readonly StayRow[];
  head: HeadRow | undefined;
  undonePayout?: string | undefined;
  /** Ledger entries that belong to another group now. */
  moved: readonly TransactionRow[];
}): Set<string> {
  return new Set([
    ...transactions.flatMap((row) => (row.deleted_at === null ? [] : [`transaction/${row.id}`])),
    ...moved.map(({ id }) => `transaction/${id}`),
    ...stays.flatMap((row) => (row.deleted_at === null ? [] : [`deposit/${row.stay_code}`])),
    ...(undonePayout === undefined ? [] : [`payout/${undonePayout}`]),
    ...(head?.deleted_at ? [`reservation/${head.reservation_code}`] : []),
  ]);
}
