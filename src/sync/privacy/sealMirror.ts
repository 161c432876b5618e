import { OperatorError } from '../../kernel/errors.ts';
import type { Reseal, Sealer } from '../../kernel/seal.ts';
import { sealOnce } from '../../kernel/seal.ts';
import {
  type ClearRows,
  eachRow,
  type KeyedRows,
  resealProofs,
  type Row,
  sealClear,
  stillClear,
  writeRow,
} from '../../store/sealing/sealClear.ts';
import type { Mirror, MirrorStore, MirrorTrx } from '../tables/database.ts';
import type { FieldChange } from '../tables/rows/diff.ts';
import {
  hookContext,
  type RowName,
  SEALED_RESOURCES,
  type TextTurn,
  turnDiff,
  turnMore,
  turnRaw,
  urlContext,
} from '../tables/rows/sealedValues.ts';

/** The columns of a table that hold sealed values. */
export interface SealedPlace extends KeyedRows<Mirror> {
  name: string;
  turned(row: Row, turn: TextTurn): Readonly<Record<string, string | null>>;
}

const only = { column: 'resource', values: SEALED_RESOURCES };

const places: readonly SealedPlace[] = [
  {
    name: 'guests.more',
    table: 'guests',
    key: ['connection', 'stay_code', 'guest_key'],
    columns: ['more'],
    present: 'more',
    turned: (row, turn) => ({
      more: turnMore(
        { connection: text(row, 'connection'), stay_code: text(row, 'stay_code'), more: text(row, 'more') },
        turn,
      ),
    }),
  },
  rowsWithAddress('webhooks', 'webhook'),
  rowsWithAddress('calendar_share_links', 'calendar_share_link'),
  {
    name: 'versions.raw',
    table: 'versions',
    key: ['connection', 'change_seq'],
    columns: ['resource', 'key', 'raw'],
    only,
    turned: (row, turn) => ({ raw: turnRaw(nameOf(row), text(row, 'raw'), turn) }),
  },
  {
    name: 'changes.diff',
    table: 'changes',
    key: ['connection', 'seq'],
    columns: ['resource', 'key', 'diff'],
    present: 'diff',
    only,
    turned: (row, turn) => ({
      diff: JSON.stringify(turnDiff(nameOf(row), JSON.parse(text(row, 'diff')) as FieldChange[], turn)),
    }),
  },
  {
    name: 'quarantine.raw',
    table: 'quarantine',
    key: ['connection', 'resource', 'key'],
    columns: ['raw'],
    present: 'raw',
    only,
    // A row that could not be read may hold its address in an unexpected place.
    turned: () => ({ raw: null }),
  },
  {
    name: 'connections.webhook_url',
    table: 'connections',
    key: ['connection'],
    columns: ['webhook_url'],
    present: 'webhook_url',
    turned: (row, turn) => ({ webhook_url: turn(text(row, 'webhook_url'), hookContext(text(row, 'connection'))) }),
  },
  {
    name: 'connection_facts.value',
    table: 'connection_facts',
    key: ['connection', 'name'],
    columns: ['value'],
    only: { column: 'name', values: ['listening_since', 'hook_path'] },
    turned: (row, turn) => ({ value: turn(text(row, 'value'), hookContext(text(row, 'connection'))) }),
  },
];

function rowsWithAddress(table: 'webhooks' | 'calendar_share_links', resource: string): SealedPlace {
  return {
    name: `${table}.url`,
    table,
    key: ['connection', 'id'],
    columns: ['url', 'raw'],
    turned(row, turn) {
      const name = { connection: text(row, 'connection'), resource, key: text(row, 'id') };
      const url = row['url'];
      return {
        raw: turnRaw(name, text(row, 'raw'), turn),
        ...(typeof url === 'string' && { url: turn(url, urlContext(name)) }),
      };
    },
  };
}

function nameOf(row: Row): RowName {
  return { connection: text(row, 'connection'), resource: text(row, 'resource'), key: text(row, 'key') };
}

function text(row: Row, column: string): string {
  return String(row[column]);
}

function clearRows(more: readonly SealedPlace[]): ClearRows<Mirror>[] {
  return [...places, ...more].map((place) => ({
    ...place,
    seal: (trx, row, sealer) => turnRow(trx, place, row, (value, context) => sealOnce(sealer, value, context)),
  }));
}

/** @returns true if any text of it changed */
async function turnRow(trx: MirrorTrx, place: SealedPlace, row: Row, turn: TextTurn): Promise<boolean> {
  const turned = Object.entries(place.turned(row, turn)).filter(([column, value]) => row[column] !== value);
  if (turned.length === 0) return false;
  await writeRow(trx, place, row, Object.fromEntries(turned));
  return true;
}

/**
 * Seals the values that an earlier version has stored in clear, see {@link sealClear}.
 * @param more places in tables beside the mirror's own
 * @param forgetBytes removes old bytes of the written tables from the database
 * @throws OperatorError if the secret of a connection was sealed with another key; nothing is changed then
 */
export async function sealMirror(
  store: MirrorStore,
  sealer: Sealer,
  {
    more,
    forgetBytes,
    requireKey,
  }: {
    more: readonly SealedPlace[];
    forgetBytes(tables: readonly string[]): Promise<boolean>;
    requireKey(): Promise<void>;
  },
): Promise<boolean> {
  const clear = clearRows(more);
  if (await stillClear(store, clear)) await requireKey();
  return sealClear(store, sealer, { all: clear, forgetBytes: () => forgetBytes(clear.map(({ table }) => table)) });
}

/**
 * Seals the sealed values of rows and addresses with another key; safe to repeat. A value that opens with neither key
 * was tampered with and stays unchanged: the next reconciliation finds and repairs it.
 * @returns the number of rows
 */
export async function resealMirror(store: MirrorStore, reseal: Reseal, more: readonly SealedPlace[]): Promise<number> {
  const turn: TextTurn = (sealed, context) => {
    try {
      return reseal(sealed, context);
    } catch (error) {
      if (error instanceof OperatorError) return sealed;
      throw error;
    }
  };
  let count = 0;
  for (const place of [...places, ...more]) {
    count += await store.transaction((trx) => eachRow(trx, place, (row) => turnRow(trx, place, row, turn)));
  }
  await store.transaction((trx) => resealProofs(trx, reseal));
  return count;
}
