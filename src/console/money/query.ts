import { sql } from 'kysely';
import { preparedByArguments } from '../../store/queries/prepared.ts';
import type { MirrorDb } from '../../sync/read/mirror.ts';

/** Rows of the list of open balances. */
export const MOST_ROWS = 200;

/** Lists reservations that are not paid in full, the earliest arrival first. */
export const openBalances = preparedByArguments((db: MirrorDb, { connection }: { connection: string }) =>
  db
    .selectFrom('reservations')
    .leftJoin('properties', (join) =>
      join
        .onRef('properties.connection', '=', 'reservations.connection')
        .onRef('properties.id', '=', 'reservations.property_id'),
    )
    .where('reservations.connection', '=', connection)
    // The literals decide that the index of what is owed is used.
    .where(sql<boolean>`reservations.balance_minor > 0`)
    .where(sql<boolean>`reservations.status = 'accepted' and reservations.deleted_at is null`)
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
    .limit(MOST_ROWS),
);

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
