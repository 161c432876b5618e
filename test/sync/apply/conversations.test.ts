import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import type { VerifyReport } from '../../../src/sync/scans/verify/verify.ts';
import type { ScanResult } from '../../../src/sync/scans/purpose.ts';
import { messageEvent, reviewEvent } from '../../support/events.ts';
import { CONNECTION, openWorld, type World, type WorldOptions } from '../../support/mirror.ts';
import { Truth } from '../../support/truth.ts';
import { makeMessage, makeOffer, makeReview, makeConversation, said } from '../../support/wireConversations.ts';

async function world(t: TestContext, options: WorldOptions = {}): Promise<World> {
  const opened = await openWorld(options);
  t.after(() => opened.close());
  return opened;
}

const changesOf = async ({ daemon }: World, resource = 'message') =>
  (await daemon.feed(CONNECTION).read(0, 5_000)).filter((change) => change.resource === resource);
const waiting = async (w: World) =>
  (await changesOf(w)).filter((change) => change.needs_answer === 1).map((change) => change.part);
const stored = async ({ store }: World) =>
  (await store.db.selectFrom('messages').select(['message', 'sender_role']).orderBy('message').execute()).map((row) => [
    row.message,
    row.sender_role,
  ]);
const valuesOf = ({ store }: World, resource: string) =>
  store.db
    .selectFrom('personal_values')
    .select(['row_key', 'path', 'text', 'json'])
    .where('resource', '=', resource)
    .orderBy('row_key')
    .orderBy('path')
    .execute();

async function verified(w: World): Promise<VerifyReport> {
  let report: VerifyReport | undefined;
  void w.daemon.verify(CONNECTION, () => {}).then((one) => (report = one));
  await w.clock.until(() => report !== undefined, 'a report');
  assert.ok(report);
  return report;
}

test('of all roles, known or not, only messages of guests wait for an answer', async (t) => {
  const w = await world(t);
  const roles = ['guest', 'host', 'co_host', 'Guest', 'system', ''];
  w.truth.conversations.set(
    'c',
    makeConversation(
      'c',
      roles.map((sender_role, index) => makeMessage(`m${index}`, { sender_role })),
    ),
  );
  await w.send(messageEvent('c', 'm5'));
  await w.quiet();
  assert.deepEqual(
    await stored(w),
    roles.map((role, index) => [`c/m${index}`, role]),
  );
  assert.deepEqual(await waiting(w), ['c/m0']);
  assert.equal((await changesOf(w)).length, roles.length);
});

test('an id that comes twice, in events and in the conversation, is one message that waits once', async (t) => {
  const w = await world(t);
  const message = makeMessage('m1');
  w.truth.conversations.set('c', makeConversation('c', [message, message]));
  await w.send(messageEvent('c', 'm1'));
  await w.send(messageEvent('c', 'm1'));
  await w.quiet();
  await w.send(messageEvent('c', 'm1'));
  await w.quiet();
  assert.deepEqual(await waiting(w), ['c/m1']);
  assert.deepEqual((await changesOf(w)).length, 1);
});

test('the same id in two conversations is two messages', async (t) => {
  const w = await world(t);
  for (const id of ['c', 'd/e']) {
    w.truth.conversations.set(id, makeConversation(id, [makeMessage('m1')]));
    await w.send(messageEvent(id, 'm1'));
  }
  await w.quiet();
  assert.deepEqual(new Set(await waiting(w)), new Set(['c/m1', 'd%2Fe/m1']));
});

test('a message that comes back after it was gone does not wait again', async (t) => {
  const w = await world(t);
  w.truth.conversations.set('c', makeConversation('c', [makeMessage('m1')]));
  await w.send(messageEvent('c', 'm1'));
  await w.quiet();
  w.truth.conversations.set('c', makeConversation('c', [makeMessage('m2', { sender_role: 'host' })]));
  await w.send(messageEvent('c', 'm2'));
  await w.quiet();
  w.truth.conversations.set(
    'c',
    makeConversation('c', [makeMessage('m3', { sender_role: 'host' }), makeMessage('m1')]),
  );
  await w.send(messageEvent('c', 'm3'));
  await w.quiet();
  assert.deepEqual(await waiting(w), ['c/m1']);
});

test('a message that lags behind its event is found by looking again, and again', async (t) => {
  const w = await world(t);
  w.truth.conversations.set('c', makeConversation('c', [makeMessage('m1', { sender_role: 'host' })]));
  await w.send(messageEvent('c', 'm2'));
  await w.clock.run(5_000);
  assert.deepEqual(await waiting(w), []);
  const { messages } = w.truth.conversations.get('c') ?? makeConversation('c');
  w.truth.conversations.set('c', makeConversation('c', [makeMessage('m2'), ...messages]));
  await w.quiet();
  assert.deepEqual(await waiting(w), ['c/m2']);
  const [change] = (await changesOf(w)).filter(({ part }) => part === 'c/m2');
  assert.equal(change?.seen_by, 'event');
  assert.equal(JSON.parse(change?.event_ids ?? '[]').length, 1);
});

test('a message that never comes is given up after a minute or two, with its event closed', async (t) => {
  const w = await world(t);
  w.truth.conversations.set('c', makeConversation('c', [makeMessage('m1')]));
  await w.send(messageEvent('c', 'never'));
  await w.clock.run(180_000);
  await w.quiet();
  const pending = await w.store.db.selectFrom('inbox').select('event_id').where('state', '=', 'pending').execute();
  assert.deepEqual(pending, []);
  assert.ok(w.truth.count('/conversations/c') < 30);
});

test('a conversation is read page by page until the message of the event is found, and no further', async (t) => {
  const w = await world(t);
  const ids = Array.from({ length: 450 }, (_, index) => `m${String(index).padStart(3, '0')}`);
  w.truth.conversations.set(
    'c',
    makeConversation(
      'c',
      ids.map((id) => makeMessage(id)),
    ),
  );
  const pages = () =>
    w.truth.asked.filter(({ path, query }) => path.endsWith('/c') && query.get('limit') === '100').length;
  await w.send(messageEvent('c', 'm150'));
  await w.quiet();
  assert.equal(pages(), 2);
  assert.equal((await stored(w)).length, 199);
  await w.send(messageEvent('c', 'm000'));
  await w.quiet();
  assert.equal(pages(), 3);
  const gone = await w.store.db.selectFrom('messages').select('message').where('deleted_at', 'is not', null).execute();
  assert.deepEqual(gone, [], 'what lies beyond the pages read is not gone');
  await w.send(messageEvent('c', 'm449'));
  await w.quiet();
  assert.equal((await stored(w)).length, 450);
});

test('a conversation about several stays names them all, and its message waits once', async (t) => {
  const w = await world(t);
  w.truth.conversations.set('c', makeConversation('c', [makeMessage('m1')]));
  await w.send(messageEvent('c', 'm1'));
  await w.quiet();
  const rows = await w.store.db.selectFrom('conversations').selectAll().execute();
  assert.deepEqual(
    rows
      .map((row) => ({ ...row }))
      .map((row) => [Reflect.get(row, 'reservation_codes'), Reflect.get(row, 'property_ids')]),
    [['["R-2","R-1"]', '[7]']],
  );
  assert.deepEqual(await waiting(w), ['c/m1']);
});

test('personal values stand in one table alone, in neither spelling anywhere else', async (t) => {
  const w = await world(t);
  w.truth.conversations.set('c', makeConversation('c', [makeMessage('m1')]));
  const words = { guest_review: { ...said('SENTINEL words'), private_feedback: 'SENTINEL private' } };
  w.truth.reviews.set('R-1', makeReview('R-1', { ...words, host_reply: said('SENTINEL reply', null) }));
  await w.send(messageEvent('c', 'm1'));
  await w.send(reviewEvent('R-1'));
  await w.quiet();
  w.truth.conversations.set('c', makeConversation('c', [makeMessage('m1', { content: 'SENTINEL edited' })]));
  await w.send(messageEvent('c', 'm1'));
  await w.quiet();
  assert.deepEqual(
    (await valuesOf(w, 'message')).map(({ path, text, json }) => [path, text ?? json]),
    [
      ['attachments', '[{"type":"image","url":"https://SENTINEL.example/m1","name":"a.jpg"}]'],
      ['attachment', '{"type":"image","url":"https://SENTINEL.example/m1","name":"a.jpg"}'],
      ['content', 'SENTINEL edited'],
      ['sender_name', 'SENTINEL name m1'],
    ].toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  );
  assert.deepEqual(
    (await valuesOf(w, 'review')).map(({ path }) => path),
    ['guest_review.content', 'guest_review.private_feedback', 'host_reply.content'],
  );
  assert.equal((await valuesOf(w, 'conversation')).length, 3);
  const edited = (await changesOf(w)).at(-1);
  assert.match(edited?.diff ?? '', /"path":"content".*"personal":true/);
  assert.equal(edited?.needs_answer, 0);
  for (const table of ['conversations', 'messages', 'reviews', 'special_offers', 'changes', 'versions']) {
    const { rows } = await sql`select * from ${sql.table(table)}`.execute(w.store.db);
    assert.ok(!JSON.stringify(rows).includes('SENTINEL'), table);
  }
});

test('a review is followed from its bare record to its last word', async (t) => {
  const w = await world(t);
  const row = async () => (await w.store.db.selectFrom('reviews').selectAll().execute()).map((one) => ({ ...one }))[0];
  const is = async (name: string) => Reflect.get((await row()) ?? {}, name) as unknown;
  w.truth.reviews.set('R-1', makeReview('R-1'));
  await w.send(reviewEvent('R-1'));
  await w.quiet();
  assert.deepEqual([await is('guest_reviewed_at'), await is('guest_score_hundredths')], [null, null]);
  w.truth.reviews.set('R-1', makeReview('R-1', { guest_review: { ...said('Good', 4.5), private_feedback: null } }));
  await w.send(reviewEvent('R-1', 'review_updated'));
  await w.quiet();
  assert.deepEqual(
    [await is('guest_reviewed_at'), await is('guest_score_hundredths')],
    ['2026-11-20T11:00:00.000Z', 450],
  );
  assert.deepEqual(
    (await changesOf(w, 'review')).map(({ op }) => op),
    ['created', 'updated'],
  );
});

test('scans find everything that no event told of, and verify sees what differs', async (t) => {
  const truth = new Truth();
  const many = Array.from({ length: 230 }, (_, index) =>
    makeMessage(`m${index}`, { sender_role: index % 2 ? 'guest' : 'host' }),
  );
  truth.conversations.set('c', { ...makeConversation('c', many), offers: [makeOffer('o1')] });
  truth.conversations.set('d', makeConversation('d', [makeMessage('m1')]));
  truth.reviews.set('R-1', makeReview('R-1'));
  truth.reviews.set('R-2', makeReview('R-2', { check_out_date: '2026-02-01', host_review: said('Tidy') }));
  const w = await world(t, { truth });
  assert.equal((await stored(w)).length, 231);
  const offer = async () =>
    (await w.store.db.selectFrom('special_offers').select(['offer', 'status', 'deleted_at']).execute())[0];
  assert.deepEqual({ ...(await offer()) }, { offer: 'c/o1', status: 'active', deleted_at: null });
  assert.equal((await w.store.db.selectFrom('reviews').selectAll().execute()).length, 2);
  assert.equal((await verified(w)).clean, true);

  truth.conversations.set('c', {
    ...makeConversation('c', many),
    note: 'late',
    offers: [makeOffer('o1', { status: 'expired' })],
  });
  assert.equal((await verified(w)).clean, false);
  let done = 0;
  for (const resource of ['conversation', 'special_offer']) {
    void w.daemon.reconcile(CONNECTION, resource, () => {}).then(() => (done += 1));
  }
  await w.clock.until(() => done === 2, 'two scans');
  assert.equal((await offer())?.status, 'expired');
  assert.equal((await changesOf(w, 'special_offer')).at(-1)?.derived, 'offer_expired');
  assert.equal((await verified(w)).clean, true);

  await w.store.db.updateTable('personal_values').set({ text: 'bent' }).where('path', '=', 'guest.name').execute();
  assert.equal((await verified(w)).clean, false);
});

test('a conversation and a message that are gone upstream become tombstones without personal values', async (t) => {
  const truth = new Truth();
  truth.conversations.set('c', makeConversation('c', [makeMessage('m1')]));
  truth.conversations.set('d', makeConversation('d', [makeMessage('m1')]));
  const w = await world(t, { truth });
  truth.conversations.delete('d');
  let done = 0;
  for (const resource of ['conversation', 'message']) {
    void w.daemon.reconcile(CONNECTION, resource, () => {}).then(() => (done += 1));
  }
  await w.clock.until(() => done === 2, 'two scans');
  await w.quiet();
  const gone = await w.store.db.selectFrom('messages').select('message').where('deleted_at', 'is not', null).execute();
  assert.deepEqual(
    gone.map((row) => row.message),
    ['d/m1'],
  );
  assert.ok(
    [...(await valuesOf(w, 'message')), ...(await valuesOf(w, 'conversation'))].every(({ row_key }) =>
      row_key.startsWith('c'),
    ),
  );
  assert.equal((await verified(w)).clean, true);
});

test('conversations and messages are read together, each conversation once, and compared apart', async (t) => {
  const truth = new Truth();
  for (const id of ['a', 'b', 'c']) {
    truth.conversations.set(id, {
      ...makeConversation(id, [makeMessage('m1'), makeMessage('m2')]),
      offers: [makeOffer(`o${id}`)],
    });
  }
  const w = await world(t, { truth });
  await w.quiet();
  const reconciled = async (resource?: string): Promise<readonly ScanResult[]> => {
    let results: readonly ScanResult[] | undefined;
    void w.daemon.reconcile(CONNECTION, resource, () => {}).then((all) => (results = all));
    await w.clock.until(() => results !== undefined, 'the end');
    await w.quiet();
    return results ?? [];
  };
  const requests = () => truth.asked.filter(({ path }) => path.startsWith('/conversations')).map(({ path }) => path);
  for (const resource of ['conversation', 'message']) {
    truth.asked.splice(0);
    const [result, ...others] = await reconciled(resource);
    assert.deepEqual(
      [result?.resource, result?.also, result?.rows, others.length],
      ['message', ['conversation'], 6, 0],
    );
    assert.deepEqual(requests().toSorted(), [
      '/conversations',
      '/conversations/a',
      '/conversations/b',
      '/conversations/c',
    ]);
  }
  truth.conversations.set('d', { ...makeConversation('d', [makeMessage('m1')]), offers: [makeOffer('od')] });
  truth.asked.splice(0);
  await reconciled();
  const conversations = ['a', 'b', 'c', 'd'];
  assert.deepEqual(requests().toSorted(), [
    '/conversations',
    ...conversations.flatMap((id) => [`/conversations/${id}`, `/conversations/${id}/special_offers`]),
  ]);
  const offers = await w.store.db.selectFrom('special_offers').select('offer').orderBy('offer').execute();
  assert.deepEqual(
    offers.map(({ offer }) => offer),
    conversations.map((id) => `${id}/o${id}`),
  );

  const figures = async () =>
    Object.fromEntries(
      (await verified(w)).resources.map((one) => [
        one.resource,
        [one.upstream_total, one.compared, one.missing, one.different, one.extra],
      ]),
    );
  const clean = await figures();
  assert.deepEqual(
    [clean['conversation'], clean['message']],
    [
      [4, 4, 0, 0, 0],
      [7, 7, 0, 0, 0],
    ],
  );
  await w.store.db
    .updateTable('conversations')
    .set({ channel_type: 'bent' })
    .where('conversation_id', '=', 'b')
    .execute();
  const bent = await figures();
  assert.deepEqual(
    [bent['conversation'], bent['message']],
    [
      [4, 4, 0, 1, 0],
      [7, 7, 0, 0, 0],
    ],
  );
  await w.store.db.deleteFrom('messages').where('message', '=', 'c/m1').execute();
  const lost = await figures();
  assert.deepEqual(
    [lost['conversation'], lost['message']],
    [
      [4, 4, 0, 1, 0],
      [7, 7, 1, 0, 0],
    ],
  );
});
