import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { mailPosts } from '../../../src/channels/mail/post.ts';
import type { StoreLocation } from '../../../src/store/store.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { mailOf, shapes } from './support/shapes.ts';
import { MailWorld, OURS } from './support/world.ts';

const ANN = 'ann@guest.example';

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
