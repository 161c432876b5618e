import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transactionEvent } from '../../support/events.ts';
import { CONNECTION, openWorld } from '../../support/mirror.ts';
import { makeTransaction } from '../../support/rows.ts';

const IDS = [1, 2, 3];

test('an entry that is deleted while the list of the newest awaits its next change is looked up by itself', async (t) => {
  const w = await openWorld();
  t.after(() => w.close());
  const { truth, clock, store } = w;
  await w.quiet();
  const stored = async () => {
    const rows = await store.db.selectFrom('transactions').select('id').where('deleted_at', 'is', null).execute();
    return rows.map(({ id }) => id);
  };
  // Announced, and changed, before they show: the list finds them, and looks for the change that may be yet to come.
  for (const id of IDS) await w.send(transactionEvent(id));
  await clock.run(1_500);
  for (const id of IDS) await w.send(transactionEvent(id, 'transaction_updated'));
  for (const id of IDS)
    truth.transactions.set(
      id,
      makeTransaction(id, { action_at: `${new Date(clock.now()).toISOString().slice(0, 10)}T10:00:00` }),
    );
  for (let waited = 0; (await stored()).length < IDS.length; waited += 100) {
    assert.ok(waited < 60_000, 'the list shows them');
    await clock.run(100);
  }
  const asked: string[] = [];
  truth.fault = ({ path, query }) => {
    if (path === '/transactions') asked.push(query.get('id') ?? 'list');
    return undefined;
  };
  truth.transactions.delete(1);
  await w.send(transactionEvent(1, 'transaction_deleted'));
  await clock.run(1_500);
  assert.deepEqual(await stored(), [2, 3], `asked: ${asked.join(', ')}`);
  await w.quiet();
  assert.deepEqual(await stored(), [2, 3]);
  const events = await store.db.selectFrom('inbox').select('state').where('connection', '=', CONNECTION).execute();
  assert.ok(events.every(({ state }) => state !== 'pending'));
});
