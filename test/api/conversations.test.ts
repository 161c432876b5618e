import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { serveAttachments } from '../../src/api/attachments.ts';
import { postWorker } from '../../src/core/channels/posts/poster.ts';
import type { ChannelPost } from '../../src/core/channels/adapter.ts';
import { receiveHostMessage } from '../../src/core/conversations/receive.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import type { Worker } from '../../src/kernel/worker.ts';
import { PUBLIC_URL, startCore, type TestAccount, type TestCore } from '../support/core.ts';
import { listOn } from '../support/listings.ts';
import { bookOnChannel, guestWrites, openConversation, PIXEL } from '../support/conversations.ts';

const MINUTE = 60_000;

describe('conversations over v3', () => {
  let core: TestCore;
  let other: TestAccount;
  let property: number;

  before(async () => {
    core = await startCore();
    serveAttachments(core.app, core);
    other = await core.addAccount('other');
    property = (await core.call('createProperty', { title: 'Sea House' })).property_id;
  });
  after(() => core.close());

  const conversation = (conversation_id: string, more: object = {}) =>
    core.call('getConversation', { conversation_id, ...more });
  const send = (conversation_id: string, body: object, token?: string) =>
    core.request('POST', `/conversations/${conversation_id}`, { body, ...(token !== undefined && { token }) });
  const eventsOf = async (work: () => Promise<unknown>) => {
    const before = (await core.events()).length;
    await work();
    return (await core.events()).slice(before);
  };
  const posts = async () =>
    (await core.core.store.db.selectFrom('channel_posts').selectAll().orderBy('id').execute()).map((row) => ({
      ...row,
      payload: JSON.parse(row.payload) as ChannelPost,
    }));
  const inquiry = (property_id = property, more: object = {}) => ({
    listing_id: `listing-${property_id}`,
    property_id,
    check_in_date: '2027-01-10',
    check_out_date: '2027-01-12',
    number_of_guests: 2,
    ...more,
  });

  it('lists conversations by their newest message, with preview, unread count, guest, place and dates', async () => {
    const quiet = await openConversation(core, { inquiry: inquiry() });
    const first = await openConversation(core, { channel_type: 'marketplace_b', inquiry: inquiry() });
    const second = await openConversation(core);
    await guestWrites(core, second);
    await core.clock.advance(MINUTE);
    await guestWrites(core, first, { content: `Hello\n  there ${'x'.repeat(200)}` });
    const preview = async () => (await core.call('listConversations', { limit: 1 })).conversations[0].last_message;
    assert.equal(await preview(), `Hello there ${'x'.repeat(108)}`);
    await guestWrites(core, first, { content: `${'x'.repeat(118)}👨‍👩‍👧 and more` });
    assert.equal(await preview(), 'x'.repeat(118), 'no character is cut in two');
    await guestWrites(core, first, { content: 'And a pool?' });
    const { conversations, total } = await core.call('listConversations');
    assert.deepEqual(
      conversations.map((one: { conversation_id: string }) => one.conversation_id),
      [first, second, quiet],
    );
    assert.equal(total, 3);
    assert.deepEqual(conversations[0], {
      conversation_id: first,
      channel_type: 'marketplace_b',
      last_message_at: '2026-11-20T13:01:00+01:00',
      last_message: 'And a pool?',
      unread_count: 3,
      guest: { name: 'Ada Guest', email: 'ada@guest.example', phone: '+44 20 7946 0000' },
      property_title: 'Sea House',
      check_in_date: '2027-01-10',
      check_out_date: '2027-01-12',
    });
    assert.deepEqual([conversations[2].last_message, conversations[2].last_message_at], ['', null]);
    assert.deepEqual((await core.call('listConversations', { offset: 1, limit: 1 })).conversations, [conversations[1]]);
    assert.deepEqual((await core.call('listConversations', { offset: 9 })).conversations, []);
    const raw = await core.request('GET', '/conversations?limit=1');
    assert.equal(raw.data.conversations[0].id, first);
  });

  it('a conversation answers its messages newest first, 50 unless asked otherwise, paged by offset and limit', async () => {
    const id = await openConversation(core);
    const written: string[] = [];
    for (let count = 0; count < 55; count += 1) {
      await core.clock.advance(1_000);
      written.unshift(await guestWrites(core, id, { content: `${count}` }));
    }
    const ids = async (more: object) =>
      (await conversation(id, more)).messages.map((one: { message_id: string }) => one.message_id);
    assert.deepEqual(await ids({}), written.slice(0, 50));
    assert.deepEqual(await ids({ offset: 50 }), written.slice(50));
    assert.deepEqual(await ids({ offset: 2, limit: 3 }), written.slice(2, 5));
    assert.deepEqual(await ids({ offset: 55 }), []);
    assert.equal((await core.request('GET', `/conversations/${id}?limit=101`)).error_code, 422);
  });

  it('a conversation names every stay and inquiry it is about, newest first', async () => {
    const id = await openConversation(core, { inquiry: inquiry() });
    await core.clock.advance(MINUTE);
    const one = await bookOnChannel(core, { property_id: property, conversation_id: id });
    await core.clock.advance(MINUTE);
    const dates = { check_in_date: '2027-03-01', check_out_date: '2027-03-04' };
    const two = await bookOnChannel(core, { property_id: property, conversation_id: id, ...dates });
    const { activities, note, note_updated_at } = await conversation(id);
    const house = { id: property, name: 'Sea House', cover_url: null, room_type: null };
    const of = (
      activity_type: string,
      reservation_code: string | null,
      check_in_date: string,
      check_out_date: string,
    ) => ({
      activity_type,
      reservation_code,
      check_in_date,
      check_out_date,
      listing_id: `listing-${property}`,
      property: house,
    });
    assert.deepEqual(activities, [
      of('reservation', two, '2027-03-01', '2027-03-04'),
      of('reservation', one, '2026-11-10', '2026-11-14'),
      of('inquiry', null, '2027-01-10', '2027-01-12'),
    ]);
    assert.deepEqual([note, note_updated_at], [null, null]);
    const { reservations } = await core.call('listReservations', { reservation_code: two });
    assert.equal(reservations[0].conversation_id, id);
  });

  it('a conversation shows the picture of what it is about, and its room type', async () => {
    const { property_id } = await core.call('createProperty', { title: 'Lake House' });
    const { room_type_id } = await core.call('createRoomType', { name: 'Lakes', property_ids: [property_id] });
    await listOn(core, 'marketplace_b', property_id, { cover: 'https://img.example/b.jpg' });
    const id = await openConversation(core, { inquiry: { ...inquiry(), property_id, listing_id: 'lake-a' } });
    const shown = async () => (await core.request('GET', `/conversations/${id}`)).data.activities[0].property;
    const room_type = { id: room_type_id, name: 'Lakes', title: 'Lakes' };
    const lake = { id: property_id, name: 'Lake House', title: 'Lake House', room_type };
    assert.deepEqual(await shown(), { ...lake, cover_url: 'https://img.example/b.jpg' }, 'another listing’s');
    const cover = 'https://img.example/a.jpg';
    await listOn(core, 'marketplace_a', property_id, { listing_id: 'lake-a', cover });
    assert.deepEqual(await shown(), { ...lake, cover_url: cover }, 'its own listing’s');
  });

  it('a message has the described fields in both spellings', async () => {
    const id = await openConversation(core);
    const attachments = [{ type: 'image', url: 'https://img.channel.example/1', name: 'lift.jpg' }];
    const message_id = await guestWrites(core, id, { attachments });
    const { data } = await core.request('GET', `/conversations/${id}`);
    const timestamp = data.messages[0].timestamp;
    assert.equal(Date.parse(timestamp), core.clock.now());
    assert.deepEqual(data.messages, [
      {
        message_id,
        id: message_id,
        sender_role: 'guest',
        sender_name: 'Ada Guest',
        display_type: 'Text',
        content: 'Is there a lift?',
        attachments,
        attachment: attachments[0],
        timestamp,
        created_at: timestamp,
        sources: [],
      },
    ]);
    await guestWrites(core, id, { content: '', attachments });
    assert.equal((await conversation(id)).messages[0].display_type, 'FileAttachment');
  });

  it('a message sent from here stands in the conversation, is told once, and clears what was unread', async () => {
    const id = await openConversation(core);
    await guestWrites(core, id);
    await core.clock.advance(1_000);
    let answer: Awaited<ReturnType<typeof send>> | undefined;
    const events = await eventsOf(async () => (answer = await send(id, { message: ' There is. ' })));
    assert.deepEqual([answer?.error_code, answer?.data], [200, undefined]);
    const [message] = (await conversation(id)).messages;
    assert.deepEqual(events, [{ event: 'message_created', conversation_id: id, message_id: message.message_id }]);
    assert.deepEqual(
      [
        message.sender_role,
        message.sender_name,
        message.display_type,
        message.content,
        message.attachments,
        message.sources,
      ],
      ['host', 'own', 'Text', 'There is.', [], []],
    );
    const { conversations } = await core.call('listConversations', { limit: 1 });
    assert.deepEqual([conversations[0].last_message, conversations[0].unread_count], ['There is.', 0]);
  });

  it('sending twice sends two messages', async () => {
    const id = await openConversation(core);
    await send(id, { message: 'Hello' });
    await send(id, { message: 'Hello' });
    assert.equal((await conversation(id)).messages.length, 2);
  });

  it('a picture is kept under an address that cannot be guessed, without what the camera tells', async () => {
    const id = await openConversation(core);
    const where = Buffer.from('\xff\xe1\0\x20Exif\0\0 52.5200 N 13.4050 E    ', 'latin1');
    const comment = Buffer.from('\xff\xfe\0\x09my home', 'latin1');
    const picture = Buffer.concat([PIXEL.subarray(0, 2), where, comment, PIXEL.subarray(2)]);
    assert.equal((await send(id, { jpeg_base64: picture.toString('base64') })).error_code, 200);
    const [message] = (await conversation(id)).messages;
    const [{ type, name, url }] = message.attachments;
    assert.deepEqual(
      [message.display_type, message.content, type, name],
      ['FileAttachment', '', 'image', 'picture.jpg'],
    );
    assert.match(url, new RegExp(`^${PUBLIC_URL}/attachments/[\\w-]{43}$`));
    const answer = await core.app.inject({ url: url.slice(PUBLIC_URL.length) });
    assert.deepEqual([answer.statusCode, answer.headers['content-type']], [200, 'image/jpeg']);
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    assert.ok(answer.rawPayload.equals(PIXEL));
    assert.equal((await core.app.inject({ url: `/attachments/${'A'.repeat(43)}` })).statusCode, 404);
  });

  it('a picture keeps the way it was held', async () => {
    const id = await openConversation(core);
    const tiff = Buffer.from('II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0', 'latin1');
    const head = Buffer.from([0xff, 0xe1, 0, tiff.length + 8]);
    const exif = Buffer.concat([head, Buffer.from('Exif\0\0', 'latin1'), tiff]);
    const picture = Buffer.concat([PIXEL.subarray(0, 2), exif, PIXEL.subarray(2)]);
    await send(id, { jpeg_base64: picture.toString('base64') });
    const { url } = (await conversation(id)).messages[0].attachments[0];
    const { rawPayload } = await core.app.inject({ url: url.slice(PUBLIC_URL.length) });
    assert.equal(
      rawPayload.toString('hex', 2, 38),
      'ffe100224578696600004d4d002a00000008000101120003000000010006000000000000',
    );
    assert.ok(rawPayload.subarray(38).equals(PIXEL.subarray(2)));
  });

  for (const [what, text] of [
    ['text', Buffer.from('no picture').toString('base64')],
    ['a PNG', 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='],
    ['a picture cut off', PIXEL.subarray(0, PIXEL.length - 2).toString('base64')],
    ['a head alone', PIXEL.subarray(0, 20).toString('base64')],
    ['no base64', `${PIXEL.toString('base64').slice(0, 40)}!!`],
  ] as const) {
    it(`${what} is no picture: 422 names jpeg_base64 and nothing is sent`, async () => {
      const id = await openConversation(core);
      const before = await core.stored();
      const answer = await send(id, { message: 'Look', jpeg_base64: text });
      assert.deepEqual([answer.error_code, answer.error_msg.split(':')[0]], [422, 'jpeg_base64']);
      assert.equal(await core.stored(), before);
    });
  }

  const SCRIPT = '<html><script>alert(1)</script></html>';
  const bomb = Buffer.from(PIXEL);
  bomb.fill(0xff, PIXEL.indexOf(Buffer.from([0xff, 0xc9])) + 5, PIXEL.indexOf(Buffer.from([0xff, 0xc9])) + 9);
  for (const [what, bytes] of [
    ['SVG', Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`)],
    ['HTML', Buffer.from(SCRIPT)],
    ['HTML behind the first bytes of a JPEG', Buffer.concat([PIXEL.subarray(0, 4), Buffer.from(SCRIPT)])],
    ['a ZIP', Buffer.from('504b0304140000000800', 'hex')],
    ['a PDF', Buffer.from('%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>')],
    ['a GIF that is a script', Buffer.from('GIF89a/*\0\0*/=alert(1)')],
    ['a picture of four billion pixels', bomb],
  ] as const) {
    it(`S30: ${what} is not taken for a picture`, async () => {
      const id = await openConversation(core);
      const before = await core.stored();
      const answer = await send(id, { jpeg_base64: bytes.toString('base64') });
      assert.deepEqual([answer.error_code, answer.error_msg.split(':')[0]], [422, 'jpeg_base64']);
      assert.equal(await core.stored(), before);
    });
  }

  it('S30: of a picture that is something else too only the picture is kept, and it opens as nothing else', async () => {
    const id = await openConversation(core);
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, SCRIPT.length + 2]), Buffer.from(SCRIPT)]);
    const segment = Buffer.concat([Buffer.from([0xff, 0xed, 0, SCRIPT.length + 2]), Buffer.from(SCRIPT)]);
    const zip = Buffer.from('504b0304140000000800', 'hex');
    const both = Buffer.concat([PIXEL.subarray(0, 2), comment, segment, PIXEL.subarray(2), Buffer.from(SCRIPT), zip]);
    assert.equal((await send(id, { jpeg_base64: both.toString('base64') })).error_code, 200);
    const { url } = (await conversation(id)).messages[0].attachments[0];
    const { rawPayload, headers } = await core.app.inject({ url: url.slice(PUBLIC_URL.length) });
    assert.ok(rawPayload.equals(PIXEL));
    assert.equal(headers['content-type'], 'image/jpeg');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.match(String(headers['content-disposition']), /^attachment;/);
    assert.equal(headers['content-security-policy'], "default-src 'none'; sandbox");
  });

  it('a body with a picture may have 16 MiB, and not more', async () => {
    const id = await openConversation(core);
    const stuffing = Buffer.concat([PIXEL.subarray(0, -2), Buffer.alloc(9_000_000, 1), PIXEL.subarray(-2)]);
    assert.equal((await send(id, { jpeg_base64: stuffing.toString('base64') })).error_code, 200);
    const answer = await send(id, { jpeg_base64: 'A'.repeat(16 * 1_048_576) });
    assert.deepEqual([answer.error_code, answer.error_msg], [400, 'The body is larger than 16777216 bytes.']);
  });

  it('a message needs a text or a picture', async () => {
    const id = await openConversation(core);
    for (const body of [{}, { message: '' }, { message: ' \n ' }]) {
      const { error_code, error_msg } = await send(id, body);
      assert.deepEqual([error_code, error_msg.split(':')[0]], [422, 'message']);
    }
    assert.equal((await send(id, { message: 5 })).error_code, 422);
    assert.equal((await send(id, { message: 'x'.repeat(20_001) })).error_code, 422);
  });

  it('the note is private, has 5,000 characters at most, and is cleared by an empty text or null', async () => {
    const id = await openConversation(core);
    const note = (value: unknown) => core.request('PATCH', `/conversations/${id}/note`, { body: { note: value } });
    const told = await eventsOf(async () => {
      const { data } = await note('x'.repeat(5_000));
      const { updated_at } = data;
      assert.equal(Date.parse(updated_at), core.clock.now());
      assert.deepEqual(data, { conversation_id: id, id, note: 'x'.repeat(5_000), updated_at });
      const shown = await conversation(id);
      assert.deepEqual([shown.note, shown.note_updated_at], [data.note, updated_at]);
      assert.equal((await note('x'.repeat(5_001))).error_code, 422);
      assert.equal((await note(undefined)).error_code, 422);
      for (const clear of ['', null]) {
        await note('again');
        assert.equal((await note(clear)).data.note, null);
        assert.equal((await conversation(id)).note, null);
      }
    });
    assert.deepEqual(told, []);
    assert.equal((await posts()).filter(({ lane }) => lane === id).length, 0, 'no channel is told');
  });

  it('another operator’s conversation is 403, an unknown one 404, for every operation on it', async () => {
    const theirs = await openConversation(core, { account: other });
    for (const [id, code] of [
      [theirs, 403],
      ['nothing', 404],
    ] as const) {
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['POST', '', { message: 'Hello' }],
        ['PATCH', '/note', { note: 'x' }],
        ['GET', '/special_offers', undefined],
        ['POST', '/preapprovals', undefined],
        ['DELETE', '/special_offers/1', undefined],
      ] as const) {
        const before = await core.stored();
        const answer = await core.request(method, `/conversations/${id}${path}`, body ? { body } : {});
        assert.equal(answer.error_code, code, `${method} ${path}`);
        assert.equal(await core.stored(), before);
      }
    }
  });

  it('a sub-account sees the conversations of its properties, and of them only what is about these', async () => {
    const barn = (await core.call('createProperty', { title: 'Barn' })).property_id;
    const token = await core.addSubAccount(core.own.account, [barn]);
    const mine = await openConversation(core, { inquiry: inquiry(barn) });
    const mixed = await openConversation(core, { inquiry: inquiry() });
    await bookOnChannel(core, { property_id: barn, conversation_id: mixed });
    const foreign = await openConversation(core, { inquiry: inquiry() });
    const { conversations, total } = await core.call('listConversations', {}, token);
    assert.deepEqual(
      conversations.map((one: { conversation_id: string }) => one.conversation_id),
      [mixed, mine],
    );
    assert.equal(total, 2);
    const { activities } = await core.call('getConversation', { conversation_id: mixed }, token);
    assert.deepEqual(
      activities.map((one: { property: { id: number } }) => one.property.id),
      [barn],
    );
    assert.equal((await send(foreign, { message: 'x' }, token)).error_code, 404);
    assert.equal((await send(mine, { message: 'x' }, token)).error_code, 200);
  });

  it('a channel may repeat a message, of the guest or of the host in its app, as often as it likes', async () => {
    const id = await openConversation(core);
    const events = await eventsOf(async () => {
      const first = await guestWrites(core, id, { channel_message_id: 'twice' });
      assert.equal(await guestWrites(core, id, { channel_message_id: 'twice' }), first);
      const app = { conversation_id: id, channel_message_id: 'app-1', content: 'From my phone' };
      const host = () => core.change(core.own.account, (change) => receiveHostMessage(change, app));
      assert.equal(await host(), await host());
    });
    assert.equal(events.length, 2);
    const { messages } = await conversation(id);
    assert.deepEqual(
      messages.map((one: { sender_role: string; content: string }) => [one.sender_role, one.content]),
      [
        ['host', 'From my phone'],
        ['guest', 'Is there a lift?'],
      ],
    );
  });

  describe('what a channel is told', () => {
    const told: ChannelPost[] = [];
    let answer: () => Promise<{ channel_message_id?: string }> = () => Promise.resolve({});
    const adapter = {
      post(post: ChannelPost) {
        told.push(post);
        return answer();
      },
    };
    const newPoster = () => {
      const channels = new Map([['marketplace_a', { posts: adapter }]]);
      return postWorker({ core: { ...core.core, channels }, log: silentLogger, alone: true });
    };
    const ofConversation = async (id: string) =>
      (await posts()).filter(({ lane }) => lane === id).map(({ state, problem }) => [state, problem]);
    let poster: Worker;
    before(async () => {
      await core.core.store.db.deleteFrom('channel_posts').execute();
      poster = newPoster();
      await poster.start();
    });
    after(() => poster.stop());

    it('a message reaches the channel after the answer, once, and its echo is no second message', async () => {
      const id = await openConversation(core);
      answer = () => Promise.resolve({ channel_message_id: 'echo-1' });
      await send(id, { message: 'Hello' });
      poster.wake();
      await core.clock.until(async () => (await ofConversation(id))[0]?.[0] === 'sent', 'the channel told');
      const [{ message_id }] = (await conversation(id)).messages;
      const { channel_thread_id: name } = await core.core.store.db
        .selectFrom('conversations')
        .where('conversation_id', '=', id)
        .select('channel_thread_id')
        .executeTakeFirstOrThrow();
      assert.deepEqual(told, [{ kind: 'message', thread: name, message_id, content: 'Hello', attachments: [] }]);
      const echo = { conversation_id: id, channel_message_id: 'echo-1', content: 'Hello' };
      const events = await eventsOf(async () =>
        assert.equal(await core.change(core.own.account, (change) => receiveHostMessage(change, echo)), message_id),
      );
      assert.deepEqual([events, (await conversation(id)).messages.length], [[], 1]);
    });

    it('an echo that overtakes the answer of the channel is recognised by our own id', async () => {
      const id = await openConversation(core);
      await poster.stop();
      await send(id, { message: 'Hello' });
      const [{ message_id }] = (await conversation(id)).messages;
      const echo = { conversation_id: id, channel_message_id: 'early', content: 'Hello', echo_of: message_id };
      await core.change(core.own.account, (change) => receiveHostMessage(change, echo));
      assert.equal((await conversation(id)).messages.length, 1);
      poster = newPoster();
      await poster.start();
      await core.clock.until(async () => (await ofConversation(id))[0]?.[0] === 'sent', 'the channel told');
    });

    it('what a channel refuses is not sent again, and the reason is kept', async () => {
      const id = await openConversation(core);
      const before = told.length;
      answer = () => Promise.reject(new Error('conversation closed'));
      await send(id, { message: 'Hello' });
      poster.wake();
      await core.clock.until(async () => (await ofConversation(id))[0]?.[0] === 'failed', 'a refusal');
      await core.clock.advance(10_000);
      assert.deepEqual([told.length - before, await ofConversation(id)], [1, [['failed', 'conversation closed']]]);
      answer = () => Promise.resolve({});
    });

    it('one that was under way at a crash is never sent again: nobody can say whether it arrived', async () => {
      const id = await openConversation(core);
      await poster.stop();
      await send(id, { message: 'Hello' });
      await core.core.store.db.updateTable('channel_posts').set({ state: 'sending' }).where('lane', '=', id).execute();
      const before = told.length;
      poster = newPoster();
      await poster.start();
      await core.clock.advance(5_000);
      assert.deepEqual([told.length - before, (await ofConversation(id))[0]?.[0]], [0, 'unknown']);
    });

    it('messages of one conversation are told in their order', async () => {
      const id = await openConversation(core);
      await poster.stop();
      for (const message of ['one', 'two', 'three']) await send(id, { message });
      const before = told.length;
      poster = newPoster();
      await poster.start();
      await core.clock.until(async () => told.length - before === 3, 'three posts');
      assert.deepEqual(
        told.slice(before).map((post) => (post.kind === 'message' ? post.content : '')),
        ['one', 'two', 'three'],
      );
    });
  });
});
