import { CallError } from '../../client/callError.ts';
import { AVAILABILITY_YEARS } from '../../contract/availabilities.ts';
import type { Kysely } from 'kysely';
import { addYears, dateIn, instantOf } from '../../kernel/dates.ts';
import { inList } from '../../store/queries/inList.ts';
import { prepared } from '../../store/queries/prepared.ts';
import { applyDays } from '../apply/applyDays.ts';
import { closeRest } from '../queue/closeKeys.ts';
import type { DateRange } from '../tables/rows/dateHints.ts';
import type { Mirror } from '../tables/database.ts';
import { dirtyRows, type DirtyKey } from '../queue/dirtyKeys.ts';
import type { LookUpContext } from './lookUpContext.ts';
import { AVAILABILITY, readDays, type DaysAnswer } from '../tables/listings/availability.ts';
import { properties } from '../tables/portfolio/properties.ts';
import { type DaysRequest, type DaysWanted, planDays, readable } from './planDays.ts';
import { rowQueries } from '../tables/rows/rowTable.ts';
import { closeUnreadable } from '../queue/unreadable.ts';

export interface DaysContext extends LookUpContext {
  /** Called for each request sent. */
  onRequest(): void;
}

/** A key that could not be read, with its error. */
export interface FailedKey {
  dirty: DirtyKey;
  error: unknown;
}

/**
 * Reads the nights that the events of these properties named, several properties at a time. Nights that upstream no
 * longer answers are closed without a request.
 * @returns the keys that could not be read
 */
export async function lookUpDays(context: DaysContext, claimed: readonly DirtyKey[]): Promise<FailedKey[]> {
  const { store, connection, numbers } = context;
  // Before the hints are read: a mark with this number or a greater one may name dates that we do not know of.
  const marksBelow = await numbers.take();
  const dirty = await dirtyRows(store.db, { connection, resource: AVAILABILITY, keys: claimed.map((row) => row.key) });
  const zones = await zonesOf(context, dirty);
  await context.named.mark(dirty.map((row) => ({ resource: properties.name, key: row.key })));
  const wanted: DaysWanted[] = [];
  const idle: string[] = [];
  const beyondLimits = new Map<string, { limits: DateRange; keys: string[] }>();
  for (const row of dirty) {
    const limits = readableDates(context, zones.get(Number(row.key)));
    const { ranges, beyond } = readable(row, limits);
    const name = `${limits.from} ${limits.to}`;
    if (beyond) beyondLimits.set(name, { limits, keys: [...(beyondLimits.get(name)?.keys ?? []), row.key] });
    if (ranges.length > 0) wanted.push({ property: Number(row.key), ranges });
    else idle.push(row.key);
  }
  for (const { limits, keys } of beyondLimits.values()) {
    await closeUnreadable(store, { connection, keys, marksBelow, limits, at: now(context) });
  }
  if (idle.length > 0) await closeAll(context, idle, marksBelow);
  const failed = await readAll(context, planDays(wanted), dirty, marksBelow);
  return dirty
    .filter((row) => failed.has(Number(row.key)))
    .map((row) => ({ dirty: row, error: failed.get(Number(row.key)) }));
}

function now({ clock }: LookUpContext): string {
  return instantOf(clock.now());
}

/**
 * Returns the dates that can be requested wherever upstream takes its date from: the property's zone or the account's.
 */
function readableDates(context: LookUpContext, zone: string | undefined): DateRange {
  const nowMs = context.clock.now();
  const days = [dateIn(context.zone(), nowMs), dateIn(zone ?? context.zone(), nowMs)].toSorted();
  const [earlier = '', later = earlier] = days;
  return { from: addYears(later, -AVAILABILITY_YEARS.back), to: addYears(earlier, AVAILABILITY_YEARS.ahead) };
}

const propertyZones = prepared((db: Kysely<Mirror>, arg: { connection: string; ids: readonly number[] }) =>
  db
    .selectFrom('properties')
    .select(['id', 'time_zone'])
    .where('connection', '=', arg.connection)
    .where((eb) => inList(eb.ref('id'), arg.ids)),
);

async function zonesOf({ store, connection }: LookUpContext, dirty: readonly DirtyKey[]): Promise<Map<number, string>> {
  const ids = dirty.map((row) => Number(row.key)).filter(Number.isSafeInteger);
  const rows = await propertyZones(store.db, { connection, ids });
  return new Map(rows.flatMap((row) => (row.time_zone === null ? [] : [[row.id, row.time_zone] as const])));
}

async function readAll(
  context: DaysContext,
  requests: readonly DaysRequest[],
  dirty: readonly DirtyKey[],
  marksBelow: number,
): Promise<Map<number, unknown>> {
  const failed = new Map<number, unknown>();
  const left = new Map<number, number>();
  for (const { properties } of requests) for (const id of properties) left.set(id, (left.get(id) ?? 0) + 1);
  const origins = new Map(dirty.map((row) => [Number(row.key), row.origin]));
  /** All nights of these are requested; they are completely read if every answer has them. */
  const unlimited = new Set(dirty.filter((row) => row.hint === null).map((row) => Number(row.key)));
  const seqs = new Map<string, number>();
  /** Properties of which an answer changed nothing, since a scan overtook it. Their keys stay dirty. */
  const overtaken = new Set<number>();
  for (const request of requests) {
    const answers = await ask(context, request, failed);
    for (const id of request.properties) left.set(id, (left.get(id) ?? 0) - 1);
    const closing = new Set(
      request.properties.filter((id) => left.get(id) === 0 && !failed.has(id) && !overtaken.has(id)),
    );
    const answered = new Set(answers.flatMap((answer) => answer.properties.map(({ id }) => id)));
    for (const id of request.properties) if (!answered.has(id)) unlimited.delete(id);
    for (const answer of answers) {
      const [first] = answer.properties;
      const origin = origins.get(first?.id ?? 0) ?? 'event';
      const complete = new Set([...closing].filter((id) => unlimited.has(id)));
      const { stale } = await applyDays(context, {
        answer,
        origin,
        marksBelow,
        closing,
        complete,
        patience: context.patience,
        seqs,
      });
      for (const id of stale) overtaken.add(id);
    }
    // A property that upstream no longer answers for has no nights to read.
    const silent = [...closing].filter((id) => !answered.has(id)).map(String);
    if (silent.length > 0) await closeAll(context, silent, marksBelow);
  }
  return failed;
}

/** Sends a request, and halves it if it is refused, until the property at fault is found. */
async function ask(context: DaysContext, request: DaysRequest, failed: Map<number, unknown>): Promise<DaysAnswer[]> {
  const { client, signal, numbers } = context;
  const { properties, range } = request;
  let number = 0;
  const beforeSend = async () => {
    number = await numbers.take();
    context.onRequest();
  };
  try {
    const answered = await readDays(client, properties, range, { purpose: 'lookup', signal, beforeSend });
    return [{ number, range, properties: answered }];
  } catch (error) {
    if (!(error instanceof CallError) || error.client !== 'fix') return fail(failed, properties, error);
    const [only, ...others] = properties;
    if (only !== undefined && others.length === 0) {
      // A property that was never seen loses nothing: once it appears, all its nights are read.
      return error.code === 404 || !(await isMet(context, only)) ? [] : fail(failed, properties, error);
    }
    const half = Math.ceil(properties.length / 2);
    const first = await ask(context, { properties: properties.slice(0, half), range }, failed);
    return [...first, ...(await ask(context, { properties: properties.slice(half), range }, failed))];
  }
}

async function isMet({ store, connection }: LookUpContext, property: number): Promise<boolean> {
  return (await rowQueries(properties).known(store.db, connection, [property])).length > 0;
}

function fail(failed: Map<number, unknown>, properties: readonly number[], error: unknown): DaysAnswer[] {
  for (const id of properties) failed.set(id, error);
  return [];
}

async function closeAll(context: LookUpContext, keys: readonly string[], marksBelow: number): Promise<void> {
  const { store, connection, meter } = context;
  const at = now(context);
  const read = { connection, resource: AVAILABILITY, keys, number: marksBelow, at, meter };
  await closeRest(store, read, keys);
}
