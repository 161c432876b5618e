import { createHash } from 'node:crypto';
import { instantOf, msOf, startOfDay, addDays } from '../kernel/dates.ts';
import { OperatorError, UsageError } from '../kernel/errors.ts';
import { insertMany } from '../store/insertMany.ts';
import type { ExportPeriodLogTable, ExportPeriodsTable } from '../sync/exportTables.ts';
import { chosenConnection, todayOf, zoneOf } from './account.ts';
import { refusals } from './mayClose.ts';
import type { ExportPorts } from './ports.ts';
import type { BooksReport, EmittedEntry, Order } from './run/order.ts';
import { lastDayOf, monthAfter } from './run/readPeriods.ts';
import { entryRow } from './runTable.ts';

export interface CloseOrder {
  /** `2027-03`. */
  readonly period: string;
  readonly connection?: string | undefined;
  readonly soft: boolean;
  readonly reason?: string | undefined;
}

export interface ClosedPeriod {
  readonly period: string;
  readonly state: 'soft' | 'locked';
  readonly entries: number;
  readonly digest: string;
}

export interface CloseReport {
  readonly connection: string;
  readonly closed: readonly ClosedPeriod[];
  /** What somebody should look at, though it has not stopped the closing. */
  readonly remarks: readonly string[];
}

/** Thrown with every reason for which a month cannot be closed. */
export class CannotClose extends OperatorError {
  readonly reasons: readonly string[];

  constructor(period: string, reasons: readonly string[]) {
    super(`${period} cannot be closed:\n${reasons.map((reason) => `  - ${reason}`).join('\n')}`);
    this.reasons = reasons;
  }
}

const FIRST_DAY = '1970-01-01';
/** Before the first sealed entry. */
const NO_CHAIN = '0'.repeat(64);

/** Closes a month, and every one before it that is still open. @throws CannotClose naming each reason */
export async function closePeriod(
  ports: ExportPorts,
  order: CloseOrder,
  { onProgress, signal }: { onProgress: (state: { groups: number; entries: number }) => void; signal: AbortSignal },
): Promise<CloseReport> {
  const { period, soft } = order;
  requireMonth(period);
  const { db } = ports.store;
  const connection = await chosenConnection(db, order.connection);
  const today = await todayOf(ports, connection);
  const to = lastDayOf(period);
  if (to >= today) throw new CannotClose(period, [`it is not over before ${addDays(to, 1)}`]);
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

/** Opens the newest month that is closed, so that what belongs there can be booked there. */
export async function reopenPeriod(
  ports: ExportPorts,
  { period, connection: name, reason }: { period: string; connection?: string | undefined; reason: string },
): Promise<{ connection: string; period: string; was: string }> {
  requireMonth(period);
  const connection = await chosenConnection(ports.store.db, name);
  const row = await findPeriod(ports, connection, period);
  if (!row || row.state === 'open')
    throw new UsageError(`${period} is open`, './stayd export list shows what is closed');
  const locked = await lastLocked(ports, connection);
  if (row.state === 'locked' && locked?.period !== period) {
    throw new UsageError(`${period} cannot be opened while ${locked?.period} is locked`, 'open the newer month first');
  }
  const at = instantOf(ports.clock.now());
  await ports.store.transaction(async (trx) => {
    await trx
      .updateTable('export_periods')
      .set({ state: 'open', seal: null, at })
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

/** @throws OperatorError when a month that is soft-closed has changed, and nobody has said why that may be */
export async function requireUnchangedSoftPeriods(
  ports: ExportPorts,
  { connection, report, reason }: { connection: string; report: BooksReport; reason: string | undefined },
): Promise<void> {
  for (const { period, digest } of report.soft) {
    const row = await findPeriod(ports, connection, period);
    const isCovered = `${period}-01` >= report.from && lastDayOf(period) <= report.to;
    if (!row || row.state !== 'soft' || row.digest === digest || !isCovered) continue;
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
    state: 'soft' as const,
    seal: null,
    digest,
    policy_hash: report.policyHash,
    entries,
    totals,
    at,
  };
  await ports.store.transaction(async (trx) => {
    await insertMany(trx, 'export_periods', [row], { columns: ['connection', 'period'], update: UPDATED });
    const log = logRow(ports, row, { action: 'soft_close', at, reason: order.reason ?? null });
    await trx.insertInto('export_period_log').values(log).execute();
  });
  return { period, state: 'soft', entries, digest };
}

const UPDATED = ['state', 'seal', 'digest', 'policy_hash', 'entries', 'totals', 'at'] as const;

/** Writes down entries of months in order, each chained to the one before, and locks them all at once in the end. */
class Sealing {
  readonly #ports: ExportPorts;
  readonly #connection: string;
  readonly #months = new Map<string, Month>();
  #chain: string;

  constructor(ports: ExportPorts, connection: string, chain: string) {
    this.#ports = ports;
    this.#connection = connection;
    this.#chain = chain;
  }

  get first(): string | undefined {
    return this.#months.keys().next().value;
  }

  entriesOf(period: string): number {
    return this.#months.get(period)?.entries ?? 0;
  }

  async count(entries: readonly EmittedEntry[]): Promise<void> {
    for (const { entry } of entries) this.#month(entry.date.slice(0, 7)).entries += 1;
  }

  async seal(entries: readonly EmittedEntry[]): Promise<void> {
    const rows = entries.map((one) => {
      const month = this.#month(one.entry.date.slice(0, 7));
      const row = entryRow(this.#connection, one);
      month.entries += 1;
      for (const { currency, amount } of one.entry.postings) month.add(currency, amount);
      this.#chain = chained(this.#chain, row.body);
      month.digest = this.#chain;
      return { ...row, seal: month.seal, position: month.entries, chain: this.#chain };
    });
    await this.#ports.store.transaction(async (trx) => {
      await insertMany(trx, 'export_entries', rows, {
        columns: ['connection', 'entry_id'],
        update: ['group_code', 'group_number', 'base', 'suffix', 'body', 'seal', 'position', 'chain'],
      });
    });
  }

  /** @returns the months from the first that has an entry on */
  async lock(order: { from: string; to: string; report: BooksReport; reason: string | null }): Promise<ClosedPeriod[]> {
    const at = instantOf(this.#ports.clock.now());
    const rows: ExportPeriodsTable[] = [];
    let digest = (await lastLocked(this.#ports, this.#connection))?.digest ?? NO_CHAIN;
    for (let period = order.from; period <= order.to; period = monthAfter(period)) {
      const month = this.#month(period);
      if (month.entries > 0) digest = month.digest;
      rows.push({
        connection: this.#connection,
        period,
        state: 'locked',
        seal: month.seal,
        digest,
        policy_hash: order.report.policyHash,
        entries: month.entries,
        totals: JSON.stringify(month.totals()),
        at,
      });
    }
    await this.#ports.store.transaction(async (trx) => {
      await insertMany(trx, 'export_periods', rows, { columns: ['connection', 'period'], update: UPDATED });
      const log = rows.map((row) => logRow(this.#ports, row, { action: 'lock', at, reason: order.reason }));
      await insertMany(trx, 'export_period_log', log);
    });
    return rows.map(({ period, entries, digest: tip }) => ({ period, state: 'locked', entries, digest: tip }));
  }

  #month(period: string): Month {
    let month = this.#months.get(period);
    if (!month) this.#months.set(period, (month = new Month(this.#ports.ids())));
    return month;
  }
}

class Month {
  readonly seal: string;
  entries = 0;
  digest = NO_CHAIN;
  readonly #debits = new Map<string, bigint>();

  constructor(seal: string) {
    this.seal = seal;
  }

  add(currency: string, amount: number): void {
    if (amount > 0) this.#debits.set(currency, (this.#debits.get(currency) ?? 0n) + BigInt(amount));
  }

  totals(): { currency: string; debit: string; credit: string }[] {
    return [...this.#debits]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, sum]) => ({ currency, debit: `${sum}`, credit: `${sum}` }));
  }
}

/** The end of a hash chain after one more entry. */
export function chained(before: string, body: string): string {
  return createHash('sha256').update(`${before}\n${body}`).digest('hex');
}

function logRow(
  ports: ExportPorts,
  { connection, period, digest }: Pick<ExportPeriodsTable, 'connection' | 'period' | 'digest'>,
  said: Pick<ExportPeriodLogTable, 'action' | 'at' | 'reason'>,
): ExportPeriodLogTable {
  return { connection, log_id: ports.ids(), period, digest, ...said };
}

async function lastLocked({ store }: ExportPorts, connection: string): Promise<ExportPeriodsTable | undefined> {
  return store.db
    .selectFrom('export_periods')
    .selectAll()
    .where('connection', '=', connection)
    .where('state', '=', 'locked')
    .orderBy('period', 'desc')
    .limit(1)
    .executeTakeFirst();
}

function findPeriod({ store }: ExportPorts, connection: string, period: string) {
  return store.db
    .selectFrom('export_periods')
    .selectAll()
    .where('connection', '=', connection)
    .where('period', '=', period)
    .executeTakeFirst();
}

function requireMonth(period: string): void {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(period)) return;
  throw new UsageError(`"${period}" is no month`, 'write it as 2027-03');
}
