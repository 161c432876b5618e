import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type MailServer, PASSWORD, startMailServer } from '../channels/mail/support/mailServer.ts';
import { bounceOf, mailOf, shapes } from '../channels/mail/support/shapes.ts';
import { call, startTestService, type TestService, until } from '../support/service.ts';

const OURS = 'reception@rooms.example';
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const MAILS = 1_000;

describe('mail of a running service', () => {
  let server: MailServer;
  let service: TestService;
  let mailbox: number;
  before(async () => {
    server = await startMailServer();
    service = await startTestService({ STAYD_OUTBOUND_ALLOW: server.allow });
  });
  after(async () => {
    await service.remove();
    await server.stop();
  });

  const draft = (address = OURS) => ({
    name: 'Sea View',
    address,
    imap: { host: '127.0.0.1', port: server.imapPort, security: 'none', password: PASSWORD },
    smtp: { host: '127.0.0.1', port: server.smtpPort, security: 'none' },
    plus_addresses: true,
  });
  const read = async () => (await service.portal('POST', `/portal/mailboxes/${mailbox}/read`)).outcome;
  const log = async (more = '') => (await service.portal('GET', `/portal/mailboxes/log?limit=1000${more}`)).mails;
  const drop = (heads: Record<string, string>, body: string) => server.drop(OURS, mailOf(heads, body));
  const conversations = async () => (await service.v3('GET', '/conversations?offset=0&limit=100')).conversations;
  const messages = async (id: string) => (await service.v3('GET', `/conversations/${id}?limit=100`)).messages;
  const find = async (email: string) =>
    (await conversations()).find((one: { guest: { email: string } }) => one.guest.email === email);
  /** Answers in a conversation. @returns the mail as it came */
  const answer = async (id: string, message: string) => {
    const before = server.sent.length;
    await service.v3('POST', `/conversations/${id}`, { message });
    await until(() => server.sent.length > before, 'the answer to leave');
    return server.sent.at(-1)?.raw ?? '';
  };
  const headOf = (raw: string, name: string) =>
    new RegExp(`^${name}: ([^\\r]*(?:\\r\\n[ \\t][^\\r]*)*)`, 'm').exec(raw)?.[1]?.replaceAll(/\s+/g, ' ');

  it('is set up after both servers were tried', async () => {
    const refused = async (body: object, field: string, says: RegExp) => {
      const answered = await call(service, 'POST', '/portal/mailboxes', { body });
      assert.deepEqual([answered.http, answered.json.error.field], [422, field]);
      assert.match(answered.json.error.message, says);
    };
    const { imap, smtp } = draft();
    await refused({ ...draft(), imap: { ...imap, password: 'wrong' } }, 'imap', /refuses the user and the password/);
    await refused({ ...draft(), folder: 'Nowhere' }, 'imap', /the folder Nowhere cannot be opened/);
    await refused({ ...draft(), imap: { ...imap, host: '127.0.0.2' } }, 'imap', /leads into a private network/);
    await refused({ ...draft(), smtp: { ...smtp, password: 'wrong' } }, 'smtp', /Invalid login/);
    await refused({ ...draft(), smtp: null }, 'smtp', /no server sends/);
    await refused(draft('nobody'), 'address', /must be an address/);
    await refused({ ...draft(), imap: { ...imap, security: 'starttls' } }, 'imap', /STARTTLS/i);
    assert.deepEqual((await service.portal('GET', '/portal/mailboxes')).mailboxes, []);
    const hourAgo = new Date(Date.now() - 3_600_000);
    server.drop(
      OURS,
      mailOf({ From: 'old@guest.example', 'Message-ID': '<old@guest.example>' }, 'from before'),
      hourAgo,
    );
    const made = await service.portal('POST', '/portal/mailboxes', draft());
    mailbox = made.id;
    assert.equal(made.address, OURS);
    assert.ok(!JSON.stringify(made).includes(PASSWORD));
    const { entries } = await service.portal('GET', '/portal/audit');
    assert.match(JSON.stringify(entries), /add mailbox/);
    assert.ok(!JSON.stringify(entries).includes(PASSWORD));
    const again = await call(service, 'POST', '/portal/mailboxes', { body: draft('RECEPTION@rooms.example') });
    assert.equal(again.http, 409);
    const reader = (await service.portal('POST', '/portal/tokens', { name: 'r', scope: 'read' })).token as string;
    const sub = await service.portal('POST', '/portal/sub_accounts', { name: 'Keeper', property_ids: [] });
    const keeper = (await service.portal('POST', '/portal/tokens', { name: 'k', scope: 'write', operator_id: sub.id }))
      .token;
    assert.equal((await call(service, 'POST', '/portal/mailboxes', { token: reader, body: draft() })).http, 401);
    assert.equal((await call(service, 'GET', '/portal/mailboxes', { token: keeper })).http, 401);
  });

  it('makes a mail a conversation, and its answer a mail of the same thread', async () => {
    drop(
      {
        From: 'Ann Guest <ann@guest.example>',
        To: OURS,
        Subject: 'A room in May?',
        'Message-ID': '<q1@guest.example>',
      },
      'Do you have a room?',
    );
    assert.deepEqual(await read(), { read: 'good', kinds: { message: 1 }, isMore: false });
    const [{ conversation_id: id, channel_type, guest, last_message }, ...others] = await conversations();
    assert.equal(others.length, 0, 'what was there before stays out');
    assert.deepEqual(
      [channel_type, guest.name, guest.email, last_message],
      ['direct', 'Ann Guest', 'ann@guest.example', 'Do you have a room?'],
    );
    const raw = await answer(id, 'Yes, we have.\n.\nCome!');
    assert.deepEqual(server.sent.at(-1)?.to, ['ann@guest.example']);
    assert.equal(headOf(raw, 'Subject'), 'Re: A room in May?');
    assert.equal(headOf(raw, 'In-Reply-To'), '<q1@guest.example>');
    assert.equal(headOf(raw, 'References'), '<q1@guest.example>');
    assert.equal(headOf(raw, 'From'), 'Sea View <reception@rooms.example>');
    assert.match(headOf(raw, 'Reply-To') ?? '', /^reception\+stayd-[a-z2-7]{20}@rooms\.example$/);
    assert.equal(headOf(raw, 'Auto-Submitted'), undefined);
    assert.match(raw, /\r\n\r\nYes, we have\.\r\n\.\r\nCome!\r\n$/);
    await service.settled();
    const rows = await service.rows(`select sender_role from mirror.messages order by sender_role`);
    assert.deepEqual(rows, [{ sender_role: 'guest' }, { sender_role: 'host' }], 'the mirror has both');

    const messageId = headOf(raw, 'Message-ID') ?? '';
    const replyTo = headOf(raw, 'Reply-To') ?? '';
    const ways = [
      [{ To: OURS, 'In-Reply-To': messageId }, 'by what it answers'],
      [{ To: OURS, References: `<x@y.example> ${messageId}` }, 'by its references'],
      [{ To: replyTo }, 'by the reply address'],
      [{ To: OURS, 'In-Reply-To': '<q1@guest.example>' }, 'by the guest’s own first mail'],
    ] as const;
    for (const [index, [heads, text]] of ways.entries()) {
      drop({ From: 'Ann Guest <ann@guest.example>', 'Message-ID': `<w${index}@guest.example>`, ...heads }, text);
    }
    drop(
      {
        From: 'Bob <bob@else.example>',
        To: replyTo,
        'Message-ID': '<b@else.example>',
        'Reply-To': 'evil@evil.example',
      },
      'I am Bob',
    );
    assert.deepEqual((await read()).kinds, { message: 5 });
    assert.equal((await conversations()).length, 1);
    const said = await messages(id);
    assert.deepEqual(
      new Set(said.map((one: { content: string }) => one.content)),
      new Set(['Do you have a room?', 'Yes, we have.\n.\nCome!', ...ways.map(([, text]) => text), 'I am Bob']),
    );
    const bob = said.find((one: { content: string }) => one.content === 'I am Bob');
    assert.equal(bob.sender_name, 'Bob (bob@else.example)');
    await answer(id, 'To Ann');
    assert.deepEqual(server.sent.at(-1)?.to, ['ann@guest.example'], 'nobody else gets what belongs to the guest');
  });

  it('belongs to the direct reservation of its sender, which can be written to first', async () => {
    const { property_id } = await service.v3('POST', '/properties', { name: 'Sea House' });
    await service.v3('POST', '/reservations', {
      property_id,
      check_in_date: day(10),
      check_out_date: day(13),
      guest_name: 'Cy Direct',
      email: 'Cy@Guest.example',
      rate_amount: 300,
      commission_amount: 0,
      received_amount: 0,
    });
    await until(async () => (await find('Cy@Guest.example')) !== undefined, 'a conversation for the direct guest');
    const { conversation_id: id } = await find('Cy@Guest.example');
    const raw = await answer(id, 'Welcome');
    assert.match(headOf(raw, 'Subject') ?? '', /^=\?|Sea House/);
    drop(
      { From: 'cy <CY@guest.example>', To: OURS, Subject: 'Key?', 'Message-ID': '<cy1@guest.example>' },
      'Where is the key?',
    );
    server.drop(
      OURS,
      `Authentication-Results: 127.0.0.1; spf=fail; dkim=none; dmarc=fail\r\n${mailOf({ From: 'cy@guest.example', To: OURS, 'Message-ID': '<cy2@guest.example>' }, 'Send me the code')}`,
    );
    assert.deepEqual((await read()).kinds, { message: 2 });
    const said = (await messages(id)).map((one: { content: string }) => one.content);
    assert.ok(said.includes('Where is the key?'));
    assert.ok(!said.includes('Send me the code'), 'its domain disowns it, so it is a stranger');
    const [spoofed] = await log();
    assert.equal(spoofed.checks, 'spf=fail dkim=none dmarc=fail');
    assert.equal(spoofed.says, 'the domain of the sender disowns it');
  });

  it('takes each of many shapes for what it is, once, and answers none', async () => {
    const sent = server.sent.length;
    const expected = new Map<string, number>();
    shapes.forEach(({ kind, build }, index) => {
      server.drop(OURS, build(index));
      expected.set(kind, (expected.get(kind) ?? 0) + 1);
    });
    assert.deepEqual((await read()).kinds, Object.fromEntries(expected));
    const logged = await log();
    for (const [index, { kind, text, name }] of shapes.entries()) {
      if (kind !== 'message') continue;
      const mail = logged.find((one: { address: string }) => one.address === `guest${index}@guest.example`);
      assert.equal(mail?.kind, 'message', name);
      const [only, ...more] = await messages(mail.conversation_id);
      assert.equal(more.length, 0);
      assert.equal(only.content, text, name);
      assert.ok(Date.parse(only.timestamp) <= Date.now(), name);
    }
    assert.equal(server.sent.length, sent, 'nothing is answered by itself');
    assert.deepEqual((await read()).kinds, {});
  });

  it('says which message bounced, until somebody has looked', async () => {
    const { conversation_id: id } = await find('ann@guest.example');
    const raw = await answer(id, 'Will this arrive?');
    server.drop(OURS, bounceOf(900, headOf(raw, 'Message-ID') ?? ''));
    await read();
    const [bounce] = await log('&waiting=true');
    assert.deepEqual([bounce.kind, bounce.conversation_id], ['bounce', id]);
    const about = (await messages(id)).find((one: { content: string }) => one.content === 'Will this arrive?');
    assert.equal(bounce.about_message_id, about.message_id);
    const [shown] = (await service.portal('GET', '/portal/mailboxes')).mailboxes;
    assert.ok(shown.troubles.some((one: { kind: string }) => one.kind === 'bounced'));
    for (const { entry } of await log('&waiting=true'))
      await service.portal('POST', `/portal/mailboxes/log/${entry}/settle`);
    const [after] = (await service.portal('GET', '/portal/mailboxes')).mailboxes;
    assert.deepEqual(after.troubles, []);
  });

  it('is sent at most once: a refusal is said, and an unknown outcome is not tried again', async () => {
    const { conversation_id: id } = await find('ann@guest.example');
    const states = async () =>
      (await service.rows(`select state, problem from core.channel_posts order by id desc limit 1`))[0];
    for (const [how, state, kind] of [
      ['refuses', 'failed', 'failed'],
      ['breaks off', 'unknown', 'unknown'],
    ] as const) {
      server.answers(how);
      await service.v3('POST', `/conversations/${id}`, { message: how });
      await until(async () => (await log('&waiting=true')).some((one: { kind: string }) => one.kind === kind), kind);
      await until(async () => (await states())?.['state'] === state, `the post to be ${state}`);
    }
    server.answers('takes');
    await answer(id, 'now it goes');
    assert.equal(server.sent.filter(({ raw }) => raw.includes('breaks off')).length, 1);
    const [shown] = (await service.portal('GET', '/portal/mailboxes')).mailboxes;
    assert.deepEqual(
      shown.troubles.map((one: { kind: string }) => one.kind),
      ['unsent'],
    );
    for (const { entry } of await log('&waiting=true'))
      await service.portal('POST', `/portal/mailboxes/log/${entry}/settle`);
  });

  it('holds back what one sender writes too often, until a person takes it in', async () => {
    for (let n = 0; n < 25; n++)
      drop({ From: 'robot@silent.example', To: OURS, 'Message-ID': `<r${n}@silent.example>` }, `ping ${n}`);
    assert.deepEqual((await read()).kinds, { message: 20, held: 5 });
    const [held] = await log('&waiting=true');
    const taken = await service.portal('POST', `/portal/mailboxes/log/${held.entry}/take`);
    assert.equal(taken.kind, 'message');
    assert.equal((await call(service, 'POST', `/portal/mailboxes/log/${held.entry}/take`)).http, 404);
    for (const { entry } of await log('&waiting=true'))
      await service.portal('POST', `/portal/mailboxes/log/${entry}/settle`);
  });

  it('is cut when it is too large, and says so', async () => {
    drop(
      { From: 'Big <big@guest.example>', To: OURS, 'Message-ID': '<big@guest.example>' },
      `Here it is\n\n${'x'.repeat(70)}\n`.repeat(150_000),
    );
    assert.deepEqual((await read()).kinds, { message: 1 });
    const { conversation_id: id } = await find('big@guest.example');
    const [only] = await messages(id);
    assert.match(only.content, /^Here it is[\s\S]*\[📎 1\d MB: the whole mail is in the mailbox\]$/);
    assert.match((await log())[0].says, /larger than what is read/);
  });

  it('is neither lost nor doubled when the server numbers its mails otherwise', async () => {
    const before = (await conversations()).length;
    const known = server.count(OURS);
    await server.renumber(OURS);
    drop({ From: 'new@guest.example', To: OURS, 'Message-ID': '<new@guest.example>' }, 'after the restore');
    const totals = { message: 0, other: 0 };
    let more = true;
    while (more) {
      const outcome = await read();
      assert.equal(outcome.read, 'good', outcome.problem);
      for (const [kind, count] of Object.entries(outcome.kinds as Record<string, number>))
        totals[kind === 'message' ? 'message' : 'other'] += count;
      more = outcome.isMore;
    }
    assert.equal(totals.message, 1);
    assert.equal((await conversations()).length, before + 1);
    assert.ok(known > 60);
    assert.deepEqual((await read()).kinds, {});
  });

  it('forgets a guest who is erased', async () => {
    const { conversation_id: id } = await find('ann@guest.example');
    const named = async () =>
      (await service.rows(`select count(*) as n from core.mail_log where address like '%ann@%'`))[0]?.['n'];
    assert.ok(Number(await named()) > 0);
    const answered = await call(service, 'POST', '/portal/core/erase_guest', { body: { email: 'ann@guest.example' } });
    assert.equal(answered.http, 200, answered.text);
    assert.equal(await named(), 0);
    const [thread] = await service.rows(
      `select count(*) as n from core.mail_threads where address like '%ann@%' or subject like '%room in May%'`,
    );
    assert.equal(thread?.['n'], 0);
    drop(
      { From: 'ann@guest.example', To: OURS, 'In-Reply-To': '<q1@guest.example>', 'Message-ID': '<q9@guest.example>' },
      'Me again',
    );
    assert.deepEqual((await read()).kinds, { message: 1 });
    assert.notEqual((await find('ann@guest.example')).conversation_id, id, 'what was erased is not continued');
  });

  it(`loses and doubles none of ${MAILS} mails, with a stop in the middle`, async () => {
    const total = async () =>
      (await service.rows(`select count(*) as n from core.mail_log where direction = 'in'`))[0]?.['n'] as number;
    const told = async () =>
      (await service.rows(`select count(*) as n from core.messages where sender_role = 'guest'`))[0]?.['n'] as number;
    const [logged, heard, sent] = [await total(), await told(), server.sent.length];
    let guests = 0;
    for (let n = 0; n < MAILS; n++) {
      const shape = shapes[n % shapes.length];
      if (!shape) throw new Error('there are no shapes');
      if (shape.kind === 'message') guests++;
      server.drop(OURS, shape.build(10_000 + n));
    }
    void service.portal('POST', `/portal/mailboxes/${mailbox}/read`).catch(() => {});
    await until(async () => (await total()) > logged + MAILS / 7, 'some of them', 120_000);
    await service.restart();
    await until(async () => (await total()) >= logged + MAILS, 'all of them', 400_000);
    assert.deepEqual((await read()).kinds, {});
    assert.equal(await total(), logged + MAILS);
    assert.equal(await told(), heard + guests);
    const twice = await service.rows(
      `select channel_message_id from core.messages where sender_role = 'guest' group by channel_message_id having count(*) > 1`,
    );
    assert.deepEqual(twice, []);
    assert.equal(server.sent.length, sent);
  });
});
