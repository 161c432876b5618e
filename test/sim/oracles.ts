import Database from 'better-sqlite3';
import { addDays, type PlainDate } from '../../src/kernel/dates.ts';
import { differingRows } from '../service/support/sameRows.ts';
import type { Served } from './network.ts';
import { watchReadNumbers } from './readNumbers.ts';

type Row = Record<string, unknown>;

/** The rows of a question to both halves; tables are named `core.stays`, `mirror.stays`. */
function bothHalves(core: string, mirror: string): { rows: (sql: string) => Promise<Row[]>; close(): void } {
  const database = new Database(':memory:');
  database.prepare('attach ? as core').run(core);
  database.prepare('attach ? as mirror').run(mirror);
  return {
    rows: async (sql) => database.prepare<[], Row>(sql).all(),
    close: () => void database.close(),
  };
}

/** Further pairs, in the manner of {@link differingRows}. */
const MESSAGES = {
  core: `select conversation_id, message_id, sender_role from core.messages order by 1, 2`,
  mirror: `select conversation_id, message_id, sender_role from mirror.messages
    where deleted_at is null order by 1, 2`,
};

/** Convergence and ledger: in what the tables of the halves differ, read directly. */
export async function differences(core: string, mirror: string): Promise<string[]> {
  const { rows, close } = bothHalves(core, mirror);
  try {
    const differing = await differingRows(rows);
    const [own, mirrored] = [await rows(MESSAGES.core), await rows(MESSAGES.mirror)];
    if (JSON.stringify(own) !== JSON.stringify(mirrored)) differing.push('messages');
    return differing;
  } finally {
    close();
  }
}

/** A value of a row, as far as it is followed. */
type Value = string;

interface Known {
  first: number;
  last: number;
}

/** Where a watched row stands in an answer and in the mirror. */
interface Watched {
  table: string;
  key: string;
  listed: string;
  ofWire(row: any): unknown[];
  /** The same in the mirror. */
  columns: string;
}

const WATCHED: readonly Watched[] = [
  {
    table: 'stays',
    key: 'stay_code',
    listed: 'reservations',
    ofWire: ({ status, check_in_date, check_out_date, rates }) => [
      status,
      check_in_date,
      check_out_date,
      cents(rates.rate?.amount),
    ],
    columns: 'status, check_in_date, check_out_date, rate_minor',
  },
  {
    table: 'transactions',
    key: 'id',
    listed: 'transactions',
    ofWire: ({ amount }) => [cents(amount)],
    columns: 'amount_minor',
  },
];

function cents(amount: unknown): number | null {
  return amount === null || amount === undefined ? null : Math.round(Number(amount) * 100);
}

/**
 * Safety, at every commit of the mirror: each row equals a value that the core held at a time after its read
 * began, no row falls back to a value that had gone before the one it replaces came, and none is written by a read that
 * a later one has overtaken.
 */
export function safetyOracle() {
  const values = new Map<string, Map<Value, Known>>();
  const shown = new Map<string, Value>();
  const problems: string[] = [];
  let asked: ({ database: Database.Database } & ReturnType<typeof questionsTo>) | undefined;

  const of = (table: string, key: unknown) => {
    const name = `${table} ${String(key)}`;
    let known = values.get(name);
    if (!known) values.set(name, (known = new Map<Value, Known>()));
    return { name, known };
  };

  return {
    problems,
    served({ code, data, servedSeq }: Served) {
      if (code !== 200 || typeof data !== 'object' || data === null) return;
      for (const { table, key, listed, ofWire } of WATCHED) {
        for (const row of data[listed] ?? []) {
          const { known } = of(table, row[key]);
          const value = ofWire(row).join(' ');
          known.set(value, { first: known.get(value)?.first ?? servedSeq, last: servedSeq });
        }
      }
    },
    /** Looks at the rows that changed since the last look. Synchronous, so that nothing comes between commit and look. */
    look(database: Database.Database, read: { upTo: number }) {
      if (asked?.database !== database) asked = { database, ...questionsTo(database) };
      problems.push(...asked.overtaken().map((row) => `safety: ${row}`));
      const seq = Number(asked.newest.get());
      if (seq <= read.upTo) return;
      read.upTo = seq;
      for (const { table, rows } of asked.tables) {
        for (const [key, ...values] of rows.all()) judge(table, key, values.join(' '));
      }
    },
  };

  function judge(table: string, key: unknown, value: Value): void {
    const { name, known } = of(table, key);
    const before = shown.get(name);
    if (before === value) return;
    shown.set(name, value);
    const now = known.get(value);
    if (!now) return void problems.push(`safety: ${name} became "${value}", which the core never said`);
    const then = before === undefined ? undefined : known.get(before);
    if (then && now.last < then.first) problems.push(`safety: ${name} fell back to "${value}" from "${before}"`);
  }
}

/** Prepared once for each process of the daemon. */
function questionsTo(database: Database.Database) {
  return {
    overtaken: watchReadNumbers(database),
    newest: database.prepare('select coalesce(max(seq), 0) from changes').pluck(),
    tables: WATCHED.map(({ table, key, columns }) => ({
      table,
      rows: database.prepare<[], unknown[]>(`select ${key}, ${columns} from ${table} where deleted_at is null`).raw(),
    })),
  };
}

/** History of acknowledged events: after each, a read of what it names began. */
export function acknowledgedOracle() {
  const acknowledged: { event: Record<string, unknown>; seq: number }[] = [];
  const reads = new Map<string, number>();

  const readAt = (key: string, sentSeq: number) => reads.set(key, Math.max(reads.get(key) ?? 0, sentSeq));
  const keyOf = (event: Record<string, unknown>): string | undefined => {
    const kind = String(event['event']);
    if (kind.startsWith('reservation_')) return `reservation ${String(event['reservation_code'])}`;
    if (kind.startsWith('transaction_')) return `transaction ${String(event['transaction_id'])}`;
    if (kind === 'message_created') return `conversation ${String(event['conversation_id'])}`;
    return undefined;
  };

  const seen = new Set<unknown>();
  const early: string[] = [];
  return {
    /** The ids of what was acknowledged. */
    seen: seen as ReadonlySet<unknown>,
    /** Events that were acknowledged before they were kept. */
    early: early as readonly string[],
    /** What comes again under one id needs no second read. */
    acknowledged(event: Record<string, unknown>, seq: number, isKept: boolean) {
      if (!isKept) early.push(`durability: ${String(event['event'])} (line ${seq}) was acknowledged before its commit`);
      if (!seen.has(event['event_id'])) acknowledged.push({ event, seq });
      seen.add(event['event_id']);
    },
    served({ path, code, data, sentSeq }: Served) {
      if (code !== 200 && code !== 404) return;
      const url = new URL(path, 'http://core.test');
      const asked = (name: string) => url.searchParams.get(name) ?? undefined;
      const booking = asked('reservation_code');
      if (booking !== undefined) readAt(`reservation ${booking}`, sentSeq);
      const entry = asked('id') ?? asked('transaction_id');
      if (entry !== undefined && url.pathname.endsWith('/transactions')) readAt(`transaction ${entry}`, sentSeq);
      const conversation = /\/conversations\/([^/]+)/.exec(url.pathname)?.[1];
      if (conversation !== undefined) readAt(`conversation ${decodeURIComponent(conversation)}`, sentSeq);
      for (const row of data?.reservations ?? []) readAt(`reservation ${row.reservation_code}`, sentSeq);
      for (const row of data?.transactions ?? []) readAt(`transaction ${row.id}`, sentSeq);
    },
    /** Events that were acknowledged and are not in the inbox of this mirror. */
    lost(file: string): string[] {
      const database = new Database(file, { readonly: true });
      const kept = new Set(database.prepare('select event_id from inbox').pluck().all());
      database.close();
      return acknowledged
        .filter(({ event }) => !kept.has(event['event_id']))
        .map(({ event, seq }) => `durability: ${String(event['event'])} (line ${seq}) was acknowledged and is lost`);
    },
    /** Events after whose acknowledgement no read of their key began. */
    problems(): string[] {
      return acknowledged.flatMap(({ event, seq }) => {
        const key = keyOf(event);
        if (key === undefined || (reads.get(key) ?? 0) > seq) return [];
        return [`acknowledged: ${String(event['event'])} of ${key} (line ${seq}) was never read after`];
      });
    },
  };
}

/** What a delivery row says of an event; undefined: there is none yet. */
type OutcomeOf = (eventId: string) => string | null | undefined;

/** Outbox: what has an outcome is never sent again, what a crash left without one is, as the same event. */
export function outboxOracle() {
  const problems: string[] = [];
  const bodies = new Map<string, string>();
  return {
    problems,
    sent(outcomeOf: OutcomeOf, body: string) {
      const { event_id } = JSON.parse(body) as { event_id: string };
      const outcome = outcomeOf(event_id);
      if (outcome !== null) problems.push(`outbox: ${event_id} was sent though its outcome was ${outcome}`);
      const before = bodies.get(event_id);
      if (before !== undefined && before !== body) problems.push(`outbox: ${event_id} was sent with two bodies`);
      bodies.set(event_id, body);
    },
    /** Events that count as delivered, and that nobody has acknowledged. */
    unheard(events: readonly EventTruth[]): string[] {
      return events
        .filter(({ outcome, heard }) => outcome === 'delivered' && !heard)
        .map(({ event }) => `outbox: ${String(event['event'])} counts as delivered and was not acknowledged`);
    },
  };
}

/** What became of one event of the core. */
export interface EventTruth {
  event: Record<string, unknown>;
  /** In the words of the core; `dropped`: by its own fault injection. */
  outcome: string | null;
  /** Whether the daemon has answered it with success. */
  heard: boolean;
}

/** Every event that the core had for the daemon, whether it came or not, in the order of their ids. */
export function eventTruths(core: string, heard: ReadonlySet<unknown>): EventTruth[] {
  const database = new Database(core, { readonly: true });
  try {
    const rows = database
      .prepare<[], { event_id: string; body: string; outcome: string | null }>(
        `select d.event_id, o.body, d.outcome from deliveries d
         join outbox o on o.account_id = d.account_id and o.event_id = d.event_id order by d.event_id`,
      )
      .all();
    return rows.map(({ event_id, body, outcome }) => ({
      event: JSON.parse(body) as Record<string, unknown>,
      outcome,
      heard: heard.has(event_id),
    }));
  } finally {
    database.close();
  }
}

/** Rows that must be right soon: stays around today, and messages. */
export function hotDifferences(core: string, mirror: string, today: PlainDate): Promise<string[]> {
  const [from, to] = [addDays(today, -HOT_DAYS), addDays(today, HOT_DAYS)];
  const { rows, close } = bothHalves(core, mirror);
  const own = `select stay_code, status, check_in_date, check_out_date, rate as rate_minor, deposit as deposit_minor
    from core.stays where check_out_date >= '${from}' and check_in_date <= '${to}' order by 1`;
  const mirrored = `select stay_code, status, check_in_date, check_out_date, rate_minor, deposit_minor
    from mirror.stays where deleted_at is null and check_out_date >= '${from}' and check_in_date <= '${to}' order by 1`;
  const compare = async () => {
    const differing = [];
    if (JSON.stringify(await rows(own)) !== JSON.stringify(await rows(mirrored))) differing.push('stays around today');
    if (JSON.stringify(await rows(MESSAGES.core)) !== JSON.stringify(await rows(MESSAGES.mirror))) {
      differing.push('messages');
    }
    return differing;
  };
  return compare().finally(close);
}

const HOT_DAYS = 14;
