import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { MailOutcome } from '../../../src/channels/mail/poll.ts';
import { mailPosts } from '../../../src/channels/mail/post.ts';
import { mailWorker } from '../../../src/channels/mail/worker.ts';
import { ApiError } from '../../../src/kernel/errors.ts';
import { silentLogger } from '../../../src/kernel/log.ts';
import { mailOf } from './support/shapes.ts';
import { LOG_DAYS, MailWorld, OURS } from './support/world.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
const guest = (n: number | string) =>
  mailOf({ From: `g${n}@guest.example`, To: OURS, 'Message-ID': `<m${n}@guest.example>` }, `Mail ${n}`);
const messagesIn = (outcomes: readonly MailOutcome[]) =>
  outcomes.reduce((sum, one) => sum + (one.read === 'good' ? (one.kinds.message ?? 0) : 0), 0);

describe('a mailbox that several want to read at once', () => {
  let world: MailWorld;
  before(async () => {
    world = await MailWorld.start();
  });
  after(() => world.close());

  it('is read by one of them', async () => {
    for (let n = 0; n < 20; n++) world.server.drop(OURS, guest(n));
    const outcomes = await Promise.all([world.try(), world.try(), world.try()]);
    assert.deepEqual(outcomes.map(({ read }) => read).toSorted(), ['busy', 'busy', 'good']);
    assert.equal((await world.rows('messages')).length, 20);
  });

  it('is read by the button after the worker, and each mail comes in once', async () => {
    for (let n = 20; n < 40; n++) world.server.drop(OURS, guest(n));
    await world.core.clock.advance(2 * MINUTE);
    const worker = mailWorker({ ...world.means, log: silentLogger });
    await worker.start();
    worker.wake();
    const first = await world.try();
    await worker.settled();
    const second = await world.try();
    await worker.stop();
    assert.ok(first.read !== 'failed' && second.read === 'good');
    assert.equal((await world.rows('messages')).length, 40);
    assert.deepEqual(
      (await world.log()).map(({ kind }) => kind),
      Array(40).fill('message'),
    );
  });

  it('is not read by the button while somebody reads it for long, and that is said', async () => {
    const { db } = world.core.core.store;
    const until = world.core.clock.now() + 7 * MINUTE;
    await db.updateTable('mailboxes').set({ reading_until: until }).execute();
    let refused: unknown;
    void world.read().catch((error: unknown) => (refused = error));
    await world.core.clock.until(() => refused !== undefined, 'the refusal');
    assert.ok(refused instanceof ApiError);
    assert.equal(refused.code, 409);
    assert.match(refused.message, /is being read at the moment/);
    await db.updateTable('mailboxes').set({ reading_until: null }).execute();
    assert.equal((await world.read()).read, 'good');
  });

  it('is given back by a reader that failed, and after a crash when its time is over', async () => {
    const { db } = world.core.core.store;
    await db.updateTable('mailboxes').set({ folder: 'Nowhere' }).execute();
    assert.equal((await world.try()).read, 'failed');
    await db.updateTable('mailboxes').set({ folder: 'INBOX' }).execute();
    assert.equal((await world.try()).read, 'good');
    // A process that has claimed it ends.
    await db
      .updateTable('mailboxes')
      .set({ reading_until: world.core.clock.now() + 7 * MINUTE })
      .execute();
    assert.equal((await world.try()).read, 'busy');
    await world.core.clock.advance(7 * MINUTE);
    assert.equal((await world.try()).read, 'good');
  });
});

describe('the log of mails that were sent', () => {
  let world: MailWorld;
  before(async () => {
    world = await MailWorld.start();
  });
  after(() => world.close());

  it('tells of a mail for its days, and of one that failed until somebody has looked', async () => {
    const { account_id } = world.core.own.account;
    for (const name of ['one', 'two']) world.server.drop(OURS, guest(name));
    await world.read();
    const { db } = world.core.core.store;
    const threads = await db.selectFrom('mail_threads').selectAll().orderBy('address').execute();
    const posts = mailPosts({ ...world.means, otherwise: { post: () => Promise.reject(new Error('no other')) } });
    const message = { kind: 'message', content: 'Yes', attachments: [] } as const;
    const [good = '', bad = ''] = threads.map(({ thread }) => thread);
    await posts.post({ ...message, thread: good, message_id: 'm1' }, account_id);
    world.server.answers('refuses');
    await assert.rejects(posts.post({ ...message, thread: bad, message_id: 'm2' }, account_id), /not here/);
    const sent = async () => (await world.log()).filter(({ direction }) => direction === 'out').map(({ kind }) => kind);
    world.core.clock.jump(LOG_DAYS * DAY);
    await world.prune();
    assert.deepEqual(await sent(), ['sent', 'failed']);
    world.core.clock.jump(DAY);
    await world.prune();
    assert.deepEqual(await sent(), ['failed']);
    await db.updateTable('mail_log').where('kind', '=', 'failed').set({ needs_a_look: 0 }).execute();
    await world.prune();
    assert.deepEqual(await sent(), []);
  });
});

describe('the log of mails', () => {
  let world: MailWorld;
  before(async () => {
    world = await MailWorld.start();
  });
  after(() => world.close());

  it('tells of a mail for its days, and then keeps what recognises it', async () => {
    const { clock } = world.core;
    const arrived = new Date(clock.now());
    for (const name of ['stays', 'leaves']) world.server.drop(OURS, guest(name), arrived);
    assert.equal(messagesIn([await world.read()]), 2);
    clock.jump(LOG_DAYS * DAY);
    await world.prune();
    assert.deepEqual(
      (await world.log()).map(({ address }) => address),
      ['gstays@guest.example', 'gleaves@guest.example'],
    );
    clock.jump(DAY);
    await world.prune();
    assert.deepEqual(
      (await world.log()).map(({ address, subject, says, checks }) => [address, subject, says, checks]),
      [
        ['', '', null, null],
        ['', '', null, null],
      ],
    );
  });

  it('forgets a mail that has left the folder, and takes none in twice that is in it', async () => {
    world.server.remove(OURS, 'leaves@guest.example');
    world.server.drop(OURS, guest('new'), new Date(world.core.clock.now()));
    assert.equal(messagesIn([await world.read()]), 1);
    assert.equal((await world.log()).length, 2);
    await world.server.renumber(OURS);
    const again = await world.read();
    assert.ok(again.read === 'good', JSON.stringify(again));
    assert.deepEqual(again.kinds, { duplicate: 2 });
    assert.equal((await world.rows('messages')).length, 3);
  });

  it('holds a mail back that is older than itself, until a person takes it in', async () => {
    world.server.drop(OURS, guest('leaves'), new Date(world.core.clock.now() - (LOG_DAYS + 1) * DAY));
    const outcome = await world.read();
    assert.ok(outcome.read === 'good');
    assert.deepEqual(outcome.kinds, { held: 1 });
    const [held] = (await world.log()).filter(({ kind }) => kind === 'held');
    assert.match(held?.says ?? '', /before the log of mails begins/);
    world.core.clock.jump((LOG_DAYS + 1) * DAY);
    await world.prune();
    assert.equal((await world.log()).find(({ id }) => id === held?.id)?.says, held?.says, 'what waits stays');
  });
});
