import { sql } from 'kysely';
import type { PlainDate } from '../../kernel/dates.ts';
import { prepared, preparedByArguments } from '../../store/queries/prepared.ts';
import type { MirrorDb } from '../../sync/read/mirror.ts';

/** Rows of one page of the open balances. */
const PAGE_ROWS = 25;

/** Which open balances are asked for. */
interface BalancesAsked {
  connection: string;
  property?: number | undefined;
  /** The first day of arrival. */
  since?: PlainDate | undefined;
  /** The last row of the page before. */
  after?: { arrival: PlainDate; code: string } | undefined;
}

/** Lists a page of the reservations that are not paid in full, the earliest arrival first. */
export async function readBalances(db: MirrorDb, { after, ...asked }: BalancesAsked) {
  const rows = await openBalances(db, { ...asked, afterArrival: after?.arrival, afterCode: after?.code });
  return { rows: rows.slice(0, PAGE_ROWS), hasMore: rows.length > PAGE_ROWS };
}

type BalancesBound = Omit<BalancesAsked, 'after'> & {
  afterArrival?: string | undefined;
  afterCode?: string | undefined;
};

const openBalances = preparedByArguments((db: MirrorDb, asked: BalancesBound) => {
  const { connection, property, since, afterArrival, afterCode } = asked;
  const code = sql.ref<string>('reservations.reservation_code');
  const arrival = sql.ref<string>('reservations.check_in_date');
  let query = db
    .selectFrom('reservations')
    .leftJoin('properties', (join) =>
      join
        .onRef('properties.connection', '=', 'reservations.connection')
        .onRef('properties.id', '=', 'reservations.property_id'),
    )
    .where('reservations.connection', '=', connection)
    // The literals decide that the index of what is owed is used.
    .where(sql<boolean>`reservations.balance_minor > 0`)
    .where(sql<boolean>`reservations.status = 'accepted' and reservations.deleted_at is null`);
  if (property !== undefined) query = query.where('reservations.property_id', '=', property);
  if (since !== undefined) query = query.where('reservations.check_in_date', '>=', since);
  if (afterArrival !== undefined && afterCode !== undefined) {
    query = query.where(sql<boolean>`(${arrival}, ${code}) > (${afterArrival}, ${afterCode})`);
  }
  return query
    .select(['reservations.reservation_code', 'reservations.check_in_date', 'reservations.check_out_date'])
    .select(['reservations.balance_minor', 'reservations.currency', 'properties.name as property'])
    .select(['reservations.channel_type', 'reservations.custom_channel'])
    .select((select) =>
      select
        .selectFrom('stays')
        .whereRef('stays.connection', '=', 'reservations.connection')
        .whereRef('stays.reservation_code', '=', 'reservations.reservation_code')
        .where('stays.deleted_at', 'is', null)
        .select(sql<string>`min(stays.stay_code)`.as('first'))
        .as('stay_code'),
    )
    .select((select) =>
      select
        .selectFrom('stays as paid')
        .whereRef('paid.connection', '=', 'reservations.connection')
        .whereRef('paid.reservation_code', '=', 'reservations.reservation_code')
        .select(sql<string>`min(paid.payment_currency)`.as('currency'))
        .as('payment_currency'),
    )
    .select((select) =>
      select
        .selectFrom('stays as named')
        .innerJoin('guests', (join) =>
          join
            .onRef('guests.connection', '=', 'named.connection')
            .onRef('guests.stay_code', '=', 'named.stay_code')
            .on('guests.guest_key', '=', 'booker'),
        )
        .whereRef('named.connection', '=', 'reservations.connection')
        .whereRef('named.reservation_code', '=', 'reservations.reservation_code')
        .select(sql<string | null>`min(guests.name)`.as('name'))
        .as('guest'),
    )
    .orderBy('reservations.check_in_date')
    .orderBy('reservations.reservation_code')
    .limit(PAGE_ROWS + 1);
});

/** Lists the operator's own sources of direct reservations. */
export const customChannels = preparedByArguments((db: MirrorDb, { connection }: { connection: string }) =>
  db
    .selectFrom('custom_channels')
    .where('connection', '=', connection)
    .where('deleted_at', 'is', null)
    .select(['id', 'name'])
    .orderBy('name')
    .orderBy('id'),
);

/** Says how many payouts are matched, and when last one was matched or that was undone. */
export const payoutState = prepared((db: MirrorDb, { connection }: { connection: string }) =>
  db
    .selectFrom('payouts')
    .where('connection', '=', connection)
    .select((select) => [
      select.fn.countAll().as('count'),
      select.fn.max('matched_at').as('matched_at'),
      select.fn.max('undone_at').as('undone_at'),
    ]),
);
