import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { readReport } from '../../src/reports/read.ts';
import { reports } from '../../src/reports/catalog.ts';
import { CONNECTION, openWorld } from '../support/mirror.ts';
import { makeStay, makeTransaction } from '../support/rows.ts';
import { Truth } from '../support/truth.ts';

test('every report answers over rows of which nothing is known but their names', async (t) => {
  const truth = new Truth();
  for (const id of [1, 2, 3]) {
    const { stay_code, reservation_code, check_in_date, check_out_date } = makeStay(id);
    truth.put({ id, stay_code, reservation_code, check_in_date, check_out_date } as never);
    truth.transactions.set(id, { id, action_at: makeTransaction(id).action_at } as never);
  }
  const w = await openWorld({ truth });
  t.after(() => w.close());
  const stays = await w.store.db.selectFrom('stays').select(['stay_code', 'nights', 'property_id']).execute();
  assert.equal(stays.length, 3);
  const sums = { occupancy: 0 };
  for (const report of reports.filter(({ books }) => !books)) {
    for (const property of [undefined, 'all'] as const) {
      const asked = report.filters.property ? { property } : {};
      const ask = async <Row>(text: string, values: readonly string[]) => {
        const literal = text.replaceAll(/\$(\d+)/g, (_, index) => `'${values[Number(index) - 1]}'`);
        return (await sql.raw<Row>(literal).execute(w.store.db)).rows;
      };
      const { rows } = await readReport(ask, { report, connection: CONNECTION, asked, now: w.clock.now() });
      for (const row of rows) {
        // Nothing is known to have been sold, nor to have been paid.
        for (const [name, value] of Object.entries(row)) {
          if (/nights_sold|^revenue|^received/.test(name)) assert.ok(!value, `${report.name}.${name}: ${value}`);
        }
      }
      sums.occupancy += rows.length;
    }
  }
  assert.ok(sums.occupancy > 0);
});
