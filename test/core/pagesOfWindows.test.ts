import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { Kysely } from 'kysely';
import { reservationOrders } from '../../src/contract/reservations.ts';
import type { ReviewRow } from '../../src/core/conversations/rows.ts';
import type { CoreDatabase, StayRow } from '../../src/core/database.ts';
import { reservationPage } from '../../src/core/reservations/page.ts';
import { reviewPage } from '../../src/core/reviews/table.ts';
import { addDays } from '../../src/kernel/dates.ts';
import type { ReservationCode, StayCode } from '../../src/kernel/ids.ts';
import { insertMany } from '../../src/store/queries/insertMany.ts';
import type { StoreLocation } from '../../src/store/store.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';

/** Enough for windows that are scanned, for windows that are sorted, and for some between. */
const MANY = 3_000;
const DAYS = 500;
const FIRST_DAY = '2026-01-01';

/** Lists of windows from narrow to whole: each page must hold what a filter and a sort of everything gives. */
function pages(place: () => Promise<StoreLocation | undefined>): void {
  let core: TestCore;
  let db: Kysely<CoreDatabase>;
  let stays: StayRow[] = [];
  let reviews: ReviewRow[] = [];
  before(async () => {
    core = await startCore(await place());
    db = core.core.store.db;
    const { property_id } = await core.call('createProperty', { title: 'Mill' });
    await core.call('createReservation', {
      property_id,
      check_in_date: '2027-03-05',
      check_out_date: '2027-03-08',
      guest_name: 'A. Guest',
      rate_amount: 300,
      commission_amount: 0,
      received_amount: 10,
    });
    await core.core.store.transaction(async (trx) => {
      const stay = await trx.selectFrom('stays').selectAll().executeTakeFirstOrThrow();
      const reservation = await trx.selectFrom('reservations').selectAll().executeTakeFirstOrThrow();
      // In no order, and many of them at the same time.
      const dayOf = (id: number, step: number) => addDays(FIRST_DAY, (id * step) % DAYS);
      const ids = Array.from({ length: MANY }, (_, index) => 1_000 + index);
      const codeOf = (id: number) => `5-R${id}` as ReservationCode;
      const added = ids.map((id) => ({
        ...stay,
        id,
        stay_code: `5-S${id}` as StayCode,
        reservation_code: codeOf(id),
        check_in_date: dayOf(id, 37),
        check_out_date: addDays(dayOf(id, 37), 3),
        booked_at: `${dayOf(id, 91)}T00:00:00.000Z`,
        cancelled_at: id % 3 === 0 ? `${dayOf(id, 13)}T00:00:00.000Z` : null,
      }));
      const reviewed = added.map(({ account_id, id, reservation_code }) => ({
        account_id,
        reservation_code,
        id: 10_000 - id,
        stay_id: id,
        created_at: stay.created_at,
        host_review: null,
        guest_review: id % 4 === 0 ? null : '{}',
        host_reply: null,
      }));
      await insertMany(
        trx,
        'reservations',
        ids.map((id) => ({ ...reservation, reservation_code: codeOf(id), channel_id: `many ${id}` })),
      );
      await insertMany(trx, 'stays', added);
      await insertMany(trx, 'reviews', reviewed);
    });
    stays = await db.selectFrom('stays').selectAll().execute();
    reviews = await db.selectFrom('reviews').selectAll().execute();
  });
  after(() => core.close());

  const windows = fc
    .record({
      first: fc.integer({ min: -5, max: DAYS }),
      days: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: DAYS + 10 })),
      offset: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: MANY })),
      limit: fc.integer({ min: 1, max: 100 }),
      behind: fc.option(fc.integer({ min: 1_000, max: 9_500 }), { nil: undefined }),
    })
    .map(({ first, days, ...range }) => ({
      from: addDays(FIRST_DAY, first),
      to: addDays(FIRST_DAY, first + days),
      ...range,
    }));

  it('reservations by check-in, in each order, by offset and by cursor', async () => {
    const orders = fc.constantFrom(...reservationOrders, 'id' as const);
    await fc.assert(
      fc.asyncProperty(windows, orders, async ({ from, to, offset, limit, behind }, order) => {
        const matching = stays.filter((stay) => stay.check_in_date >= from && stay.check_in_date <= to);
        const key = (stay: StayRow) => (order === 'id' ? '' : (stay[order] ?? ''));
        const sorted = matching.toSorted((a, b) => (key(a) === key(b) ? b.id - a.id : key(a) < key(b) ? 1 : -1));
        const left = behind === undefined || order !== 'id' ? sorted : sorted.filter(({ id }) => id < behind);
        const found = await reservationPage(db, {
          accountId: core.own.account.account_id,
          visible: null,
          filters: { start_check_in_date: from, end_check_in_date: to },
          order,
          offset,
          limit,
          ...(order === 'id' && behind !== undefined && { before: behind }),
        });
        assert.deepEqual(
          found.keys,
          left.slice(offset, offset + limit).map(({ id }) => id),
        );
        if (left === sorted) assert.equal(found.total, sorted.length);
      }),
      { numRuns: 150 },
    );
  });

  it('reservations page after page, while some are booked at another time in between', async () => {
    const orders = fc.constantFrom(...reservationOrders);
    const steps = fc.array(
      fc.record({
        pages: fc.integer({ min: 1, max: 4 }),
        /** Undefined: goes on where the pages before have ended. */
        from: fc.option(fc.integer({ min: 0, max: MANY }), { nil: undefined }),
        changed: fc.option(fc.integer({ min: 1_000, max: 1_000 + MANY - 1 }), { nil: undefined }),
      }),
      { minLength: 1, maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(orders, steps, async (order, done) => {
        const key = (stay: StayRow) => stay[order] ?? '';
        const limit = 70;
        let offset = 0;
        for (const { pages: count, from, changed } of done) {
          const stay = stays.find(({ id }) => id === changed);
          if (stay) {
            stay.booked_at = `${addDays(FIRST_DAY, (stay.id * 7) % DAYS)}T01:00:00.000Z`;
            await db.updateTable('stays').set({ booked_at: stay.booked_at }).where('id', '=', stay.id).execute();
          }
          const sorted = stays.toSorted((a, b) => (key(a) === key(b) ? b.id - a.id : key(a) < key(b) ? 1 : -1));
          offset = from ?? offset;
          for (let page = 0; page < count; page += 1, offset += limit) {
            const { keys } = await reservationPage(db, {
              accountId: core.own.account.account_id,
              visible: null,
              filters: { start_check_out_date: FIRST_DAY },
              order,
              offset,
              limit,
            });
            assert.deepEqual(
              keys,
              sorted.slice(offset, offset + limit).map(({ id }) => id),
            );
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it('reviews by check-out, of each status, by offset and by cursor', async () => {
    const statuses = fc.constantFrom('reviewed', 'pending_guest_review', undefined);
    const stayOf = new Map(stays.map((stay) => [stay.id, stay]));
    await fc.assert(
      fc.asyncProperty(windows, statuses, async ({ from, to, offset, limit, behind }, status) => {
        const matching = reviews
          .filter(({ stay_id, guest_review }) => {
            const day = stayOf.get(stay_id)?.check_out_date ?? '';
            const isOf = status === undefined || (guest_review !== null) === (status === 'reviewed');
            return isOf && day >= from && day <= to;
          })
          .toSorted((a, b) => b.id - a.id);
        const left = behind === undefined ? matching : matching.filter(({ id }) => id < behind);
        const found = await reviewPage(db, {
          accountId: core.own.account.account_id,
          visible: null,
          status,
          from,
          to,
          offset,
          limit,
          ...(behind !== undefined && { before: behind }),
        });
        const expected = left.slice(offset, offset + limit).map(({ id }) => id);
        assert.deepEqual(found.keys, expected);
        assert.deepEqual(
          found.rows.map(({ id }) => id),
          expected,
        );
        assert.equal(found.total, matching.length);
      }),
      { numRuns: 150 },
    );
  });
}

describe('pages of windows on SQLite', () => pages(async () => undefined));

describeOnPostgres('pages of windows on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());
  pages(async () => ({ kind: 'postgres', url: await server.freshDatabase(), schema: 'core' }));
});
