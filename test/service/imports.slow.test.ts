import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { hotelCsv, hotelYaml, quirks, type HotelRow } from '../imports/support/hotel.ts';
import { seededDice } from '../../src/kernel/seeded.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { assertSameRows } from './support/sameRows.ts';

const ROWS = 150;
const MONTHS = ['January', 'March', 'June', 'July', 'October', 'December'];

/** The quirks of the real file among plain rows, the same each time. */
function someRows(): HotelRow[] {
  const random = seededDice(7).fraction;
  const below = (limit: number) => Math.floor(random() * limit);
  const plain = Array.from({ length: ROWS - quirks.length }, (): HotelRow => {
    const cancelled = random() < 0.3;
    return {
      hotel: random() < 0.5 ? 'City Hotel' : 'Resort Hotel',
      arrival_date_year: String(2015 + below(3)),
      arrival_date_month: MONTHS[below(MONTHS.length)] ?? 'July',
      arrival_date_day_of_month: String(1 + below(28)),
      stays_in_week_nights: String(1 + below(5)),
      lead_time: String(below(300)),
      adr: (random() * 200).toFixed(2),
      country: random() < 0.1 ? 'NULL' : 'PRT',
      ...(cancelled && {
        is_canceled: '1',
        reservation_status: 'Canceled',
        reservation_status_date: '2015-01-01',
        deposit_type: random() < 0.5 ? 'Non Refund' : 'No Deposit',
      }),
    };
  });
  return [...quirks, ...plain];
}

describe('a file of bookings imported into a running service', () => {
  let service: TestService;
  let file: string;
  const rows = someRows();

  before(async () => {
    service = await startTestService();
    file = join(service.dataDir, 'hotel.csv');
    writeFileSync(file, hotelCsv(rows));
    await service.settled();
  });
  after(() => service.remove());

  const run = (more: object = {}) =>
    service.portal('POST', '/portal/imports/bookings', {
      path: file,
      rejects_path: `${file}.rejects.csv`,
      mapping: hotelYaml,
      mapping_name: 'hotel-bookings.yaml',
      ...more,
    });
  const sum = async (what: string, where: string): Promise<number> =>
    Number((await service.rows(`select ${what} as total from mirror.stays where ${where}`))[0]?.['total'] ?? 0);

  it('stores what can be stored, writes down what cannot, and adds both up', async () => {
    const report = await run();
    const { totals } = report;
    assert.equal(report.complete, true);
    assert.deepEqual(report.conflicts, []);
    assert.deepEqual([totals.rows, totals.rejected.rows], [ROWS, 4]);
    assert.deepEqual(totals.rejected.reasons, { 'zero nights': 2, 'no guests': 2, 'negative rate': 1 });
    assert.equal(report.created, ROWS - 4);
    assert.equal(totals.held.bookings + totals.cancelled.bookings, ROWS - 4);
    const rejects = readFileSync(report.rejects_file, 'utf8').trim().split('\r\n');
    assert.deepEqual(
      rejects.slice(1).map((line) => Number(line.split(',')[0])),
      [11, 12, 13, 14],
    );
  });

  it('its events bring the mirror up to it; SQL over the mirror gives the totals of the report', async () => {
    await service.settled();
    // Properties and their calendars come without an event of their own.
    await service.portal('POST', '/portal/reconcile', {});
    await service.settled();
    const report = await run();
    const { held, cancelled } = report.totals;
    assert.equal(await sum('count(*)', "status = 'accepted'"), held.bookings);
    assert.equal(await sum('sum(nights)', "status = 'accepted'"), held.nights);
    assert.equal(await sum('sum(rate_minor)', "status = 'accepted'"), minor(held.amount.EUR));
    assert.equal(await sum('count(*)', "status = 'cancelled'"), cancelled.bookings);
    assert.equal(await sum('sum(nights)', "status = 'cancelled'"), cancelled.nights);
    assert.equal(await sum('sum(rate_minor)', "status = 'cancelled'"), minor(cancelled.amount.EUR));
    const [{ total } = {}] = await service.rows('select sum(amount_minor) as total from mirror.transactions');
    assert.equal(total, minor(held.income.EUR) + minor(cancelled.income.EUR));
    assert.equal((await service.portal('POST', '/portal/verify', {})).clean, true);
    await assertSameRows(service.rows);
  });

  it('a second run of the same file changes nothing', async () => {
    const stored = async () => JSON.stringify(await service.rows('select * from core.stays order by id'));
    const before = await stored();
    const report = await run();
    assert.deepEqual([report.created, report.unchanged, report.changed_rows], [0, ROWS - 4, 0]);
    assert.equal(await stored(), before);
  });

  it('a row that says something else now is named and left as it is', async () => {
    const changed = rows.map((row, index) => (index === 1 ? { ...row, adr: '999' } : row));
    writeFileSync(file, hotelCsv(changed));
    const stored = async () => JSON.stringify(await service.rows('select * from core.reservations order by 1, 2'));
    const before = await stored();
    const report = await run();
    assert.deepEqual([report.created, report.unchanged, report.changed_rows], [0, ROWS - 5, 1]);
    assert.equal(report.changed[0].line, 3);
    assert.equal(await stored(), before);
  });

  it('imported silently: no event tells of it, and one reconcile finds it all', async () => {
    const silent = await startTestService();
    try {
      await silent.settled();
      const report = await silent.portal('POST', '/portal/imports/bookings', {
        path: file,
        rejects_path: `${file}.silent.csv`,
        mapping: hotelYaml,
        mapping_name: 'hotel-bookings.yaml',
        events: false,
      });
      assert.equal(report.created, ROWS - 4);
      const [{ total } = {}] = await silent.rows('select count(*) as total from core.outbox');
      assert.equal(total, 0);
      assert.equal((await silent.rows('select 1 from mirror.stays')).length, 0);
      await silent.portal('POST', '/portal/reconcile', {});
      await silent.settled();
      await assertSameRows(silent.rows);
      assert.equal((await silent.portal('POST', '/portal/verify', {})).clean, true);
    } finally {
      await silent.remove();
    }
  });
});

function minor(decimal: string): number {
  return Math.round(Number(decimal) * 100);
}
