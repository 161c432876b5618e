import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Dice, seededDice } from '../../../src/kernel/seeded.ts';
import { addDays, dateIn } from '../../../src/kernel/dates.ts';
import type { CorrectionPolicy } from '../../../src/kernel/books.ts';
import type { BooksReport, EmittedEntry, Order } from '../../../src/exports/run/order.ts';
import { workAt } from '../../../src/exports/run/work.ts';
import type { StoreLocation } from '../../../src/store/store.ts';
import { describeOnPostgres, startPostgres } from '../../support/postgres.ts';
import { CONNECTION, type EntryDraft, type LedgerWorld, openLedger, type StayDraft } from '../support/ledger.ts';
import { CURRENCIES, ownersBook } from '../support/life.ts';
import { watchedMoment } from '../support/watchedQueries.ts';
import { pay } from './house.ts';
import { quiet } from './support.ts';

const FIRST_DAY = '2026-11-01';
const STEPS = 60;

/** An account to which things happen at random, each as the mirror would learn of it. */
class Life {
  readonly world: LedgerWorld;
  readonly #dice: Dice;
  readonly #stays = new Map<string, StayDraft>();
  readonly #entries = new Map<number, EntryDraft>();
  #closed = '2026-10';

  constructor(world: LedgerWorld, dice: Dice) {
    this.world = world;
    this.#dice = dice;
  }

  get today(): string {
    return dateIn('Europe/Berlin', this.world.clock.now());
  }

  async step(): Promise<void> {
    const dice = this.#dice;
    const chance = dice.between(1, 100);
    if (chance <= 25 || this.#stays.size === 0) return this.#book();
    if (chance <= 50) return this.#enter();
    if (chance <= 60) return this.#change();
    if (chance <= 68) return this.#move();
    if (chance <= 73) return this.#remove();
    if (chance <= 80) return this.#stayAgain();
    if (chance <= 90) return this.world.clock.jump(dice.between(1, 9) * 86_400_000);
    if (chance <= 95) return this.#close();
    return this.#payout();
  }

  async #book(): Promise<void> {
    const dice = this.#dice;
    const code = `R${dice.between(1, 40)}`;
    const from = addDays(this.today, dice.between(-40, 40));
    const cancelled = dice.percent(15) ? { status: 'cancelled', cancelled: addDays(from, -1) } : {};
    const deposit = dice.percent(40) ? { deposit: { paid: 9_000, pending: dice.pick([9_000, 0]) } } : {};
    const stay = {
      code,
      from,
      to: addDays(from, dice.between(1, 6)),
      channel: dice.pick(['direct', 'marketplace_a', 'marketplace_c']),
      property: dice.between(1, 4),
      currency: dice.pick(CURRENCIES),
      rate: dice.between(10_000, 90_000),
      commission: dice.between(0, 2_000),
      tax: dice.between(0, 500),
      ...cancelled,
      ...deposit,
    };
    this.#stays.set(code, stay);
    await this.world.stay(stay);
  }

  async #enter(): Promise<void> {
    const dice = this.#dice;
    const stay = this.#some(this.#stays);
    const isIncome = dice.percent(70);
    const id = dice.percent(30) ? dice.between(1, 9) : dice.between(10, 3_000);
    const entry: EntryDraft = {
      id,
      ...(stay && dice.percent(80) ? { code: stay.code } : { property: dice.between(1, 4) }),
      currency: stay?.currency ?? 'EUR',
      direction: isIncome ? 'income' : 'expense',
      item: isIncome ? dice.pick([1, 1, 2, 3, 4, 5, 99]) : dice.pick([11, 13, 14, 15, 16, 98]),
      ...(isIncome && { method: dice.pick([21, 22, 22]) }),
      amount: dice.between(1, 80_000),
      date: addDays(this.today, dice.between(-40, 10)),
    };
    this.#entries.set(id, entry);
    await this.world.entry(entry);
  }

  async #change(): Promise<void> {
    const entry = this.#some(this.#entries);
    if (entry) await this.#put({ ...entry, amount: entry.amount + this.#dice.between(1, 99) });
  }

  /** To another booking, and now and then to none. */
  async #move(): Promise<void> {
    const entry = this.#some(this.#entries);
    const stay = this.#some(this.#stays);
    if (!entry || !stay) return;
    const { code: _, ...loose } = entry;
    await this.#put(this.#dice.percent(25) ? loose : { ...loose, code: stay.code });
  }

  async #put(entry: EntryDraft): Promise<void> {
    this.#entries.set(entry.id, entry);
    await this.world.entry(entry);
  }

  async #remove(): Promise<void> {
    const entry = this.#some(this.#entries);
    if (entry) await this.world.remove(entry.id);
  }

  async #stayAgain(): Promise<void> {
    const stay = this.#some(this.#stays);
    if (!stay) return;
    const changed = this.#dice.pick<Partial<StayDraft>>([
      { to: addDays(stay.to, 1) },
      { deposit: { paid: 9_000, deducted: 1_000, pending: 0 } },
      { status: 'cancelled', cancelled: this.today },
      { rate: (stay.rate ?? 0) + 500 },
    ]);
    const next = { ...stay, ...changed };
    this.#stays.set(stay.code, next);
    await this.world.stay(next);
  }

  /** The last month, where nothing speaks against it; or opens the newest closed one again. */
  async #close(): Promise<void> {
    const { exports } = this.world;
    await this.world.reconciled();
    const period = addDays(`${this.today.slice(0, 7)}-01`, -1).slice(0, 7);
    if (this.#dice.percent(15)) {
      if (this.#closed > '2026-10') await exports.reopen({ period: this.#closed, reason: 'a test' }).catch(quiet);
      return;
    }
    try {
      await exports.close({ period, soft: false }, quiet);
      this.#closed = period;
    } catch (error) {
      assert.match(String(error), /cannot be closed|is locked already/);
    }
  }

  async #payout(): Promise<void> {
    const entry = [...this.#entries.values()].find(({ method, currency }) => method === 22 && currency === 'EUR');
    if (!entry) return;
    const [whole, rest] = [Math.trunc(entry.amount / 100), String(entry.amount % 100).padStart(2, '0')];
    const { matches } = await pay(this.world, [`${this.today},${whole}.${rest},`]);
    const [match] = matches;
    if (match && this.#dice.percent(40)) {
      await this.world.exports.undoMatch({ payout: match.id, reason: 'a test' });
    }
  }

  #some<Value>(all: ReadonlyMap<unknown, Value>): Value | undefined {
    return [...all.values()][this.#dice.between(0, all.size - 1)];
  }
}

/** What an order gives: the report, and its entries or the bytes of its files. */
async function given(world: LedgerWorld, location: StoreLocation, over: Partial<Order> & { kind: 'book' | 'write' }) {
  let pages = 0;
  const at = watchedMoment((text) => {
    if (text.includes('(select reservation_code as code from reservations')) pages += 1;
  });
  const folder = mkdtempSync(join(tmpdir(), 'stayd-kept-'));
  const reports: BooksReport[] = [];
  const entries: EmittedEntry[] = [];
  const order = {
    location,
    connection: CONNECTION,
    settings: world.settings,
    now: world.clock.now(),
    ...(over.kind === 'write' && {
      job: 'jsonl',
      mode: 'full',
      format: 'jsonl',
      options: {},
      folder,
      previous: [],
    }),
    ...over,
  } as Order;
  try {
    const result = await workAt(at, order, {
      onProgress: quiet,
      onReport: async (report) => void reports.push(report),
      onEntries: async (some) => void entries.push(...some),
    });
    const written = result.kind === 'written' ? result.files.map(({ draft }) => readFileSync(draft, 'utf8')) : [];
    return { pages, all: { reports, entries, written } };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function compare(life: Life, dice: Dice, location: StoreLocation): Promise<number> {
  const { world } = life;
  const from = addDays(FIRST_DAY, dice.between(-1, 100));
  const days = { from, to: addDays(from, dice.between(0, 120)) };
  const corrections: CorrectionPolicy = dice.pick(['reverse_and_rebook', 'adjust']);
  const order = dice.percent(50)
    ? ({ kind: 'book', ...days } as const)
    : ({ kind: 'write', corrections, ...days } as const);
  const kept = await given(world, location, order);
  const fresh = await given(world, location, { ...order, fromScratch: true });
  assert.deepEqual(kept.all, fresh.all, JSON.stringify(order));
  assert.ok(fresh.pages > 0);
  return kept.pages === 0 ? 1 : 0;
}

async function lives(seed: number, database?: string): Promise<{ fromKept: number; compared: number }> {
  const dice = seededDice(seed);
  const world = await openLedger({
    settings: ownersBook,
    now: `${FIRST_DAY}T10:00:00.000Z`,
    ...(database !== undefined && { database }),
  });
  const location: StoreLocation =
    database === undefined
      ? { kind: 'sqlite', file: join(world.folder, '..', 'mirror.db') }
      : { kind: 'postgres', url: database, schema: 'mirror' };
  const life = new Life(world, dice);
  let [fromKept, compared] = [0, 0];
  try {
    for (const id of [1, 2, 3, 4]) await world.property(id, `House ${id}`);
    await world.exports.keep(CONNECTION);
    for (let step = 0; step < STEPS; step += 1) {
      await life.step();
      if (dice.percent(20)) await world.exports.keep(CONNECTION);
      if (!dice.percent(25)) continue;
      compared += 1;
      fromKept += await compare(life, dice, location);
    }
    // Booked bit by bit, the rows are what they are when all are booked at once.
    await world.exports.keep(CONNECTION);
    assert.equal((await world.exports.book(undefined, quiet)).changed, 0);
    assert.equal((await world.exports.verify(undefined, quiet)).differs, false);
  } finally {
    await world.close();
  }
  return { fromKept, compared };
}

describe('kept books', () => {
  it('an export from them is the same as from everything booked from scratch, whatever happened since', async () => {
    let [fromKept, compared] = [0, 0];
    for (let seed = 1; seed <= 8; seed += 1) {
      const one = await lives(seed);
      fromKept += one.fromKept;
      compared += one.compared;
    }
    assert.ok(fromKept > compared / 2, `${fromKept} of ${compared} from the kept books`);
  });
});

describe('a ledger entry that moved to another reservation after its month was closed', () => {
  it('is reversed there, booked here with the next version, and leaves what was sealed as it was', async () => {
    const world = await openLedger({ settings: ownersBook, now: '2026-12-05T10:00:00.000Z' });
    try {
      await world.property(4, 'House');
      for (const code of ['A', 'B']) {
        await world.stay({ code, property: 4, from: '2026-11-10', to: '2026-11-12', rate: 20_000 });
      }
      const entry = { id: 1, code: 'A', item: 3, amount: 20_000, date: '2026-11-05' };
      await world.entry(entry, { ...entry, id: 2, code: 'B' });
      await world.reconciled();
      await world.exports.close({ period: '2026-11', soft: false }, quiet);
      await world.entry({ ...entry, code: 'B' });
      const location: StoreLocation = { kind: 'sqlite', file: join(world.folder, '..', 'mirror.db') };
      const { all } = await given(world, location, { kind: 'book', from: '2026-11-01', to: '2026-12-31' });
      const own = all.entries.filter((one) => one.base === 't1').map(({ entry: { id }, group }) => `${group} ${id}`);
      const ids = all.entries.map((one) => one.entry.id);
      assert.equal(new Set(ids).size, ids.length);
      assert.ok(own.includes('rA t1-1') && own.includes('rA t1-1-rev') && own.includes('rB t1-2'), own.join());
      const { periods, differs } = await world.exports.verify(undefined, quiet);
      assert.deepEqual([periods.map(({ problem }) => problem), differs], [[null], false]);
      await world.exports.keep(CONNECTION);
      // A damaged row of the kept books shows.
      await world.store.db.updateTable('book_postings').set({ amount_minor: 1 }).where('posting', '=', 1).execute();
      assert.equal((await world.exports.verify(undefined, quiet)).differs, true);
    } finally {
      await world.close();
    }
  });
});

describeOnPostgres('kept books on PostgreSQL', () => {
  it('an export from them is the same as from everything booked from scratch', async () => {
    const server = await startPostgres();
    try {
      const { fromKept } = await lives(21, await server.freshDatabase());
      assert.ok(fromKept > 0);
    } finally {
      await server.stop();
    }
  });
});
