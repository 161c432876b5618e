import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Contact, hasStayed } from '../../src/automations/facts/returning.ts';
import { CONNECTION, openWorld, type World } from '../support/mirror.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { makeStay } from '../support/rows.ts';
import { Truth } from '../support/truth.ts';

const CODE = '5-R000001';
const AFTER = { until: '2027-03-08', besides: null };
const nobody: Contact = { email: null, phone: null };

const rows: [what: string, contacts: Contact[], asked: typeof AFTER | object, expected: boolean | null][] = [
  ['an address in other letters', [{ email: ' ADA@guest.example', phone: null }], AFTER, true],
  ['a number written otherwise', [{ email: null, phone: '0044 20/7946.0000' }], AFTER, true],
  ['a number without its sign', [{ email: null, phone: '442079460000' }], AFTER, true],
  ['the second of two persons', [nobody, { email: 'ada@guest.example', phone: null }], AFTER, true],
  ['a stay that is not over', [{ email: 'ada@guest.example', phone: null }], { until: '2027-03-07' }, false],
  ['the same booking', [{ email: 'ada@guest.example', phone: null }], { besides: CODE }, false],
  ['a booking that was called off', [{ email: 'bob@guest.example', phone: null }], AFTER, false],
  ['a number that many have', [{ email: null, phone: '0000' }], AFTER, null],
  ['an address that is none', [{ email: '-', phone: '' }], AFTER, null],
  ['nothing at all', [nobody], AFTER, null],
];

function knownAgain(database: () => Promise<string | undefined>): void {
  let world: World;
  before(async () => {
    const truth = new Truth();
    truth.put(makeStay(1, { guest_email: 'Ada@Guest.example ', guest_phone: '+44 (20) 7946-0000' }));
    truth.put(makeStay(2, { guest_email: 'bob@guest.example', status: 'cancelled' }));
    truth.put(makeStay(3, { guest_name: 'Ada Guest', guest_email: '', guest_phone: '0000' }));
    const url = await database();
    world = await openWorld({ truth, ...(url !== undefined && { database: url }) });
  });
  after(() => world.close());
  for (const [what, contacts, asked, expected] of rows) {
    it(`${what}: ${expected}`, async () => {
      const question = { ...AFTER, ...asked };
      assert.equal(await hasStayed({ store: world.store, connection: CONNECTION }, contacts, question), expected);
    });
  }
}

describe('a guest is known again by', () => knownAgain(() => Promise.resolve(undefined)));

describeOnPostgres('a guest is known again, on PostgreSQL, by', () => {
  let server: TestPostgres;
  before(async () => void (server = await startPostgres()));
  after(() => server.stop());
  // Within: the world is closed before its server.
  describe('its', () => knownAgain(() => server.freshDatabase()));
});
