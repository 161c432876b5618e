import { AVAILABILITY_YEARS } from '../../contract/availabilities.ts';
import { addYears, datesFromTo, dateIn, type PlainDate } from '../../kernel/dates.ts';
import type { Change } from '../context.ts';
import { tellNights } from './nights.ts';
import { addUnlisted, blockedNights, dropUnlisted, ownBlocks, takenNights } from './table.ts';

interface Place {
  id: number;
  time_zone: string;
}

/** Closes the future nights of a property that no channel sells any more, and emits events for those that were free. */
export async function closeUnlisted(change: Change, property: Place): Promise<void> {
  const { trx } = change;
  const range = rangeAhead(change, property);
  const own = (await ownBlocks(trx, range, [property.id])).get(property.id);
  const open = datesFromTo(range.start, range.end).filter((night) => !own?.has(night));
  const isFree = await freeNights(change, range, property);
  await addUnlisted(trx, { account_id: range.accountId, property_id: property.id }, open);
  tellNights(change, property.id, open.filter(isFree), false);
}

/** Opens the nights that {@link closeUnlisted} closed, and emits events for those that nothing else closes. */
export async function openListed(change: Change, property: Place): Promise<void> {
  const range = rangeAhead(change, property);
  const block = { account_id: range.accountId, property_id: property.id };
  const opened = await dropUnlisted(change.trx, block, range.start);
  if (opened.length === 0) return;
  tellNights(change, property.id, opened.filter(await freeNights(change, range, property)), true);
}

/** Returns what tells whether neither a stay nor a block has a night now. */
async function freeNights(
  { trx }: Change,
  range: ReturnType<typeof rangeAhead>,
  { id }: Place,
): Promise<(night: PlainDate) => boolean> {
  const held = (await takenNights(trx, range, [id])).get(id);
  const blocked = (await blockedNights(trx, range, [id])).get(id);
  return (night) => !held?.has(night) && !blocked?.has(night);
}

function rangeAhead({ account, now }: Change, { time_zone }: Place) {
  const start = dateIn(time_zone, now);
  return { accountId: account.account_id, start, end: addYears(start, AVAILABILITY_YEARS.ahead) };
}
