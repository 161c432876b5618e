import assert from 'node:assert/strict';
import { after, before, describe, it, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { type BookedEntry, referenceOf } from '../../../src/exports/journal/book.ts';
import { Funds } from '../../../src/exports/journal/funds.ts';
import { work } from '../../../src/exports/run/work.ts';
import { bookWith, type LedgerWorld, openLedger } from '../support/ledger.ts';
import { figures, quiet } from './support.ts';

const MINUTE_MS = 60_000;
/** Longer than it rests, however long it took. */
const HOUR_MS = 60 * MINUTE_MS;

describe('keeping the books', () => {
  let world: LedgerWorld;
  before(async () => {
    world = await openLedger({ settings: bookWith(), keepMinutes: 10 });
    await world.property(1, 'Sea View');
    await world.stay({ code: 'A', from: '2027-03-05', to: '2027-03-08', rate: 30_000 });
    await world.entry({ id: 1, code: 'A', amount: 30_000, date: '2027-02-01' });
    await world.entry({ id: 2, direction: 'expense', property: 1, amount: 2_500, date: '2027-03-20' });
  });
  after(() => world.close());

  const kept = () => world.store.db.selectFrom('books').selectAll().executeTakeFirst();
  const bank = async () =>
    (await figures(world, 'trial-balance', 'account closing_minor', { by: 'all' })).find(
      ([account]) => account === 'Assets:Bank',
    )?.[1];
  /** It has looked, and waits for the next time. */
  const looked = () => world.idle();
  it('is done by itself a minute after the start, and again only once something has changed', async () => {
    world.exports.start();
    await world.clock.advance(MINUTE_MS);
    await looked();
    assert.equal(await bank(), 27_500);
    const first = await kept();
    await world.clock.advance(HOUR_MS);
    await looked();
    assert.deepEqual(await kept(), first);
    await world.entry({ id: 3, amount: 1_000, item: 3, date: '2027-04-01' });
    await world.clock.advance(HOUR_MS);
    await looked();
    assert.deepEqual([(await kept())?.seq, await bank()], [(first?.seq ?? 0) + 1, 28_500]);
  });

  it('writes what differs, and takes away what is gone', async () => {
    await world.entry({ id: 2, direction: 'expense', property: 1, amount: 2_600, date: '2027-03-20' });
    await world.remove(3);
    const { changed, entries } = await world.exports.book(undefined, quiet);
    assert.deepEqual([changed, entries, await bank()], [2, 3, 27_400]);
    await world.store.db.deleteFrom('transactions').where('id', '=', 2).execute();
    assert.equal((await world.exports.book(undefined, quiet)).changed, 1);
    assert.equal(await bank(), 30_000);
    const groups = await world.store.db.selectFrom('book_groups').select('group_key').orderBy('group_key').execute();
    assert.deepEqual(
      groups.map(({ group_key }) => group_key),
      ['rA'],
    );
  });

  it('finds what differs among more groups than are compared in one question', async () => {
    const many = await openLedger({ settings: bookWith() });
    const changed = async () => (await many.exports.book(undefined, quiet)).changed;
    const draft = (id: number) => ({ id, amount: 100 + id, item: 3, date: '2027-02-01' });
    await many.entry(...Array.from({ length: 230 }, (_, index) => draft(index + 1)));
    for (const code of ['A', 'B', 'C']) await many.stay({ code, from: '2027-03-05', to: '2027-03-08', rate: 30_000 });
    assert.equal(await changed(), 233);
    assert.equal(await changed(), 0);
    await many.entry({ ...draft(7), amount: 1 }, { ...draft(230), amount: 1 });
    await many.store.db.deleteFrom('transactions').where('id', '=', 100).execute();
    for (const table of ['stays', 'reservations'] as const) {
      await many.store.db.deleteFrom(table).where('reservation_code', '=', 'B').execute();
    }
    assert.equal(await changed(), 4);
    const left = await many.store.db.selectFrom('book_groups').select('group_key').execute();
    const keys = new Set(left.map(({ group_key }) => group_key));
    assert.deepEqual([keys.size, keys.has('t100'), keys.has('rB'), keys.has('rC')], [231, false, false, true]);
    assert.equal(await changed(), 0);
    await many.close();
  });

  it('holds no moment of the mirror while it is written, so that what is written does not gather beside it', async () => {
    let gathered: unknown;
    const own = await openLedger({
      carryOut: (order, listener) =>
        work(order, {
          ...listener,
          async onLot(lot) {
            await listener.onLot?.(lot);
            const { rows } = await sql`pragma wal_checkpoint(truncate)`.execute(own.store.db);
            [gathered] = rows;
          },
        }),
    });
    try {
      await own.entry({ id: 1, amount: 1_000, item: 3, date: '2027-04-01' });
      await own.exports.book(undefined, quiet);
      assert.deepEqual(gathered, { busy: 0, log: 0, checkpointed: 0 });
    } finally {
      await own.close();
    }
  });

  it('a setting that changes an account changes what is kept', async () => {
    world.settings = bookWith({ classes: { accommodation: { account: 'Income:Rent' } } });
    await world.reopen();
    await world.exports.book(undefined, quiet);
    const accounts = await figures(world, 'profit-and-loss', 'account net_minor', { by: 'all' });
    assert.deepEqual(accounts, [['Income:Rent', 30_000]]);
  });
});

/** An entry that moves an amount from one account to another. */
function entryOf(id: number, from: string, to: string, amount: number): BookedEntry {
  const line = { currency: 'EUR', propertyId: null };
  const postings = [
    { account: to, amount, ...line },
    { account: from, amount: 0 - amount, ...line },
  ];
  const entry = {
    id: `t${id}-1`,
    reference: referenceOf('local', `t${id}-1`),
    date: '2027-03-01',
    originalDate: null,
    kind: 'receipt' as const,
    source: { kind: 'transaction' as const, id: String(id) },
    revision: 1,
    corrects: null,
    payee: '',
    description: '',
    reservation: null,
    stay: null,
    channel: null,
    postings,
  };
  return { entry, base: `t${id}`, suffix: '' };
}

const ACCOUNTS = ['Bank', 'Owner', 'Guests', 'Other'] as const;

test('funds: short exactly where less is held than owed, and negative exactly where an owner has had too much', () => {
  const moves = fc.array(
    fc.tuple(fc.constantFrom(...ACCOUNTS), fc.constantFrom(...ACCOUNTS), fc.integer({ min: 1, max: 1_000 })),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(moves, fc.boolean(), (all, holds) => {
      const funds = new Funds({
        ownerOf: (account) => (account === 'Owner' ? 'smith' : undefined),
        isTrust: (account) => account === 'Bank',
        isOwed: (account) => account === 'Owner' || account === 'Guests',
        holds,
      });
      const balance = (account: string) =>
        all.reduce(
          (sum, [from, to, amount]) => sum + (to === account ? amount : 0) - (from === account ? amount : 0),
          0,
        );
      for (const [id, [from, to, amount]] of all.entries()) funds.add([entryOf(id, from, to, amount)], '2027-03-31');
      funds.add([entryOf(99, 'Bank', 'Other', 1_000_000)], '2027-02-28');
      const found = new Set(funds.exceptions('2027-03-31').map(({ kind }) => kind));
      const owed = 0 - balance('Owner') - balance('Guests');
      assert.equal(found.has('owner_negative'), balance('Owner') > 0);
      assert.equal(found.has('trust_short'), holds && owed > 0 && balance('Bank') < owed);
    }),
  );
});
