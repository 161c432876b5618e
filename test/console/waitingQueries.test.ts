import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { sql } from 'kysely';
import { payoutState, readBalances } from '../../src/console/money/query.ts';
import { findStay, readAround } from '../../src/console/stay/query.ts';
import { countWaiting, readWaiting } from '../../src/console/today/waiting.ts';
import type { MirrorStore } from '../../src/sync/tables/database.ts';
import { onBothMirrors } from '../support/mirrorStores.ts';

const TODAY = '2027-03-10';
const AT = '2027-03-01T00:00:00Z';
const facts = { read_number: 1, first_seen_at: AT, changed_at: AT, raw: '{}' };
const connection = 'local';

function cases(open: () => MirrorStore): void {
  const put = async (code: string, from: string, to: string, more: object) => {
    const row = { connection, stay_code: code, reservation_code: code, property_id: 1, status: 'accepted', ...facts };
    const stay = { ...row, check_in_date: from, check_out_date: to, ...more };
    await open()
      .db.insertInto('stays')
      .values(stay as never)
      .execute();
  };
  const codes = async (wait: Parameters<typeof readWaiting>[2], properties?: number[]) =>
    (await readWaiting(open().db, { connection, today: TODAY, properties }, wait)).map(({ stay_code }) => stay_code);

  before(async () => {
    for (const [id, name] of [
      [1, 'Sea House'],
      [2, 'Barn'],
    ] as const) {
      const property = { connection, id, name, status: 'active', ...facts };
      await open()
        .db.insertInto('properties')
        .values(property as never)
        .execute();
    }
    await put('asks-later', '2027-04-01', '2027-04-03', { status: 'wait_accept' });
    await put('asks', '2027-03-20', '2027-03-22', { status: 'wait_accept', property_id: 2 });
    await put('boxed', '2027-03-12', '2027-03-14', { property_id: 0, in_reservation_box: 1 });
    await put('unknown', TODAY, '2027-03-12', { id_required: 'required' });
    await put('known', TODAY, '2027-03-12', { id_required: 'required', property_id: 2 });
    await put('far', '2027-05-01', '2027-05-03', { id_required: 'required' });
    await put('held', '2027-03-01', '2027-03-05', { deposit_pending_refund_minor: 5_000 });
    await put('held-in-house', '2027-03-09', '2027-03-15', { deposit_pending_refund_minor: 5_000 });
    await put('held-cancelled', '2027-06-01', '2027-06-05', { deposit_pending_refund_minor: 1, status: 'cancelled' });
    await put('elsewhere', '2027-03-01', '2027-03-05', { connection: 'other', deposit_pending_refund_minor: 1 });
    const identity = { connection, stay_code: 'known', guest_key: '7', id_number: 'X1' };
    await open()
      .db.insertInto('guests')
      .values(identity as never)
      .execute();
    await open()
      .db.insertInto('stay_nights')
      .values({ connection, stay_code: 'known', night: '2027-03-13', property_id: 2, status: 'accepted' } as never)
      .execute();
    for (const [code, from, balance] of [
      ['later', '2027-05-01', 100],
      ['sooner', '2027-04-01', 200],
      ['paid', '2027-03-01', 0],
    ] as const) {
      const row = { connection, reservation_code: code, stays: 1, status: 'accepted', check_in_date: from, ...facts };
      const { raw: _, ...reservation } = { ...row, balance_minor: balance, currency: 'EUR' };
      await open()
        .db.insertInto('reservations')
        .values(reservation as never)
        .execute();
    }
  });

  it('lists what waits, the most urgent first, and counts the same', async () => {
    assert.deepEqual(await codes('requests'), ['asks', 'asks-later']);
    assert.deepEqual(await codes('box'), ['boxed']);
    assert.deepEqual(await codes('identity'), ['unknown']);
    assert.deepEqual(await codes('deposits'), ['held', 'held-cancelled']);
    assert.deepEqual(await countWaiting(open().db, { connection, today: TODAY }), {
      requests: 2,
      box: 1,
      identity: 1,
      deposits: 2,
    });
  });

  it('keeps to the properties of a person', async () => {
    assert.deepEqual([await codes('requests', [2]), await codes('box', [2])], [['asks'], []]);
    assert.deepEqual([await codes('identity', [2]), await codes('deposits', [])], [[], []]);
    const found = (properties: number[]) => findStay(open().db, { connection, code: 'asks', properties });
    assert.deepEqual([(await found([1])).length, (await found([2])).length], [0, 1]);
  });

  it('offers the properties that are free for every night of a stay', async () => {
    const [stay] = await findStay(open().db, { connection, code: 'boxed' });
    assert.ok(stay);
    const names = async () => (await readAround(open().db, { connection, stay })).free.map(({ name }) => name);
    assert.deepEqual(await names(), ['Sea House']);
    const closed = { connection, property_id: 1, date: '2027-03-12', available: 0, remarks: 'paint' };
    await open().db.insertInto('availability_days').values(closed).execute();
    assert.deepEqual(await names(), []);
  });

  it('notices every payout that is matched, and every one that is undone', async () => {
    const state = async () => JSON.stringify(await payoutState(open().db, { connection }));
    const seen = [await state()];
    const payout = { connection, payout_id: 'P1', group_code: 'G1', date: '2027-03-01', bank: 'Assets:Bank' };
    const more = { account: 'Assets:Clearing:A', amount_minor: 100, currency: 'EUR', matched_by: 'hand' };
    const at = '2027-03-02T00:00:00.000Z';
    await open()
      .db.insertInto('payouts')
      .values({ ...payout, ...more, matched_at: at, undone_at: null, undone_reason: null } as never)
      .execute();
    seen.push(await state());
    await open()
      .db.updateTable('payouts')
      .set({ undone_at: '2027-03-03T00:00:00.000Z' } as never)
      .execute();
    seen.push(await state());
    assert.equal(new Set(seen).size, 3);
  });

  it('lists open balances by their arrival, of a property, from a day on, page after page', async () => {
    const codesOf = async (asked: Partial<Parameters<typeof readBalances>[1]>) => {
      const { rows, hasMore } = await readBalances(open().db, { connection, ...asked });
      return [...rows.map(({ reservation_code }) => reservation_code), ...(hasMore ? ['more'] : [])];
    };
    assert.deepEqual(await codesOf({}), ['sooner', 'later']);
    assert.deepEqual(await codesOf({ property: 99 }), []);
    const [sooner, later] = (await readBalances(open().db, { connection })).rows;
    assert.ok(sooner?.check_in_date && later?.check_in_date);
    assert.deepEqual(await codesOf({ since: later.check_in_date }), ['later']);
    assert.deepEqual(await codesOf({ after: { arrival: sooner.check_in_date, code: 'sooner' } }), ['later']);

    const row = {
      connection,
      stays: 1,
      status: 'accepted',
      currency: 'EUR',
      property_id: 7,
      balance_minor: 1,
      ...facts,
    };
    const made = Array.from({ length: 60 }, (_, index) => {
      const { raw: _raw, ...reservation } = { ...row, reservation_code: `many-${String(index).padStart(2, '0')}` };
      // Three arrive on each day.
      return { ...reservation, check_in_date: `2027-05-${String(1 + Math.floor(index / 3)).padStart(2, '0')}` };
    });
    for (const one of made)
      await open()
        .db.insertInto('reservations')
        .values(one as never)
        .execute();
    const seen: string[] = [];
    for (let page: Awaited<ReturnType<typeof readBalances>> | undefined; page === undefined || page.hasMore;) {
      const last = page?.rows.at(-1);
      const after = last && { arrival: last.check_in_date ?? '', code: last.reservation_code };
      page = await readBalances(open().db, { connection, property: 7, after });
      seen.push(...page.rows.map(({ reservation_code }) => reservation_code));
      assert.ok(seen.length <= made.length);
    }
    assert.deepEqual(
      seen,
      made.map(({ reservation_code }) => reservation_code),
    );
  });
}

onBothMirrors('what waits for a person', cases, (open) => {
  it('finds held deposits by their own index, however many stays there are', async () => {
    const { rows } = await sql<{ detail: string }>`explain query plan select stay_code from stays
      where connection = 'local' and deposit_pending_refund_minor > 0 and deleted_at is null`.execute(open().db);
    assert.match(rows.map(({ detail }) => detail).join(), /stays_with_held_deposit/);
  });
});
