import type { Database, Statement } from 'better-sqlite3';

/** Something of the core that the mirror shows too; each question answers one value, or no row. */
interface Followed {
  resource: string;
  /** What touches it, and by which key: values with a space between them, which the questions name a, b, c and d. */
  triggers: readonly { table: string; on: readonly ('insert' | 'update' | 'delete')[]; key: string; when?: string }[];
  core: string;
  mirror: string;
}

const spaced = (...parts: readonly string[]) => parts.join(" || ' ' || ");
const stayOf = (table: string) =>
  `(select stay_code from stays where account_id = ${table}.account_id and id = ${table}.stay_id)`;
const listingOf = (column: string) =>
  `(select ${column} from listings where account_id = new.account_id and id = new.listing)`;
const night = (row: 'old' | 'new') => spaced(`${row}.account_id`, `${row}.property_id`, `${row}.night`);

const FOLLOWED: readonly Followed[] = [
  {
    resource: 'reservation',
    triggers: [{ table: 'stays', on: ['insert', 'update'], key: spaced('new.account_id', 'new.stay_code') }],
    core: `select ${spaced('status', 'check_in_date', 'check_out_date', "coalesce(rate, '')")} from stays
      where account_id = @a and stay_code = @b`,
    mirror: `select ${spaced('status', 'check_in_date', 'check_out_date', "coalesce(rate_minor, '')")} from stays
      where connection = 'local' and deleted_at is null and stay_code = @b`,
  },
  {
    resource: 'deposit',
    triggers: [{ table: 'deposits', on: ['insert', 'update'], key: spaced('new.account_id', stayOf('new')) }],
    core: `select ${spaced('d.paid_amount', 'd.deducted_amount', 'd.pending_refund_amount')}
      from stays s join deposits d on d.account_id = s.account_id and d.stay_id = s.id
      where s.account_id = @a and s.stay_code = @b`,
    mirror: `select ${spaced('deposit_paid_minor', 'deposit_deducted_minor', 'deposit_pending_refund_minor')}
      from stays where connection = 'local' and deleted_at is null and stay_code = @b`,
  },
  {
    resource: 'transaction',
    triggers: [
      { table: 'transactions', on: ['insert', 'update'], key: spaced('new.account_id', 'new.id') },
      { table: 'transactions', on: ['delete'], key: spaced('old.account_id', 'old.id') },
    ],
    core: 'select amount from transactions where account_id = @a and id = @b',
    mirror: `select amount_minor from transactions where connection = 'local' and deleted_at is null and id = @b`,
  },
  {
    resource: 'message',
    triggers: [
      { table: 'messages', on: ['insert'], key: spaced('new.account_id', 'new.conversation_id', 'new.message_id') },
    ],
    core: 'select 1 from messages where account_id = @a and conversation_id = @b and message_id = @c',
    mirror: `select 1 from messages
      where connection = 'local' and deleted_at is null and conversation_id = @b and message_id = @c`,
  },
  {
    resource: 'availability',
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
    triggers: [
      {
        table: 'sandbox_days',
        on: ['insert', 'update'],
        // Of the other days the settings tell the price.
        when: 'new.price is not null',
        key: spaced('new.account_id', 'new.listing', 'new.date', listingOf("channel_type || '/' || listing_id")),
      },
    ],
    core: 'select price from sandbox_days where account_id = @a and listing = @b and date = @c',
    mirror: `select cast(round(price * 100) as integer) from calendar_days
      where connection = 'local' and listing = @d and date = @c`,
  },
];

/** How long it took until the mirror showed what had changed in the core. */
export interface Healing {
  /** Looks at what has changed since the last look, and at what was to come. */
  look(nowMs: number, mirror: Database): void;
  /** Milliseconds from change to mirror, of each resource, the shortest first. */
  times(): ReadonlyMap<string, readonly number[]>;
  /** What the mirror does not show yet. */
  open(): readonly string[];
}

/** Watches the tables of the core by triggers that vanish with its connection. */
export function followHealing(core: Database): Healing {
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
  const take = core.prepare<[], { resource: string; key: string }>('delete from touched returning resource, key');
  const own = new Map(FOLLOWED.map((one) => [one.resource, core.prepare<Record<string, string>>(one.core).pluck()]));
  const waiting = new Map<string, { resource: string; key: string; since: number }>();
  const times = new Map<string, number[]>(FOLLOWED.map(({ resource }) => [resource, []]));
  /** Rows that the mirror had ever written when it was looked at last: nothing heals in between. */
  let seen: unknown;
  let asked: { mirror: Database; statements: Map<string, Statement<Record<string, string>>> } | undefined;

  function differs(resource: string, key: string, mirror: Database): boolean {
    if (asked?.mirror !== mirror) {
      asked = {
        mirror,
        statements: new Map(
          FOLLOWED.map((one) => [one.resource, mirror.prepare<Record<string, string>>(one.mirror).pluck()]),
        ),
      };
    }
    const values = Object.fromEntries(key.split(' ').map((value, index) => ['abcd'[index], value]));
    return own.get(resource)?.get(values) !== asked.statements.get(resource)?.get(values);
  }

  return {
    look(nowMs, mirror) {
      const taken = take.all();
      for (const { resource, key } of taken) {
        const name = `${resource} ${key}`;
        if (!waiting.has(name)) waiting.set(name, { resource, key, since: nowMs });
      }
      const writes = mirror.prepare('select total_changes()').pluck().get();
      if (taken.length === 0 && writes === seen) return;
      seen = writes;
      for (const [name, { resource, key, since }] of waiting) {
        if (differs(resource, key, mirror)) continue;
        waiting.delete(name);
        times.get(resource)?.push(nowMs - since);
      }
    },
    times: () => new Map([...times].map(([resource, all]) => [resource, all.toSorted((a, b) => a - b)])),
    open: () => [...waiting.keys()],
  };
}
