import { CallError } from '../../client/callError.ts';
import { sleep } from '../../kernel/clock.ts';
import { readDays } from '../mirror/availability.ts';
import { CALENDAR, readCalendars } from '../mirror/calendar.ts';
import type { MirrorResource, Page } from '../mirror/resource.ts';
import { rowQueries } from '../rowTable.ts';
import { type WalkContext } from '../walks/purpose.ts';
import { askingOf } from '../walks/run.ts';
import type { Visitor, Walk } from '../walks/walk.ts';
import { compareCalendars } from './compareCalendars.ts';
import { compareDays } from './compareDays.ts';
import { compareRows } from './compareRows.ts';
import type { Finding } from './findings.ts';
import { unseen } from './unseenRows.ts';

/** Each costs a request or two; more differences than this are no passing change. */
const MOST_RECHECKED = 500;
const ROUNDS = 3;
/** Time for a change that just happened to arrive by its event. */
const PATIENCE_MS = 1_000;
const AT_ONCE = 4;

/**
 * The findings that are still true when they are looked at again, a moment apart and after what is dirty has
 * been read: the others were changes under way.
 */
export async function recheck(
  context: WalkContext,
  walk: Walk,
  suspects: readonly Finding[],
  onProgress: () => void,
): Promise<Finding[]> {
  const beyond = suspects.slice(MOST_RECHECKED);
  let left = suspects.slice(0, MOST_RECHECKED);
  for (let round = 0; round < ROUNDS && left.length > 0 && !context.signal.aborted; round += 1) {
    if (round > 0) await sleep(context.clock, PATIENCE_MS, context.signal);
    left = await lookAtAll(context, walk, left, onProgress);
  }
  return [...left, ...beyond];
}

async function lookAtAll(
  context: WalkContext,
  walk: Walk,
  suspects: readonly Finding[],
  onProgress: () => void,
): Promise<Finding[]> {
  if (walk.rows && !walk.rows.lookUp) {
    const again = await listAgain(context, walk);
    return suspects.filter((one) => again.has(`${one.kind} ${one.row}`));
  }
  const groups = new Map<string, Finding[]>();
  for (const suspect of suspects) {
    const unit = walk.rows ? suspect.key : `${suspect.key} ${suspect.row}`;
    groups.set(unit, [...(groups.get(unit) ?? []), suspect]);
  }
  const units = [...groups.values()];
  const found: Finding[] = [];
  const worker = async () => {
    for (let group = units.pop(); group; group = units.pop()) {
      const [first] = group;
      if (!first || context.signal.aborted) continue;
      found.push(
        ...(walk.rows ? await lookAgain(context, walk.rows, first.key) : await daysAgain(context, walk, group)),
      );
      onProgress();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return found;
}

async function lookAgain(context: WalkContext, resource: MirrorResource, key: string): Promise<Finding[]> {
  const { client, connection, signal } = context;
  let number = 0;
  const beforeSend = async () => {
    number ||= await context.numbers.take();
  };
  const reading = { connection, zone: context.zone() };
  let page: Page = { rows: [], unfit: [] };
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

async function daysAgain(context: WalkContext, walk: Walk, group: readonly Finding[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { key, row } of new Map(group.map((one) => [one.row, one])).values()) {
    const [from = '', to = ''] = row.split('/');
    const options = { purpose: 'verify', signal: context.signal } as const;
    if (walk.resource === CALENDAR) {
      const calendars = await readCalendars(context.client, [key], { from, to }, options);
      findings.push(
        ...(await compareCalendars(context.store.db, context.connection, { calendars, range: { from, to } })),
      );
      continue;
    }
    const properties = await readDays(context.client, [Number(key)], { from, to }, options);
    findings.push(...(await compareDays(context.store.db, context.connection, { properties, range: { from, to } })));
  }
  return findings;
}

/** What a second reading of a whole list finds, as `<kind> <row>`. */
async function listAgain(context: WalkContext, walk: Walk): Promise<ReadonlySet<string>> {
  const { rows: resource } = walk;
  const findings: Finding[] = [];
  if (!resource) return new Set();
  const visitor: Visitor = {
    async rows(rows, page, number) {
      findings.push(...(await compareRows(context, rows, page, number)));
    },
    async days() {},
    async calendars() {},
  };
  const firstNumber = await context.numbers.take();
  for await (const step of walk.steps(askingOf(context, 'verify', () => {}))) await step.visit(visitor);
  findings.push(...(await unseen(context, resource, firstNumber, findings)));
  return new Set(findings.map((one) => `${one.kind} ${one.row}`));
}

/** How many rows there are on both sides, asked again while they differ: rows come and go in between. */
export async function settledTotals(
  context: WalkContext,
  walk: Walk,
  resource: MirrorResource,
  walked: number,
): Promise<{ upstream: number; mirrored: number }> {
  const count = () => rowQueries(resource).count(context.store.db, context.connection);
  let upstream = walked;
  let mirrored = await count();
  for (let round = 0; round < ROUNDS && upstream !== mirrored && walk.count && !context.signal.aborted; round += 1) {
    if (round > 0) await sleep(context.clock, PATIENCE_MS, context.signal);
    upstream = await walk.count(askingOf(context, 'verify', () => {}));
    mirrored = await count();
  }
  return { upstream, mirrored };
}
