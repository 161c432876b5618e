import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, startTestService, type TestService, until } from '../support/service.ts';
import { PIXEL } from '../support/conversations.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.remove());

test('what is said and noted in a conversation is in the mirror, and verify finds both halves equal', async () => {
  await service.run(`
    insert into core.conversations
      (account_id, id, conversation_id, channel_type, channel_thread_id, guest_name, last_message, unread_count, created_at)
    select account_id, 1, 'conversation', 'marketplace_a', 't', 'Ada Guest', '', 0, created_at from core.accounts`);
  await service.v3('POST', '/conversations/conversation', {
    message: 'Welcome',
    jpeg_base64: PIXEL.toString('base64'),
  });
  await service.settled();
  const messages = await service.rows(`
    select m.sender_role, m.attachments, v.text from mirror.messages m
    join mirror.personal_values v on v.row_key = m.message and v.path = 'content'`);
  assert.deepEqual(messages, [{ sender_role: 'host', attachments: 1, text: 'Welcome' }]);
  const changes = await call(service, 'GET', '/mirror/changes?limit=500', { token: service.token });
  const ofMessages = changes.json.changes.filter((one: { resource: string }) => one.resource === 'message');
  assert.deepEqual(
    ofMessages.map((one: { needs_answer: boolean }) => one.needs_answer),
    [false],
  );

  const conversation = await service.v3('GET', '/conversations/conversation');
  const picture = await fetch(conversation.messages[0].attachments[0].url);
  assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/jpeg']);
  await until(
    async () => (await service.rows('select state from core.channel_posts'))[0]?.['state'] === 'sent',
    'the channel to be told',
  );
  assert.equal((await service.portal('POST', '/portal/verify')).clean, true);
});
