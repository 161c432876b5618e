import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { eraseGuest } from '../../src/core/erasure/eraseGuest.ts';
import { importReservations, type ImportProgress, type ImportReport } from '../../src/imports/importReservations.ts';
import { SqliteLease } from '../../src/store/sqlite/sqlite.ts';
import { startCore, type TestAccount, type TestCore } from '../support/core.ts';
import { fileOf, freePath } from './support/files.ts';
import { hotelCsv, hotelMapping, type HotelRow } from './support/hotel.ts';

const resort: HotelRow = { hotel: 'Resort Hotel' };
const cancelled: HotelRow = {
  is_canceled: '1',
  reservation_status: 'Canceled',
  reservation_status_date: '2016-06-30',
};

describe('an import of bookings', () => {
  let core: TestCore;
  let own: TestAccount;
  beforeEach(async () => {
    core = await startCore();
    ({ own } = core);
  });
  afterEach(() => core.close());

  async function run(rows: readonly HotelRow[]): Promise<ImportReport & { progress: ImportProgress[] }> {
    const progress: ImportProgress[] = [];
    const report = await importReservations(
      core.core,
      { account: own.account, operator: null },
      { path: fileOf(hotelCsv(rows)), mapping: hotelMapping, rejectsPath: freePath('rejects.csv'), announce: true },
      (one) => void progress.push(one),
      new AbortController().signal,
    );
    return { ...report, progress };
  }

  const held = () =>
    core.core.store.db
      .selectFrom('stays')
      .innerJoin('properties', 'properties.id', 'stays.property_id')
      .where('stays.status', '=', 'accepted')
      .select('properties.name')
      .orderBy('stays.id')
      .execute()
      .then((rows) => rows.map((row) => row.name));

  it('tells how much of the file each of its two passes has read', async () => {
    const { progress } = await run(Array.from({ length: 2_500 }, () => cancelled));
    for (const phase of ['reading', 'storing'] as const) {
      const told = progress.filter((one) => one.phase === phase);
      assert.deepEqual(
        told.map((one) => one.rows),
        [500, 1_000, 1_500, 2_000, 2_500],
      );
      assert.ok(told.every(({ bytes, size }) => size > 100_000 && bytes > 0 && bytes <= size));
      assert.ok((told[0]?.bytes ?? 0) < (told.at(-1)?.bytes ?? 0), phase);
      assert.equal(told.at(-1)?.bytes, told.at(-1)?.size);
    }
  });

  it('begins with some 150 rows in a transaction, also when stays are long', async () => {
    const long = Array.from({ length: 12 }, (): HotelRow => ({ stays_in_week_nights: '60' }));
    const sizes: number[] = [];
    const { runEach } = SqliteLease.prototype;
    const { commit } = SqliteLease.prototype;
    let open = 0;
    SqliteLease.prototype.runEach = function (this: SqliteLease, ...given) {
      const changed = runEach.apply(this, given as Parameters<typeof runEach>);
      open += changed;
      return changed;
    } as typeof runEach;
    SqliteLease.prototype.commit = function () {
      sizes.push(open);
      open = 0;
      commit.call(this);
    };
    try {
      assert.equal((await run(long)).created, 12);
    } finally {
      Object.assign(SqliteLease.prototype, { runEach, commit });
    }
    const batches = sizes.filter((size) => size > 100);
    assert.ok(batches.length > 1 && Number(batches[0]) <= 200, sizes.join());
  });

  it('names no file of refused rows when none was refused', async () => {
    const clean = await run([{}]);
    assert.deepEqual([clean.totals.rejected.rows, clean.rejects_file], [0, null]);
    const broken = await run([{}, { adults: '0' }]);
    assert.equal(broken.totals.rejected.rows, 1);
    assert.ok(existsSync(broken.rejects_file ?? ''));
  });

  it('plans round a booking that was moved to another pool since', async () => {
    assert.equal((await run([{}, resort])).created, 2);
    const { property_id } = await core.call('createProperty', { name: 'Resort Hotel 2' });
    await moveFirstStayTo(property_id);
    const report = await run([{}, resort, resort, {}]);
    assert.deepEqual(report.conflicts, []);
    assert.deepEqual([report.created, report.unchanged], [2, 2]);
    assert.deepEqual(await held(), ['Resort Hotel 2', 'Resort Hotel 1', 'Resort Hotel 3', 'City Hotel 1']);
  });

  it('plans round bookings whose rows are refused by now or gone from the file', async () => {
    assert.equal((await run([{}, {}, {}])).created, 3);
    const report = await run([{}, { adults: '0' }]);
    assert.deepEqual([report.created, report.unchanged], [0, 1]);
    const again = await run([{}, { adults: '0' }, {}, {}]);
    assert.deepEqual([again.conflicts, again.created], [[], 1]);
    assert.deepEqual(await held(), ['City Hotel 1', 'City Hotel 2', 'City Hotel 3', 'City Hotel 4']);
  });

  it('leaves a booking alone whose guest was erased, and keeps no hash of who they were', async () => {
    await run([{}]);
    const { db } = core.core.store;
    const { reservation_code } = await db
      .selectFrom('import_rows')
      .select('reservation_code')
      .executeTakeFirstOrThrow();
    await eraseGuest(core.core, { account: own.account, operator: null }, { by: 'reservation_code', reservation_code });
    const rows = await db.selectFrom('import_rows').select('row_hash').execute();
    assert.deepEqual(rows, [{ row_hash: '' }]);
    const report = await run([{}]);
    assert.deepEqual([report.created, report.changed_rows], [0, 1]);
    const guests = await db.selectFrom('guests').select('name').execute();
    assert.ok(!guests.some(({ name }) => name === 'Guest 1'));
  });

  /** What allocating a stay again leaves in the tables. */
  async function moveFirstStayTo(property_id: number): Promise<void> {
    await core.change(own.account, async ({ trx }) => {
      const { id } = await trx.selectFrom('stays').select('id').orderBy('id').executeTakeFirstOrThrow();
      await trx.updateTable('stays').set({ property_id }).where('id', '=', id).execute();
      await trx.updateTable('nights').set({ property_id }).where('stay_id', '=', id).execute();
    });
  }
});
