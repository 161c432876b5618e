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
 * Marks the keys that must be read because of the changes of an answer. It does so in the transaction of the change: a
 * crash in between leaves both done or neither.
 * @param isOfAll everything is being scanned: the dependents of the rows are scanned in their own turn
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

/** Returns the keys that changes touch without an event of their own. */
function touched({ touches }: MirrorResource, { changes }: Pick<Applied, 'changes'>, isOfAll: boolean): KeyToRead[] {
  if (!touches) return [];
  // A scan of everything reads the kinds in an order that needs no mark. But a row with an event may have changed after
  // the scan that would show it. And a look-up for another reason may have overtaken the event, which then finds
  // nothing changed.
  return changes.flatMap(({ raw, diff, announced }) => (announced || !isOfAll ? touches(raw, diff) : []));
}

/** Returns the calendars of rows that are new to the mirror, to be read completely. */
function newCalendars(resource: MirrorResource, { changes }: Pick<Applied, 'changes'>): KeyToRead[] {
  const calendar = calendarOf.get(resource);
  if (calendar === undefined) return [];
  return changes.filter(({ op }) => op === 'created').map(({ key }) => ({ resource: calendar, key }));
}

/**
 * Returns the ledger entries of reservations that moved: entries name the property of their reservation, and no event
 * announces the new one.
 */
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
