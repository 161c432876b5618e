import { CallError } from '../../../client/callError.ts';
import { AVAILABILITY_PROPERTIES } from '../../../contract/availabilities.ts';
import { sleep } from '../../../kernel/clock.ts';
import type { DateRange } from '../../tables/rows/dateHints.ts';
import { readDays } from '../../tables/listings/availability.ts';
import { CALENDAR, readCalendars } from '../../tables/listings/calendar.ts';
import type { MirrorResource, Page } from '../../tables/rows/resource.ts';
import { rowQueries } from '../../tables/rows/rowTable.ts';
import type { ScanContext, ScanResult } from '../purpose.ts';
import { askingOf } from '../run.ts';
import type { Visitor, Scan } from '../scan.ts';
import { compareCalendars } from './compareCalendars.ts';
import { compareDays } from './compareDays.ts';
import { compareRows } from './compareRows.ts';
import type { Finding } from './findings.ts';
import { unseen } from './unseenRows.ts';

const ROUNDS = 3;
/** Time for a change that just happened to arrive by its event. */
const PATIENCE_MS = 1_000;
const AT_ONCE = 4;
/** Properties, or listings, of one request. */
const KEYS_AT_ONCE = AVAILABILITY_PROPERTIES;

/** The findings of a scan for one kind of rows, or for days, and those that still hold. */
export interface Compared {
  scan: Scan;
  /** null: days. */
  rows: MirrorResource | null;
  result: ScanResult;
  quarantined: number;
  /** The number of rows or days that could be compared. */
  compared: number;
  findings: readonly Finding[];
  /** The number of rows on both sides; for nights only upstream counts. */
  upstream: number;
  mirrored: number;
}

/**
 * Compares everything again that differs, a moment later, so that dirty keys can be read meanwhile. A difference that
 * is gone was a change under way. All resources share the waits, however many rows differ.
 */
export async function recheck(
  context: ScanContext,
  inTurn: <T>(job: () => Promise<T>) => Promise<T>,
  all: readonly Compared[],
  onLooked: (one: Compared) => void,
): Promise<void> {
  for (let round = 0; round < ROUNDS && !context.signal.aborted; round += 1) {
    const doubtful = all.filter(isDoubtful);
    if (doubtful.length === 0) return;
    if (round > 0) await sleep(context.clock, PATIENCE_MS, context.signal);
    for (const one of doubtful) {
      await inTurn(() => lookAgain(context, one));
      onLooked(one);
    }
  }
}

function isDoubtful({ result, findings, upstream, mirrored }: Compared): boolean {
  return !result.absent && (findings.length > 0 || upstream !== mirrored);
}

/** Returns the keys of a page's rows, including those that cannot be read. */
export function keysOf({ rows, quarantined }: Page): string[] {
  return [...rows.map((row) => String(row.rowKey)), ...quarantined.map(({ key }) => key)];
}

/** Counts the rows of a resource in the mirror. */
export function mirroredRows({ store, connection }: ScanContext, resource: MirrorResource): Promise<number> {
  return rowQueries(resource).count(store.db, connection);
}

async function lookAgain(context: ScanContext, one: Compared): Promise<void> {
  const { scan, rows } = one;
  if (!rows) {
    one.findings = await daysAgain(context, scan, one.findings);
    return;
  }
  const keys = [...new Set(one.findings.map((finding) => finding.key))];
  // Look-ups never cost more than the scan that would show the same.
  const cost = scan.cost(rows === scan.rows ? one.mirrored : await mirroredRows(context, scan.rows ?? rows));
  if (!rows.lookUp || keys.length > cost) await listAgain(context, one, rows);
  else await keysAgain(context, one, rows, keys);
  one.mirrored = await mirroredRows(context, rows);
}

async function keysAgain(
  context: ScanContext,
  one: Compared,
  resource: MirrorResource,
  keys: readonly string[],
): Promise<void> {
  const found = await severalAtOnce(context, keys, (key) => keyAgain(context, resource, key));
  one.findings = found.flat();
  const mirrored = await mirroredRows(context, resource);
  const { counts = one.scan.rows } = one.scan;
  if (one.scan.count && counts === resource && one.upstream !== mirrored) {
    one.upstream = (await one.scan.count(askingOf(context, 'verify', () => {}))) ?? mirrored;
  }
}

async function severalAtOnce<Item, Result>(
  { signal }: ScanContext,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const left = [...items];
  const results: Result[] = [];
  const worker = async () => {
    for (let item = left.pop(); item !== undefined && !signal.aborted; item = left.pop()) {
      results.push(await work(item));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

async function keyAgain(context: ScanContext, resource: MirrorResource, key: string): Promise<Finding[]> {
  const { client, connection, signal } = context;
  let number = 0;
  const beforeSend = async () => {
    number ||= await context.numbers.take();
  };
  const reading = context.reading();
  let page: Page = { rows: [], quarantined: [] };
  try {
    page = (await resource.lookUp?.(client, reading, key, { purpose: 'verify', signal, beforeSend })) ?? page;
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 404) throw error;
  }
  const findings = await compareRows(context, resource, page, number);
  const answered = new Set(page.rows.map((row) => String(row.rowKey)));
  const stored = await rowQueries(resource).storedUnder(context.store.db, connection, [key]);
  for (const row of stored) {
    const rowKey = String(row.row_key);
    if (!answered.has(rowKey)) findings.push({ kind: 'extra', key, row: rowKey, paths: [] });
  }
  return findings;
}

/** Compares days again: properties or listings that differ within the same dates share a request. */
async function daysAgain(context: ScanContext, scan: Scan, suspects: readonly Finding[]): Promise<Finding[]> {
  const byRange = new Map<string, Set<string>>();
  for (const { key, row } of suspects) byRange.set(row, (byRange.get(row) ?? new Set()).add(key));
  const again = scan.resource === CALENDAR ? calendarsAgain : nightsAgain;
  const requests = [...byRange].flatMap(([row, keys]) => {
    const [from = '', to = ''] = row.split('/');
    return chunks([...keys], KEYS_AT_ONCE).map((some) => ({ keys: some, range: { from, to } }));
  });
  const found = await severalAtOnce(context, requests, ({ keys, range }) => again(context, keys, range));
  return found.flat();
}

async function nightsAgain(context: ScanContext, keys: readonly string[], range: DateRange): Promise<Finding[]> {
  const options = { purpose: 'verify', signal: context.signal } as const;
  const properties = await readDays(context.client, keys.map(Number), range, options);
  return compareDays(context, { properties, range });
}

async function calendarsAgain(context: ScanContext, keys: readonly string[], range: DateRange): Promise<Finding[]> {
  const options = { purpose: 'verify', signal: context.signal } as const;
  const calendars = await readCalendars(context.client, keys, range, options);
  return compareCalendars(context, { calendars, range });
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** Retains the findings that a second read of the whole list also shows. */
async function listAgain(context: ScanContext, one: Compared, resource: MirrorResource): Promise<void> {
  const again: Finding[] = [];
  const met = new Set<string>();
  const visitor: Visitor = {
    async rows(rows, page, number) {
      if (rows !== resource) return;
      again.push(...(await compareRows(context, rows, page, number)));
      for (const key of keysOf(page)) met.add(key);
    },
    async days() {},
    async calendars() {},
  };
  const firstNumber = await context.numbers.take();
  const steps = one.scan.steps(askingOf(context, 'verify', () => {}));
  for (;;) {
    const step = await steps.next();
    if (step.done) {
      one.upstream = resource === one.scan.rows ? step.value.total : met.size;
      break;
    }
    await step.value.visit(visitor);
  }
  again.push(...(await unseen(context, resource, firstNumber, again)));
  const still = new Set(again.map(({ kind, row }) => `${kind} ${row}`));
  one.findings = one.findings.filter(({ kind, row }) => still.has(`${kind} ${row}`));
}
