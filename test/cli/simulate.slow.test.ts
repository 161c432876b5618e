import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '../support/service.ts';
import { runMany } from './support/runMany.ts';

const ORDER = ['--days', '12', '--properties', '1', '--seed', '5'];

describe('stayd simulate', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.remove());

  it('fills an empty account, tells what it did, and leaves a mirror that verify finds equal', async () => {
    const environment = { STAYD_PORT: '0', STAYD_DATA_DIR: service.dataDir };
    const [filled, verified, unasked, again, refused] = await runMany(
      [
        ['simulate', ...ORDER, '--json'],
        ['verify', '--json'],
        ['simulate', ...ORDER, '--no-wait'],
        ['simulate', ...ORDER, '--no-wait', '--yes'],
        ['simulate', ...ORDER, '--per-minute', '0'],
      ],
      environment,
    );
    assert.ok(filled && verified && unasked && again && refused);
    assert.equal(filled.code, 0, filled.stderr);
    const { mirrors, order, bookings, events } = JSON.parse(filled.stdout);
    assert.deepEqual([mirrors, order], [['local'], { days: 12, properties: 1, seed: 5 }]);
    assert.ok(bookings.accepted > 0 && events.reservation_created > 0, filled.stdout);
    assert.equal(verified.code, 0, verified.stdout);
    assert.equal(JSON.parse(verified.stdout).clean, true);
    assert.equal(unasked.code, 2, unasked.stdout);
    assert.match(unasked.stderr, /account demo has \d+ reservations?, and what is simulated stays among them\n.*--yes/);
    assert.match(again.stdout, /bookings? in 1 property over 12 days, seed 5; .* events\n/);
    assert.match(again.stdout, /what no event announces is found by \.\/stayd reconcile/);
    assert.deepEqual([refused.code, /--per-minute must be at least 1/.test(refused.stderr)], [2, true]);
  });
});
