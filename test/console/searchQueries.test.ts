import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { mirrorMigrations } from '../../migrations/mirror/index.ts';
import { readHits } from '../../src/console/search/query.ts';
import { migrate } from '../../src/store/migrate.ts';
import type { MirrorStore } from '../../src/sync/tables/database.ts';
import { openEmptyMirror, onBothMirrors } from '../support/mirrorStores.ts';

const AT = '2027-03-01T00:00:00Z';
const facts = { read_number: 1, first_seen_at: AT, changed_at: AT, raw: '{}' };

async function put(
  { db }: MirrorStore,
  code: string,
  guest: { name: string; email?: string; phone?: string },
  more: { property?: number; connection?: string; channel_id?: string; date?: string } = {},
): Promise<void> {
  const { property = 1, connection = 'local', channel_id = `HM-${code}`, date = '2027-03-05' } = more;
  const stay = { connection, stay_code: code, reservation_code: `R${code}`, property_id: property, status: 'accepted' };
  await db
    .insertInto('stays')
    .values({ ...stay, ...facts, channel_id, check_in_date: date, check_out_date: '2027-04-01' } as never)
    .execute();
  const row = { connection, stay_code: code, guest_key: 'booker', is_booker: 1, ...guest };
  await db
    .insertInto('guests')
    .values(row as never)
    .execute();
}

async function write({ db }: MirrorStore, id: string, text: string, properties: number[]): Promise<void> {
  const conversation = { connection: 'local', conversation_id: `c${id}`, ...facts };
  const row = { ...conversation, property_ids: JSON.stringify(properties), reservation_codes: '[]', activities: 1 };
  await db
    .insertInto('conversations')
    .values(row as never)
    .execute();
  const message = { message: `c${id}/1`, message_id: '1', sent_at: AT, attachments: 0 };
  await db
    .insertInto('messages')
    .values({ ...conversation, ...message } as never)
    .execute();
  const value = { connection: 'local', resource: 'message', row_key: `c${id}/1`, path: 'content', text };
  await db
    .insertInto('personal_values')
    .values(value as never)
    .execute();
}

function cases(open: () => MirrorStore): void {
  const find = (question: string, more: object = {}) =>
    readHits(open().db, { connection: 'local', question, persons: true, messages: true, ...more });
  const guests = async (question: string, more: object = {}) =>
    (await find(question, more)).byGuest.map(({ stay_code }) => stay_code);

  before(async () => {
    const house = { connection: 'local', status: 'active', ...facts };
    for (const [id, name] of [
      [1, 'Sea House'],
      [2, '100 % Barn'],
    ] as const) {
      await open()
        .db.insertInto('properties')
        .values({ ...house, id, name } as never)
        .execute();
    }
    await put(open(), 'A1', { name: 'Grace Hopper', email: 'grace.hopper@navy.example', phone: '+1 202-555 0147' });
    await put(open(), 'A2', { name: 'Grace O’Malley' }, { property: 2, date: '2027-03-09' });
    await put(open(), 'A3', { name: 'Grace Elsewhere' }, { connection: 'other' });
    await write(open(), '1', 'Where is the swimming pool?', [1]);
    await write(open(), '2', 'The pool is behind the barn.', [2]);
  });

  it('finds guests by beginnings of names, by address and telephone, the latest arrival first', async () => {
    assert.deepEqual(await guests('gra'), ['A2', 'A1']);
    assert.deepEqual(await guests('HOPPER grace'), ['A1']);
    assert.deepEqual(await guests('grace.hopper@navy'), ['A1']);
    assert.deepEqual(await guests('12025550147'), ['A1']);
    assert.deepEqual(await guests('race'), []);
    assert.deepEqual(await guests(`" OR * ') --`), []);
  });

  it('finds stays by each of their codes, properties by a part of the name, and messages by their words', async () => {
    for (const code of ['A1', 'a1', 'RA1', 'HM-A1']) {
      assert.deepEqual(
        (await find(code)).byCode.map(({ stay_code }) => stay_code),
        ['A1'],
        code,
      );
    }
    assert.deepEqual(
      (await find('0 %')).properties.map(({ id }) => id),
      [2],
    );
    assert.deepEqual(
      (await find('swim')).messages.map(({ conversation_id, text }) => [conversation_id, text]),
      [['c1', 'Where is the swimming pool?']],
    );
    assert.equal((await find('pool')).messages.length, 2);
  });

  it('keeps to the properties of a person, and without the right shows no names and no messages', async () => {
    assert.deepEqual(await guests('grace', { properties: [2] }), ['A2']);
    const own = await find('pool', { properties: [1] });
    assert.deepEqual(
      own.messages.map(({ conversation_id }) => conversation_id),
      ['c1'],
    );
    assert.deepEqual((await find('sea', { properties: [2] })).properties, []);
    const nameless = await find('A1', { persons: false, messages: false });
    assert.deepEqual(
      nameless.byCode.map(({ guest }) => guest),
      [null],
    );
    assert.deepEqual((await find('grace', { persons: false })).byGuest, []);
    assert.deepEqual((await find('A1', { properties: [2] })).byCode, []);
  });

  it('what is changed or erased is found no longer', async () => {
    const { db } = open();
    await put(open(), 'B1', { name: 'Zacharias Zimt', email: 'z@zimt.example' });
    await write(open(), '9', 'Zuckerbrot please', [1]);
    assert.deepEqual(await guests('zimt'), ['B1']);
    await db.updateTable('guests').set({ name: 'Zora' }).where('stay_code', '=', 'B1').execute();
    assert.deepEqual([await guests('zacharias'), await guests('zora')], [[], ['B1']]);
    await db.deleteFrom('guests').where('stay_code', '=', 'B1').execute();
    await db.deleteFrom('personal_values').where('row_key', '=', 'c9/1').execute();
    assert.deepEqual([await guests('zora'), (await find('zuckerbrot')).messages], [[], []]);
  });
}

onBothMirrors('search', cases, () => {
  it('finds what a database held before it could search', async () => {
    const old = await openEmptyMirror(undefined, '0005');
    await put(old, 'A1', { name: 'Grace Hopper' });
    await write(old, '1', 'the pool', [1]);
    await migrate(old, mirrorMigrations);
    const asked = { connection: 'local', persons: true, messages: true };
    assert.equal((await readHits(old.db, { ...asked, question: 'hop' })).byGuest.length, 1);
    assert.equal((await readHits(old.db, { ...asked, question: 'pool' })).messages.length, 1);
    await old.close();
  });
});
