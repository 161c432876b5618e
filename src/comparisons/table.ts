import type { JoinBuilder, Kysely } from 'kysely';
import type { Instant, PlainDate } from '../kernel/dates.ts';
import { insertMany } from '../store/queries/insertMany.ts';
import type { Mirror, MirrorDb, MirrorTrx } from '../sync/tables/database.ts';
import type { MirroredProperty, MirroredStay } from './compare.ts';
import type { ComparisonFindingsTable, ComparisonsTable } from './tables.ts';

type Db = Kysely<Mirror>;
type ComparisonName = Pick<ComparisonsTable, 'connection' | 'comparison_id'>;
type FindingName = Pick<ComparisonFindingsTable, 'connection' | 'finding_id'>;

/** A comparison with its property. */
export type NamedComparison = ComparisonsTable & {
  /** Its name; null: it has none, or is not in the mirror. */
  property: string | null;
  /** When it was gone from the deployment that is mirrored; null: it is there. */
  property_deleted_at: string | null;
};

const ofProperty = (join: JoinBuilder<Mirror, 'comparisons' | 'properties'>) =>
  join
    .onRef('properties.connection', '=', 'comparisons.connection')
    .onRef('properties.id', '=', 'comparisons.property_id');

/** Returns the comparisons of a connection, by property and name. */
export function comparisonsOf(db: MirrorDb, connection: string): Promise<NamedComparison[]> {
  return db
    .selectFrom('comparisons')
    .leftJoin('properties', ofProperty)
    .where('comparisons.connection', '=', connection)
    .selectAll('comparisons')
    .select(['properties.name as property', 'properties.deleted_at as property_deleted_at'])
    .orderBy('comparisons.property_id')
    .orderBy('comparisons.name')
    .execute();
}

/** Returns the comparison that is due longest; undefined if none is. Nothing of a property that is gone is compared. */
export function dueComparison(db: Db, connection: string, now: Instant): Promise<ComparisonsTable | undefined> {
  return db
    .selectFrom('comparisons')
    .innerJoin('properties', ofProperty)
    .where('properties.deleted_at', 'is', null)
    .selectAll('comparisons')
    .where('comparisons.connection', '=', connection)
    .where('comparisons.next_read_at', '<=', now)
    .orderBy('comparisons.next_read_at')
    .limit(1)
    .executeTakeFirst();
}

export async function addComparison(trx: MirrorTrx, row: ComparisonsTable): Promise<void> {
  await insertMany(trx, 'comparisons', [row]);
}

/** Changes a comparison that is still there. @returns false if somebody has removed it */
export async function changeComparison(
  db: Db,
  { connection, comparison_id }: ComparisonName,
  changes: Partial<ComparisonsTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('comparisons')
    .set(changes)
    .where('connection', '=', connection)
    .where('comparison_id', '=', comparison_id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes a comparison with its findings. */
export async function removeComparison(trx: MirrorTrx, { connection, comparison_id }: ComparisonName): Promise<void> {
  for (const table of ['comparison_findings', 'comparisons'] as const)
    await trx
      .deleteFrom(table)
      .where('connection', '=', connection)
      .where('comparison_id', '=', comparison_id)
      .execute();
}

/** Returns the findings of a connection, or of one comparison, the nearest nights first. */
export function findingsOf(
  db: MirrorDb,
  { connection, comparison_id }: { connection: string; comparison_id?: string },
): Promise<ComparisonFindingsTable[]> {
  return db
    .selectFrom('comparison_findings')
    .selectAll()
    .where('connection', '=', connection)
    .$if(comparison_id !== undefined, (query) => query.where('comparison_id', '=', comparison_id ?? ''))
    .orderBy('start_date')
    .orderBy('finding_id')
    .execute();
}

/** Puts the findings of a comparison in the place of all earlier ones. */
export async function replaceFindings(
  trx: MirrorTrx,
  { connection, comparison_id }: ComparisonName,
  rows: readonly ComparisonFindingsTable[],
): Promise<void> {
  await trx
    .deleteFrom('comparison_findings')
    .where('connection', '=', connection)
    .where('comparison_id', '=', comparison_id)
    .execute();
  await insertMany(trx, 'comparison_findings', rows);
}

export async function settleFinding(db: Db, { connection, finding_id }: FindingName, at: Instant): Promise<void> {
  await db
    .updateTable('comparison_findings')
    .set({ settled_at: at })
    .where('connection', '=', connection)
    .where('finding_id', '=', finding_id)
    .where('settled_at', 'is', null)
    .execute();
}

/** Returns a property of the mirror; undefined if it has none of this number. */
export function mirroredProperty(db: MirrorDb, { connection, property_id }: PropertyName) {
  return db
    .selectFrom('properties')
    .select(['id', 'name', 'time_zone'])
    .where('connection', '=', connection)
    .where('id', '=', property_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

type PropertyName = Pick<ComparisonsTable, 'connection' | 'property_id'>;

/** Reads what the mirror holds of a property between two dates, both included. */
export async function mirroredNights(
  db: MirrorDb,
  { connection, property_id }: PropertyName,
  { from, to }: { from: PlainDate; to: PlainDate },
): Promise<MirroredProperty> {
  const stays = await db
    .selectFrom('stays')
    .select(['stay_code', 'property_id', 'in_reservation_box', 'check_in_date', 'check_out_date'])
    .where('connection', '=', connection)
    .where('deleted_at', 'is', null)
    .where('status', '=', 'accepted')
    .where('check_out_date', '>', from)
    .where('check_in_date', '<=', to)
    .where((eb) =>
      eb.or([eb('property_id', '=', property_id), eb('property_id', 'is', null), eb('in_reservation_box', '=', 1)]),
    )
    .execute();
  const dated = stays.flatMap(({ check_in_date, check_out_date, ...stay }) =>
    check_in_date === null || check_out_date === null ? [] : [{ ...stay, check_in_date, check_out_date }],
  );
  const isPlaced = (stay: (typeof dated)[number]) => stay.property_id === property_id && stay.in_reservation_box !== 1;
  const closed = await db
    .selectFrom('availability_days')
    .select('date')
    .where('connection', '=', connection)
    .where('property_id', '=', property_id)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .where('available', '=', 0)
    .execute();
  return {
    stays: dated.filter(isPlaced) satisfies MirroredStay[],
    unplaced: dated.filter((stay) => !isPlaced(stay)) satisfies MirroredStay[],
    closed: new Set(closed.map(({ date }) => date)),
  };
}

/** Returns true while the mirror has not yet read what happened: comparing with it would find what is only late. */
export async function isBehind(db: Db, connection: string): Promise<boolean> {
  const row = await db
    .selectFrom('connections')
    .select(['caught_up_at', 'catch_up_due'])
    .where('connection', '=', connection)
    .executeTakeFirst();
  return !row || row.caught_up_at === null || row.catch_up_due !== null;
}
