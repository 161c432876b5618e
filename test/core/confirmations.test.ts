import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Asked,
  CONFIRMATION_MS,
  confirmationFor,
  useConfirmation,
} from '../../src/core/confirmations/confirmation.ts';
import type { AccountRow } from '../../src/core/database.ts';
import { startCore, type TestCore } from '../support/core.ts';

/** The arguments stay the same but in one case, so that each of the others is told by what it names alone. */
describe('a confirmation opens for exactly what it was made for', () => {
  let core: TestCore;
  let asked: Asked;
  before(async () => {
    core = await startCore();
    const operator = { id: 1, name: 'Ann', kind: 'master' } as const;
    const who = { account: core.own.account, operator, clientId: 'app_1' };
    asked = { who, tool: 'create_staff', args: { name: 'Eve' } };
  });
  after(() => core.close());

  const others: Record<string, (made: Asked) => Asked> = {
    'another account': ({ who, ...rest }) => ({
      ...rest,
      who: {
        ...who,
        account: { ...who.account, account_id: `${who.account.account_id}x` as AccountRow['account_id'] },
      },
    }),
    'another person': ({ who, ...rest }) => ({ ...rest, who: { ...who, operator: { ...who.operator, id: 2 } } }),
    'another application': ({ who, ...rest }) => ({ ...rest, who: { ...who, clientId: 'app_2' } }),
    'the person alone': ({ who: { account, operator }, ...rest }) => ({ ...rest, who: { account, operator } }),
    'another tool': (made) => ({ ...made, tool: 'delete_staff' }),
    'other arguments': (made) => ({ ...made, args: { name: 'Mallory' } }),
  };
  for (const [what, other] of Object.entries(others)) {
    it(`not for ${what}`, async () => {
      assert.equal(await useConfirmation(core.core, other(asked), confirmationFor(core.core, asked)), false);
    });
  }

  it('once, and only for five minutes', async () => {
    const made = confirmationFor(core.core, asked);
    assert.equal(await useConfirmation(core.core, asked, made), true);
    assert.equal(await useConfirmation(core.core, asked, made), false);
    const late = confirmationFor(core.core, asked);
    core.clock.jump(CONFIRMATION_MS);
    assert.equal(await useConfirmation(core.core, asked, late), false);
  });
});
