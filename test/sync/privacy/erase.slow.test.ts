import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { WRITTEN } from '../../../src/compose/privacy/erasures.ts';
import { ulidMaker } from '../../../src/kernel/ids.ts';
import { sha256Hex } from '../../../src/kernel/signature.ts';
import { openStore } from '../../../src/store/store.ts';
import { rewriteFile } from '../../../src/store/sqlite/rewriteFile.ts';
import { countInTables, rewriteTables } from '../../../src/store/sqlite/rewriteTables.ts';
import type { Mirror, MirrorStore } from '../../../src/sync/tables/database.ts';
import { erase, type Erasing, planErasure } from '../../../src/sync/privacy/erasure/erase.ts';
import type { Erasure } from '../../../src/sync/privacy/erasure/erasureTable.ts';
import { reapplyErasures } from '../../../src/sync/privacy/erasure/reapply.ts';
import type { Whom } from '../../../src/sync/privacy/erasure/scope.ts';
import { messageEvent, reservationEvent, reviewEvent, transactionEvent } from '../../support/events.ts';
import { CONNECTION, evenRandom, openWorld, type World } from '../../support/mirror.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { makeStay, makeTask, makeTransaction, type WireStay } from '../../support/rows.ts';
import { Truth } from '../../support/truth.ts';
import { makeMessage, makeReview, makeConversation, said } from '../../support/wireConversations.ts';

/** Stands in everything that names the person to be erased, and nowhere else. */
const CANARY = 'Quinlan';
/** The same for somebody else. */
const OTHER = 'Vesper';

/** A stay filled with a name in every place where one can stand. */
function stayOf(id: number, name: string, over: Partial<WireStay> = {}): WireStay {
  const base = makeStay(id);
  const guest = (guestId: number, who: string, is_booker: boolean) => ({
    id: guestId,
    name: `${who} Smith`,
    phone: `+49 ${who}`,
    email: `${who}@guest.example`,
    id_type: 'passport' as const,
    id_number: `P-${who}`,
    gender: 'female' as const,
    country: 'NZ',
    is_booker,
    id_images: [{ id: 1, url: `https://img.example/${who}.jpg` }],
    birthday: `1970 ${who}`,
  });
  return {
    ...base,
    guest_name: `${name} Smith`,
    guest_phone: `+49 ${name}`,
    guest_email: `${name}@guest.example`,
    note: `VIP, ask for ${name}`,
    channel_remarks: `from ${name}`,
    custom_fields: { car: `${name}'s car` },
    conversation_id: `c${id}`,
    checkin_guide_images: [{ id: 5, client_id: null, url: `https://img.example/guide-${name}.jpg` }],
    guests: [guest(id * 10, name, true), guest(id * 10 + 1, `${name}Companion`, false)],
    ...over,
    ...undescribed(name),
  };
}

/** Fields that nobody has described. */
function undescribed(name: string): object {
  return { greeting: `Dear ${name} Smith` };
}

function fillPerson(truth: Truth, id: number, name: string): void {
  const code = makeStay(id).reservation_code;
  truth.put(stayOf(id, name));
  const note = `Rent of ${name} Smith`;
  truth.transactions.set(id, makeTransaction(id, { reservation_code: code, stay_code: code, note, amount: 120.5 }));
  truth.tasks.set(id, makeTask(id, { stay_code: code, note: `${name} is late` }));
  truth.reviews.set(
    code,
    makeReview(code, { guest_review: { ...said(`I am ${name}`), private_feedback: `${name} says` } }),
  );
  const guest = { name: `${name} Smith`, email: `${name}@guest.example`, phone: `+49 ${name}` };
  const source = { type: 'conversation', docs: [{ title: name, fragment: [name], source_type: 'x', link_id: null }] };
  const message = makeMessage(`m${id}`, {
    sender_name: name,
    content: `It is ${name}`,
    attachments: [{ type: 'image', url: `https://${name}.example`, name }],
    sources: [source],
  });
  truth.conversations.set(`c${id}`, {
    ...makeConversation(`c${id}`, [message]),
    guest,
    note: `about ${name}`,
    activities: [],
  });
}

interface Scene {
  w: World;
  erasing: Erasing;
  logged: Erasure[];
}

async function scene(t: TestContext, database?: string): Promise<Scene> {
  const truth = new Truth();
  fillPerson(truth, 1, CANARY);
  fillPerson(truth, 2, OTHER);
  const w = await openWorld({ truth, ...(database !== undefined && { database }) });
  t.after(() => w.close());
  await history(w, 1, CANARY);
  await history(w, 2, OTHER);
  const logged: Erasure[] = [];
  return { w, erasing: erasingOf(w, w.store, logged), logged };
}

function erasingOf(w: World, store: MirrorStore, logged: Erasure[]): Erasing {
  return {
    store,
    connection: CONNECTION,
    clock: w.clock,
    ids: ulidMaker(w.clock, evenRandom),
    fingerprint: (text) => sha256Hex(`key ${text}`),
    log: { key: () => undefined, keepKey() {}, read: () => logged, append: (more) => void logged.push(...more) },
    onChanges() {},
  };
}

/** Changes that leave the name in old states, diffs, derived events and payloads. */
async function history(w: World, id: number, name: string): Promise<void> {
  w.truth.put(stayOf(id, name, { note: `second note on ${name}`, number_of_guests: 3, guest_phone: `+1 ${name}` }));
  await w.send({ ...reservationEvent(makeStay(id)), hint: `of ${name}` });
  const conversation = w.truth.conversations.get(`c${id}`) ?? makeConversation(`c${id}`);
  const more = makeMessage(`n${id}`, { sender_name: name, content: `again ${name}`, attachments: [] });
  w.truth.conversations.set(`c${id}`, {
    ...conversation,
    messages: [more, ...conversation.messages],
    note: `later: ${name}`,
  });
  await w.send(messageEvent(`c${id}`, `n${id}`));
  const code = makeStay(id).reservation_code;
  const amounts = { reservation_code: code, stay_code: code, amount: 130 };
  w.truth.transactions.set(id, makeTransaction(id, { ...amounts, note: `More of ${name}` }));
  await w.send(transactionEvent(id, 'transaction_updated'));
  w.truth.reviews.set(
    code,
    makeReview(code, {
      guest_review: { ...said(`I was ${name}`), private_feedback: null },
      host_reply: said(`Hi ${name}`),
    }),
  );
  await w.send(reviewEvent(code));
  await w.quiet();
}

async function fileOf(store: MirrorStore): Promise<string> {
  const { rows } = await sql<{ file: string }>`pragma database_list`.execute(store.db);
  return rows[0]?.file ?? '';
}

/** How often a text stands in the database files, once they have been written again. */
async function traces(store: MirrorStore, text: string): Promise<number> {
  const file = await fileOf(store);
  const [told] = await store.exclusively(async () => rewriteFile({ file, strings: [text] }));
  let found = 0;
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    if (existsSync(path)) found += readFileSync(path).toString('latin1').split(text).length - 1;
  }
  assert.equal(told, found, 'what is told is what is there');
  return found;
}

/** How often a text stands in what the tables tell. */
async function told(store: MirrorStore, text: string): Promise<number> {
  let found = 0;
  for (const { name, schema, isView } of await store.db.introspection.getTables()) {
    if (isView || (schema !== undefined && schema !== 'mirror')) continue;
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(store.db);
    found += JSON.stringify(rows).split(text).length - 1;
  }
  return found;
}

async function reconcile(w: World): Promise<void> {
  let done = false;
  void w.daemon.reconcile(CONNECTION).then(() => (done = true));
  await w.clock.until(() => done, 'a scan');
  await w.quiet();
}

async function isClean(w: World): Promise<boolean> {
  let report: { clean: boolean } | undefined;
  void w.daemon.verify(CONNECTION).then((one) => (report = one));
  await w.clock.until(() => report !== undefined, 'a report');
  return report?.clean ?? false;
}

const byReservation: Whom = { by: 'reservation_code', reservation_code: '5-R000001' };

test('no string of an erased guest is left in the database files, and all of another guest', async (t) => {
  const { w, erasing } = await scene(t);
  assert.ok((await traces(w.store, CANARY)) > 20);
  const others = await told(w.store, OTHER);
  const { report, strings } = await erase(erasing, byReservation);
  assert.ok(strings.includes(`${CANARY} Smith`));
  assert.deepEqual(report.rows, { reservation: 1, transaction: 1, task: 1, review: 1, conversation: 1, message: 2 });
  assert.equal(await traces(w.store, CANARY), 0);
  assert.equal(await told(w.store, OTHER), others);
  assert.ok(others > 20);
});

test('bookings and money stay as they were', async (t) => {
  const { w, erasing } = await scene(t);
  const figures = async () => [
    await w.store.db.selectFrom('reservations').selectAll().execute(),
    await w.store.db.selectFrom('stay_nights').selectAll().execute(),
    await w.store.db.selectFrom('stays').select(['stay_code', 'rate_minor', 'status', 'read_number']).execute(),
    await w.store.db.selectFrom('transactions').select(['id', 'amount_minor', 'action_at']).execute(),
    await w.store.db.selectFrom('messages').select(['message', 'sent_at', 'sender_role']).execute(),
  ];
  const before = await figures();
  await erase(erasing, byReservation);
  assert.deepEqual(await figures(), before);
  const [stay] = await w.store.db.selectFrom('stays').select('raw').where('stay_code', '=', '5-R000001').execute();
  const raw = JSON.parse(stay?.raw ?? '{}') as Record<string, unknown>;
  assert.deepEqual([raw['guest_name'], raw['note'], raw['custom_fields']], [null, null, null]);
  assert.equal(raw['greeting'], 'Dear [erased]');
  const personal = ['name', 'phone', 'email', 'id_type', 'id_number', 'gender', 'country', 'birthday'];
  assert.deepEqual((raw['guests'] as object[])[0], {
    ...Object.fromEntries(personal.map((field) => [field, null])),
    id: 10,
    is_booker: true,
    id_images: [],
  });
});

test('the feed tells of the booking and the conversation that a guest was erased, and says nothing of whom', async (t) => {
  const { w, erasing } = await scene(t);
  const feed = w.daemon.feed(CONNECTION);
  const head = await feed.head();
  await erase(erasing, byReservation);
  const told = await feed.read(head, 100);
  assert.deepEqual(
    told.map(({ resource, key, op, derived, diff }) => [resource, key, op, derived, diff]),
    [
      ['reservation', '5-R000001', 'updated', 'guest_erased', '[]'],
      ['conversation', 'c1', 'updated', 'guest_erased', '[]'],
    ],
  );
});

test('the source still has the guest: no event, scan, verification or rebuild brings anything back', async (t) => {
  const { w, erasing } = await scene(t);
  await erase(erasing, byReservation);
  const feed = w.daemon.feed(CONNECTION);
  const head = await feed.head();
  await w.send(reservationEvent(makeStay(1)));
  await w.send(messageEvent('c1', 'n1'));
  await w.quiet();
  await reconcile(w);
  assert.equal(await isClean(w), true);
  assert.deepEqual(await feed.read(head, 100), []);
  assert.equal(await traces(w.store, CANARY), 0);
  for (const table of ['stays', 'guests', 'stay_nights', 'reservations', 'messages', 'conversations'] as const)
    await w.store.db.deleteFrom(table).execute();
  for (const table of ['reviews', 'transactions', 'tasks', 'personal_values', 'stay_figures', 'stay_items'] as const)
    await w.store.db.deleteFrom(table).execute();
  await reconcile(w);
  assert.equal(await isClean(w), true);
  assert.equal((await w.store.db.selectFrom('messages').selectAll().execute()).length, 4);
  assert.equal(await traces(w.store, CANARY), 0);
  assert.ok((await traces(w.store, OTHER)) > 20);
});

test('what changes later of an erased booking comes without the guest', async (t) => {
  const { w, erasing } = await scene(t);
  await erase(erasing, byReservation);
  w.truth.put(stayOf(1, CANARY, { number_of_guests: 7, note: `third note on ${CANARY}` }));
  await w.send(reservationEvent(makeStay(1)));
  await w.quiet();
  const [stay] = await w.store.db
    .selectFrom('stays')
    .select(['number_of_guests', 'raw'])
    .where('stay_code', '=', '5-R000001')
    .execute();
  assert.equal(stay?.number_of_guests, 7);
  assert.equal(await traces(w.store, CANARY), 0);
});

test('a message written after the erasure is kept', async (t) => {
  const { w, erasing } = await scene(t);
  await erase(erasing, byReservation);
  const conversation = w.truth.conversations.get('c1') ?? makeConversation('c1');
  const fresh = makeMessage('late', { content: 'I am back', timestamp: '2026-11-25T12:00:00Z' });
  w.truth.conversations.set('c1', { ...conversation, messages: [fresh, ...conversation.messages] });
  await w.send(messageEvent('c1', 'late'));
  await w.quiet();
  const texts = await w.store.db
    .selectFrom('personal_values')
    .select('text')
    .where('row_key', 'like', 'c1/%')
    .where('path', '=', 'content')
    .execute();
  assert.deepEqual(
    texts.map((row) => row.text),
    ['I am back'],
  );
});

test('a backup from before, restored, is erased again, by hashes alone', async (t) => {
  const { w, erasing, logged } = await scene(t);
  const directory = mkdtempSync(join(tmpdir(), 'stayd-erased-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const backup = join(directory, 'mirror.db');
  await traces(w.store, CANARY);
  copyFileSync(await fileOf(w.store), backup);
  await erase(erasing, byReservation);
  assert.doesNotMatch(JSON.stringify(logged), /5-R000001|Quinlan|c1/);
  const restored = await openStore<Mirror>({ kind: 'sqlite', file: backup });
  t.after(() => restored.close());
  assert.ok((await traces(restored, CANARY)) > 20);
  const others = await told(restored, OTHER);
  assert.deepEqual(await reapplyErasures(erasingOf(w, restored, logged)), [CONNECTION]);
  assert.equal(await traces(restored, CANARY), 0);
  assert.equal(await told(restored, OTHER), others);
  assert.deepEqual(await reapplyErasures(erasingOf(w, restored, logged)), [], 'once is enough');
});

test('an erasure that was broken off is carried out at the next start', async (t) => {
  const { w, erasing, logged } = await scene(t);
  await w.store.db.schema.alterTable('versions').renameTo('hidden').execute();
  await assert.rejects(erase(erasing, byReservation));
  await w.store.db.schema
    .alterTable('hidden' as never)
    .renameTo('versions')
    .execute();
  assert.ok((await traces(w.store, CANARY)) > 0);
  assert.deepEqual(await reapplyErasures(erasingOf(w, w.store, logged)), [CONNECTION]);
  assert.equal(await traces(w.store, CANARY), 0);
});

test('an address erases who booked with it, in whatever case it is written, but not the companion', async (t) => {
  const { w, erasing } = await scene(t);
  const whom: Whom = { by: 'email', email: ` ${CANARY.toUpperCase()}@GUEST.example` };
  const plan = await planErasure(erasing, whom);
  assert.deepEqual([plan.erasure_id, plan.bookings, plan.persons, plan.conversations], [null, ['5-R000001'], 2, 1]);
  await erase(erasing, whom);
  const guests = await w.store.db
    .selectFrom('guests')
    .select(['guest_key', 'name'])
    .where('stay_code', '=', '5-R000001')
    .execute();
  assert.deepEqual(
    guests.map((row) => ({ ...row })),
    [{ guest_key: '11', name: `${CANARY}Companion Smith` }],
  );
  const left = await w.store.db.selectFrom('personal_values').selectAll().where('row_key', 'like', 'c1%').execute();
  assert.deepEqual(left, []);
  await reconcile(w);
  assert.equal(await isClean(w), true);
  assert.equal(await traces(w.store, `${CANARY}@`), 0);
  assert.equal(await traces(w.store, `+49 ${CANARY}"`), 0);
});

test('an address stands for the bookings made until then: older ones read later are without it, newer ones with it', async (t) => {
  const { w, erasing } = await scene(t);
  await erase(erasing, { by: 'email', email: `${CANARY}@guest.example` });
  const over = { reservation_code: '5-OLD', stay_code: '5-OLD', guests: [], conversation_id: null };
  w.truth.put(stayOf(3, CANARY, { ...over, created_at: '2026-11-01T00:00:00Z' }));
  w.truth.put(
    stayOf(4, CANARY, { ...over, reservation_code: '5-NEW', stay_code: '5-NEW', created_at: '2026-12-24T00:00:00Z' }),
  );
  await reconcile(w);
  const names = await w.store.db
    .selectFrom('guests')
    .select(['stay_code', 'name'])
    .where('guest_key', '=', 'booker')
    .execute();
  const by = new Map(names.map((row) => [row.stay_code, row.name]));
  assert.equal(by.get('5-OLD'), undefined);
  assert.equal(by.get('5-NEW'), `${CANARY} Smith`);
  assert.equal(await isClean(w), true);
});

test('a guest on record who did not book is erased alone; notes and conversation are the booker’s and stay', async (t) => {
  const { w, erasing } = await scene(t);
  const { report } = await erase(erasing, { by: 'guest_id', guest_id: 11 });
  assert.deepEqual([report.persons, report.conversations, report.rows], [1, 0, { reservation: 1 }]);
  assert.equal(await traces(w.store, `${CANARY}Companion`), 0);
  const [booker] = await w.store.db.selectFrom('guests').select('name').where('guest_key', '=', 'booker').execute();
  assert.equal(booker?.name, `${CANARY} Smith`);
  await reconcile(w);
  assert.equal(await isClean(w), true);
  assert.equal(await traces(w.store, `${CANARY}Companion`), 0);
});

test('a plan changes nothing', async (t) => {
  const { w, erasing, logged } = await scene(t);
  const head = await w.daemon.feed(CONNECTION).head();
  const before = await w.store.db.selectFrom('guests').selectAll().execute();
  const plan = await planErasure(erasing, byReservation);
  assert.deepEqual([plan.stays, plan.persons, plan.conversations], [1, 3, 1]);
  assert.deepEqual(await w.store.db.selectFrom('guests').selectAll().execute(), before);
  assert.equal(await w.daemon.feed(CONNECTION).head(), head);
  assert.deepEqual(logged, []);
});

describeOnPostgres('erasing on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());

  test('no row tells of an erased guest any more, all of another one, and the source brings nothing back', async (t) => {
    const { w, erasing } = await scene(t, await server.freshDatabase());
    const others = await told(w.store, OTHER);
    await erase(erasing, byReservation);
    assert.equal(await told(w.store, CANARY), 0);
    assert.equal(await told(w.store, OTHER), others);
    await reconcile(w);
    assert.equal(await told(w.store, CANARY), 0);
    assert.equal(await isClean(w), true);
  });

  test('no file of the database holds a string of an erased guest, and what free text of others tells is counted', async (t) => {
    const { w, erasing } = await scene(t, await server.freshDatabase());
    const { store } = w;
    // What the planner has learnt of the values of columns.
    await sql`analyze`.execute(store.db);
    const before = await filesWith(server, store, CANARY);
    assert.ok(
      before.some((file) => file.startsWith('pg_statistic')),
      before.join(),
    );
    assert.ok(before.length > 5, before.join());
    const { strings } = await erase(erasing, byReservation);
    await rewriteTables(store.db, WRITTEN);
    assert.deepEqual(await filesWith(server, store, CANARY), []);
    assert.ok((await filesWith(server, store, OTHER)).length > 5);
    assert.equal(await countInTables(store.db, strings), 0);
    await store.db
      .updateTable('tasks')
      .set({ note: `met ${CANARY} Smith` })
      .where('id', '=', 2)
      .execute();
    assert.equal(await countInTables(store.db, [`${CANARY} Smith`]), 1);
  });
});

/** Which tables of a database have a text in their files, on the disk. */
async function filesWith(server: TestPostgres, store: MirrorStore, text: string): Promise<string[]> {
  await server.query('checkpoint');
  const { rows } = await server.query('show data_directory');
  const found = await sql<{ oid: string; base: string }>`
    select oid, 'base/' || oid as base from pg_database where datname = current_database()
  `.execute(store.db);
  const folder = join(String(rows[0]?.['data_directory']), found.rows[0]?.base ?? '');
  const names = readdirSync(folder).filter((name) =>
    readFileSync(join(folder, name)).toString('latin1').includes(text),
  );
  const known = await sql<{ relname: string; node: string }>`
    select relname, pg_relation_filenode(oid)::text as node from pg_class where relfilenode > 0 or relisshared or relkind = 'r'
  `.execute(store.db);
  return names.map((name) => known.rows.find((row) => row.node === name.split('.')[0])?.relname ?? name);
}
