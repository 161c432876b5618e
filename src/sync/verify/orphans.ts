import { sql } from 'kysely';
import { turn } from '../../kernel/clock.ts';
import type { MirrorDb } from '../database.ts';
import type { Finding } from './findings.ts';

const SCAN_ROWS = 2_000;

/** Tables that hang on the stays, and the column that says on which. */
const hanging = [
  { table: 'stay_nights', column: 'stay_code', on: 'stay_code' },
  { table: 'guests', column: 'stay_code', on: 'stay_code' },
  { table: 'reservations', column: 'reservation_code', on: 'reservation_code' },
] as const;

/** Rows of side tables whose stay is not there: nothing upstream stands behind them. */
export async function orphans(db: MirrorDb, connection: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { table, column, on } of hanging) {
    for (let after: string | undefined = ''; after !== undefined; await turn()) {
      const { rows } = await sql<{ key: string; lost: number }>`
        select ${sql.ref(column)} as key, case when exists (
          select 1 from stays where stays.connection = ${connection} and stays.${sql.ref(on)} = part.${sql.ref(column)}
            ${table === 'reservations' ? sql`` : sql`and stays.deleted_at is null`}
        ) then 0 else 1 end as lost
        from (
          select distinct ${sql.ref(column)} from ${sql.table(table)}
          where connection = ${connection} and ${sql.ref(column)} > ${after}
          order by ${sql.ref(column)} limit ${sql.lit(SCAN_ROWS)}
        ) as part order by ${sql.ref(column)}`.execute(db);
      for (const { key, lost } of rows) {
        if (lost === 1) findings.push({ kind: 'extra', key, row: key, paths: [table] });
      }
      after = rows.length === SCAN_ROWS ? rows.at(-1)?.key : undefined;
    }
  }
  return findings;
}
