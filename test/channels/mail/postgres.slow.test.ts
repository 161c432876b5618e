import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { mailPosts } from '../../../src/channels/mail/post.ts';
import { mailWorker } from '../../../src/channels/mail/worker.ts';
import { postWorker } from '../../../src/core/channels/posts/poster.ts';
import { addPost } from '../../../src/core/channels/posts/table.ts';
import { instantOf } from '../../../src/kernel/dates.ts';
import { silentLogger } from '../../../src/kernel/log.ts';
import type { StoreLocation } from '../../../src/store/store.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { mailOf, shapes } from './support/shapes.ts';
import { MailWorld, OURS } from './support/world.ts';

const ANN = 'ann@guest.example';
const MAILS = 12;
const AT = instantOf(Date.parse('2026-11-20T12:00:00Z'));

describeOnPostgres('mail on PostgreSQL, with two processes', () => {
  let postgres: TestPostgres;
  let location: StoreLocation;
  let world: MailWorld;
  before(async () => {
    postgres = await startPostgres();
    location = { kind: 'postgres', url: await postgres.freshDatabase(), schema: 'core' };
    world = await MailWorld.start(location);
  });
  after(async () => {
    await world.close();
    await postgres.stop();
  });

  it('is read by one of them, each shape as what it is', async () => {
    shapes.forEach(({ build }, n) => world.server.drop(OURS, build(n)));
    const other = await world.beside(location);
    const outcomes = await Promise.all([world.try(), world.try(other), world.try(), world.try(other)]);
    assert.deepEqual(outcomes.map(({ read }) => read).toSorted(), ['busy', 'busy', 'busy', 'good']);
    const kinds = (await world.log()).map(({ kind }) => kind).toSorted();
    assert.deepEqual(kinds, shapes.map(({ kind }) => kind).toSorted());
    assert.deepEqual((await world.try(other)).read, 'good');
    assert.equal((await world.log()).length, shapes.length);
  });

  it('is answered in its thread, and the answer to that joins it', async () => {
    world.server.drop(OURS, mailOf({ From: ANN, To: OURS, 'Message-ID': '<q1@guest.example>' }, 'A room?'));
    await world.read();
    const { db } = world.core.core.store;
    const thread = await db.selectFrom('mail_threads').where('address', '=', ANN).selectAll().executeTakeFirstOrThrow();
    const posts = mailPosts({ ...world.means, otherwise: { post: () => Promise.reject(new Error('no other')) } });
    const message = { kind: 'message', message_id: 'm1', content: 'Yes', attachments: [] } as const;
    await posts.post({ ...message, thread: thread.thread }, world.core.own.account.account_id);
    const [sent] = world.server.sent;
    assert.deepEqual(sent?.to, [ANN]);
    const answered = /^Message-ID: (<[^>]+>)/im.exec(sent?.raw ?? '')?.[1] ?? '';
    world.server.drop(
      OURS,
      mailOf({ From: ANN, To: OURS, 'Message-ID': '<q2@guest.example>', 'In-Reply-To': answered }, 'Thank you'),
    );
    await world.read();
    const said = (await world.log()).filter((one) => one.thread === thread.thread);
    assert.deepEqual(
      said.map(({ kind }) => kind),
      ['message', 'sent', 'message'],
    );
  });

  it('is taken in once when both have a worker', async () => {
    const before = (await world.rows('messages')).length;
    const other = await world.beside(location);
    for (let n = 0; n < MAILS; n++) {
      const from = `both${n}@guest.example`;
      world.server.drop(OURS, mailOf({ From: from, To: OURS, 'Message-ID': `<both${n}@guest.example>` }, 'A room?'));
    }
    const workers = [world.means, other].map((means) => mailWorker({ ...means, log: silentLogger }));
    for (const worker of workers) await worker.start();
    const arrived = async () => (await world.rows('messages')).length - before;
    await world.core.clock.until(async () => (await arrived()) >= MAILS, 'the mails');
    await world.core.clock.run(60_000);
    for (const worker of workers) await worker.stop();
    assert.equal(await arrived(), MAILS);
    const log = (await world.log()).filter(({ address }) => address.startsWith('both'));
    assert.deepEqual(
      log.map(({ kind }) => kind),
      Array(MAILS).fill('message'),
    );
  });

  it('is sent once and in order when both have a poster', async () => {
    const { account_id } = world.core.own.account;
    const { db } = world.core.core.store;
    const threads = await db.selectFrom('mail_threads').where('address', 'like', 'both%').selectAll().execute();
    for (const { thread } of threads) {
      for (const [turn, content] of ['Apples', 'Pears'].entries()) {
        const message = { kind: 'message', thread, message_id: `${thread}-${turn}`, content, attachments: [] };
        const draft = { account_id, channel_type: 'booking_site', lane: thread, payload: JSON.stringify(message) };
        await world.core.core.store.transaction((trx) => addPost(trx, { ...draft, created_at: AT }));
      }
    }
    const before = world.server.sent.length;
    const posters = [world.means, await world.beside(location)].map((means) => {
      const posts = mailPosts({ ...means, otherwise: { post: () => Promise.reject(new Error('no other')) } });
      const core = { ...means.core, channels: new Map([['booking_site', { posts }]]) };
      return postWorker({ core, log: silentLogger, alone: false });
    });
    for (const poster of posters) await poster.start();
    const posted = () => db.selectFrom('channel_posts').where('finished_at', 'is not', null).selectAll().execute();
    await world.core.clock.until(async () => (await posted()).length >= 2 * threads.length, 'the posts');
    await world.core.clock.run(10_000);
    for (const poster of posters) await poster.stop();
    assert.ok((await posted()).every(({ state }) => state === 'sent'));
    const sent = world.server.sent.slice(before);
    assert.equal(sent.length, 2 * threads.length);
    for (const { address } of threads) {
      const said = sent.filter(({ to }) => to[0] === address).map(({ raw }) => /Apples|Pears/.exec(raw)?.[0]);
      assert.deepEqual(said, ['Apples', 'Pears'], address);
    }
  });

  it('is pruned, and numbered otherwise by the server, without a mail twice', async () => {
    const before = (await world.rows('messages')).length;
    world.core.clock.jump(366 * 86_400_000);
    await world.prune();
    assert.ok((await world.log()).every(({ needs_a_look, address }) => needs_a_look === 1 || address === ''));
    await world.server.renumber(OURS);
    const outcome = await world.read();
    assert.equal(outcome.read, 'good');
    assert.equal((await world.rows('messages')).length, before);
  });
});
