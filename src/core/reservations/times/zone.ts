import type { Change } from '../../context.ts';
import type { StayRow } from '../../database.ts';

/** The zone in which the nights of a stay are meant: its property's; in the reservation box the account's. */
export async function zoneOf({ trx, account }: Change, stay: Pick<StayRow, 'property_id'>): Promise<string> {
  const property = await trx
    .selectFrom('properties')
    .where('account_id', '=', account.account_id)
    .where('id', '=', stay.property_id)
    .select('time_zone')
    .executeTakeFirst();
  return property?.time_zone ?? account.time_zone;
}
