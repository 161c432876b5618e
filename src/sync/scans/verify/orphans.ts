import { sql } from 'kysely';
import { turn } from '../../../kernel/clock.ts';
import type { MirrorDb } from '../../tables/database.ts';
import { NO_PROPERTY } from '../../tables/rowFacts.ts';
import type { Finding } from './findings.ts';

const SCAN_ROWS = 2_000;

/** Finds rows of side tables without a stay. */
export async function orphans(db: MirrorDb, connection: string): Promise<Finding[]> {
  return [
    ...(await lostNights(db, connection)),
    ...(await lostRows(db, connection, 'guests', 'stay_code')),
    ...(await lostRows(db, connection, 'stay_figures', 'stay_code')),
    ...(await lostRows(db, connection, 'stay_items', 'stay_code')),
    ...(await lostRows(db, connection, 'reservations', 'reservation_code')),
  ];
}

/**
 * Finds guests and figures without a stay, and reservations without stays. A reservation that is gone keeps its row, as
 * its stays do.
 */
async function lostRows(
  db: MirrorDb,
  connection: string,
  table: 'guests' | 'reservations' | 'stay_figures' | 'stay_items',
  column: 'stay_code' | 'reservation_code',
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const alive = table === 'reservations' ? sql`` : sql`and stays.deleted_at is null`;
  for (let after: string | undefined = ''; after !== undefined; await turn()) {
    const { rows } = await sql<{ key: string; lost: number }>`
      select ${sql.ref(column)} as key, case when exists (
        select 1 from stays where stays.connection = ${connection}
          and stays.${sql.ref(column)} = part.${sql.ref(column)} ${alive}
      ) then 0 else 1 end as lost
      from (
        select distinct ${sql.ref(column)} from ${sql.table(table)}
        where connection = ${connection} and ${sql.ref(column)} > ${after}
        order by ${sql.ref(column)} limit ${sql.lit(SCAN_ROWS)}
      ) as part order by ${sql.ref(column)}`.execute(db);
    for (const { key, lost } of rows) if (lost === 1) findings.push({ kind: 'extra', key, row: key, paths: [table] });
    after = rows.length === SCAN_ROWS ? rows.at(-1)?.key : undefined;
  }
  return findings;
}

interface Place {
  night: string;
  property_id: number;
  stay_code: string;
}

/** Finds nights without a stay, or outside the dates of theirs. */
async function lostNights(db: MirrorDb, connection: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  let after: Place | undefined = { night: '', property_id: 0, stay_code: '' };
  while (after) {
    const { rows }: { rows: (Place & { lost: number })[] } = await sql<Place & { lost: number }>`
      select night, property_id, stay_code, case when exists (
        select 1 from stays where stays.connection = ${connection} and stays.stay_code = part.stay_code
          and stays.deleted_at is null and coalesce(stays.property_id, ${sql.lit(NO_PROPERTY)}) = part.property_id
          and stays.check_in_date <= part.night and part.night < stays.check_out_date
      ) then 0 else 1 end as lost
      from (
        select night, property_id, stay_code from stay_nights
        where connection = ${connection}
          and (night, property_id, stay_code) > (${after.night}, ${after.property_id}, ${after.stay_code})
        order by night, property_id, stay_code limit ${sql.lit(SCAN_ROWS)}
      ) as part order by night, property_id, stay_code`.execute(db);
    for (const { stay_code, lost } of rows) {
      if (lost === 1) findings.push({ kind: 'extra', key: stay_code, row: stay_code, paths: ['stay_nights'] });
    }
    after = rows.length === SCAN_ROWS ? rows.at(-1) : undefined;
    await turn();
  }
  return findings;
}
