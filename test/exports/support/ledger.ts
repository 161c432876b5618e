import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mirrorMigrations } from '../../../migrations/mirror/index.ts';
import { bookSchema } from '../../../src/config/exports.ts';
import { Exports } from '../../../src/exports/exporter.ts';
import type { BookSettings } from '../../../src/exports/journal/settings.ts';
import { work, workAt } from '../../../src/exports/run/work.ts';
import type { CarryOut } from '../../../src/exports/run/order.ts';
import type { JobSetting, SentFile, SentResult } from '../../../src/exports/ports.ts';
import { instantOf } from '../../../src/kernel/dates.ts';
import { ulidMaker } from '../../../src/kernel/ids.ts';
import { wireAmount } from '../../../src/kernel/money.ts';
import { systemRandom } from '../../../src/kernel/random.ts';
import { silentLogger } from '../../../src/kernel/log.ts';
import { insertMany } from '../../../src/store/queries/insertMany.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { readPostgres, readSqliteFile } from '../../../src/store/sqlite/reading.ts';
import { openStore, type StoreLocation } from '../../../src/store/store.ts';
import { beginFeed, takePlaces } from '../../../src/sync/feed/feedRows.ts';
import type { Mirror, MirrorStore, MirrorTrx } from '../../../src/sync/tables/database.ts';
import { type ManualClock, manualClock } from '../../support/clock.ts';
import { evenRandom } from '../../support/mirror.ts';
import { signal } from '../../support/signal.ts';
import { putEmpty } from '../../support/templates.ts';
import { type OnQuery, watchedMoment, watchedReader, watchedStore } from './watchedQueries.ts';

export const CONNECTION = 'local';
const ZONE = 'Europe/Berlin';

/** Settings of a book as a configuration file has them. */
export type Written = Parameters<typeof bookSchema.parse>[0];

/** A book with items and methods by number, over which a test lays its own. */
export function bookWith(over: object = {}): BookSettings {
  return bookSchema.parse({
    items: {
      income: { 1: 'accommodation', 2: 'cleaning', 3: 'extra', 4: 'tax_collected', 5: 'ignore' },
      expense: { 11: 'refund', 12: 'commission', 13: 'opex', 14: 'owner_expense', 15: 'owner_payout', 16: 'tax_paid' },
    },
    methods: { income: { 21: 'Assets:Bank', 22: 'channel' }, expense: { 31: 'Assets:Bank' } },
    ...over,
  });
}

export interface StayDraft {
  code: string;
  stay?: string;
  channel?: string;
  property?: number;
  status?: string;
  from: string;
  to: string;
  currency?: string;
  rate?: number;
  commission?: number;
  tax?: number;
  received?: number;
  cancelled?: string;
  deposit?: { paid: number; deducted?: number; pending: number; currency?: string };
}

export interface EntryDraft {
  id: number;
  code?: string;
  property?: number;
  direction?: 'income' | 'expense';
  item?: number;
  method?: number;
  amount: number;
  currency?: string;
  date: string;
}

/** The mirror of an account with a ledger of its own, and the books over it, on a clock that the test moves. */
export interface LedgerWorld {
  store: MirrorStore;
  clock: ManualClock;
  exports: Exports;
  /** Where jobs write that say nothing else. */
  folder: string;
  settings: BookSettings;
  jobs: Record<string, JobSetting>;
  sent: SentFile[];
  answerSent(result: SentResult): void;
  property(id: number, name: string): Promise<void>;
  /** Writes a stay as the mirror would, keeping what it was. */
  stay(draft: StayDraft): Promise<void>;
  entry(...drafts: EntryDraft[]): Promise<void>;
  remove(id: number): Promise<void>;
  /** Everything was read again now. */
  reconciled(): Promise<void>;
  /** Opens the books again, as after a restart. */
  reopen(): Promise<void>;
  /** Resolves when no scheduled export is under way, here or in another process. */
  idle(): Promise<void>;
  /** The same books in another process. */
  another(): Promise<Exports>;
  /** Stops the next two runs before they book, until they are let go, each by itself. */
  hold(): { reached: Promise<void>; reachedAgain: Promise<void>; go(): void; goAgain(): void };
  close(): Promise<void>;
}

export async function openLedger({
  settings = bookWith(),
  jobs = {},
  now = '2027-04-05T10:00:00.000Z',
  keepMinutes = 0,
  database,
  directory: given,
  onQuery,
  carryOut = onQuery ? (order, listener) => workAt(watchedMoment(onQuery), order, listener) : work,
  send,
}: {
  settings?: BookSettings;
  jobs?: Record<string, JobSetting>;
  now?: string;
  /** How often the books are kept once they are started; 0: never. */
  keepMinutes?: number;
  database?: string;
  /** One that stays; what lies there goes on. Left out: a new one, gone with the world. */
  directory?: string;
  carryOut?: CarryOut;
  /** Is told of everything that the books ask. */
  onQuery?: OnQuery;
  /** How files are sent; left out: they are noted, and answered as the test says. */
  send?: (file: SentFile) => Promise<SentResult>;
} = {}): Promise<LedgerWorld> {
  const directory = given ?? mkdtempSync(join(tmpdir(), 'stayd-books-'));
  const location: StoreLocation =
    database === undefined
      ? { kind: 'sqlite', file: join(directory, 'mirror.db') }
      : { kind: 'postgres', url: database, schema: 'mirror' };
  if (location.kind === 'sqlite' && !existsSync(location.file)) await putEmpty('mirror', location.file);
  const store = await openStore<Mirror>(location);
  await migrate(store, mirrorMigrations);
  const clock = manualClock(Date.parse(now));
  let answer: SentResult = { state: 'delivered', detail: '' };
  let seq = 0;
  const at = () => instantOf(clock.now());
  const facts = () => factsAt(at());
  const others: { exports: Exports; store: MirrorStore }[] = [];
  let pass = () => Promise.resolve();
  const ids = ulidMaker(clock, given === undefined ? evenRandom : systemRandom);
  const opened = (plain: MirrorStore) => {
    const own = onQuery ? watchedStore(plain, onQuery) : plain;
    return new Exports({
      store: own,
      location,
      reader() {
        const reader = location.kind === 'sqlite' ? readSqliteFile(location.file) : readPostgres(plain);
        return onQuery ? watchedReader(reader, onQuery) : reader;
      },
      clock,
      ids,
      log: silentLogger,
      folder: world.folder,
      bookOf: () => world.settings,
      place: () => assert.fail('no settings change here'),
      jobs: world.jobs,
      async carryOut(order, listener, stopped) {
        await pass();
        return carryOut(order, listener, stopped);
      },
      keepMinutes,
      async send(file) {
        world.sent.push(file);
        return send ? send(file) : answer;
      },
    });
  };
  const world: LedgerWorld = {
    store,
    clock,
    folder: join(directory, 'exports'),
    settings,
    jobs,
    sent: [],
    exports: undefined as unknown as Exports,
    answerSent: (result) => void (answer = result),
    async property(id, name) {
      await store.db
        .insertInto('properties')
        .values({
          connection: CONNECTION,
          id,
          name,
          status: 'active',
          address: null,
          longitude: null,
          latitude: null,
          time_zone: ZONE,
          tags: '[]',
          groups: '[]',
          ...facts(),
        })
        .execute();
    },
    stay: (draft) => writeStay(store, draft, { at: at(), seq: (seq += 1) }),
    async entry(...drafts) {
      await store.transaction(async (trx) => {
        for (const draft of drafts) {
          const { id } = draft;
          await trx.deleteFrom('transactions').where('connection', '=', CONNECTION).where('id', '=', id).execute();
          await insertMany(trx, 'transactions', [entryRow(draft, at())]);
          await announce(trx, { resource: 'transaction', key: String(id), at: at() });
        }
      });
    },
    async remove(id) {
      await store.transaction(async (trx) => {
        await trx
          .updateTable('transactions')
          .set({ deleted_at: at(), changed_at: at() })
          .where('connection', '=', CONNECTION)
          .where('id', '=', id)
          .execute();
        await announce(trx, { resource: 'transaction', key: String(id), at: at() });
      });
    },
    async reconciled() {
      await store.db
        .updateTable('reconciliations')
        .set({ fresh_since: at() })
        .where('connection', '=', CONNECTION)
        .execute();
    },
    async reopen() {
      await world.exports?.stop();
      // Its ids go on.
      clock.jump(1);
      world.exports = opened(store);
    },
    async idle() {
      for (const one of [world.exports, ...others.map(({ exports }) => exports)]) await one.settled();
    },
    async another() {
      const own = await openStore<Mirror>(location);
      const exports = opened(own);
      others.push({ exports, store: own });
      return exports;
    },
    hold() {
      const turns = [1, 2].map(() => ({ reached: signal(), gone: signal() }));
      const [first, second] = turns;
      let begun = 0;
      pass = async () => {
        const turn = turns[begun++];
        turn?.reached.resolve();
        await turn?.gone.promise;
      };
      return {
        reached: first!.reached.promise,
        reachedAgain: second!.reached.promise,
        go: () => first!.gone.resolve(),
        goAgain: () => second!.gone.resolve(),
      };
    },
    async close() {
      for (const one of [world.exports, ...others.map(({ exports }) => exports)]) await one.stop();
      for (const one of [store, ...others.map((other) => other.store)]) await one.close();
      if (given === undefined) rmSync(directory, { recursive: true, force: true });
    },
  };
  if (!(await store.db.selectFrom('connections').selectAll().executeTakeFirst())) await beginMirror(store, at());
  await world.reopen();
  return world;
}

async function beginMirror(store: MirrorStore, at: string): Promise<void> {
  const connection = CONNECTION;
  await beginFeed(store.db, connection, 0);
  await store.db
    .insertInto('connections')
    .values({
      connection,
      base_url: 'http://127.0.0.1:1',
      state: 'active',
      reason: null,
      state_at: at,
      probe_at: null,
      webhook_id: null,
      webhook_url: null,
      webhook_secret: null,
      catch_up_due: null,
      caught_up_at: at,
      created_at: at,
    })
    .execute();
  await store.db
    .insertInto('accounts')
    .values({
      connection,
      account_id: 'A1',
      name: 'demo',
      time_zone: ZONE,
      currency: 'EUR',
      read_number: 1,
      first_seen_at: at,
      changed_at: at,
      deleted_at: null,
      raw: '{}',
    })
    .execute();
  for (const resource of ['reservation', 'transaction']) {
    await store.db
      .insertInto('reconciliations')
      .values({
        connection,
        tier: resource,
        resource,
        max_age_s: 86_400,
        fresh_since: at,
        state: 'done',
        tried_at: at,
        finished_at: at,
        requests: 1,
        rows: 1,
        failures: 0,
        problem: null,
      })
      .execute();
  }
}

/** Facts that every row of the mirror carries. */
function factsAt(at: string) {
  return { read_number: 1, first_seen_at: at, changed_at: at, deleted_at: null, raw: '{}' };
}

/** A ledger entry as a row of the mirror. */
export function entryRow(draft: EntryDraft, at: string) {
  return { ...transactionRow(draft), ...factsAt(at) };
}

/** A stay as a row of the mirror, the only one of its booking. */
export function stayRowOf(draft: StayDraft, at: string) {
  return stayRow(draft, { stay: draft.stay ?? draft.code, raw: '{}', at, first: at });
}

function transactionRow(draft: EntryDraft) {
  const { id, code = null, property = null, direction = 'income', amount, currency = 'EUR', date } = draft;
  const isIncome = direction === 'income';
  const item = draft.item ?? (isIncome ? 1 : 13);
  const method = draft.method ?? (isIncome ? 21 : 31);
  return {
    connection: CONNECTION,
    id,
    reservation_code: code,
    property_id: property,
    direction,
    status: 'paid',
    item_id: item,
    item_name: `Item ${item}`,
    payment_method_id: method,
    payment_method_name: `Method ${method}`,
    amount_minor: amount,
    currency,
    action_at: `${date}T10:00:00.000Z`,
    action_date: date,
    link_type: code === null ? (property === null ? 'operator' : 'property') : 'reservation',
    operator_name: 'System',
    created_at: `${date}T10:00:00.000Z`,
    updated_at: `${date}T10:00:00.000Z`,
  };
}

async function writeStay(
  store: MirrorStore,
  draft: StayDraft,
  { at, seq }: { at: string; seq: number },
): Promise<void> {
  const { code, stay = code, deposit, currency = 'EUR' } = draft;
  const raw = JSON.stringify({
    check_in_details: {
      deposit_details: deposit
        ? {
            currency: deposit.currency ?? currency,
            paid_amount: wireAmount(deposit.paid, deposit.currency ?? currency),
            deducted_amount: wireAmount(deposit.deducted ?? 0, deposit.currency ?? currency),
            pending_refund_amount: wireAmount(deposit.pending, deposit.currency ?? currency),
          }
        : null,
    },
  });
  const was = await store.db
    .selectFrom('stays')
    .select(['raw', 'changed_at', 'first_seen_at'])
    .where('connection', '=', CONNECTION)
    .where('stay_code', '=', stay)
    .executeTakeFirst();
  const row = stayRow(draft, { stay, raw, at, first: was?.first_seen_at ?? at });
  await store.transaction(async (trx) => {
    if (was) {
      await trx
        .insertInto('versions')
        .values({
          connection: CONNECTION,
          change_seq: seq,
          resource: 'reservation',
          key: code,
          part: stay === code ? null : stay,
          valid_from: was.changed_at,
          valid_to: at,
          read_number: 1,
          raw: was.raw,
        })
        .execute();
      await trx.deleteFrom('stays').where('connection', '=', CONNECTION).where('stay_code', '=', stay).execute();
    }
    await insertMany(trx, 'stays', [row]);
    await trx
      .deleteFrom('reservations')
      .where('connection', '=', CONNECTION)
      .where('reservation_code', '=', code)
      .execute();
    await insertMany(trx, 'reservations', [reservationRowOf(draft, at)]);
    await announce(trx, { resource: 'reservation', key: code, at });
  });
}

/** Writes a change into the feed, as the mirror does with every row that it changes. */
async function announce(
  trx: MirrorTrx,
  { resource, key, at }: { resource: string; key: string; at: string },
): Promise<void> {
  const seq = await takePlaces(trx, CONNECTION, 1);
  const said = { part: null, op: 'updated' as const, derived: null, seen_by: 'scan' as const };
  const rest = { event_ids: '[]', diff: null, needs_answer: 0 as const };
  await insertMany(trx, 'changes', [{ connection: CONNECTION, seq, at, resource, key, ...said, ...rest }]);
}

function stayRow(draft: StayDraft, { stay, raw, at, first }: { stay: string; raw: string; at: string; first: string }) {
  const { code, channel = 'direct', property = 1, status = 'accepted', from, to, currency = 'EUR', deposit } = draft;
  return {
    connection: CONNECTION,
    stay_code: stay,
    reservation_code: code,
    id: 1,
    channel_id: null,
    channel_type: channel,
    listing_id: null,
    custom_channel_id: null,
    custom_channel: null,
    property_id: property,
    in_reservation_box: 0 as const,
    status,
    stay_status: null,
    check_in_date: from,
    check_out_date: to,
    nights: 1,
    number_of_guests: 2,
    number_of_adults: null,
    number_of_children: null,
    number_of_infants: null,
    number_of_pets: null,
    currency,
    rate_minor: draft.rate ?? null,
    commission_minor: draft.commission ?? null,
    tax_minor: draft.tax ?? null,
    total_rate_minor: null,
    total_commission_minor: null,
    payment_currency: currency,
    payment_total_minor: null,
    received_minor: draft.received ?? null,
    balance_minor: null,
    payment_status: null,
    deposit_minor: null,
    deposit_currency: deposit ? (deposit.currency ?? currency) : null,
    deposit_status: deposit ? 'paid' : null,
    deposit_paid_minor: deposit?.paid ?? null,
    deposit_deducted_minor: deposit ? (deposit.deducted ?? 0) : null,
    deposit_pending_refund_minor: deposit?.pending ?? null,
    deposit_refunded_minor: deposit ? 0 : null,
    id_required: null,
    cancellation_policy_category: null,
    conversation_id: null,
    tags: '[]',
    booked_at: null,
    created_at: null,
    cancelled_at: draft.cancelled === undefined ? null : `${draft.cancelled}T10:00:00.000Z`,
    read_number: 1,
    first_seen_at: first,
    changed_at: at,
    deleted_at: null,
    raw,
  };
}

/** A booking as a row of the mirror. */
export function reservationRowOf(
  { code, channel = 'direct', status = 'accepted', from, to, cancelled }: StayDraft,
  at: string,
) {
  return {
    connection: CONNECTION,
    reservation_code: code,
    channel_id: null,
    channel_type: channel,
    custom_channel: null,
    property_id: null,
    status,
    check_in_date: from,
    check_out_date: to,
    stays: 1,
    number_of_guests: 2,
    currency: 'EUR',
    total_rate_minor: null,
    total_commission_minor: null,
    received_minor: null,
    balance_minor: null,
    payment_status: null,
    booked_at: null,
    created_at: null,
    cancelled_at: cancelled === undefined ? null : `${cancelled}T10:00:00.000Z`,
    read_number: 1,
    first_seen_at: at,
    changed_at: at,
    deleted_at: null,
  };
}
