import type { Kysely } from 'kysely';
import { prepared } from '../../store/queries/prepared.ts';
import type { ApplyContext } from '../apply/apply.ts';
import type { Mirror, MirrorDb } from '../tables/database.ts';
import { type KeyToRead, markKeys } from '../queue/markKeys.ts';
import { AVAILABILITY } from '../tables/listings/availability.ts';
import { CALENDAR } from '../tables/listings/calendar.ts';
import type { ReadNumbers } from '../queue/readNumbers.ts';

/** Properties without a complete read of their nights. */
const unreadProperties = prepared((db: Kysely<Mirror>, arg: { connection: string }) =>
  db
    .selectFrom('properties')
    .select('properties.id as key')
    .leftJoin('availability_reads as reads', (join) =>
      join.onRef('reads.connection', '=', 'properties.connection').onRef('reads.property_id', '=', 'properties.id'),
    )
    .where('properties.connection', '=', arg.connection)
    .where('properties.deleted_at', 'is', null)
    .where('reads.complete_read_at', 'is', null),
);

/** Listings without a complete read of their calendar, except those whose calendar the source does not have. */
const unreadListings = prepared((db: Kysely<Mirror>, arg: { connection: string }) =>
  db
    .selectFrom('listings')
    .select('listings.listing as key')
    .leftJoin('calendar_reads as reads', (join) =>
      join.onRef('reads.connection', '=', 'listings.connection').onRef('reads.listing', '=', 'listings.listing'),
    )
    .leftJoin('absences', (join) =>
      join
        .onRef('absences.connection', '=', 'listings.connection')
        .onRef('absences.key', '=', 'listings.listing')
        .on('absences.resource', '=', CALENDAR),
    )
    .where('listings.connection', '=', arg.connection)
    .where('listings.deleted_at', 'is', null)
    .where('reads.complete_read_at', 'is', null)
    .where('absences.key', 'is', null),
);

/** Returns the keys of known properties and listings whose days were never read completely. */
async function unread(db: MirrorDb, connection: string) {
  return {
    [AVAILABILITY]: (await unreadProperties(db, { connection })).map(({ key }) => String(key)),
    [CALENDAR]: (await unreadListings(db, { connection })).map(({ key }) => key),
  };
}

/**
 * Counts the known properties and listings whose days were never read completely, by the name of the resource in dirty
 * keys.
 */
export async function countUnread(db: MirrorDb, connection: string): Promise<Record<string, number>> {
  const keys = await unread(db, connection);
  return Object.fromEntries(Object.entries(keys).map(([resource, own]) => [resource, own.length]));
}

/**
 * Marks all days that were never read completely for a read, whatever has prevented it.
 * @returns true if there were any
 */
export async function markUnread(
  context: Pick<ApplyContext, 'store' | 'connection' | 'clock'> & { numbers: ReadNumbers },
): Promise<boolean> {
  const keys = Object.entries(await unread(context.store.db, context.connection)).flatMap(([resource, own]) =>
    own.map((key): KeyToRead => ({ resource, key })),
  );
  await markKeys(context, keys, 'related');
  return keys.length > 0;
}
