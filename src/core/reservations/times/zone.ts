import type { Change } from '../../context.ts';
import type { StayRow } from '../../database.ts';

/** Returns the time zone of a stay's nights: that of its property, or in the reservation box that of the account. */
export async function zoneOf({ trx, account }: Change, stay: Pick<StayRow, 'property_id'>): Promise<string> {
  const property = await trx
    .selectFrom('properties')
    .where('account_id', '=', account.account_id)
    .where('id', '=', stay.property_id)
    .select('time_zone')
    .executeTakeFirst();
  return property?.time_zone ?? account.time_zone;
}
