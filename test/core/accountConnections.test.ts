import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  accountConnections,
  giveFirstConnection,
  isOfOwnCore,
  nameOfConnection,
  setMirrored,
} from '../../src/core/accounts/connections.ts';
import { createAccount } from '../../src/core/accounts/create.ts';
import { startCore, type TestCore } from '../support/core.ts';

describe('the connection of an account', () => {
  let core: TestCore;

  before(async () => {
    core = await startCore();
  });
  after(() => core.close());

  it('is named after it, in letters that every address can carry, and is nobody else’s', () => {
    const rows: [string, string[], string][] = [
      ['Seaside Flats', [], 'local-seaside-flats'],
      ['Südstrand & Söhne', [], 'local-sudstrand-sohne'],
      ['北京', [], 'local-account'],
      ['  ', ['local-account'], 'local-account-2'],
      ['A b', ['local-a-b', 'local-a-b-2'], 'local-a-b-3'],
      ['x'.repeat(100), [], `local-${'x'.repeat(26)}`],
    ];
    for (const [account, taken, name] of rows) {
      assert.equal(nameOfConnection(account, new Set(taken)), name);
      assert.match(name, /^[a-z0-9_-]{1,40}$/);
      assert.ok(isOfOwnCore(name));
    }
    for (const other of ['locals', 'north', 'my-local']) assert.ok(!isOfOwnCore(other), other);
  });

  it('keeps its name while the account is not mirrored, and no other account gets it', async () => {
    const { core: own } = core;
    const draft = { time_zone: 'UTC', currency: 'EUR', property_quota: 1 };
    const one = await createAccount(own, { ...draft, name: 'North Sea' }, { mirrored: true });
    const unasked = await createAccount(own, { ...draft, name: 'South' });
    await setMirrored(own, one, { mirrored: false });
    const two = await createAccount(own, { ...draft, name: 'north-sea' }, { mirrored: true, taken: ['local-x'] });
    await giveFirstConnection(own, unasked);
    const rows = (await accountConnections(own.store.db)).map((row) => [row.account_id, row.connection, row.mirrored]);
    assert.deepEqual(rows, [
      [unasked.account_id, 'local', 1],
      [one.account_id, 'local-north-sea', 0],
      [two.account_id, 'local-north-sea-2', 1],
    ]);
    // The first connection stays where it is.
    await giveFirstConnection(own, two);
    assert.equal((await accountConnections(own.store.db)).length, 3);
  });
});
