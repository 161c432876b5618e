import type { Instant } from '../kernel/dates.ts';
import type { AccountId, ReservationCode } from '../kernel/ids.ts';
import type { CoreDb } from '../core/database.ts';
import { holdsNights } from '../core/reservations/rules.ts';
import type { StandingStay } from './planFile.ts';

/** A row of an earlier run and the present state of its reservation. */
export interface ImportedRow {
  hash: string;
  reservationCode: ReservationCode;
  /** Moment of a future stay's income; null: none is expected. */
  incomeAt: Instant | null;
  /** false: it has been cancelled, in the file or since. */
  isHeld: boolean;
  /** The reservation's present place, if it holds nights in a unit of a pool. */
  standing: (StandingStay & { pool: string }) | 'nothing';
}

const PAGE = 1_000;
/** Matches the names that `unitName` gives. */
const UNIT_NAME = /^(.+) (\d+)$/;

/**
 * Returns all rows of a source that were imported before, by their key. It reads pages, so that the event loop
 * continues.
 */
export async function importedRows(
  db: CoreDb,
  accountId: AccountId,
  source: string,
): Promise<Map<string, ImportedRow>> {
  const known = new Map<string, ImportedRow>();
  for (let after = ''; ;) {
    const page = await db
      .selectFrom('import_rows as imported')
      .innerJoin('stays as stay', (join) =>
        join
          .onRef('stay.account_id', '=', 'imported.account_id')
          .onRef('stay.reservation_code', '=', 'imported.reservation_code'),
      )
      .leftJoin('properties as property', (join) =>
        join.onRef('property.account_id', '=', 'stay.account_id').onRef('property.id', '=', 'stay.property_id'),
      )
      .where('imported.account_id', '=', accountId)
      .where('imported.source', '=', source)
      .where('imported.row_key', '>', after)
      .select(['imported.row_key', 'imported.row_hash', 'imported.reservation_code', 'imported.income_at'])
      .select(['stay.status', 'stay.check_in_date', 'stay.check_out_date', 'property.name'])
      .orderBy('imported.row_key')
      .limit(PAGE)
      .execute();
    for (const row of page) {
      const unit = unitOf(row.name);
      known.set(row.row_key, {
        hash: row.row_hash,
        reservationCode: row.reservation_code,
        incomeAt: row.income_at,
        isHeld: holdsNights(row.status),
        standing:
          unit && holdsNights(row.status)
            ? { ...unit, checkIn: row.check_in_date, checkOut: row.check_out_date }
            : 'nothing',
      });
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return known;
    after = last.row_key;
  }
}

/**
 * Returns stays that hold nights in numbered units and do not belong to these reservations. It reads pages, so that the
 * event loop continues.
 */
export async function otherStays(
  db: CoreDb,
  accountId: AccountId,
  imported: ReadonlySet<string>,
): Promise<(StandingStay & { pool: string })[]> {
  const others: (StandingStay & { pool: string })[] = [];
  for (let after = 0; ;) {
    const page = await db
      .selectFrom('stays as stay')
      .innerJoin('properties as property', (join) =>
        join.onRef('property.account_id', '=', 'stay.account_id').onRef('property.id', '=', 'stay.property_id'),
      )
      .where('stay.account_id', '=', accountId)
      .where('stay.id', '>', after)
      .select(['stay.id', 'stay.reservation_code', 'stay.status', 'stay.check_in_date', 'stay.check_out_date'])
      .select('property.name')
      .orderBy('stay.id')
      .limit(PAGE)
      .execute();
    for (const row of page) {
      const unit = unitOf(row.name);
      if (!unit || !holdsNights(row.status) || imported.has(row.reservation_code)) continue;
      others.push({ ...unit, checkIn: row.check_in_date, checkOut: row.check_out_date });
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return others;
    after = last.id;
  }
}

export async function propertyIdsByName(db: CoreDb, accountId: AccountId): Promise<Map<string, number>> {
  const rows = await db.selectFrom('properties').where('account_id', '=', accountId).select(['name', 'id']).execute();
  return new Map(rows.map((row) => [row.name, row.id]));
}

function unitOf(name: string | null): { pool: string; unit: number } | undefined {
  const match = UNIT_NAME.exec(name ?? '');
  return match?.[1] === undefined ? undefined : { pool: match[1], unit: Number(match[2]) };
}
