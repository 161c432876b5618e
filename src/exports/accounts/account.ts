import { dateIn, isTimeZone, type PlainDate } from '../../kernel/dates.ts';
import { OperatorError, UsageError } from '../../kernel/errors.ts';
import type { MirrorDb } from '../../sync/tables/database.ts';
import type { ExportPorts } from '../ports.ts';

/**
 * Returns the connection whose books are meant: the named one, or the only one.
 * @throws UsageError if a name is needed
 */
export async function chosenConnection(db: MirrorDb, name: string | null | undefined): Promise<string> {
  const rows = await db.selectFrom('connections').select('connection').orderBy('connection').execute();
  const names = rows.map((row) => row.connection);
  const shown = names.join(', ') || 'none';
  if (name !== null && name !== undefined) {
    if (names.includes(name)) return name;
    throw new UsageError(`connection: there is none named "${name}"; there are ${shown}`);
  }
  const [only, ...others] = names;
  if (only === undefined) throw new OperatorError('nothing has been mirrored yet', 'start stayd, and let it read once');
  if (others.length === 0) return only;
  throw new UsageError(`connection: is required; there are ${shown}`);
}

/** The connection of the first account of the core beside the daemon. */
const FIRST = 'local';

/**
 * Returns the first account of the core beside the daemon, for which jobs that name no connection were set up: they go on
 * when further accounts are mirrored. null: no core is mirrored here.
 */
export async function usualConnection(db: MirrorDb): Promise<string | null> {
  const row = await db
    .selectFrom('connections')
    .select('connection')
    .where('connection', '=', FIRST)
    .executeTakeFirst();
  return row?.connection ?? null;
}

/** Returns the operator's time zone, or UTC if the mirror has no valid one. */
export async function zoneOf(db: MirrorDb, connection: string): Promise<string> {
  const row = await db
    .selectFrom('accounts')
    .select('time_zone')
    .where('connection', '=', connection)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  const zone = row?.time_zone ?? '';
  return isTimeZone(zone) ? zone : 'UTC';
}

/** Returns the operator's date of today. */
export async function todayOf(
  { store, clock }: Pick<ExportPorts, 'store' | 'clock'>,
  connection: string,
): Promise<PlainDate> {
  return dateIn(await zoneOf(store.db, connection), clock.now());
}
