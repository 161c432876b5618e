import { turn } from '../../../kernel/clock.ts';
import type { MirrorResource } from '../../tables/rows/resource.ts';
import { rowQueries } from '../../tables/rows/rowTable.ts';
import type { ScanContext } from '../purpose.ts';
import type { Finding } from './findings.ts';

const SCAN_ROWS = 500;

/** Yields rows of the mirror that no read since this number has seen. */
export async function unseen(
  { store, connection }: ScanContext,
  resource: MirrorResource,
  firstNumber: number,
  met: readonly Finding[],
): Promise<Finding[]> {
  const known = new Set(met.map((finding) => finding.row));
  const queries = rowQueries(resource);
  const findings: Finding[] = [];
  let after: string | number | undefined;
  do {
    const { rows, next } = await queries.unseen(store.db, connection, firstNumber, after, SCAN_ROWS);
    for (const { row_key, key } of rows) {
      const row = String(row_key);
      if (!known.has(row)) findings.push({ kind: 'extra', key: String(key), row, paths: [] });
    }
    after = next;
    await turn();
  } while (after !== undefined);
  return findings;
}
