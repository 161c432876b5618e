import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import type { VerifyReport } from '../../../src/sync/scans/verify/verify.ts';
import { availabilityEvent, reservationEvent, transactionEvent } from '../../support/events.ts';
import { CONNECTION, openWorld, type World } from '../../support/mirror.ts';
import { seededDice } from '../../../src/kernel/seeded.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { makeProperty, makeStay, makeTransaction } from '../../support/rows.ts';
import { Truth } from '../../support/truth.ts';

describeOnPostgres('the daemon on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());

  async function world(t: TestContext, fill: (truth: Truth) => void = () => {}): Promise<World> {
    const truth = new Truth();
    fill(truth);
    const opened = await openWorld({ truth, database: await server.emptyDatabase() });
    t.after(() => opened.close());
    return opened;
  }

  async function verify(w: World): Promise<VerifyReport> {
    let report: VerifyReport | undefined;
    void w.daemon.verify(CONNECTION).then((done) => (report = done));
    await w.clock.until(() => report !== undefined, 'a report');
    assert.ok(report);
    return report;
  }

  test('a first scan, events of every kind, a tombstone, and a clean verification', async (t) => {
    const w = await world(t, (truth) => {
      for (let id = 1; id <= 210; id += 1) {
        truth.put(makeStay(id, { check_out_date: `2027-04-${String(10 + (id % 20))}`, check_in_date: '2027-04-01' }));
        truth.transactions.set(id, makeTransaction(id));
      }
      truth.properties.set(8, makeProperty(8));
    });
    w.truth.patch(5, { status: 'cancelled', guest_name: 'Someone else' });
    w.truth.put(makeStay(300, { property_id: 9 }));
    w.truth.properties.set(9, makeProperty(9));
    w.truth.transactions.delete(7);
    w.truth.taken.add('8 2027-05-05');
    await w.send(reservationEvent(makeStay(5)));
    await w.send(reservationEvent(makeStay(300)));
    await w.send(transactionEvent(7, 'transaction_deleted'));
    await w.send(availabilityEvent(8, ['2027-05-05', '2020-01-01']));
    await w.send(availabilityEvent(8, ['2020-01-01']));
    await w.quiet();
    const states = await w.store.db.selectFrom('inbox').select('state').orderBy('event_id').execute();
    assert.deepEqual(
      states.map((row) => row.state),
      ['done', 'done', 'done', 'done', 'unreadable'],
    );
    const report = await verify(w);
    assert.equal(report.clean, true, JSON.stringify(report));
    const changes = await w.daemon.feed(CONNECTION).read(0, 10_000);
    assert.ok(changes.every((change, index) => change.seq === index + 1));
  });

  test('a hundred parallel copies, and two bodies under one id', async (t) => {
    const w = await world(t, (truth) => truth.put(makeStay(1), makeStay(2)));
    const event = reservationEvent(makeStay(1));
    const other = { ...reservationEvent(makeStay(2)), event_id: event.event_id };
    await Promise.all(Array.from({ length: 100 }, (_, index) => w.send(index === 50 ? other : event)));
    await w.quiet();
    const rows = await w.store.db.selectFrom('inbox').select(['event_id', 'state']).execute();
    assert.deepEqual(rows, [{ event_id: event.event_id, state: 'done' }]);
    const { counters } = await w.daemon.status(CONNECTION);
    assert.deepEqual([counters['events'], counters['duplicates'], counters['id_conflict']], [1, 99, 1]);
  });

  test('reordered and doubled events end in the truth, without a scan', async (t) => {
    const w = await world(t);
    const random = seededDice(5).fraction;
    const events: ReturnType<typeof reservationEvent>[] = [];
    for (let step = 1; step <= 40; step += 1) {
      const id = 1 + Math.floor(random() * 8);
      w.truth.put(makeStay(id, { number_of_guests: step }));
      events.push(reservationEvent(makeStay(id)), reservationEvent(makeStay(id)));
      const [event] = events.splice(Math.floor(random() * events.length), 1);
      if (event) await w.send(event);
    }
    await Promise.all(events.map((event) => w.send(event)));
    await w.quiet();
    const rows = await w.store.db.selectFrom('stays').select(['id', 'number_of_guests']).orderBy('id').execute();
    const truth = [...w.truth.stays.values()].map(({ id, number_of_guests }) => ({ id, number_of_guests }));
    assert.deepEqual(
      rows,
      truth.toSorted((a, b) => a.id - b.id),
    );
  });

  test('what is accepted before a stop is read after the next start', async (t) => {
    const w = await world(t, (truth) => truth.put(makeStay(1)));
    w.truth.fault = () => ({ kind: 'status', status: 503 });
    w.truth.patch(1, { status: 'cancelled' });
    await w.send(reservationEvent(makeStay(1)));
    w.truth.fault = () => undefined;
    await w.restart();
    await w.quiet();
    const rows = await w.store.db.selectFrom('stays').select('status').execute();
    assert.deepEqual(rows, [{ status: 'cancelled' }]);
  });
});
