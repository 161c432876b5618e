import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { addDays, instantOf } from '../../src/kernel/dates.ts';
import { seededDice } from '../../src/kernel/seeded.ts';
import { hotelCsv } from '../imports/support/hotel.ts';
import { call, dataDirectory, newToken, portal, rowsOf, settled, until, v3 } from '../support/service.ts';
import { run, startProcess, stayd } from './support/process.ts';
import { assertSameRows } from './support/sameRows.ts';

const KILLS = 6;

describe('a service that is killed while bookings are made', () => {
  const dataDir = dataDirectory();
  const reached = { url: '', secret: '', dataDir, databaseUrl: null };
  after(() => rmSync(dataDir, { recursive: true, force: true }));

  it('loses nothing that was acknowledged, and the mirror comes to equal the core', async () => {
    const random = seededDice(5).fraction;
    const today = instantOf(Date.now()).slice(0, 10);
    const answered: string[] = [];
    let night = 0;
    let token: string | undefined;
    let property = 0;
    for (let round = 0; round < KILLS; round += 1) {
      const service = await startProcess(dataDir);
      token ??= await newToken(service);
      property ||= (await v3(service, token, 'POST', '/properties', { name: 'House' })).property_id;
      const killAt = performance.now() + 50 + random() * 700;
      let alive = true;
      const own = token;
      const clients = Array.from({ length: 4 }, async () => {
        while (alive) {
          night += 1;
          const body = {
            property_id: property,
            check_in_date: addDays(today, night),
            check_out_date: addDays(today, night + 1),
            guest_name: 'Ada',
            rate_amount: 100,
            commission_amount: 0,
            received_amount: 50,
          };
          // The connection breaks when the service is killed: then nobody knows what became of the booking.
          const answer = await call(service, 'POST', '/v3/reservations', { token: own, body }).catch(() => undefined);
          if (answer?.json?.error_code === 200) answered.push(answer.json.data.reservation_code);
          if (performance.now() > killAt && alive) {
            alive = false;
            await service.kill('SIGKILL');
          }
        }
      });
      await Promise.all(clients);
      await service.ended;
    }

    const last = await startProcess(dataDir);
    Object.assign(reached, last);
    await settled(last);
    for (const half of ['core', 'mirror']) {
      const database = new Database(join(dataDir, `${half}.db`), { readonly: true });
      assert.equal(database.pragma('integrity_check', { simple: true }), 'ok', half);
      database.close();
    }
    const codes = new Set((await rowsOf(last, 'select reservation_code from core.reservations')).map(code));
    assert.ok(answered.length > KILLS, `${answered.length} bookings were answered`);
    assert.deepEqual(
      answered.filter((one) => !codes.has(one)),
      [],
      'every answered booking is in the core',
    );
    const lost = await rowsOf(
      last,
      `select event_id from core.deliveries where outcome = 'delivered'
         and event_id not in (select event_id from mirror.inbox)`,
    );
    assert.deepEqual(lost, [], 'every event the core calls delivered is in the inbox');
    const waiting = await rowsOf(last, 'select 1 from core.deliveries where outcome is null');
    assert.equal(waiting.length, 0);
    // What was delivered to nobody (the service died under it) is found by the scans of the next start.
    await assertSameRows((sql) => rowsOf(last, sql));
    const { resources } = await portal(last, 'POST', '/portal/verify', {});
    assert.deepEqual(
      resources.filter((one: { clean: boolean }) => !one.clean),
      [],
    );

    const second = await run(['start'], { STAYD_PORT: '0', STAYD_DATA_DIR: dataDir });
    assert.equal(second.code, 1);
    assert.match(second.stderr, /another stayd is running on .*stayd-service-/);
    assert.doesNotMatch(second.stderr, /\n\s+at /, 'no stack trace for a mistake of the operator');

    const begun = performance.now();
    assert.equal(await last.kill('SIGINT'), 0);
    assert.ok(performance.now() - begun < 10_000);
    assert.match(last.stdout(), /stopped/);
  });

  it('says so to the command that it worked for, which stores each row once when it is run again', async () => {
    const ROWS = 1_500;
    const file = join(dataDir, 'bookings.csv');
    // Fourteen stays of two nights after each other, again and again.
    const rows = Array.from({ length: ROWS }, (_, at) => ({ arrival_date_day_of_month: String(1 + 2 * (at % 14)) }));
    writeFileSync(file, hotelCsv(rows));
    const at = { STAYD_DATA_DIR: dataDir };
    const imported = ['import', 'bookings', file, '--mapping', 'hotel-bookings'];
    const killed = await startProcess(dataDir);
    const count = async () => (await rowsOf(killed, 'select 1 from core.reservations')).length;
    const before = await count();
    const cut = stayd(imported, at);
    await until(async () => (await count()) > before, 'the first rows of the file');
    await killed.kill('SIGKILL');
    assert.equal(await cut.ended, 1);
    assert.match(cut.stderr(), /the service stopped before the work was done\n.*run the command again/);
    assert.doesNotMatch(cut.stderr(), /\n\s+at /, 'no stack trace for what is not its fault');

    const service = await startProcess(dataDir);
    const again = await run(imported, at);
    assert.equal(again.code, 0, again.stderr);
    assert.equal(await count(), before + ROWS);
    assert.equal(await service.kill('SIGINT'), 0);
  });
});

function code(row: Record<string, unknown>): string {
  return String(row['reservation_code']);
}
