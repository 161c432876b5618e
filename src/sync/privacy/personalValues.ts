import type { Kysely } from 'kysely';
import { inList } from '../../store/queries/inList.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import { prepared } from '../../store/queries/prepared.ts';
import type { PersonalValuesTable } from '../tables/conversations/tables.ts';
import type { Mirror, MirrorTrx } from '../tables/database.ts';
import type { FieldChange } from '../tables/rows/diff.ts';
import type { IncomingRow, MirrorResource } from '../tables/rows/resource.ts';
import type { GuestReference, Values } from '../tables/rows/personal.ts';

type Rows = { connection: string; resource: string; rows: readonly string[] };

const stored = prepared((db: Kysely<Mirror>, arg: Rows) =>
  db
    .selectFrom('personal_values')
    .selectAll()
    .where('connection', '=', arg.connection)
    .where('resource', '=', arg.resource)
    .where((eb) => inList(eb.ref('row_key'), arg.rows)),
);

const drop = prepared((db: Kysely<Mirror>, arg: Rows) =>
  db
    .deleteFrom('personal_values')
    .where('connection', '=', arg.connection)
    .where('resource', '=', arg.resource)
    .where((eb) => inList(eb.ref('row_key'), arg.rows)),
);

/** Reads the stored values of these rows, by row key; nothing for resources that store no values this way. */
export async function storedValues(
  trx: MirrorTrx,
  connection: string,
  resource: MirrorResource,
  rowKeys: readonly (string | number)[],
): Promise<ReadonlyMap<string, Values>> {
  const byRow = new Map<string, Map<string, string>>();
  if (!resource.keepsValues || rowKeys.length === 0) return byRow;
  for (const row of await stored(trx, { connection, resource: resource.name, rows: rowKeys.map(String) })) {
    const values = byRow.get(row.row_key) ?? new Map<string, string>();
    values.set(row.path, row.json ?? JSON.stringify(row.text));
    byRow.set(row.row_key, values);
  }
  return byRow;
}

/** Deletes the values of rows that are about to be replaced or are gone. */
export async function dropValues(
  trx: MirrorTrx,
  connection: string,
  resource: MirrorResource,
  rowKeys: readonly (string | number)[],
): Promise<void> {
  if (!resource.keepsValues || rowKeys.length === 0) return;
  await drop(trx, { connection, resource: resource.name, rows: rowKeys.map(String) });
}

export async function writeValues(
  trx: MirrorTrx,
  connection: string,
  resource: MirrorResource,
  rows: readonly IncomingRow[],
): Promise<void> {
  if (!resource.keepsValues) return;
  await insertMany(
    trx,
    'personal_values',
    rows.flatMap(({ rowKey, values }) =>
      [...values].map(([path, json]) => rowOf(connection, resource.name, String(rowKey), path, json)),
    ),
  );
}

function rowOf(connection: string, resource: string, row_key: string, path: string, json: string): PersonalValuesTable {
  const value: unknown = JSON.parse(json);
  const isText = typeof value === 'string';
  return { connection, resource, row_key, path, text: isText ? value : null, json: isText ? null : json };
}

/** Returns values that were replaced by others; one that came or went shows in the raw row. */
export function changedValues(row: IncomingRow, before: Values): FieldChange[] {
  const reference: GuestReference = { $guest: `${row.rowKey}/booker` };
  return [...before].flatMap(([path, value]) => {
    const after = row.values.get(path);
    const isChanged = after !== undefined && after !== value;
    return isChanged ? [{ path, before: reference, after: reference, personal: true as const }] : [];
  });
}
