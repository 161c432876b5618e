import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { conversationWindows } from '../../src/contract/limits.ts';
import { fullWindow } from '../../src/core/limits/conversations.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { guestWrites, openConversation } from '../support/conversations.ts';

const DAY = 86_400_000;

describe('messages into one conversation', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore();
    // The start of a day: all windows begin together.
    await core.clock.advance(DAY - (core.clock.now() % DAY));
  });
  after(() => core.close());

  const send = (id: string) =>
    core.app.inject({
      method: 'POST',
      url: `/v3/conversations/${id}`,
      headers: { 'service-access-token': core.own.token, 'content-type': 'application/json' },
      payload: JSON.stringify({ message: 'Hello' }),
    });
  const code = async (id: string) => (await send(id)).json<{ error_code: number }>().error_code;
  const count = async (id: string) =>
    (await core.call('getConversation', { conversation_id: id, limit: 100 })).messages.length;

  it('the sixth within 5 seconds is refused, with the text and the headers of a limit, and stores nothing', async () => {
    const id = await openConversation(core);
    await core.clock.advance(1_000);
    for (let sent = 0; sent < 5; sent += 1) assert.equal(await code(id), 200);
    const before = await core.stored();
    const refused = await send(id);
    assert.equal(refused.statusCode, 200);
    const { error_code, error_msg } = refused.json<{ error_code: number; error_msg: string }>();
    assert.deepEqual([error_code, error_msg], [429, 'Too many requests. Try again in 4 seconds.']);
    const { headers } = refused;
    assert.deepEqual(
      [headers['retry-after'], headers['x-ratelimit-scope'], headers['x-ratelimit-window']],
      ['4', 'endpoint', '5s'],
    );
    assert.match(String(headers['x-ratelimit-reason']), /5 messages per conversation in 5s/);
    assert.equal(await core.stored(), before);
  });

  it('refused ones consume nothing, another conversation has its own share, and a window begins again at its boundary', async () => {
    const id = await openConversation(core);
    await core.clock.advance(60_000 - (core.clock.now() % 60_000));
    for (let sent = 0; sent < 5; sent += 1) await send(id);
    for (let tried = 0; tried < 20; tried += 1) assert.equal(await code(id), 429);
    assert.equal(await code(await openConversation(core)), 200);
    await core.clock.advance(5_000);
    for (let sent = 0; sent < 5; sent += 1) assert.equal(await code(id), 200);
    // Ten in this minute: both windows are full, and the later of the two is named.
    const refused = await send(id);
    assert.deepEqual([refused.headers['x-ratelimit-window'], refused.headers['retry-after']], ['1m', '55']);
    await core.clock.advance(5_000);
    assert.equal(await code(id), 429, 'the minute is not over');
    await core.clock.advance(50_000);
    assert.equal(await code(id), 200);
    assert.equal(await count(id), 11);
  });

  it('what others write into the conversation does not count', async () => {
    const id = await openConversation(core);
    await core.clock.advance(60_000);
    for (let sent = 0; sent < 20; sent += 1) await guestWrites(core, id);
    assert.equal(await code(id), 200);
  });

  it('the share is remembered over a restart, since it is counted from the messages themselves', async () => {
    const id = await openConversation(core);
    await core.clock.advance(DAY - (core.clock.now() % DAY));
    let sent = 0;
    for (; sent < 120; sent += 1) {
      if (sent % 5 === 0) await core.clock.advance(sent % 10 === 0 ? 25 * 60_000 : 5_000);
      assert.equal(await code(id), 200, `message ${sent + 1}`);
    }
    await core.clock.advance(2 * 3_600_000);
    const refused = await send(id);
    assert.equal(refused.headers['x-ratelimit-window'], '24h');
    await core.clock.advance(DAY - (core.clock.now() % DAY));
    assert.equal(await code(id), 200);
  });

  it('in any order of attempts no window ever holds more than its share, and none is refused that all have room for', () => {
    const pauses = fc.array(
      fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 7_000 }), fc.integer({ min: 1, max: 4_000_000 })),
      {
        maxLength: 300,
      },
    );
    fc.assert(
      fc.property(pauses, (waits) => {
        const sent: number[] = [];
        let now = 1_760_000_000_000;
        for (const wait of waits) {
          now += wait;
          const full = fullWindow(sent, now);
          const inWindow = (seconds: number) =>
            sent.filter((at) => Math.floor(at / 1_000 / seconds) === Math.floor(now / 1_000 / seconds)).length;
          const hasRoom = conversationWindows.every(({ seconds, max }) => inWindow(seconds) < max);
          assert.equal(full === undefined, hasRoom);
          if (!full) sent.push(now);
          for (const { seconds, max } of conversationWindows) assert.ok(inWindow(seconds) <= max);
        }
      }),
      { numRuns: 60 },
    );
  });
});
