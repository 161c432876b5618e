import { addDays, type Instant, type PlainDate } from '../../../kernel/dates.ts';
import type { MirrorTrx } from '../../tables/database.ts';
import { AVAILABILITY, NEAR_NIGHTS } from '../../tables/listings/availability.ts';
import { CALENDAR, NEAR_CALENDAR } from '../../tables/listings/calendar.ts';
import { messages } from '../../tables/conversations/messages.ts';
import { reservations } from '../../tables/reservations/reservations.ts';
import { sentAtOrBefore } from './readTimes.ts';

/** Parts of a resource that show everything only together. */
const together: Readonly<Record<string, readonly string[]>> = { [reservations.name]: ['now', 'later', 'past'] };
/** Parts that show every row that has come since they were last read. */
const newest: Readonly<Record<string, string>> = { [messages.name]: 'newest' };

/** Returns the moment when the newest complete read of each part began. */
async function readings(trx: MirrorTrx, connection: string, resource: string): Promise<Map<string | null, Instant>> {
  const rows = await trx
    .selectFrom('scans')
    .select(['part', (eb) => eb.fn.max<Instant>('started_at').as('at')])
    .where('connection', '=', connection)
    .where('resource', '=', resource)
    .where('state', '=', 'done')
    .where('purpose', '!=', 'verify')
    .groupBy('part')
    .execute();
  return new Map(rows.map(({ part, at }) => [part, at]));
}

/** Returns the moment when a read began that would have shown every existing row; undefined: there was none. */
export async function lastComplete(trx: MirrorTrx, connection: string, resource: string): Promise<Instant | undefined> {
  const read = await readings(trx, connection, resource);
  const parts = (together[resource] ?? []).map((part) => read.get(part));
  const assembled = parts.length > 0 && parts.every((at) => at !== undefined) ? parts.toSorted()[0] : undefined;
  return latest([read.get(null), assembled, read.get(newest[resource] ?? '')]);
}

function latest(moments: readonly (Instant | undefined)[]): Instant | undefined {
  return moments
    .filter((at) => at !== undefined)
    .toSorted()
    .at(-1);
}

/**
 * Returns the moment of a conversation's last read, according to its messages: that read would have shown a new one.
 */
export async function conversationReadAt(
  trx: MirrorTrx,
  connection: string,
  conversation: string,
): Promise<Instant | undefined> {
  const { number } = await trx
    .selectFrom('messages')
    .select((eb) => eb.fn.max<number | null>('read_number').as('number'))
    .where('connection', '=', connection)
    .where('conversation_id', '=', conversation)
    .executeTakeFirstOrThrow();
  return number === null ? undefined : sentAtOrBefore(trx, connection, number);
}

/** The days that a read of the near days covers for certain, whatever the date is at the place. */
const near: Readonly<Record<string, { back: number; ahead: number }>> = {
  [AVAILABILITY]: { back: NEAR_NIGHTS.back - 1, ahead: NEAR_NIGHTS.ahead - 1 },
  [CALENDAR]: { back: NEAR_CALENDAR.back - 1, ahead: NEAR_CALENDAR.ahead - 1 },
};

interface DaysOf {
  connection: string;
  resource: string;
  key: string;
  days: readonly PlainDate[];
}

/** Returns, for each of these days, a moment since which reads have shown no change; days without one are left out. */
export async function daysReadSince(trx: MirrorTrx, of: DaysOf): Promise<Map<PlainDate, Instant>> {
  const { connection, resource, days } = of;
  const read = await readings(trx, connection, resource);
  const reach = near[resource];
  const nearAt = read.get('near');
  const around = nearAt?.slice(0, 10) ?? '';
  const changed = await changesOf(trx, of);
  const since = new Map<PlainDate, Instant>();
  for (const day of days) {
    const isNear = reach && nearAt && day >= addDays(around, -reach.back) && day <= addDays(around, reach.ahead);
    const readAt = latest([read.get(null), isNear ? nearAt : undefined]);
    const own = changed.filter(({ from_date, to_date }) => from_date <= day && day <= to_date);
    const at = readAt && latest([readAt, ...own.map(({ valid_to }) => valid_to)]);
    if (at !== undefined) since.set(day, at);
  }
  return since;
}

/**
 * Returns the changed ranges between the first and the last of these days, each with the moment when the change was
 * seen.
 */
async function changesOf(trx: MirrorTrx, { connection, resource, key, days }: DaysOf) {
  const [from = '', to = from] = [days[0], days.at(-1)];
  const within = { connection, key, from, to };
  return resource === AVAILABILITY ? nightsChanged(trx, within) : calendarChanged(trx, within);
}

interface Within {
  connection: string;
  key: string;
  from: PlainDate;
  to: PlainDate;
}

const nightsChanged = (trx: MirrorTrx, { connection, key, from, to }: Within) =>
  trx
    .selectFrom('availability_history')
    .select(['from_date', 'to_date', 'valid_to'])
    .where('connection', '=', connection)
    .where('property_id', '=', Number(key))
    .where('from_date', '<=', to)
    .where('to_date', '>=', from)
    .execute();

const calendarChanged = (trx: MirrorTrx, { connection, key, from, to }: Within) =>
  trx
    .selectFrom('calendar_history')
    .select(['from_date', 'to_date', 'valid_to'])
    .where('connection', '=', connection)
    .where('listing', '=', key)
    .where('from_date', '<=', to)
    .where('to_date', '>=', from)
    .execute();
