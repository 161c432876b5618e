import type { Database, Statement } from 'better-sqlite3';
import { addDays, type PlainDate } from '../../src/kernel/dates.ts';

/** Something of the core that the mirror shows too; each question answers one value, or no row. */
interface Followed {
  resource: string;
  /** What the feed calls it. */
  fed: string;
  /** What touches it, and by which key: values with a space between them, which the questions name a, b, c and d. */
  triggers: readonly { table: string; on: readonly ('insert' | 'update' | 'delete')[]; key: string; when?: string }[];
  core: string;
  mirror: string;
  /** Whether it lies within the days that matter most, from @from to @to; asked of the core. Left out: no. */
  hot?: string;
}

const spaced = (...parts: readonly string[]) => parts.join(" || ' ' || ");
const stayOf = (table: string) =>
  `(select stay_code from stays where account_id = ${table}.account_id and id = ${table}.stay_id)`;
const listingOf = (column: string) =>
  `(select ${column} from listings where account_id = new.account_id and id = new.listing)`;
const hotStay = `select check_out_date >= @from and check_in_date <= @to from stays where account_id = @a and stay_code = @b`;
const night = (row: 'old' | 'new') => spaced(`${row}.account_id`, `${row}.property_id`, `${row}.night`);

const FOLLOWED: readonly Followed[] = [
  {
    resource: 'reservation',
    fed: 'reservation',
    triggers: [{ table: 'stays', on: ['insert', 'update'], key: spaced('new.account_id', 'new.stay_code') }],
    core: `select ${spaced('status', 'check_in_date', 'check_out_date', "coalesce(rate, '')")} from stays
      where account_id = @a and stay_code = @b`,
    mirror: `select ${spaced('status', 'check_in_date', 'check_out_date', "coalesce(rate_minor, '')")} from stays
      where connection = 'local' and deleted_at is null and stay_code = @b`,
    hot: hotStay,
  },
  {
    resource: 'deposit',
    fed: 'reservation',
    triggers: [{ table: 'deposits', on: ['insert', 'update'], key: spaced('new.account_id', stayOf('new')) }],
    core: `select ${spaced('d.paid_amount', 'd.deducted_amount', 'd.pending_refund_amount')}
      from stays s join deposits d on d.account_id = s.account_id and d.stay_id = s.id
      where s.account_id = @a and s.stay_code = @b`,
    mirror: `select ${spaced('deposit_paid_minor', 'deposit_deducted_minor', 'deposit_pending_refund_minor')}
      from stays where connection = 'local' and deleted_at is null and stay_code = @b`,
    hot: hotStay,
  },
  {
    resource: 'transaction',
    fed: 'transaction',
    triggers: [
      { table: 'transactions', on: ['insert', 'update'], key: spaced('new.account_id', 'new.id') },
      { table: 'transactions', on: ['delete'], key: spaced('old.account_id', 'old.id') },
    ],
    core: 'select amount from transactions where account_id = @a and id = @b',
    mirror: `select amount_minor from transactions where connection = 'local' and deleted_at is null and id = @b`,
  },
  {
    resource: 'message',
    fed: 'message',
    triggers: [
      { table: 'messages', on: ['insert'], key: spaced('new.account_id', 'new.conversation_id', 'new.message_id') },
    ],
    core: 'select 1 from messages where account_id = @a and conversation_id = @b and message_id = @c',
    mirror: `select 1 from messages
      where connection = 'local' and deleted_at is null and conversation_id = @b and message_id = @c`,
  },
  {
    resource: 'availability',
    fed: 'availability',
    triggers: [
      { table: 'nights', on: ['insert'], key: night('new') },
      { table: 'nights', on: ['delete'], key: night('old') },
    ],
    core: 'select 0 from nights where account_id = @a and property_id = @b and night = @c',
    mirror: `select 0 from availability_days
      where connection = 'local' and available = 0 and property_id = @b and date = @c`,
  },
  {
    resource: 'price of a day',
    fed: 'calendar',
    triggers: [
      {
        table: 'sandbox_days',
        on: ['insert', 'update'],
        // Of the other days the settings tell the price.
        when: 'new.price is not null',
        key: spaced('new.account_id', 'new.listing', 'new.date', listingOf("channel_type || '/' || listing_id")),
      },
    ],
    // One marketplace tells its host what is left of the price without its part.
    core: `select cast(round(case when l.channel_type = 'regional_marketplace'
        then d.price * (100 - s.commission_percent) / 100.0 else d.price end) as integer)
      from sandbox_days d
      join listings l on l.account_id = d.account_id and l.id = d.listing
      join sandbox_listings s on s.account_id = d.account_id and s.listing = d.listing
      where d.account_id = @a and d.listing = @b and d.date = @c`,
    mirror: `select cast(round(price * 100) as integer) from calendar_days
      where connection = 'local' and listing = @d and date = @c`,
    hot: 'select @c between @from and @to',
  },
];

/** Days around today in which things are hot. */
const HOT_DAYS = 14;

/** How long it took until the mirror showed what had changed in the core. */
export interface Propagation {
  /** Looks at what has changed since the last look, and at what was to come. */
  look(nowMs: number, today: PlainDate): void;
  /** The same, at all that was to come, whether the feed has told of it or not. */
  lookAtAll(nowMs: number, today: PlainDate): void;
  /** Milliseconds from change to mirror, of each resource, the shortest first; of the hot ones apart as well. */
  times(): ReadonlyMap<string, readonly number[]>;
  /** What the mirror does not show yet: the value of the core, and its own. */
  open(): readonly string[];
}

/** One kind of thing: how to ask both sides for its value, and whose values differ since when. */
interface Kind {
  fed: string;
  core: Statement<Record<string, string>>;
  mirror: Statement<Record<string, string>>;
  hot: Statement<Record<string, string>> | undefined;
  waiting: Map<string, { since: number; isHot: boolean }>;
  times: number[];
  hotTimes: number[];
}

/** Watches the tables of the core by triggers that vanish with its connection, and those of the mirror by its feed. */
export function followPropagation(core: Database, mirror: Database): Propagation {
  core.exec('create temp table touched (resource text, key text, primary key (resource, key)) without rowid');
  for (const { resource, triggers } of FOLLOWED) {
    for (const { table, on, key, when = 'true' } of triggers) {
      for (const verb of on) {
        core.exec(
          `create temp trigger "${resource} ${verb}" after ${verb} on main.${table} when ${when}
           begin insert or ignore into touched values ('${resource}', ${key}); end`,
        );
      }
    }
  }
  const ask = (database: Database, text: string) => database.prepare<Record<string, string>>(text).pluck();
  const kinds = new Map(
    FOLLOWED.map((one): [string, Kind] => [
      one.resource,
      {
        fed: one.fed,
        core: ask(core, one.core),
        mirror: ask(mirror, one.mirror),
        hot: one.hot === undefined ? undefined : ask(core, one.hot),
        waiting: new Map(),
        times: [],
        hotTimes: [],
      },
    ]),
  );
  const take = core.prepare<[], { resource: string; key: string }>('delete from touched returning resource, key');
  const newest = mirror
    .prepare<[], number>("select coalesce(max(seq), 0) from changes where connection = 'local'")
    .pluck();
  const told = mirror
    .prepare<[number], string>("select distinct resource from changes where connection = 'local' and seq > ?")
    .pluck();
  let seen = newest.get() ?? 0;

  /** The value in the core, and in the mirror. */
  function both({ core: own, mirror: shown }: Kind, key: string): [unknown, unknown] {
    const values = valuesOf(key);
    return [own.get(values), shown.get(values)];
  }

  function differs(kind: Kind, key: string): boolean {
    const [own, shown] = both(kind, key);
    return own !== shown;
  }

  function settle(nowMs: number, today: PlainDate, isNews: (kind: Kind) => boolean): void {
    const touched = new Map<Kind, string[]>();
    const hotDays = { from: addDays(today, -HOT_DAYS), to: addDays(today, HOT_DAYS) };
    for (const { resource, key } of take.all()) {
      const kind = kinds.get(resource);
      if (!kind) continue;
      touched.set(kind, [...(touched.get(kind) ?? []), key]);
      const isHot = kind.hot?.get({ ...valuesOf(key), ...hotDays }) === 1;
      if (!kind.waiting.has(key)) kind.waiting.set(key, { since: nowMs, isHot });
    }
    for (const kind of kinds.values()) {
      // What the feed is silent about heals only by the core's own change, if that is taken back.
      const keys = isNews(kind) ? [...kind.waiting.keys()] : (touched.get(kind) ?? []);
      for (const key of keys) {
        const open = kind.waiting.get(key);
        if (open === undefined || differs(kind, key)) continue;
        kind.waiting.delete(key);
        (open.isHot ? kind.hotTimes : kind.times).push(nowMs - open.since);
      }
    }
  }

  return {
    look(nowMs, today) {
      const last = newest.get() ?? 0;
      const resources = new Set(last > seen ? told.all(seen) : []);
      seen = last;
      settle(nowMs, today, ({ fed }) => resources.has(fed));
    },
    lookAtAll: (nowMs, today) => settle(nowMs, today, () => true),
    times: () =>
      new Map(
        [...kinds].flatMap(([name, { times, hotTimes, hot }]): [string, number[]][] => [
          [name, [...times, ...hotTimes].toSorted((a, b) => a - b)],
          ...(hot
            ? [[`${name} within ${HOT_DAYS} days`, hotTimes.toSorted((a, b) => a - b)] as [string, number[]]]
            : []),
        ]),
      ),
    open: () =>
      [...kinds].flatMap(([name, kind]) =>
        [...kind.waiting.keys()].map((key) => `${name} ${key}: ${both(kind, key).join(', not ')}`),
      ),
  };
}

function valuesOf(key: string): Record<string, string> {
  return Object.fromEntries(key.split(' ').map((value, index) => ['abcd'[index] ?? '', value]));
}
