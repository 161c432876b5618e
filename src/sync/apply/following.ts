import { inList } from '../../store/queries/inList.ts';
import type { Applied, Reading } from './apply.ts';
import type { MirrorTrx } from '../tables/database.ts';
import { type KeyToRead, markIn, type MarkContext } from '../queue/markKeys.ts';
import { AVAILABILITY } from '../tables/listings/availability.ts';
import { CALENDAR } from '../tables/listings/calendar.ts';
import { listings } from '../tables/listings/listings.ts';
import { properties } from '../tables/portfolio/properties.ts';
import { reservations } from '../tables/reservations/reservations.ts';
import type { MirrorResource } from '../tables/rows/resource.ts';
import { transactions } from '../tables/account/transactions.ts';
import type { NamedRows } from './namedRows.ts';

export interface FollowContext extends MarkContext {
  named: NamedRows;
}

const calendarOf: ReadonlyMap<MirrorResource, string> = new Map([
  [properties, AVAILABILITY],
  [listings, CALENDAR],
]);

/**
 * Asks for what must be read because of what an answer has changed, in the transaction of the change: whoever
 * stops in between leaves both done or neither.
 * @param isOfAll everything is being scanned: what belongs to the rows that are met has its turn by itself
 * @param beside kinds of rows that have come in the same answer
 */
export function following(
  context: FollowContext,
  resource: MirrorResource,
  isOfAll: boolean,
  beside: readonly string[] = [],
): Reading['follow'] {
  return async (trx, applied) => {
    const named = await context.named.unknown(trx, resource, applied);
    const calendars = isOfAll ? [] : newCalendars(resource, applied);
    const entries = isOfAll ? [] : await entriesOfMoved(trx, context.connection, resource, applied);
    const related = touched(resource, applied, isOfAll).filter((one) => !beside.includes(one.resource));
    const all = [...related, ...named, ...calendars, ...entries];
    const keys = [...new Map(all.map((one) => [`${one.resource} ${one.key}`, one])).values()];
    await markIn(trx, context, keys, 'related');
    return keys;
  };
}

/** What changes touch without an event of its own. */
function touched({ touches }: MirrorResource, { changes }: Pick<Applied, 'changes'>, isOfAll: boolean): KeyToRead[] {
  if (!touches) return [];
  // Where everything is scanned through, the scans come in an order that needs no mark. But what has an event may have
  // changed after the scan that would show it; and a look-up for another reason may have overtaken the event, which then
  // finds nothing changed.
  return changes.flatMap(({ raw, diff, announced }) => (announced || !isOfAll ? touches(raw, diff) : []));
}

/** All days of what has just been met for the first time. */
function newCalendars(resource: MirrorResource, { changes }: Pick<Applied, 'changes'>): KeyToRead[] {
  const calendar = calendarOf.get(resource);
  if (calendar === undefined) return [];
  return changes.filter(({ op }) => op === 'created').map(({ key }) => ({ resource: calendar, key }));
}

/** Entries of the ledger name the property of their booking, and no event says so when that has another one. */
async function entriesOfMoved(
  trx: MirrorTrx,
  connection: string,
  resource: MirrorResource,
  { changes }: Pick<Applied, 'changes'>,
): Promise<KeyToRead[]> {
  if (resource !== reservations) return [];
  const moved = changes.filter(({ diff }) => diff?.some(({ path }) => path === 'property_id'));
  if (moved.length === 0) return [];
  const rows = await trx
    .selectFrom('transactions')
    .select('id')
    .where('connection', '=', connection)
    .where((eb) =>
      inList(
        eb.ref('reservation_code'),
        moved.map(({ key }) => key),
      ),
    )
    .where('deleted_at', 'is', null)
    .execute();
  return rows.map(({ id }) => ({ resource: transactions.name, key: String(id) }));
}
