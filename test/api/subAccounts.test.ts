import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startCore, type TestCore } from '../support/core.ts';
import { openConversation } from '../support/conversations.ts';

/** What a sub-account shares with its parent; what it is kept from stands with each resource. */
describe('a sub-account', () => {
  let core: TestCore;
  let sub: string;
  let nowhere: string;
  let shown: number;
  let hidden: number;

  before(async () => {
    core = await startCore();
    shown = (await core.call('createProperty', { title: 'Shown' })).property_id;
    hidden = (await core.call('createProperty', { title: 'Hidden' })).property_id;
    sub = await core.addSubAccount(core.own.account, [shown]);
    nowhere = await core.addSubAccount(core.own.account, []);
  });
  after(() => core.close());

  const booking = (property_id: number, month: string, more: object = {}) => ({
    property_id,
    check_in_date: `2027-${month}-05`,
    check_out_date: `2027-${month}-08`,
    guest_name: 'A. Guest',
    rate_amount: 300,
    commission_amount: 0,
    received_amount: 0,
    ...more,
  });
  const book = (token: string, ...of: Parameters<typeof booking>) =>
    core.request('POST', '/reservations', { token, body: booking(...of) });

  it('has the account_id of its parent, and so has every other', async () => {
    const ids = new Set<string>();
    for (const token of [core.own.token, core.own.readToken, sub, nowhere]) {
      ids.add((await core.call('getAccount', {}, token)).account_id);
    }
    assert.deepEqual([...ids], [core.own.account.account_id]);
  });

  it('shares the channel_id namespace: a reference used by one is the same booking for all, cancelled or not', async () => {
    const own = await book(core.own.token, shown, '03', { channel_id: 'SHARED1' });
    const repeated = await book(sub, shown, '04', { channel_id: 'SHARED1' });
    assert.deepEqual(repeated.data, own.data);
    const theirs = await book(sub, shown, '05', { channel_id: 'SHARED2' });
    const again = await book(core.own.token, hidden, '05', { channel_id: 'SHARED2' });
    assert.deepEqual(again.data, theirs.data);
    await core.call('cancelReservation', { reservation_code: theirs.data.reservation_code }, sub);
    assert.equal((await book(core.own.token, hidden, '05', { channel_id: 'SHARED2' })).data.status, 'cancelled');
    const other = await core.addAccount('other');
    const { property_id } = await core.call('createProperty', { title: 'Theirs' }, other.token);
    const free = await book(other.token, property_id, '03', { channel_id: 'SHARED1' });
    assert.notEqual(free.data.reservation_code, own.data.reservation_code, 'another account has its own');
  });

  it('books in its properties alone', async () => {
    assert.equal((await book(sub, hidden, '06')).error_code, 404);
    assert.equal((await book(nowhere, shown, '06')).error_code, 404);
    assert.equal((await book(sub, shown, '06')).error_code, 200);
  });

  it('reads and writes the same note on a conversation as the main account', async () => {
    const conversation_id = await openConversation(core, {
      inquiry: {
        listing_id: 'L1',
        property_id: shown,
        check_in_date: '2027-01-10',
        check_out_date: '2027-01-12',
        number_of_guests: 2,
      },
    });
    await core.call('updateConversationNote', { conversation_id, note: 'by the owner' });
    assert.equal((await core.call('getConversation', { conversation_id }, sub)).note, 'by the owner');
    const { updated_at } = await core.call('updateConversationNote', { conversation_id, note: 'by the help' }, sub);
    const { note, note_updated_at } = await core.call('getConversation', { conversation_id });
    assert.deepEqual([note, note_updated_at], ['by the help', updated_at]);
  });

  it('sees all webhooks and changes its own; the main account changes all', async () => {
    const { id } = await core.call('createWebhook', { url: 'https://hooks.example/sub' }, sub);
    await core.call('updateWebhook', { id, events: ['message_created'] });
    assert.deepEqual((await core.call('listWebhooks', {}, nowhere)).webhooks[0].events, ['message_created']);
    assert.equal((await core.request('DELETE', `/webhooks/${id}`, { token: nowhere })).error_code, 403);
    await core.call('deleteWebhook', { id }, sub);
    assert.deepEqual((await core.call('listWebhooks', {}, sub)).webhooks, []);
  });

  it('makes no entry of the operator: 401 Not authorized for this action, before anything else is looked at', async () => {
    const item_id = (await core.call('listIncomeItems')).income_items[0].id;
    const payment_method_id = (await core.call('listIncomeMethods')).income_methods[0].id;
    const entry = { direction: 'income', amount: 5, item_id, payment_method_id, currency: 'EUR' };
    for (const body of [entry, { ...entry, item_id: 999_999 }]) {
      const answer = await core.request('POST', '/transactions', { token: sub, body });
      assert.deepEqual([answer.error_code, answer.error_msg], [401, 'Not authorized for this action']);
    }
    assert.equal(
      (await core.request('POST', '/transactions', { token: sub, body: { ...entry, property_id: shown } })).error_code,
      200,
    );
  });

  it('may be read-only like any other', async () => {
    const reads = await core.addSubAccount(core.own.account, [shown], 'read');
    const answer = await core.request('POST', '/groups', { token: reads, body: { name: 'No' } });
    assert.deepEqual([answer.error_code, answer.error_msg], [401, 'Not authorized for this action']);
    assert.deepEqual(
      (await core.call('listProperties', {}, reads)).properties.map((one: { id: number }) => one.id),
      [shown],
    );
  });
});
