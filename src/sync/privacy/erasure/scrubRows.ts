import type { Fields } from '../../../client/fields.ts';
import { type Clock, turn } from '../../../kernel/clock.ts';
import { instantOf } from '../../../kernel/dates.ts';
import { inList } from '../../../store/queries/inList.ts';
import type { MirrorStore, MirrorTrx, StaysTable } from '../../tables/database.ts';
import { lockFeed } from '../../feed/feedRows.ts';
import { dropValues } from '../personalValues.ts';
import { recordChanges, type RecordedChange } from '../../feed/recordChanges.ts';
import { rowQueries, type StoredRow } from '../../tables/rows/rowTable.ts';
import type { Affected } from './affected.ts';
import { type Forgetting, forgetRaw, freeColumns, withoutImages } from './forgetRaw.ts';

const BATCH = 50;

export interface Scrubbing {
  store: MirrorStore;
  connection: string;
  clock: Clock;
  onChanges(): void;
}

/**
 * Removes the erased values from the current rows, and reports the changes to the feed. @returns the number of examined
 * rows
 */
export async function scrubRows(context: Scrubbing, affected: Affected): Promise<number> {
  const keys = [...affected.rows.keys()];
  let rows = 0;
  for (let start = 0; start < keys.length; start += BATCH) {
    rows += await scrubBatch(context, affected, keys.slice(start, start + BATCH));
    await turn();
  }
  return rows;
}

async function scrubBatch(
  { store, connection, clock, onChanges }: Scrubbing,
  { resource, rows, isAnnounced }: Affected,
  keys: readonly string[],
): Promise<number> {
  const at = instantOf(clock.now());
  const count = await store.transaction(async (trx) => {
    await lockFeed(trx, connection);
    const found = await rowQueries(resource).stored(trx, connection, typedKeys(resource.keyColumn, keys));
    const announced: RecordedChange[] = [];
    for (const row of found) {
      const what = rows.get(String(row.row_key));
      if (!what) continue;
      await scrubRow(trx, connection, { resource, row }, what);
      if (isAnnounced) announced.push(changeOf(row));
    }
    await dropValues(trx, connection, resource, keys);
    const open = { keys: [], events: new Map(), queued: new Map(), came: new Map(), crowded: false };
    await recordChanges(
      trx,
      { connection, resource: resource.name, origin: 'command', at },
      announced,
      open,
      new Map(),
    );
    return found.length;
  });
  if (isAnnounced) onChanges();
  return count;
}

/** Returns the keys as numbers if the table has numbers. */
function typedKeys(column: string, keys: readonly string[]): (string | number)[] {
  return column === 'id' ? keys.map(Number) : [...keys];
}

async function scrubRow(
  trx: MirrorTrx,
  connection: string,
  { resource, row }: { resource: Affected['resource']; row: StoredRow },
  what: Forgetting,
): Promise<void> {
  const raw = JSON.stringify(forgetRaw(resource.name, JSON.parse(row.raw) as Fields, what));
  const columns = what.text ? (freeColumns[resource.name] ?? {}) : {};
  // These tables share the columns used here. Kysely's types cannot express that, so one table represents all.
  await trx
    .updateTable(resource.table as 'stays')
    .set({ raw, ...columns } as Partial<StaysTable>)
    .where('connection', '=', connection)
    .where(resource.keyColumn as 'stay_code', '=', row.row_key as string)
    .execute();
  if (resource.hasParts) await dropGuests(trx, connection, String(row.row_key), what.owners);
}

async function dropGuests(
  trx: MirrorTrx,
  connection: string,
  stay: string,
  owners: Forgetting['owners'],
): Promise<void> {
  await trx
    .deleteFrom('guests')
    .where('connection', '=', connection)
    .where('stay_code', '=', stay)
    .$if(owners !== 'all', (query) =>
      query.where((eb) => inList(eb.ref('guest_key'), owners === 'all' ? [] : [...owners])),
    )
    .execute();
  if (owners === 'all' || owners.size === 0) return;
  const left = await trx
    .selectFrom('guests')
    .select(['guest_key', 'more'])
    .where('connection', '=', connection)
    .where('stay_code', '=', stay)
    .where('more', 'is not', null)
    .execute();
  for (const { guest_key, more } of left) {
    await trx
      .updateTable('guests')
      .set({ more: withoutImages(more) })
      .where('connection', '=', connection)
      .where('stay_code', '=', stay)
      .where('guest_key', '=', guest_key)
      .execute();
  }
}

function changeOf({ key: of, row_key }: StoredRow): RecordedChange {
  const key = String(of);
  const part = key === String(row_key) ? null : String(row_key);
  const derived = [{ name: 'guest_erased', before: null, after: null }] as const;
  return { key, part, op: 'updated', diff: [], old: undefined, derived };
}
