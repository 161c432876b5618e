import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { selectableEvents } from '../../src/contract/events.ts';
import { fanOut } from '../../src/core/outbox/fanOut.ts';
import { MOST_WEBHOOKS, registerWebhook } from '../../src/core/webhooks/register.ts';
import { startCore, type TestCore } from '../support/core.ts';

const URL = 'https://hooks.example/in';

describe('webhooks over v3', () => {
  let core: TestCore;
  let income: { item_id: number; payment_method_id: number };
  before(async () => {
    core = await startCore();
    income = {
      item_id: (await core.call('listIncomeItems')).income_items[0].id,
      payment_method_id: (await core.call('listIncomeMethods')).income_methods[0].id,
    };
  });
  after(() => core.close());

  /** Makes one event of one kind and says which webhooks are to receive it. */
  async function receiversOf(): Promise<number[]> {
    await core.call('createTransaction', { direction: 'income', amount: 1, currency: 'EUR', ...income });
    const { due } = await fanOut(core.core, core.clock.now() + 1_000, () => false);
    return due.map((delivery) => delivery.webhook_id);
  }

  it('the secret is shown at creation, whsec_ and 32 bytes, a new one each time, and never again', async () => {
    const made = [await core.call('createWebhook', { url: URL }), await core.call('createWebhook', { url: URL })];
    for (const { secret_token } of made) {
      assert.match(secret_token, /^whsec_[A-Za-z0-9+/]{43}=$/);
      assert.equal(Buffer.from(secret_token.slice('whsec_'.length), 'base64').length, 32);
    }
    assert.notEqual(made[0].secret_token, made[1].secret_token);
    const shown = [
      await core.request('GET', '/webhooks'),
      await core.request('PATCH', `/webhooks/${made[0].id}`, { body: { events: ['review_created'] } }),
      await core.request('PATCH', `/webhooks/${made[0].id}`, { body: {} }),
    ];
    for (const { text, error_code } of shown) {
      assert.equal(error_code, 200);
      assert.ok(!text.includes('secret') && !text.includes('whsec_'), text);
      for (const { secret_token } of made) assert.ok(!text.includes(secret_token.slice(6, 30)));
    }
  });

  it('an account has 100 at the most; one that is deleted makes room', async () => {
    const full = await core.addAccount('full');
    const made: number[] = [];
    for (let number = 1; number <= MOST_WEBHOOKS; number += 1) {
      made.push((await core.call('createWebhook', { url: `${URL}/${number}` }, full.token)).id);
    }
    const more = () => core.request('POST', '/webhooks', { token: full.token, body: { url: URL } });
    const refused = await more();
    assert.deepEqual([refused.error_code, /^url: .*100 webhooks/.test(refused.error_msg)], [422, true]);
    await core.call('deleteWebhook', { id: made[0] }, full.token);
    assert.equal((await more()).error_code, 200);
    assert.equal((await more()).error_code, 422);
  });

  it('a list entry, newest first, with the events chosen or all', async () => {
    const all = await core.call('createWebhook', { url: `${URL}/all` });
    const some = await core.call('createWebhook', {
      url: `${URL}/some`,
      events: ['transaction_created', 'review_updated'],
    });
    const none = await core.call('createWebhook', { url: `${URL}/none`, events: [] });
    const { webhooks } = await core.call('listWebhooks');
    const entry = (id: number, path: string, events: readonly string[]) => ({
      id,
      url: `${URL}/${path}`,
      events,
      manageable: true,
      created_at: '2026-11-20T13:00:00+01:00',
    });
    assert.deepEqual(webhooks.slice(0, 3), [
      entry(none.id, 'none', []),
      entry(some.id, 'some', ['transaction_created', 'review_updated']),
      entry(all.id, 'all', selectableEvents),
    ]);
    assert.ok(!selectableEvents.includes('authorization_revoked'));
    const receivers = await receiversOf();
    assert.deepEqual(
      [all.id, some.id, none.id].map((id) => receivers.includes(id)),
      [true, true, false],
    );
  });

  it('PATCH changes the url or the events, each alone, and answers the webhook', async () => {
    const { id } = await core.call('createWebhook', { url: URL, events: ['review_created'] });
    const moved = await core.call('updateWebhook', { id, url: `${URL}/moved` });
    assert.deepEqual([moved.url, moved.events], [`${URL}/moved`, ['review_created']]);
    const chosen = await core.call('updateWebhook', { id, events: ['transaction_created'] });
    assert.deepEqual([chosen.url, chosen.events], [`${URL}/moved`, ['transaction_created']]);
    assert.ok((await receiversOf()).includes(id));
    assert.deepEqual(
      (await core.call('listWebhooks')).webhooks.find((one: { id: number }) => one.id === id),
      chosen,
    );
  });

  for (const events of [['authorization_revoked'], ['review_created', 'authorization_revoked'], ['unheard_of']]) {
    it(`${events.join(' and ')} cannot be selected: 422, and nothing changes`, async () => {
      const { id } = await core.call('createWebhook', { url: URL });
      const before = await core.stored();
      const refused = [
        await core.request('POST', '/webhooks', { body: { url: URL, events } }),
        await core.request('PATCH', `/webhooks/${id}`, { body: { events } }),
      ];
      for (const answer of refused) {
        assert.equal(answer.error_code, 422);
        assert.match(answer.error_msg, /^events\./);
      }
      assert.equal(await core.stored(), before);
    });
  }

  it('one made by hand is listed, receives, and cannot be changed or deleted here: 403', async () => {
    const { id } = await core.change(core.own.account, (change) =>
      registerWebhook(change, { url: URL, manageable: false, signatureOnly: true }),
    );
    const { webhooks } = await core.call('listWebhooks');
    assert.equal(webhooks.find((one: { id: number }) => one.id === id).manageable, false);
    const before = await core.stored();
    assert.equal((await core.request('PATCH', `/webhooks/${id}`, { body: { url: `${URL}/x` } })).error_code, 403);
    assert.equal((await core.request('DELETE', `/webhooks/${id}`)).error_code, 403);
    assert.equal(await core.stored(), before);
    assert.ok((await receiversOf()).includes(id));
  });

  it('DELETE ends it: no list entry, no deliveries, and 404 from then on', async () => {
    const { id } = await core.call('createWebhook', { url: URL });
    assert.ok((await receiversOf()).includes(id));
    await core.call('deleteWebhook', { id });
    assert.ok(!(await receiversOf()).includes(id));
    assert.ok(!(await core.call('listWebhooks')).webhooks.some((one: { id: number }) => one.id === id));
    assert.equal((await core.request('DELETE', `/webhooks/${id}`)).error_code, 404);
    assert.equal((await core.request('PATCH', `/webhooks/${id}`, { body: {} })).error_code, 404);
  });

  it('events go to the webhooks of their own account only; a sub-account shares them', async () => {
    const other = await core.addAccount('other');
    const theirs = await core.call('createWebhook', { url: URL }, other.token);
    const entry = {
      direction: 'income',
      amount: 1,
      currency: 'EUR',
      item_id: (await core.call('listIncomeItems', {}, other.token)).income_items[0].id,
      payment_method_id: (await core.call('listIncomeMethods', {}, other.token)).income_methods[0].id,
    };
    // One event of each account waits when they are handed out.
    await core.call('createTransaction', entry, other.token);
    await core.call('createTransaction', { direction: 'income', amount: 1, currency: 'EUR', ...income });
    const { due } = await fanOut(core.core, core.clock.now() + 1_000, () => false);
    const toTheirs = due.filter((one) => one.webhook_id === theirs.id);
    assert.deepEqual(
      toTheirs.map((one) => one.account_id),
      [other.account.account_id],
    );
    assert.ok(
      due.length > 1 &&
        due.every((one) => one.webhook_id === theirs.id || one.account_id === core.own.account.account_id),
    );
    const sub = await core.addSubAccount(core.own.account, []);
    const { webhooks, total } = await core.call('listWebhooks');
    const seen = webhooks.map((one: object) => ({ ...one, manageable: false }));
    assert.deepEqual(await core.call('listWebhooks', {}, sub), { webhooks: seen, total });
  });
});
