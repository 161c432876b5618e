import assert from 'node:assert/strict';
import { test } from 'node:test';
import { availabilityEvent, transactionEvent } from '../../support/events.ts';
import { CONNECTION, openWorld } from '../../support/mirror.ts';
import { makeProperty, makeTransaction } from '../../support/rows.ts';

const PROPERTY = 1;
const [NEAR, FAR] = ['2027-01-12', '2027-03-10'];

/** A promise that a test ends. */
function gate(): { until: Promise<void>; open: () => void } {
  let open = () => {};
  const until = new Promise<void>((resolve) => (open = resolve));
  return { until, open };
}

test('nights of which a scan overtook the answer are read again, though the event named others, too', async (t) => {
  const world = await openWorld({ impatient: true });
  t.after(() => world.close());
  const { truth, clock, daemon } = world;
  truth.properties.set(PROPERTY, makeProperty(PROPERTY));
  await world.restart();
  let isCaughtUp = false;
  void daemon.caughtUp(CONNECTION).then(() => (isCaughtUp = true));
  await clock.until(() => isCaughtUp, 'the first scan');
  await world.quiet();

  const [page, lookUp, rest] = [gate(), gate(), gate()];
  const asked: string[] = [];
  let pages = 0;
  truth.fault = ({ path, query }) => {
    if (path !== '/availabilities') return undefined;
    const from = query.get('start_date') ?? '';
    const to = query.get('end_date') ?? '';
    asked.push(`${from}/${to}`);
    if (from === NEAR && to === NEAR)
      return asked.filter((one) => one === `${NEAR}/${NEAR}`).length === 1
        ? { kind: 'late', until: lookUp.until }
        : undefined;
    if (from <= FAR) return undefined;
    pages += 1;
    // The scan has read the nights of the event, waits for the look-up to be sent, overtakes it by one page, and waits.
    if (pages === 1) return { kind: 'late', until: page.until };
    return pages === 3 ? { kind: 'late', until: rest.until } : undefined;
  };
  let isScanned = false;
  void world.daemon.reconcile(CONNECTION, 'availability').then(() => (isScanned = true));
  await clock.until(() => pages === 1, 'a page behind the nights');

  truth.taken.add(`${PROPERTY} ${NEAR}`);
  truth.taken.add(`${PROPERTY} ${FAR}`);
  await world.send(availabilityEvent(PROPERTY, [NEAR, FAR]));
  await clock.until(() => asked.includes(`${NEAR}/${NEAR}`), 'the look-up');
  page.open();
  await clock.until(() => pages === 3, 'the page that overtakes it');
  lookUp.open();
  await clock.until(() => asked.includes(`${FAR}/${FAR}`), 'the second range');
  await clock.run(2_000);
  rest.open();
  await clock.until(() => isScanned, 'the scan');
  await world.quiet();

  const days = await world.store.db
    .selectFrom('availability_days')
    .select('date')
    .where('property_id', '=', PROPERTY)
    .where('available', '=', 0)
    .orderBy('date')
    .execute();
  assert.deepEqual(
    days.map(({ date }) => date),
    [NEAR, FAR],
  );
});

test('an entry that came and went while a list was under way is not brought back by the list', async (t) => {
  const world = await openWorld({ settings: { showsAtOnce: true } });
  t.after(() => world.close());
  const { truth, clock, daemon, store } = world;
  await world.quiet();
  const page = gate();
  const entry = makeTransaction(1);
  let lookUps = 0;
  let lists = 0;
  truth.fault = ({ path, query }) => {
    if (path !== '/transactions') return undefined;
    if (query.has('id')) {
      lookUps += 1;
      return undefined;
    }
    if ((query.get('start_date') ?? '') > entry.action_at) return undefined;
    lists += 1;
    return lists === 1 ? { kind: 'late', until: page.until } : undefined;
  };
  truth.transactions.set(1, entry);
  let isScanned = false;
  void daemon.reconcile(CONNECTION, 'transaction').then(() => (isScanned = true));
  await clock.until(() => lists === 1, 'the list, which shows the entry');
  truth.transactions.delete(1);
  await world.send(transactionEvent(1));
  await world.send(transactionEvent(1, 'transaction_deleted'));
  await clock.until(() => lookUps > 0, 'the look-up');
  const dirty = store.db.selectFrom('dirty_keys').select('key').where('resource', '=', 'transaction');
  for (let rows = 1; rows > 0; rows = (await dirty.execute()).length) await clock.run(1_000);
  page.open();
  await clock.until(() => isScanned, 'the scan');
  await world.quiet();

  const rows = await store.db.selectFrom('transactions').select('id').where('deleted_at', 'is', null).execute();
  assert.deepEqual(rows, []);
});
