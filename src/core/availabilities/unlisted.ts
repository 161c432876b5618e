import { AVAILABILITY_YEARS } from '../../contract/availabilities.ts';
import { addYears, datesFromTo, dateIn } from '../../kernel/dates.ts';
import type { Change } from '../context.ts';
import { tellNights } from './nights.ts';
import { addUnlisted, blockedNights, dropUnlisted, takenNights } from './table.ts';

interface Place {
  id: number;
  time_zone: string;
}

/** Closes the future nights of a property that no channel sells any more, and emits events for those that were free. */
export async function closeUnlisted(change: Change, property: Place): Promise<void> {
  const { trx } = change;
  const range = rangeAhead(change, property);
  const blocked = (await blockedNights(trx, range, [property.id])).get(property.id);
  const open = datesFromTo(range.start, range.end).filter((night) => !blocked?.has(night));
  await addUnlisted(trx, { account_id: range.accountId, property_id: property.id }, open);
  const held = (await takenNights(trx, range, [property.id])).get(property.id);
  const free = open.filter((night) => !held?.has(night));
  tellNights(change, property.id, free, false);
}

/** Opens the nights that {@link closeUnlisted} closed, and emits events for those that nothing else closes. */
export async function openListed(change: Change, property: Place): Promise<void> {
  const range = rangeAhead(change, property);
  const block = { account_id: range.accountId, property_id: property.id };
  const opened = await dropUnlisted(change.trx, block, range.start);
  if (opened.length === 0) return;
  const held = (await takenNights(change.trx, range, [property.id])).get(property.id);
  const free = opened.filter((night) => !held?.has(night));
  tellNights(change, property.id, free, true);
}

function rangeAhead({ account, now }: Change, { time_zone }: Place) {
  const start = dateIn(time_zone, now);
  return { accountId: account.account_id, start, end: addYears(start, AVAILABILITY_YEARS.ahead) };
}
