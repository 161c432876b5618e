import { addDays, nightsOf, type PlainDate } from '../../../kernel/dates.ts';
import { ApiError } from '../../../kernel/errors.ts';
import type { Currency, Minor } from '../../../kernel/money.ts';
import { inList } from '../../../store/queries/inList.ts';
import { preparedByArguments } from '../../../store/queries/prepared.ts';
import type { MirrorDb } from '../../../sync/read/mirror.ts';
import { ofProperties, readProperties } from '../../properties.ts';
import type { Visit } from '../../visit.ts';
import { readClosed, readNights } from '../query.ts';
import { lanesOf, type Span } from '../spans.ts';

/** A property as a person knows it. */
export interface Place {
  id: number;
  name: string;
}

/** Reads the properties that the person sees, by name. */
export async function placesOf({ services, connection, person }: Visit): Promise<Place[]> {
  const rows = await readProperties(services.db, { connection, properties: person.properties ?? undefined });
  return rows.map(({ id, name }) => ({ id, name: name ?? `#${id}` }));
}

/** Returns one of the places. @throws ApiError 404 if the person sees none with this id */
export function requirePlace(places: readonly Place[], id: number, field: string): Place {
  const place = places.find((one) => one.id === id);
  if (!place) throw new ApiError(404, `${field}: there is no such property.`, { field });
  return place;
}

/** A stay with what is said about it before it moves. */
export interface Stay {
  stay_code: string;
  property_id: number | null;
  status: string | null;
  check_in_date: PlainDate;
  check_out_date: PlainDate;
  rate_minor: Minor | null;
  currency: Currency | null;
  /** Null: not known, or not for this person. */
  guest: string | null;
}

/** Reads stays by their codes, in the order of their arrival, as far as the person sees them. */
export async function readStays(visit: Visit, codes: readonly string[]): Promise<Stay[]> {
  const { services, connection, person } = visit;
  const rows = await stayRows(services.db, { connection, codes, properties: person.properties ?? undefined });
  return rows.flatMap(({ check_in_date, check_out_date, ...stay }) =>
    check_in_date === null || check_out_date === null
      ? []
      : [{ ...stay, check_in_date, check_out_date, guest: visit.may('persons') ? stay.guest : null }],
  );
}

interface Codes {
  connection: string;
  codes: readonly string[];
  properties?: readonly number[] | undefined;
}

const stayRows = preparedByArguments((db: MirrorDb, { connection, codes, properties }: Codes) =>
  db
    .selectFrom('stays')
    .leftJoin('guests', (join) =>
      join
        .onRef('guests.connection', '=', 'stays.connection')
        .onRef('guests.stay_code', '=', 'stays.stay_code')
        .on('guests.guest_key', '=', 'booker'),
    )
    .where('stays.connection', '=', connection)
    .where((where) => inList(where.ref('stays.stay_code'), codes))
    .where('stays.deleted_at', 'is', null)
    .where((where) => ofProperties(where.ref('stays.property_id'), properties))
    .select([
      'stays.stay_code',
      'stays.property_id',
      'stays.status',
      'stays.check_in_date',
      'stays.check_out_date',
      'stays.rate_minor',
      'stays.currency',
      'guests.name as guest',
    ])
    .orderBy('stays.check_in_date')
    .orderBy('stays.stay_code'),
);

/** What the nights of a property hold. */
export interface Held {
  /** Codes of accepted stays. */
  codes: string[];
  /** Nights that are closed without a stay, joined where they have the same reason. */
  blocks: Span[];
}

/** Reads what the nights of a property hold, from a date up to another, which is no night of them. */
export async function readHeld(
  { services: { db }, connection }: Visit,
  { property, from, end }: { property: number; from: PlainDate; end: PlainDate },
): Promise<Held> {
  const properties = [property];
  const nights = await readNights(db, { connection, dates: nightsOf(from, end), properties });
  const closed = await readClosed(db, { connection, from, end, properties });
  const spans = lanesOf(from, nights, closed).flat();
  return {
    codes: [...new Set(nights.map(({ stay_code }) => stay_code))],
    blocks: spans.filter(({ kind }) => kind === 'block'),
  };
}

/** Returns the first and the last night of a span that is counted from a date. */
export function spanDates(from: PlainDate, { first, nights }: Span): { first: PlainDate; last: PlainDate } {
  return { first: addDays(from, first), last: addDays(from, first + nights - 1) };
}
