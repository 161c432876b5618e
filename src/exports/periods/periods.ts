import { addDays, addDaysWithin, instantOf, lastDayOfMonth, msOf, startOfDay } from '../../kernel/dates.ts';
import { OperatorError, UsageError } from '../../kernel/errors.ts';
import { mayGo, next } from '../../kernel/transitions.ts';
import { chosenConnection, todayOf, zoneOf } from '../accounts/account.ts';
import { refusals } from './mayClose.ts';
import { findPeriod, lastLocked, logRow, storePeriods } from './periodTable.ts';
import type { ExportPorts } from '../ports.ts';
import type { BooksReport, Order, Progress } from '../run/order.ts';
import { periodLife } from './states.ts';
import { monthAfter } from './months.ts';
import { type ClosedPeriod, NO_CHAIN, Sealing } from './sealing.ts';

/** A request to close a month. */
export interface CloseOrder {
  /** `2027-03`. */
  readonly period: string;
  readonly connection?: string | undefined;
  readonly soft: boolean;
  readonly reason?: string | undefined;
}

/** The result of {@link closePeriod}. */
interface CloseReport {
  readonly connection: string;
  readonly closed: readonly ClosedPeriod[];
  /** Findings for a person to look at that did not prevent the closing. */
  readonly remarks: readonly string[];
}

/** Thrown with every reason that prevents the closing of a month. */
class CannotClose extends OperatorError {
  readonly reasons: readonly string[];

  constructor(period: string, reasons: readonly string[]) {
    super(`${period} cannot be closed:\n${reasons.map((reason) => `  - ${reason}`).join('\n')}`);
    this.reasons = reasons;
  }
}

const FIRST_DAY = '1970-01-01';

/**
 * Closes a month and every earlier month that is still open.
 * @throws CannotClose with each reason
 */
export async function closePeriod(
  ports: ExportPorts,
  order: CloseOrder,
  { onProgress, signal }: { onProgress: (state: Progress) => void; signal: AbortSignal },
): Promise<CloseReport> {
  const { period, soft } = order;
  requireMonth(period);
  const { db } = ports.store;
  const connection = await chosenConnection(db, order.connection);
  const today = await todayOf(ports, connection);
  const to = lastDayOfMonth(period);
  if (to >= today) throw new CannotClose(period, [`it is not over before ${addDaysWithin(to, 1)}`]);
  const locked = await lastLocked(ports, connection);
  if (locked && locked.period >= period)
    throw new UsageError(`${period} is locked already`, `locked through ${locked.period}`);
  const endsAt = msOf(startOfDay(addDays(to, 1), await zoneOf(db, connection)));
  const from = locked ? `${monthAfter(locked.period)}-01` : FIRST_DAY;
  const writer = new Sealing(ports, connection, locked?.digest ?? NO_CHAIN);
  const remarks: string[] = [];
  const work: Order = {
    kind: 'book',
    location: ports.location,
    connection,
    settings: ports.bookOf(connection),
    now: ports.clock.now(),
    from,
    to,
    digestsOf: soft ? [period] : [],
  };
  const result = await ports.carryOut(
    work,
    {
      onProgress,
      async onReport(report) {
        const { reasons, remarks: said } = await refusals(ports, { connection, report, endsAt });
        if (reasons.length > 0) throw new CannotClose(period, reasons);
        remarks.push(...said);
      },
      onEntries: (entries) => (soft ? writer.count(entries) : writer.seal(entries)),
    },
    signal,
  );
  if (result.kind !== 'booked') throw new Error('the month was not booked');
  const closed = soft
    ? [await softClose(ports, { connection, order, report: result.report, entries: writer.entriesOf(period) })]
    : await writer.lock({
        from: writer.first ?? period,
        to: period,
        report: result.report,
        reason: order.reason ?? null,
      });
  return { connection, closed, remarks };
}

/** Opens a closed month, so entries can be booked in it again. Of the locked months, only the newest can be opened. */
export async function reopenPeriod(
  ports: ExportPorts,
  { period, connection: name, reason }: { period: string; connection?: string | undefined; reason: string },
): Promise<{ connection: string; period: string; was: string }> {
  requireMonth(period);
  const connection = await chosenConnection(ports.store.db, name);
  const row = await findPeriod(ports, connection, period);
  if (!row || !mayGo(periodLife, row.state, 'reopen'))
    throw new UsageError(`${period} is open`, './stayd export list shows what is closed');
  const locked = await lastLocked(ports, connection);
  if (row.state === 'locked' && locked?.period !== period) {
    throw new UsageError(`${period} cannot be opened while ${locked?.period} is locked`, 'open the newer month first');
  }
  const at = instantOf(ports.clock.now());
  await ports.store.transaction(async (trx) => {
    await trx
      .updateTable('export_periods')
      .set({ state: next(periodLife, row.state, 'reopen'), seal: null, at })
      .where('connection', '=', connection)
      .where('period', '=', period)
      .execute();
    await trx
      .insertInto('export_period_log')
      .values(logRow(ports, row, { action: 'reopen', at, reason }))
      .execute();
  });
  return { connection, period, was: row.state };
}

/**
 * Checks that soft-closed months are unchanged.
 * @throws OperatorError if one has changed and the operator gave no reason
 */
export async function requireUnchangedSoftPeriods(
  ports: ExportPorts,
  { connection, report, reason }: { connection: string; report: BooksReport; reason: string | undefined },
): Promise<void> {
  for (const { period, digest } of report.soft) {
    const row = await findPeriod(ports, connection, period);
    const isCovered = `${period}-01` >= report.from && lastDayOfMonth(period) <= report.to;
    if (!row || !mayGo(periodLife, row.state, 'override') || row.digest === digest || !isCovered) continue;
    if (reason === undefined) {
      throw new OperatorError(
        `${period} is soft-closed, and has changed since ${row.at}`,
        'give --override with the reason, or open it: ./stayd export reopen',
      );
    }
    const at = instantOf(ports.clock.now());
    await ports.store.transaction(async (trx) => {
      await trx
        .updateTable('export_periods')
        .set({ digest, at })
        .where('connection', '=', connection)
        .where('period', '=', period)
        .execute();
      const log = logRow(ports, { ...row, digest }, { action: 'override', at, reason });
      await trx.insertInto('export_period_log').values(log).execute();
    });
  }
}

async function softClose(
  ports: ExportPorts,
  closing: { connection: string; order: CloseOrder; report: BooksReport; entries: number },
): Promise<ClosedPeriod> {
  const { connection, order, report, entries } = closing;
  const { period } = order;
  const digest = report.soft.find((one) => one.period === period)?.digest ?? '';
  const at = instantOf(ports.clock.now());
  const totals = JSON.stringify(report.control);
  const row = {
    connection,
    period,
    state: next(periodLife, null, 'soft_close'),
    seal: null,
    digest,
    policy_hash: report.policyHash,
    entries,
    totals,
    at,
  };
  await ports.store.transaction(async (trx) => {
    await storePeriods(ports, trx, { rows: [row], action: 'soft_close', reason: order.reason ?? null });
  });
  return { period, state: 'soft', entries, digest };
}

function requireMonth(period: string): void {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(period) && period >= FIRST_DAY) return;
  throw new UsageError(`period: "${period}" is no month since 1970`, 'write it as 2027-03');
}
