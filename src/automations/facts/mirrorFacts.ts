import { isTimeZone, type PlainDate } from '../../kernel/dates.ts';
import { inList } from '../../store/queries/inList.ts';
import type { MirrorDb, StaysTable } from '../../sync/tables/database.ts';
import type { Automating } from '../context.ts';
import { type GroupName, type PropertyFacts, type StayDetails, type StayFacts, stayFacts } from './facts.ts';

/** A stay of the mirror with its property. */
export interface MirroredStay {
  stay: StayFacts;
  property: PropertyFacts | null;
}

type Context = Pick<Automating, 'connection' | 'settings' | 'zone'>;

/** Returns the stays with these codes that exist. */
export function staysByCode(db: MirrorDb, context: Context, codes: readonly string[]): Promise<MirroredStay[]> {
  return staysWhere(db, context, 'stay_code', codes);
}

/** Returns the stays of these reservations. */
export function staysOfReservations(db: MirrorDb, context: Context, codes: readonly string[]): Promise<MirroredStay[]> {
  return staysWhere(db, context, 'reservation_code', codes);
}

async function staysWhere(
  db: MirrorDb,
  context: Context,
  code: 'stay_code' | 'reservation_code',
  codes: readonly string[],
): Promise<MirroredStay[]> {
  const rows = await db
    .selectFrom('stays')
    .selectAll()
    .where('connection', '=', context.connection)
    .where((eb) => inList(eb.ref(code), codes))
    .where('deleted_at', 'is', null)
    .execute();
  return withDetails(db, context, rows);
}

/** Most days after a departure on which rules still act. */
export const DAYS_BACK = 60;

/** Returns a page of all stays that are not long over, ordered by code. */
export async function stayPage(
  db: MirrorDb,
  context: Context,
  { after, since, limit, property }: { after: string; since: PlainDate; limit: number; property?: number | undefined },
): Promise<MirroredStay[]> {
  let query = db
    .selectFrom('stays')
    .selectAll()
    .where('connection', '=', context.connection)
    .where('stay_code', '>', after)
    .where('check_out_date', '>=', since)
    .where('deleted_at', 'is', null);
  if (property !== undefined) query = query.where('property_id', '=', property);
  return withDetails(db, context, await query.orderBy('stay_code').limit(limit).execute());
}

async function withDetails(db: MirrorDb, context: Context, rows: readonly StaysTable[]): Promise<MirroredStay[]> {
  if (rows.length === 0) return [];
  const codes = rows.map((row) => row.stay_code);
  const documents = await stayCodesWithDocument(db, context.connection, codes);
  const properties = await propertiesById(db, context, [...new Set(rows.flatMap((row) => row.property_id ?? []))]);
  return rows.flatMap((row) => {
    // Unknown dates allow no computation.
    if (!isDated(row)) return [];
    const stay = stayFacts(row, detailsOf(row, documents.has(row.stay_code), context.settings.paidByChannel));
    return [{ stay, property: properties.get(row.property_id ?? 0) ?? null }];
  });
}

/** Returns true if both dates of a stay are known. */
export function isDated<Row extends { check_in_date: PlainDate | null; check_out_date: PlainDate | null }>(
  row: Row,
): row is Row & { check_in_date: PlainDate; check_out_date: PlainDate } {
  return row.check_in_date !== null && row.check_out_date !== null;
}

async function stayCodesWithDocument(db: MirrorDb, connection: string, codes: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('guests')
    .select(['stay_code', 'id_number', 'id_images'])
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('stay_code'), codes))
    .execute();
  const shown = rows.filter(({ id_number, id_images }) => id_number !== null || (id_images ?? '[]') !== '[]');
  return new Set(shown.map((row) => row.stay_code));
}

interface RawStay {
  check_in_details?: {
    arrival_at?: Clock | null;
    departure_at?: Clock | null;
    lock_code?: unknown;
  };
  custom_fields?: Record<string, unknown> | null;
}
interface Clock {
  hour: number | null;
  minute: number | null;
}

function detailsOf(row: StaysTable, has_document: boolean, paidByChannel: readonly string[]): StayDetails {
  const { check_in_details: details, custom_fields } = JSON.parse(row.raw) as RawStay;
  return {
    tags: row.tags === null ? null : (JSON.parse(row.tags) as string[]),
    arrival: clockText(details?.arrival_at),
    departure: clockText(details?.departure_at),
    has_lock_code: details?.lock_code === undefined ? null : details.lock_code !== null,
    has_document,
    custom_fields: textsOf(custom_fields),
    paidByChannel,
  };
}

/** Returns the custom fields with a text or a number, or null if they are unknown. */
export function textsOf(fields: Readonly<Record<string, unknown>> | null | undefined): Record<string, string> | null {
  if (fields === null || fields === undefined) return null;
  const known = Object.entries(fields).filter((entry) => ['string', 'number'].includes(typeof entry[1]));
  return Object.fromEntries(known.map(([name, value]) => [name, String(value)]));
}

/** Returns `HH:MM`, or null without a time. */
export function clockText(time: Clock | null | undefined): string | null {
  if (typeof time?.hour !== 'number' || typeof time.minute !== 'number') return null;
  return [time.hour, time.minute].map((part) => String(part).padStart(2, '0')).join(':');
}

/** Returns properties with their own zones, or the account's. */
export async function propertiesById(
  db: MirrorDb,
  { connection, zone }: Pick<Context, 'connection' | 'zone'>,
  ids: readonly number[],
): Promise<Map<number, PropertyFacts>> {
  const rows = await db
    .selectFrom('properties')
    .select(['id', 'name', 'address', 'time_zone', 'tags', 'groups'])
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('id'), ids))
    .where('deleted_at', 'is', null)
    .execute();
  const all = await groupsWithProperties(db, connection);
  return new Map(
    rows.map(({ id, name, address, time_zone, tags, groups }) => {
      const own = time_zone !== null && isTimeZone(time_zone) ? time_zone : zone();
      return [
        id,
        { id, name, address, zone: own, tags: tags === null ? null : namesOf(tags), groups: groupsOf(id, groups, all) },
      ];
    }),
  );
}

interface GroupOfProperties extends GroupName {
  properties: readonly unknown[];
}

async function groupsWithProperties(db: MirrorDb, connection: string): Promise<GroupOfProperties[]> {
  const rows = await db
    .selectFrom('property_groups')
    .select(['id', 'name', 'property_ids'])
    .where('connection', '=', connection)
    .where('deleted_at', 'is', null)
    .execute();
  return rows.map(({ id, name, property_ids }) => ({
    id,
    name,
    properties: JSON.parse(property_ids ?? '[]') as unknown[],
  }));
}

/** Returns the groups of a property, both from the property itself and from the groups. */
function groupsOf(
  property: number,
  named: string | null,
  all: readonly GroupOfProperties[],
): readonly GroupName[] | null {
  const holding = all.filter(({ properties }) => properties.includes(property));
  if (named === null && holding.length === 0) return null;
  const others = namesOf(named).filter((one) => holding.every(({ name }) => name !== one));
  return [...holding, ...others.map((name) => ({ id: null, name }))];
}

/** Returns the names in a JSON list of texts or of objects with a name. */
function namesOf(json: string | null): string[] {
  return (JSON.parse(json ?? '[]') as unknown[]).flatMap((one) => {
    if (typeof one === 'string') return [one];
    const name: unknown = typeof one === 'object' && one !== null ? Reflect.get(one, 'name') : undefined;
    return typeof name === 'string' ? [name] : [];
  });
}
