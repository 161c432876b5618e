import { addDays, addDaysWithin, lastDayOfMonth, msOf, startOfDay } from '../../kernel/dates.ts';
import { chosenConnection, todayOf, zoneOf } from '../accounts/account.ts';
import type { ExportPorts } from '../ports.ts';
import type { BooksReport, Progress } from '../run/order.ts';
import { refusals } from './mayClose.ts';
import { monthAfter } from './months.ts';
import { findPeriod, lastLocked } from './periodTable.ts';

/** What closing a month would do now. */
interface Preview {
  readonly connection: string;
  readonly period: string;
  readonly state: 'open' | 'soft' | 'locked';
  /** Everything that prevents it; empty if nothing does. */
  readonly reasons: readonly string[];
  /** Findings for a person to look at that would not prevent it. */
  readonly remarks: readonly string[];
  /** What would be closed; null for a month that is locked. */
  readonly books: Pick<BooksReport, 'from' | 'to' | 'entries' | 'states' | 'control'> | null;
}

const FIRST_DAY = '1970-01-01';

/** Books a month, and every earlier one that is open, as {@link closePeriod} would, and stores nothing. */
export async function previewPeriod(
  ports: ExportPorts,
  { period, connection: name }: { period: string; connection?: string | undefined },
  { onProgress, signal }: { onProgress: (state: Progress) => void; signal: AbortSignal },
): Promise<Preview> {
  const { db } = ports.store;
  const connection = await chosenConnection(db, name);
  const locked = await lastLocked(ports, connection);
  if (locked && locked.period >= period) {
    return { connection, period, state: 'locked', reasons: [], remarks: [], books: null };
  }
  const to = lastDayOfMonth(period);
  const endsAt = msOf(startOfDay(addDays(to, 1), await zoneOf(db, connection)));
  const result = await ports.carryOut(
    {
      kind: 'book',
      location: ports.location,
      connection,
      settings: ports.bookOf(connection),
      now: ports.clock.now(),
      from: locked ? `${monthAfter(locked.period)}-01` : FIRST_DAY,
      to,
      digestsOf: [],
    },
    { onProgress, onReport: async () => {}, onEntries: async () => {} },
    signal,
  );
  if (result.kind !== 'booked') throw new Error('the month was not booked');
  const { report } = result;
  const { reasons, remarks } = await refusals(ports, { connection, report, endsAt });
  const isOver = to < (await todayOf(ports, connection));
  const early = isOver ? [] : [`it is not over before ${addDaysWithin(to, 1)}`];
  const row = await findPeriod(ports, connection, period);
  const { from, entries, states, control } = report;
  return {
    connection,
    period,
    state: row?.state === 'soft' ? 'soft' : 'open',
    reasons: [...early, ...reasons],
    remarks,
    books: { from, to, entries, states, control },
  };
}
