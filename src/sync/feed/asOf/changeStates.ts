import type { Fields } from '../../../client/fields.ts';
import type { MirrorDb } from '../../tables/database.ts';
import type { Change } from '../feed.ts';
import { openedRaw } from '../../tables/rows/sealedValues.ts';
import { columnsOf, keyFor } from './rowStates.ts';
import { askedFor } from './words.ts';

type ChangedRow = Pick<Change, 'connection' | 'seq' | 'resource' | 'key' | 'part' | 'op'>;

/** A row before and after one change of it; null: there was none. References replace personal values. */
interface ChangeStates {
  before: Fields | null;
  after: Fields | null;
}

/** Returns the states of a row around a change; undefined for calendars, whose change itself says all. */
export async function statesOfChange(db: MirrorDb, change: ChangedRow): Promise<ChangeStates | undefined> {
  const asked = askedFor(change.resource);
  if (asked.kind === 'days') return undefined;
  const { table, row } = columnsOf(asked.of);
  const rowKey = keyFor(row, change.part ?? change.key);
  const current = await db
    .selectFrom(table)
    .select('raw')
    .where('connection', '=', change.connection)
    .where(row, '=', rowKey as string)
    .executeTakeFirst();
  const replaced = await version(db, change, '=');
  const became = (await version(db, change, '>')) ?? current;
  // A row that is gone retains its last state.
  const before = change.op === 'deleted' ? (replaced ?? became) : replaced;
  return {
    before: change.op === 'created' ? null : read(db, change, before),
    after: change.op === 'deleted' ? null : read(db, change, became),
  };
}

function read(db: MirrorDb, change: ChangedRow, found: { raw: string } | undefined): Fields | null {
  return found ? (JSON.parse(openedRaw(db, change, found.raw)) as Fields) : null;
}

/** Returns the state that this change has ended, or that the next change of the same row has. */
function version(
  db: MirrorDb,
  { connection, seq, resource, key, part }: ChangedRow,
  which: '=' | '>',
): Promise<{ raw: string } | undefined> {
  return db
    .selectFrom('versions')
    .select('raw')
    .where('connection', '=', connection)
    .where('resource', '=', resource)
    .where('key', '=', key)
    .where((eb) => (part === null ? eb('part', 'is', null) : eb('part', '=', part)))
    .where('change_seq', which, seq)
    .orderBy('change_seq')
    .limit(1)
    .executeTakeFirst();
}
