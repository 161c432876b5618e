import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { mailTroubles } from '../../../src/channels/mail/health.ts';
import { mailPosts } from '../../../src/channels/mail/post.ts';
import { mailOf } from './support/shapes.ts';
import { MailWorld, OURS } from './support/world.ts';

const MB = 1_024 * 1_024;
const guest = (name: string, more: Record<string, string> = {}) => ({
  From: `${name}@guest.example`,
  To: OURS,
  'Message-ID': `<${name}@guest.example>`,
  ...more,
});

describe('mails that are meant to break the reader, over real IMAP', () => {
  let world: MailWorld;
  before(async () => {
    world = await MailWorld.start();
  });
  after(() => world.close());

  /** Each is followed by a mail of a guest, which must come in whatever the one before does. */
  const hostile = [
    {
      name: 'of 100 MB',
      kind: 'message',
      says: /larger than what is read/,
      build: () => mailOf(guest('huge'), `Hello\n\n${`${'x'.repeat(75)}\n`.repeat((100 * MB) / 76)}`),
    },
    {
      name: 'of 10,000 parts',
      kind: 'unreadable',
      says: /cannot be taken apart/,
      build: () => {
        const part = '--cut\r\nContent-Type: text/plain\r\n\r\nx\r\n';
        return mailOf(
          guest('parts', { 'Content-Type': 'multipart/mixed; boundary="cut"' }),
          `${part.repeat(10_000)}--cut--`,
        );
      },
    },
    {
      name: 'of 10,000 parts, one inside the other',
      kind: 'unreadable',
      says: /cannot be taken apart/,
      build: () => {
        const open = (n: number) => `--b${n}\r\nContent-Type: multipart/mixed; boundary="b${n + 1}"\r\n\r\n`;
        const levels = Array.from({ length: 10_000 }, (_, n) => open(n));
        return mailOf(guest('deep', { 'Content-Type': 'multipart/mixed; boundary="b0"' }), levels.join(''));
      },
    },
  ] as const;

  for (const { name, kind, says, build } of hostile) {
    it(`${name} is told as what it is, within bounds, and the next one is read`, async () => {
      const next = `behind-${name.replaceAll(/\W/g, '')}`.toLowerCase();
      world.server.drop(OURS, build());
      world.server.drop(OURS, mailOf(guest(next), `Mail ${next}`));
      const held = process.memoryUsage.rss();
      const outcome = await world.read();
      assert.ok(outcome.read === 'good', JSON.stringify(outcome));
      assert.ok(process.memoryUsage.rss() - held < 150 * MB);
      const log = await world.log();
      const [entry] = log.slice(-2);
      assert.deepEqual([entry?.kind, log.at(-1)?.kind], [kind, 'message']);
      assert.match(entry?.says ?? '', says);
      assert.equal(log.at(-1)?.address, `${next}@guest.example`);
      const troubles = await mailTroubles(world.core.core.store.db, world.core.clock.now());
      const told = troubles.findLast((one) => one.kind === 'unreadable');
      if (kind === 'unreadable') assert.match(told?.says ?? '', says);
      else assert.equal(told, undefined);
    });
  }

  it('with line breaks in subject and names is on one line wherever it goes on', async () => {
    const heads = guest('crlf', {
      From: '=?utf-8?Q?A=0D=0ABcc:_evil@evil.example?= <crlf@guest.example>',
      Subject: '=?utf-8?B?SGkNCkJjYzogZXZpbEBldmlsLmV4YW1wbGU=?=',
    });
    world.server.drop(OURS, mailOf(heads, 'Hello'));
    const outcome = await world.read();
    assert.ok(outcome.read === 'good');
    assert.deepEqual(outcome.kinds, { message: 1 });
    const thread = await world.core.core.store.db
      .selectFrom('mail_threads')
      .where('address', '=', 'crlf@guest.example')
      .selectAll()
      .executeTakeFirstOrThrow();
    assert.doesNotMatch(`${thread.subject}${thread.name}${(await world.log()).at(-1)?.subject}`, /[\r\n]/);
    await sendIn(world, thread.thread);
    const raw = world.server.sent.at(-1)?.raw ?? '';
    const head = raw.slice(0, raw.indexOf('\r\n\r\n'));
    assert.deepEqual(world.server.sent.at(-1)?.to, ['crlf@guest.example']);
    assert.doesNotMatch(head, /^bcc:/im);
  });
});

/** Sends an answer in a conversation, as the worker of posts does. */
async function sendIn({ means, core }: MailWorld, thread: string): Promise<void> {
  const otherwise = { post: () => Promise.reject(new Error('nothing else is sent')) };
  const posts = mailPosts({ ...means, otherwise });
  const message = { kind: 'message', thread, message_id: 'm1', content: 'Yes', attachments: [] } as const;
  await posts.post(message, core.own.account.account_id);
}
