import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { dateIn, type Instant, lastDayOfMonth } from '../../kernel/dates.ts';
import { atMoment } from '../../store/queries/moment.ts';
import { changedGroups } from '../books/changed.ts';
import { changedAt } from '../books/changedAt.ts';
import { staleGroups } from '../books/staleGroups.ts';
import { getFormat } from '../formats/index.ts';
import { type Policy, policyOf } from '../journal/policy.ts';
import { type Ask, readAccount } from '../journal/read/readFacts.ts';
import { OutOfBalance } from '../journal/totals.ts';
import type { MatchProposal } from '../payouts/matchFile.ts';
import { writeDraft, writeDrafts } from './draftFiles.ts';
import { gather, type Gathered, type Gathering } from './gather.ts';
import { gatherKept } from './gatherKept.ts';
import { batchName, manifestText } from './manifest.ts';
import type { BooksReport, DraftFile, EmittedEntry, Listener, Order, Result } from './order.ts';
import { UnconfirmedSettings } from './unconfirmed.ts';
import { lastLockedDay, lockedMonths, softPeriods } from './readPeriods.ts';

/** Number of rows that one write transaction handles. */
const LOT = 200;

/**
 * Carries out an order on one moment of the mirror. Only reads the database, and releases the moment before it delivers
 * anything to be stored.
 */
export function work(order: Order, listener: Listener): Promise<Result> {
  return workAt(atMoment, order, listener);
}

/** Opens one moment of a database for queries. */
export type AtMoment = typeof atMoment;

/** Carries out an order with another way to open a moment. */
export async function workAt(at: AtMoment, order: Order, listener: Listener): Promise<Result> {
  if (order.kind === 'keep') return keep(at, order, listener);
  const { gathered, report, proposal, differs } = await at(order.location, (moment) =>
    bookedAt((text, values) => moment.rows(text, values), order, listener),
  );
  try {
    await listener.onReport(report);
    if (proposal) return { kind: 'matched', report, proposal };
    if (order.kind === 'write') return await write(order, gathered, report, listener);
    if (order.kind === 'book') await emit(gathered, listener);
    return { kind: 'booked', report, differs };
  } finally {
    gathered.close();
  }
}

async function keep(at: AtMoment, order: KeepOrder, listener: Listener): Promise<Result> {
  const changes = await at(order.location, (moment) =>
    changedGroups((text, values) => moment.rows(text, values), order, listener),
  );
  const { head, unconfirmed } = changes;
  try {
    if (unconfirmed.count === 0) for await (const lot of changes.lots()) await listener.onLot?.(lot);
    return { kind: 'kept', head, unconfirmed };
  } finally {
    changes.close();
  }
}

type KeepOrder = Extract<Order, { kind: 'keep' }>;

interface Booked {
  gathered: Gathered;
  report: BooksReport;
  differs: boolean;
  /** Set for an order that matches a file. */
  proposal?: MatchProposal;
}

async function bookedAt(ask: Ask, order: Exclude<Order, { kind: 'keep' }>, listener: Listener): Promise<Booked> {
  const { zone } = await readAccount(ask, order.connection);
  const { connection, from, to } = order;
  const locked = await lockedMonths(ask, connection, zone);
  const isWrite = order.kind === 'write';
  const policy = policyOf(order.settings);
  const today = dateIn(zone, order.now);
  const periods = [...new Set([...(await softPeriods(ask, connection)), ...(order.digestsOf ?? [])])];
  const asked: Gathering = {
    connection,
    policy,
    today,
    unconfirmed: new UnconfirmedSettings(policy, order.confirmed, today),
    lockedThrough: lastLockedDay(locked),
    locked,
    corrections: isWrite ? order.corrections : 'reverse_and_rebook',
    from,
    to,
    watermark: await watermarkOf(ask, connection),
    softPeriods: periods.filter((period) => `${period}-01` >= from && lastDayOfMonth(period) <= to),
    incremental: isWrite && order.mode === 'incremental' ? order.job : undefined,
    onProgress: (state) => listener.onProgress(state),
  };
  const stale = mayReadKept(order, policy) ? await staleGroups(ask, connection, { policy, zone, today }) : undefined;
  const gathered = stale && order.fromScratch !== true ? await gatherKept(ask, asked, stale) : await gather(ask, asked);
  try {
    const changed = await changedAt(ask, connection, stale);
    const report = await reportOf(order, gathered, changed);
    if (order.kind === 'match') {
      // Loaded only here, because the thread starts faster without the parsers of bank files.
      const { matchFile } = await import('../payouts/matchFile.ts');
      const proposal = await matchFile(ask, gathered.journal, { ...order.match, connection });
      return { gathered, report, proposal, differs: false };
    }
    if (!stale || order.fromScratch !== true) return { gathered, report, differs: false };
    return {
      gathered,
      report,
      differs: await keptDiffers(ask, { asked, order, stale, changed }, { gathered, report }),
    };
  } catch (error) {
    gathered.close();
    throw error;
  }
}

/** Returns true if the stored books give another report, or another journal, than everything booked from scratch. */
async function keptDiffers(
  ask: Ask,
  {
    asked,
    order,
    stale,
    changed,
  }: { asked: Gathering; order: Order; stale: readonly string[]; changed: Instant | null },
  { gathered, report }: { gathered: Gathered; report: BooksReport },
): Promise<boolean> {
  let kept: Gathered | undefined;
  try {
    kept = await gatherKept(ask, asked, stale);
    const other = await reportOf(order, kept, changed);
    return !isDeepStrictEqual([kept.journal.balances, other], [gathered.journal.balances, report]);
  } catch (error) {
    if (error instanceof OutOfBalance) return true;
    throw error;
  } finally {
    kept?.close();
  }
}

/**
 * Returns true if the stored books have what an order needs. They have every entry as it is booked now, not what a job
 * has delivered, nor what unconfirmed settings would change.
 */
function mayReadKept(order: Exclude<Order, { kind: 'keep' }>, policy: Policy): boolean {
  if (order.confirmed !== undefined && order.confirmed.hash !== policy.hash) return false;
  return order.kind !== 'write' || (order.mode === 'full' && order.corrections !== 'restate');
}

type WriteOrder = Extract<Order, { kind: 'write' }>;

async function write(order: WriteOrder, gathered: Gathered, report: BooksReport, listener: Listener): Promise<Result> {
  const format = getFormat(order.format);
  const batch = batchName(order, report);
  const name = order.mode === 'full' ? `${order.job}_${order.from}_${order.to}` : `${order.job}_${batch}`;
  const place = { folder: order.folder, name: `${format.prefix ?? ''}${name}`, extension: format.extension };
  const files: DraftFile[] = await writeDrafts(format.write(gathered.journal, order.options), place);
  try {
    const manifest = manifestText(order, { journal: gathered.journal, report, batch, files });
    files.push(await writeDraft(order.folder, `${name}.manifest.json`, [manifest]));
    if (order.mode === 'incremental') await emit(gathered, listener);
    return { kind: 'written', report, batch, files, manifest, manifestHash: sha256(manifest) };
  } catch (error) {
    for (const { draft } of files) rmSync(draft, { force: true });
    throw error;
  }
}

async function emit(gathered: Gathered, listener: Listener): Promise<void> {
  let lot: EmittedEntry[] = [];
  for await (const entry of gathered.booked()) {
    lot.push(entry);
    if (lot.length < LOT) continue;
    await listener.onEntries(lot);
    lot = [];
  }
  if (lot.length > 0) await listener.onEntries(lot);
}

async function reportOf(order: Order, gathered: Gathered, changed: Instant | null): Promise<BooksReport> {
  const { journal, states, reasons, exceptions, exceptionCount, control, soft, unconfirmed } = gathered;
  const all = createHash('sha256');
  for await (const entry of journal.entries()) all.update(`${JSON.stringify(entry)}\n`);
  return {
    from: order.from,
    to: order.to,
    entries: journal.facts.entries,
    policyHash: journal.facts.policyHash,
    watermark: journal.facts.watermark,
    changedAt: changed,
    states,
    reasons,
    exceptions,
    exceptionCount,
    control: control.map(({ currency, debit, credit }) => ({ currency, debit: `${debit}`, credit: `${credit}` })),
    digest: all.digest('hex'),
    soft,
    unconfirmed,
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Returns the time up to which all sources of the books are known to be read, or null if a part never was. */
async function watermarkOf(ask: Ask, connection: string): Promise<Instant | null> {
  const [row] = await ask<{ since: Instant | null; unread: number }>(
    `select min(fresh_since) as since, count(*) - count(fresh_since) as unread from reconciliations
      where connection = $1 and resource in ('transaction', 'reservation')`,
    [connection],
  );
  return row && Number(row.unread) === 0 ? row.since : null;
}
