import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { ORDER, type Simulated, simulated } from './support/simulation.ts';

/** What must be among it. */
const DONE = [
  'instant request unpaid approve decline cancel alter pay deposit_required inquiry offer_accept',
  'message_of_guest message_of_host register guide_image announce_review review host_review set_prices block',
  'edit_calendar edit_settings push_failed account_recover',
].flatMap((names) => names.split(' '));

describe('simulated traffic', () => {
  let first: Simulated;
  before(async () => {
    first = await simulated();
  });

  it('is told in a summary, and the mirror equals the core after it', () => {
    const { order, actions, bookings, pushes, events } = first.summary;
    assert.equal(first.report.clean, true, JSON.stringify(first.report.resources));
    assert.deepEqual(order, ORDER);
    const missing = DONE.filter((action) => !(actions[action] > 0));
    assert.deepEqual(missing, [], JSON.stringify(actions));
    assert.deepEqual(Object.keys(bookings), ['accepted', 'cancelled', 'denied']);
    // Which there are depends on the day: a channel warns of some dates only.
    const strange = Object.keys(pushes).filter((outcome) => !['clean', 'failed', 'warning'].includes(outcome));
    assert.deepEqual(strange, [], 'each push has its outcome by the end');
    assert.ok(pushes['clean'] > 0 && pushes['failed'] > 0, JSON.stringify(pushes));
    assert.deepEqual(Object.keys(events), [
      'message_created',
      'property_availability_updated',
      'reservation_created',
      'reservation_updated',
      'review_created',
      'review_updated',
      'transaction_created',
    ]);
  });

  it('is the same for the same seed on another fresh service', async () => {
    same(await simulated({}, { verify: false }), first);
  });

  describeOnPostgres('on PostgreSQL', () => {
    let server: TestPostgres;
    before(async () => {
      server = await startPostgres();
    });
    after(() => server.stop());

    it('is the same as on SQLite: what happened, prices, calendars, lists; and the mirror equals the core', async () => {
      const second = await simulated({ STAYD_DATABASE_URL: await server.freshDatabase() });
      same(second, first);
      assert.equal(second.report.clean, true, JSON.stringify(second.report.resources));
    });
  });
});

function same(one: Simulated, other: Simulated): void {
  assert.deepEqual(one.summary, other.summary);
  assert.deepEqual(one.prices, other.prices);
  assert.deepEqual(one.calendars, other.calendars);
  assert.deepEqual(one.lists, other.lists);
}
