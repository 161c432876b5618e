import {
  addDaysWithin,
  type Instant,
  instantOf,
  LAST_DATE,
  readInstant,
  type PlainDate,
} from '../../../kernel/dates.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { ApiError, invalid } from '../../../kernel/errors.ts';
import type { MirrorDb } from '../../tables/database.ts';
import { historyBound } from '../historyBounds.ts';
import { daysAt } from './dayStates.ts';
import { type RowStates, statesPage, statesUnder } from './rowStates.ts';
import { askedFor, type DaysResource } from './words.ts';

/** A question about one key; without a time: about its current state. */
export interface StateQuestion {
  connection: string;
  resource: string;
  key: string;
  as_of?: string | undefined;
  part?: string | undefined;
  from?: PlainDate | undefined;
  to?: PlainDate | undefined;
}

interface StatesQuestion {
  connection: string;
  resource: string;
  as_of?: string | undefined;
  after?: string | undefined;
  limit: number;
}

interface Past {
  db: MirrorDb;
  clock: Clock;
}

const FIRST_DATE = '0001-01-01';
/** The most days that can differ from one another in one answer. */
const MOST_DAYS = 3_660;

/**
 * Returns the state of one key that the mirror knew at a time.
 * @throws ApiError 404 with the reason if there is none: never known, not known yet, gone, or no longer stored
 */
export async function stateOf({ db, clock }: Past, question: StateQuestion): Promise<object> {
  const { connection, key } = question;
  const asked = askedFor(question.resource);
  const at = momentOf(question.as_of, clock);
  if (asked.kind === 'days') return daysState(db, { ...question, resource: asked.of, at });
  const { name } = asked.of;
  const found = await statesUnder(db, connection, asked.of, key, at);
  const states = found.states.filter(({ part }) => question.part === undefined || (part ?? key) === question.part);
  if (states.length === 0) throw await nothing(db, { connection, what: `${name} ${key}`, at }, found);
  const rows = states.map(({ key: _, ...state }) => state);
  return { resource: name, key, as_of: at, rows };
}

/** Returns the states of all rows of a kind that the mirror knew at a time, page by page. */
export async function statesOf({ db, clock }: Past, question: StatesQuestion): Promise<object> {
  const { connection, resource, after, limit } = question;
  const asked = askedFor(resource);
  if (asked.kind === 'days') throw invalid('resource', 'is a calendar: name what it belongs to after another slash');
  const at = momentOf(question.as_of, clock);
  const { states, next } = await statesPage(db, connection, asked.of, { at, after, limit });
  const keptSince = await historyBound(db, connection, 'versions');
  const isWhole = keptSince === undefined || at >= keptSince;
  return { resource: asked.of.name, as_of: at, rows: states, next, ...(!isWhole && { kept_since: keptSince }) };
}

function momentOf(text: string | undefined, clock: Clock): Instant {
  const now = instantOf(clock.now());
  if (text === undefined) return now;
  const at = readInstant(text, 'UTC');
  if (at === undefined) throw invalid('as_of', 'must be a moment such as 2026-11-20T12:00:00Z');
  if (at > now) throw invalid('as_of', 'lies in the future');
  return at;
}

interface Missing {
  connection: string;
  what: string;
  at: Instant;
}

async function nothing(
  db: MirrorDb,
  { connection, what, at }: Missing,
  { firstSeenAt, goneAt }: Pick<RowStates, 'firstSeenAt' | 'goneAt'>,
): Promise<ApiError> {
  const field = { field: 'as_of' };
  if (firstSeenAt === undefined) return new ApiError(404, `key: the mirror has never known ${what}`, { field: 'key' });
  if (at < firstSeenAt) {
    return new ApiError(404, `as_of: ${what} was not known at ${at}; it was first read at ${firstSeenAt}`, field);
  }
  const keptSince = await historyBound(db, connection, 'versions');
  if (goneAt === undefined && keptSince !== undefined && at < keptSince) {
    return new ApiError(404, `as_of: history is kept since ${keptSince}; nobody knows what ${what} was before`, field);
  }
  const since = goneAt === undefined ? '' : ` (found at ${goneAt})`;
  return new ApiError(404, `as_of: ${what} was gone at ${at}${since}`, field);
}

async function daysState(
  db: MirrorDb,
  question: StateQuestion & { resource: DaysResource; at: Instant },
): Promise<object> {
  const { connection, resource, key, at } = question;
  const from = question.from ?? FIRST_DATE;
  const to = question.to ?? (question.from === undefined ? LAST_DATE : addDaysWithin(question.from, MOST_DAYS));
  const keptSince = await historyBound(db, connection, 'versions');
  if (keptSince !== undefined && at < keptSince) {
    throw new ApiError(404, `as_of: history is kept since ${keptSince}`, { field: 'as_of' });
  }
  const { days, firstSeenAt } = await daysAt(db, { connection, resource, key, from, to, at });
  if (days.length === 0) {
    throw await nothing(db, { connection, what: `the ${resource} of ${key}`, at }, { firstSeenAt, goneAt: undefined });
  }
  return { resource, key, as_of: at, days };
}
