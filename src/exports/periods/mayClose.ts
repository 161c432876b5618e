import { instantOf, msOf } from '../../kernel/dates.ts';
import type { Exception } from '../journal/draft.ts';
import type { ExportPorts } from '../ports.ts';
import type { BooksReport } from '../run/order.ts';

const HOUR_MS = 3_600_000;
/** Resources of the mirror from which the books are made. */
const BOOKED_RESOURCES = ['transaction', 'reservation'] as const;
/** Exceptions that do not make the books wrong. */
const REMARKS: ReadonlySet<Exception['kind']> = new Set([
  'advances_held',
  'receipts_differ',
  'stay_unpaid',
  'commission_twice',
  'owner_negative',
  'trust_short',
]);
const MOST_EXAMPLES = 5;
const MAP_HELP = '; ./stayd export map proposes lines';
const RATE_HELP = '; exports.books.<connection>.rates takes one';

/** Returns every reason that prevents the days from being closed now, and further findings for a person to look at. */
export async function refusals(
  ports: ExportPorts,
  { connection, report, endsAt }: { connection: string; report: BooksReport; endsAt: number },
): Promise<{ reasons: string[]; remarks: string[] }> {
  const reasons = [
    ...(await pausedReason(ports, connection)),
    ...(await staleReasons(ports, connection, endsAt)),
    ...(await unreadReasons(ports, connection)),
    ...sourceReasons(report),
    ...exceptionTexts(report, (kind) => !REMARKS.has(kind)),
  ];
  return { reasons, remarks: exceptionTexts(report, (kind) => REMARKS.has(kind)) };
}

async function pausedReason({ store }: ExportPorts, connection: string): Promise<string[]> {
  const row = await store.db
    .selectFrom('connections')
    .select(['state', 'reason', 'state_at'])
    .where('connection', '=', connection)
    .executeTakeFirst();
  if (row?.state === 'active') return [];
  return [`nothing is read since ${row?.state_at}: ${row?.reason ?? row?.state}`];
}

/** Returns the resources that were not read again since the days ended, or too long ago. */
async function staleReasons(ports: ExportPorts, connection: string, endsAt: number): Promise<string[]> {
  const hours = ports.bookOf(connection).max_reconciliation_age_hours;
  const oldest = ports.clock.now() - hours * HOUR_MS;
  const rows = await ports.store.db
    .selectFrom('reconciliations')
    .select(['tier', 'fresh_since'])
    .where('connection', '=', connection)
    .where('resource', 'in', [...BOOKED_RESOURCES])
    .orderBy('tier')
    .execute();
  if (rows.length === 0) return ['nothing is known of when the mirror was last read'];
  return rows.flatMap(({ tier, fresh_since }) => {
    if (fresh_since === null) return [`${tier}: never read as a whole; ./stayd reconcile does it`];
    if (msOf(fresh_since) < oldest) {
      return [`${tier}: last read at ${fresh_since}, more than ${hours} hours ago; ./stayd reconcile does it`];
    }
    if (msOf(fresh_since) >= endsAt) return [];
    return [`${tier}: not read since the month ended (${instantOf(endsAt)}); ./stayd reconcile does it`];
  });
}

/** Returns quarantined rows and abandoned look-ups. */
async function unreadReasons({ store }: ExportPorts, connection: string): Promise<string[]> {
  const { db } = store;
  const quarantined = await db
    .selectFrom('quarantine')
    .select(['resource', 'key', 'problem'])
    .where('connection', '=', connection)
    .where('resource', 'in', [...BOOKED_RESOURCES])
    .orderBy('key')
    .limit(MOST_EXAMPLES)
    .execute();
  const dead = await db
    .selectFrom('dirty_keys')
    .select(['resource', 'key', 'problem'])
    .where('connection', '=', connection)
    .where('resource', 'in', [...BOOKED_RESOURCES])
    .where('state', '=', 'dead')
    .orderBy('key')
    .limit(MOST_EXAMPLES)
    .execute();
  return [...quarantined, ...dead].map(
    ({ resource, key, problem }) => `${resource} ${key} could not be read: ${problem}`,
  );
}

function sourceReasons({ reasons, to }: BooksReport): string[] {
  return reasons.flatMap(({ state, reason, count, example, firstDate }) => {
    const isLater = firstDate !== null && firstDate > to;
    if (state !== 'unmapped' && (state !== 'pending' || isLater)) return [];
    const isRate = reason.startsWith('there is no rate');
    const help = state === 'unmapped' ? MAP_HELP : isRate ? RATE_HELP : '';
    return [`${state}: ${reason} (${count === 1 ? example : `${count} times, such as ${example}`})${help}`];
  });
}

function exceptionTexts({ exceptions }: BooksReport, wanted: (kind: Exception['kind']) => boolean): string[] {
  const kinds = [...new Set(exceptions.map((one) => one.kind))].filter(wanted);
  return kinds.flatMap((kind) => {
    const own = exceptions.filter((one) => one.kind === kind);
    const help = kind === 'deposit_unexplained' ? MAP_HELP : '';
    const shown = own.slice(0, MOST_EXAMPLES).map(({ about, problem }) => `${about}: ${problem}${help}`);
    return own.length > MOST_EXAMPLES ? [...shown, `and ${own.length - MOST_EXAMPLES} more of these`] : shown;
  });
}
