import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { up } from '../../migrations/mirror/0004_conversation_states.ts';
import { conversationOfPlan, type Listed, readEntries } from '../../src/console/inbox/query.ts';
import { readThread } from '../../src/console/inbox/thread.ts';
import { conversationStates } from '../../src/sync/tables/conversations/conversationStates.ts';
import type { MirrorStore } from '../../src/sync/tables/database.ts';
import { onBothMirrors } from '../support/mirrorStores.ts';

const AT = '2027-03-01T00:00:00Z';
const facts = { read_number: 1, first_seen_at: AT, changed_at: AT, raw: '{}' };
const connection = 'local';

interface Said {
  by: string;
  at: string;
  text?: string;
}

/** Puts a conversation with its messages, as the daemon does: who wrote last is noted afterwards. */
async function put(
  { db, transaction }: MirrorStore,
  id: string,
  { guest, properties, said, codes = [] }: { guest: string; properties: number[]; said: Said[]; codes?: string[] },
): Promise<void> {
  const row = {
    connection,
    conversation_id: id,
    channel_type: 'marketplace_a',
    property_ids: JSON.stringify(properties),
    reservation_codes: JSON.stringify(codes),
    ...facts,
  };
  await db
    .insertInto('conversations')
    .values(row as never)
    .execute();
  const value = { connection, resource: 'conversation', row_key: id, path: 'guest.name', text: guest, json: null };
  await db.insertInto('personal_values').values(value).execute();
  for (const [index, { by, at, text = `text ${index}` }] of said.entries()) {
    const message = `${id}/${index + 8}`;
    const one = { connection, message, conversation_id: id, message_id: `${index + 8}`, sender_role: by, sent_at: at };
    await db
      .insertInto('messages')
      .values({ ...one, sources: '["automation_reply"]', ...facts } as never)
      .execute();
    const content = { connection, resource: 'message', row_key: message, path: 'content', text, json: null };
    await db.insertInto('personal_values').values(content).execute();
  }
  await transaction((trx) => conversationStates.sum(trx, connection, [id], AT, []));
}

function cases(open: () => MirrorStore): void {
  const list = async (more: Partial<Listed> = {}) =>
    (await readEntries(open().db, { connection, show: 'all', page: 1, ...more })).entries;
  const ids = async (more: Partial<Listed> = {}) => (await list(more)).map((one) => one.conversation_id);

  before(async () => {
    const { db } = open();
    for (const [id, name] of [
      [1, 'Sea House'],
      [2, 'Barn'],
    ] as const) {
      await db
        .insertInto('properties')
        .values({ connection, id, name, status: 'active', ...facts } as never)
        .execute();
    }
    const guest = (at: string, text?: string): Said => ({ by: 'guest', at, ...(text !== undefined && { text }) });
    const host = (at: string): Said => ({ by: 'host', at });
    await put(open(), 'old', {
      guest: 'Ada 100%',
      properties: [1],
      said: [host('2027-01-01T10:00:00Z'), guest('2027-01-02T10:00:00Z', 'Hi?')],
    });
    await put(open(), 'answered', {
      guest: 'Bob',
      properties: [2],
      said: [guest('2027-02-01T10:00:00Z'), host('2027-02-02T10:00:00Z')],
    });
    // Within one second the higher id is the later one: 8, then 9, then 10.
    const second = '2027-02-10T10:00:00Z';
    await put(open(), 'tie', {
      guest: 'Cleo',
      properties: [1, 2],
      said: [guest(second), host(second), guest(second, 'and?')],
    });
    await put(open(), 'silent', { guest: 'Dan', properties: [], said: [] });
    await put(open(), 'system', {
      guest: 'Eve',
      properties: [2],
      said: [{ by: 'assistant', at: '2027-02-20T10:00:00Z' }],
    });
    const plan = {
      connection,
      rule: 'r',
      version: 1,
      subject: 's',
      occurrence: '',
      action: 'draft',
      basis: '{}',
      due_at: AT,
      send_at: AT,
    };
    const times = { not_after: AT, next_at: AT, approved: 0, undo: 0, attempts: 0, created_at: AT, changed_at: AT };
    const about = { ...plan, ...times, plan_id: 'P1', state: 'awaiting_approval', conversation_id: 'answered' };
    await db
      .insertInto('automation_plans')
      .values(about as never)
      .execute();
  });

  it('has what nobody has answered first, then the newest', async () => {
    assert.deepEqual(await ids(), ['tie', 'old', 'system', 'answered', 'silent']);
    assert.deepEqual(await ids({ show: 'unanswered' }), ['tie', 'old']);
    const [tie, , system] = await list();
    assert.deepEqual(
      [tie?.guest, tie?.properties, tie?.last_text, tie?.isOurs, tie?.isUnanswered],
      ['Cleo', ['Sea House', 'Barn'], 'and?', false, true],
    );
    assert.deepEqual([system?.isOurs, system?.isUnanswered], [true, false]);
  });

  it('finds drafts that wait, a property, and a part of a name, whatever signs it has', async () => {
    assert.deepEqual(await ids({ show: 'drafts' }), ['answered']);
    assert.equal((await list({ show: 'drafts' }))[0]?.drafts, 1);
    assert.deepEqual(await ids({ properties: [2] }), ['tie', 'system', 'answered']);
    assert.deepEqual(await ids({ properties: [] }), []);
    assert.deepEqual(await ids({ named: 'B' }), ['answered']);
    assert.deepEqual(await ids({ named: '100%' }), ['old']);
    assert.deepEqual(await ids({ named: '%' }), ['old']);
    assert.deepEqual(await ids({ named: '_' }), []);
  });

  it('has a thread for those alone who see one of its properties', async () => {
    const thread = (conversation: string, properties?: number[]) =>
      readThread(open().db, { connection, conversation, properties, limit: 2 });
    const tie = await thread('tie', [2]);
    assert.deepEqual(
      tie?.messages.map(({ content, isGuest, sources }) => [content, isGuest, sources]),
      [
        ['text 1', false, ['automation_reply']],
        ['and?', true, ['automation_reply']],
      ],
    );
    assert.equal(tie?.earlier, 1);
    assert.equal(await thread('tie', [3]), undefined);
    assert.equal(await thread('old', [2]), undefined);
    assert.equal(await thread('nowhere'), undefined);
    assert.equal(await conversationOfPlan(open().db, { connection, plan: 'P1' }), 'answered');
    assert.equal(await conversationOfPlan(open().db, { connection, plan: 'P2' }), undefined);
  });

  it('notes the same in the migration as afterwards', async () => {
    const { db } = open();
    const notes = () => db.selectFrom('conversation_states').selectAll().orderBy('conversation_id').execute();
    const before = await notes();
    await db.schema.dropTable('conversation_states').execute();
    await up(db as never);
    assert.deepEqual(await notes(), before);
  });
}

onBothMirrors('what the inbox asks the mirror', cases);
