import { systemClock, turn } from '../kernel/clock.ts';
import { type Instant, msOf } from '../kernel/dates.ts';
import { ApiError, OperatorError } from '../kernel/errors.ts';
import { kindOf } from '../store/kind.ts';
import { insertMany } from '../store/queries/insertMany.ts';
import { runChange } from '../core/change.ts';
import type { Change, Core, Principal } from '../core/context.ts';
import type { AccountRow } from '../core/database.ts';
import { createPropertyIn } from '../core/properties/handlers.ts';
import { bookDirect } from '../core/reservations/book.ts';
import { lastBookableNight } from '../core/reservations/require.ts';
import { BatchSize } from './batchSize.ts';
import { draftOf, momentParser } from './draft.ts';
import { contentHash } from './identity.ts';
import { bookDueIncomes, type DueIncome } from './laterIncome.ts';
import type { Mapping } from './mapping.ts';
import { type Booking, holds, type Outcome, type ReadingContext } from './outcome.ts';
import { planFile } from './planFile.ts';
import { type UnitPlan, unitName } from './planUnits.ts';
import { openReservations } from './readReservations.ts';
import { RejectsFile } from './rejects.ts';
import { standingStays } from './standing.ts';
import { type ImportedRow, importedRows, otherStays, propertyIdsByName } from './table.ts';
import { type Amounts, AmountSum, type Totals } from './totals.ts';
import { customChannelNamed } from '../core/accounts/create.ts';

const PROPERTY_BATCH = 50;
/** Rows between two progress reports. */
const REPORT_EVERY = 500;

export interface ImportRequest {
  path: string;
  mapping: Mapping;
  /** Path of the file with refused rows. */
  rejectsPath: string;
  /** false: no event announces the stored reservations. */
  announce: boolean;
}

export interface ImportProgress {
  phase: 'reading' | 'storing';
  bytes: number;
  size: number;
  rows: number;
}

export interface ImportReport {
  source: string;
  totals: Totals;
  properties: number;
  created: number;
  /** Rows known from an earlier run and equal now. */
  unchanged: number;
  /** Income entries that were due later in an earlier run and are posted by this one. */
  due_incomes: number;
  /** Incomes with a future date. They are not received yet, and a run after their day posts them. */
  awaited: { bookings: number; amount: Amounts };
  /** Rows known from an earlier run whose content has changed. Their reservations are left unchanged. */
  changed: ImportedDifference[];
  changed_rows: number;
  /** Rows that could not be stored, because their nights were taken meanwhile. */
  conflicts: { line: number; reason: string }[];
  /** null: no row was refused; a file of an earlier run is then deleted. */
  rejects_file: string | null;
  /** false: the caller went away before the end. The next run continues. */
  complete: boolean;
}

interface ImportedDifference {
  line: number;
  key: string;
  reservation_code: string;
}

/** Most changed rows that are named one by one. */
const MOST_NAMED = 100;

interface Run {
  core: Core;
  who: { account: AccountRow; operator: Principal['operator'] | null };
  request: ImportRequest;
  known: Map<string, ImportedRow>;
  plan: UnitPlan;
  properties: Map<string, number>;
  channels: Map<string, number>;
  instantOf: ReturnType<typeof momentParser>;
  context: ReadingContext;
  /** Start of the run. Later dates are in the future. */
  now: number;
  /** Names of the properties that reservations of this run use. */
  used: Set<string>;
  awaited: AmountSum;
  report: ImportReport;
}

/**
 * Stores the reservations of a file through the same rules as every other direct reservation. The first pass reads the
 * whole file and plans the units, so that no import begins that cannot finish. The second pass stores small batches,
 * each in its own transaction. An interrupted run continues where it stopped, and a second run of the same file stores
 * nothing.
 */
export async function importReservations(
  core: Core,
  who: Run['who'],
  request: ImportRequest,
  onProgress: (progress: ImportProgress) => void,
  signal: AbortSignal,
): Promise<ImportReport> {
  const { mapping, path } = request;
  const { db } = core.store;
  const now = core.clock.now();
  const context = { currency: who.account.currency, lastNight: lastBookableNight(who.account, now) };
  const accountId = who.account.account_id;
  const known = await importedRows(db, accountId, mapping.source);
  const codes = new Set([...known.values()].map((row) => row.reservationCode));
  const standing = standingStays(known);
  const rejects = await RejectsFile.create(request.rejectsPath);
  let rows = 0;
  try {
    const { plan, totals } = await planFile(path, mapping, {
      context,
      known: standing.of,
      others: standing.others(await otherStays(db, accountId, codes)),
      async onOutcome(outcome: Outcome, { bytesRead, size }) {
        rows += 1;
        if (rows % REPORT_EVERY === 0) onProgress({ phase: 'reading', bytes: bytesRead(), size, rows });
        if (outcome.kind === 'rejection') await rejects.write(outcome);
      },
    });
    await rejects.close();
    const report = emptyReport(request, totals);
    const properties = await propertyIdsByName(db, accountId);
    const run: Run = {
      core,
      who,
      request,
      known,
      plan,
      properties,
      channels: new Map(),
      instantOf: momentParser(who.account.time_zone),
      context,
      now,
      used: new Set(),
      awaited: new AmountSum(),
      report,
    };
    await addUnits(run);
    await storeAll(run, onProgress, signal);
    return { ...report, awaited: { bookings: run.awaited.count, amount: run.awaited.read() } };
  } catch (error) {
    await rejects.abandon();
    throw error;
  }
}

function emptyReport({ mapping, rejectsPath }: ImportRequest, totals: Totals): ImportReport {
  return {
    source: mapping.source,
    totals,
    properties: 0,
    created: 0,
    unchanged: 0,
    due_incomes: 0,
    awaited: { bookings: 0, amount: {} },
    changed: [],
    changed_rows: 0,
    conflicts: [],
    rejects_file: totals.rejected.rows > 0 ? rejectsPath : null,
    complete: false,
  };
}

/** Creates the properties that the plan needs and the account lacks. */
async function addUnits(run: Run): Promise<void> {
  const { plan, properties, who } = run;
  const names = [...plan.units].flatMap(([pool, units]) => units.map((unit) => unitName(pool, unit)));
  const missing = names.filter((name) => !properties.has(name));
  const room = who.account.property_quota - properties.size;
  if (missing.length > room) {
    throw new OperatorError(
      `the file needs ${missing.length} more properties, and the account may have ${room} more`,
      'raise the account’s property quota, or import into another account',
    );
  }
  for (let start = 0; start < missing.length; start += PROPERTY_BATCH) {
    await addProperties(run, missing.slice(start, start + PROPERTY_BATCH));
    await turn();
  }
}

async function addProperties(run: Run, names: readonly string[]): Promise<void> {
  const { time_zone, currency } = run.who.account;
  const ids = await inChange(run, async (change) => {
    const made: number[] = [];
    for (const name of names) made.push(await createPropertyIn(change, { name, time_zone, currency }));
    return made;
  });
  for (const [index, name] of names.entries()) run.properties.set(name, ids[index] ?? 0);
}

async function storeAll(run: Run, onProgress: (progress: ImportProgress) => void, signal: AbortSignal): Promise<void> {
  const file = await openReservations(run.request.path, run.request.mapping, run.context);
  const size = new BatchSize(kindOf(run.core.store.db));
  let batch = emptyBatch();
  let rows = 0;
  try {
    for await (const outcome of file.outcomes) {
      rows += 1;
      if (rows % REPORT_EVERY === 0) onProgress({ phase: 'storing', bytes: file.bytesRead(), size: file.size, rows });
      if (outcome.kind === 'rejection') continue;
      const earlier = run.known.get(outcome.key);
      const due = earlier && dueIncomeOf(run, outcome, earlier);
      if (earlier && !due) continue;
      const added = due ? ROWS_OF_INCOME : rowsWritten(outcome);
      if (batch.rows > 0 && batch.rows + added > size.rows) {
        const begun = systemClock.monotonic();
        await storeBatch(run, batch);
        size.learn(batch.rows, systemClock.monotonic() - begun);
        batch = emptyBatch();
        await turn();
        if (signal.aborted) return;
      }
      if (due) batch.due.push(due);
      else batch.bookings.push(outcome);
      batch.rows += added;
    }
    await storeBatch(run, batch);
    run.report.complete = true;
  } finally {
    await file.close();
  }
}

/** The contents of one transaction. */
interface Batch {
  bookings: Booking[];
  due: DueIncome[];
  rows: number;
}

function emptyBatch(): Batch {
  return { bookings: [], due: [], rows: 0 };
}

async function storeBatch(run: Run, { bookings, due }: Batch): Promise<void> {
  if (bookings.length > 0) await storeReservations(run, bookings);
  if (due.length === 0) return;
  const { source } = run.request.mapping;
  run.report.due_incomes += await inChange(run, (change) => bookDueIncomes(change, source, due));
}

const ROWS_OF_INCOME = 4;

/** Estimates the rows that a reservation writes. A stay of months has ten times those of a short one. */
function rowsWritten(booking: Booking): number {
  const forItself = 8;
  const forNights = holds(booking) ? booking.nights : 0;
  const forIncome = booking.income ? ROWS_OF_INCOME : 0;
  return forItself + forNights + forIncome;
}

/** Counts a row of an earlier run. @returns its income, when that was expected and is due now */
function dueIncomeOf(run: Run, booking: Booking, earlier: ImportedRow): DueIncome | undefined {
  const { report } = run;
  if (earlier.hash !== contentHash(booking)) {
    report.changed_rows += 1;
    if (report.changed.length < MOST_NAMED) {
      report.changed.push({ line: booking.line, key: booking.key, reservation_code: earlier.reservationCode });
    }
    return undefined;
  }
  report.unchanged += 1;
  if (earlier.incomeAt === null) return undefined;
  if (awaitedFrom(run, booking) === null) return { booking, earlier, at: earlier.incomeAt };
  run.awaited.add(booking);
  return undefined;
}

/** Returns the moment of a future income that the mapping does not post now; null otherwise. */
function awaitedFrom({ now, instantOf }: Run, { income, incomeAhead }: Booking): Instant | null {
  if (!income || incomeAhead) return null;
  const at = instantOf(income.at);
  return at !== undefined && msOf(at) > now ? at : null;
}

/**
 * Stores the batch in one transaction. If a reservation is refused, each one is stored alone, so that only the refused
 * one is left out.
 */
async function storeReservations(run: Run, bookings: readonly Booking[]): Promise<void> {
  await addPlaces(run, bookings);
  try {
    await storeTogether(run, bookings);
    run.report.created += bookings.length;
    for (const booking of bookings) {
      run.used.add(propertyName(run, booking));
      if (awaitedFrom(run, booking) !== null) run.awaited.add(booking);
    }
    run.report.properties = run.used.size;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const [only] = bookings;
    if (bookings.length === 1 && only) run.report.conflicts.push({ line: only.line, reason: error.message });
    else for (const booking of bookings) await storeReservations(run, [booking]);
  }
}

/** Creates the properties and channels that the batch names and the account lacks, before the batch itself. */
async function addPlaces(run: Run, bookings: readonly Booking[]): Promise<void> {
  const names = new Set(bookings.map((booking) => propertyName(run, booking)));
  const missing = [...names].filter((name) => !run.properties.has(name));
  if (missing.length > 0) await addProperties(run, missing);
  for (const { channel } of bookings) {
    if (channel === null || run.channels.has(channel)) continue;
    const { account_id } = run.who.account;
    run.channels.set(channel, await inChange(run, ({ trx }) => customChannelNamed(trx, account_id, channel)));
  }
}

function propertyName({ plan }: Run, { place, row }: Booking): string {
  return 'property' in place ? place.property : unitName(place.group, plan.unitOf(row, place.group));
}

function storeTogether(run: Run, bookings: readonly Booking[]): Promise<void> {
  const { request, who } = run;
  return inChange(run, async (change) => {
    const rows = [];
    for (const booking of bookings) {
      const propertyId = run.properties.get(propertyName(run, booking)) ?? 0;
      const channelId = booking.channel === null ? null : (run.channels.get(booking.channel) ?? null);
      const { account } = who;
      const awaited = awaitedFrom(run, booking);
      const draft = draftOf(awaited === null ? booking : { ...booking, income: null }, {
        account,
        propertyId,
        channelId,
        now: change.now,
        instantOf: run.instantOf,
      });
      const { reservation_code } = await bookDirect(change, draft);
      rows.push({
        account_id: who.account.account_id,
        source: request.mapping.source,
        row_key: booking.key,
        row_hash: contentHash(booking),
        reservation_code,
        income_at: awaited,
      });
    }
    await insertMany(change.trx, 'import_rows', rows);
  });
}

function inChange<T>(run: Run, work: (change: Change) => Promise<T>): Promise<T> {
  return runChange(run.core, run.who, work, { announce: run.request.announce });
}
