import type { Fields } from '../../../client/fields.ts';
import type { ApplyContext } from '../../apply/apply.ts';
import type { GuestsTable, MirrorTrx } from '../../tables/database.ts';
import { sameGuests } from '../../apply/decide.ts';
import { diffOf } from '../../tables/rows/diff.ts';
import { forgotten } from '../../privacy/erasure/forget.ts';
import { storedGuests } from '../../tables/reservations/reservations.ts';
import type { Columns, IncomingRow, MirrorResource, Page } from '../../tables/rows/resource.ts';
import { noValues, sameValues } from '../../tables/rows/personal.ts';
import { storedValues } from '../../privacy/personalValues.ts';
import { rowQueries } from '../../tables/rows/rowTable.ts';
import type { Finding } from './findings.ts';

const MOST_PATHS = 10;

/**
 * Compares the rows of an answer with the mirror: fields, personal values, and everything computed from them. Equal
 * rows get the read's number, so that rows that no read has seen can be found afterwards.
 */
export async function compareRows(
  context: ApplyContext,
  resource: MirrorResource,
  page: Page,
  number: number,
): Promise<Finding[]> {
  const { store, connection } = context;
  const queries = rowQueries(resource);
  const keys = page.rows.map((row) => row.rowKey);
  return store.transaction(async (trx) => {
    const rows = await forgotten(trx, context, resource, page.rows);
    const stored = new Map(
      (await queries.allColumns(trx, connection, keys)).map((row) => [String(row[resource.keyColumn]), row]),
    );
    const live = rows.filter((row) => (stored.get(String(row.rowKey))?.['deleted_at'] ?? null) === null);
    const guests = resource.hasParts ? await guestsOf(trx, connection, live) : new Map<string, GuestsTable[]>();
    const values = await storedValues(trx, connection, resource, keys);
    const beside = (await resource.sideTables?.compare(trx, connection, live)) ?? new Map<string, string[]>();
    const findings: Finding[] = [];
    const equal: (string | number)[] = [];
    for (const row of rows) {
      const rowKey = String(row.rowKey);
      const own = stored.get(rowKey);
      if (!own || own['deleted_at'] !== null) {
        findings.push({ kind: 'missing', key: row.key, row: rowKey, paths: [] });
        continue;
      }
      const paths = [...differences(row, own, guests.get(rowKey) ?? []), ...(beside.get(rowKey) ?? [])];
      if (!row.isAged && !sameValues(values.get(rowKey) ?? noValues, row.values)) paths.push('personal_values');
      if (paths.length > 0)
        findings.push({ kind: 'different', key: row.key, row: rowKey, paths: paths.slice(0, MOST_PATHS) });
      else if (Number(own['read_number']) < number) equal.push(row.rowKey);
    }
    await queries.raise(trx, connection, equal, number);
    return findings;
  });
}

async function guestsOf(
  trx: MirrorTrx,
  connection: string,
  rows: readonly IncomingRow[],
): Promise<Map<string, GuestsTable[]>> {
  const byStay = new Map<string, GuestsTable[]>();
  for (const guest of await storedGuests(trx, { connection, stays: rows.map((row) => String(row.rowKey)) })) {
    byStay.set(guest.stay_code, [...(byStay.get(guest.stay_code) ?? []), guest]);
  }
  return byStay;
}

function differences(row: IncomingRow, stored: Columns, guests: readonly GuestsTable[]): string[] {
  const raw = String(stored['raw']);
  const paths = raw === row.rawText ? [] : rawDifferences(raw, row.raw);
  for (const [name, value] of Object.entries(row.columns())) {
    if (stored[name] !== value) paths.push(`column ${name}`);
  }
  if (!sameGuests(guests, row.guests)) paths.push('guests');
  return paths;
}

function rawDifferences(stored: string, incoming: Fields): string[] {
  try {
    return diffOf(JSON.parse(stored), incoming).map((change) => change.path);
  } catch {
    return ['raw'];
  }
}
