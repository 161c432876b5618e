import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { knowledgeWorker } from '../../src/core/knowledgeBases/worker.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import type { StoreLocation } from '../../src/store/store.ts';
import { startCore, type TestAccount, type TestCore } from '../support/core.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';

const GONE = 'This resource is no longer available.';

function knowledge(place: () => Promise<StoreLocation | undefined>): void {
  let core: TestCore;
  let other: TestAccount;
  let mill: number;
  let barn: number;
  let theirs: number;
  before(async () => {
    core = await startCore(await place());
    other = await core.addAccount('other');
    mill = (await core.call('createProperty', { title: 'Mill' })).property_id;
    barn = (await core.call('createProperty', { title: 'Barn' })).property_id;
    theirs = (await core.call('createProperty', { title: 'Theirs' }, other.token)).property_id;
  });
  after(() => core.close());

  const add = async (body: Record<string, unknown>, token?: string): Promise<number> =>
    (await core.call('createKnowledgeBase', body, token)).id;
  const read = (id: number) => core.call('getKnowledgeBase', { id });
  const patch = (id: number, body: object, token?: string) =>
    core.request('PATCH', `/knowledge_bases/${id}`, { body, ...(token !== undefined && { token }) });
  const refused = async (body: object, token?: string) => {
    const answer = await core.request('POST', '/knowledge_bases', { body, ...(token !== undefined && { token }) });
    return [answer.error_code, answer.error_msg.split(':')[0]];
  };
  const of = (...ids: number[]) => ({ scope_property: { type: 'by_property', ids } });
  /** Lets the worker process what waits. */
  async function work(): Promise<void> {
    const worker = knowledgeWorker(core.core, silentLogger);
    await worker.start();
    await worker.settled();
    await worker.stop();
  }
  /** The texts of the entries found by these words, the newest first. */
  const search = async (words: string, more: object = {}): Promise<string[]> => {
    const { knowledge_bases } = await core.call('listKnowledgeBases', { limit: 100, search: words, ...more });
    return Promise.all(knowledge_bases.map(async ({ id }: { id: number }) => (await read(id)).content));
  };

  it('an entry needs content; the rest defaults to all, all, true, and to its first line as a title', async () => {
    const id = await add({ content: 'The bins stand behind the house.\nGreen is paper.' });
    assert.deepEqual(await read(id), {
      id,
      title: 'The bins stand behind the house.',
      scope_property: { type: 'all', ids: [-1] },
      scope_channel: { type: 'all', channels: ['unlimited'] },
      is_enable: true,
      process_status: 'waiting',
      content: 'The bins stand behind the house.\nGreen is paper.',
      contents: [{ text: 'The bins stand behind the house.\nGreen is paper.', sub_title: '' }],
    });
    assert.deepEqual(await refused({ title: 'x' }), [422, 'contents']);
    assert.deepEqual(await refused({ content: ' ' }), [422, 'content']);
    assert.equal((await refused({ contents: [] }))[0], 422);
  });

  it('contents are the same in parts: texts joined by a blank line, titles kept; both that differ: 400', async () => {
    const contents = [
      { text: 'Router in the hall', sub_title: 'Where' },
      { text: 'Password on its back', sub_title: '' },
    ];
    const id = await add({ contents });
    const entry = (await core.request('GET', `/knowledge_bases/${id}`)).data;
    assert.deepEqual([entry.content, entry.contents], ['Router in the hall\n\nPassword on its back', contents]);
    assert.equal((await refused({ content: 'a', contents: [{ text: 'b' }] }))[0], 400);
    await add({ content: 'a', contents: [{ text: 'a' }] });
    assert.equal((await patch(id, { content: entry.content })).error_code, 200);
    assert.deepEqual((await read(id)).contents, contents, 'the same text is no other one');
  });

  it('lists hold no text, newest first, ten to a page', async () => {
    const total = (await core.call('listKnowledgeBases')).total;
    for (let i = total; i < 12; i += 1) await add({ content: `entry ${i}` });
    const { data } = await core.request('GET', '/knowledge_bases');
    assert.equal(data.knowledge_bases.length, 10);
    const ids = data.knowledge_bases.map((one: { id: number }) => one.id);
    assert.deepEqual(
      ids,
      ids.toSorted((a: number, b: number) => b - a),
    );
    assert.ok(!('content' in data.knowledge_bases[0]) && !('contents' in data.knowledge_bases[0]));
    assert.equal((await core.call('listKnowledgeBases', { limit: 100, offset: 11 })).knowledge_bases.length, 1);
  });

  it('scopes: ids must be the operator’s, of this kind; filters find what holds there', async () => {
    assert.equal((await refused({ content: 'x', ...of(theirs) }))[0], 403);
    assert.equal((await refused({ content: 'x', ...of(999_999) }))[0], 404);
    assert.equal((await refused({ content: 'x', scope_property: { type: 'by_group', ids: [999_999] } }))[0], 404);
    assert.equal((await refused({ content: 'x', scope_property: { type: 'by_property' } }))[0], 422);
    assert.equal((await refused({ content: 'x', scope_property: { type: 'by_town', ids: [1] } }))[0], 422);
    assert.equal((await refused({ content: 'x', scope_channel: { type: 'by_channel' } }))[0], 422);
    const here = await add({ content: 'oven', ...of(mill), scope_channel: { type: 'by_channel', channels: ['ical'] } });
    const there = await add({ content: 'barn door', scope_property: { type: 'by_property', ids: [String(barn)] } });
    const all = await add({ content: 'everywhere', scope_property: { type: 'all', ids: [-1] } });
    const found = async (query: Record<string, unknown>) =>
      (await core.call('listKnowledgeBases', { limit: 100, ...query })).knowledge_bases
        .map((one: { id: number }) => one.id)
        .filter((id: number) => [here, there, all].includes(id));
    assert.deepEqual(await found({ property_ids: mill }), [all, here]);
    assert.deepEqual(await found({ property_ids: `${mill},${barn}` }), [all, there, here]);
    assert.deepEqual(await found({ channel_types: 'direct' }), [all, there]);
    assert.deepEqual(await found({ channel_types: 'ical,direct', property_ids: mill }), [all, here]);
    assert.deepEqual((await read(here)).scope_channel, { type: 'by_channel', channels: ['ical'] });
    assert.equal((await patch(here, { scope_channel: { type: 'all' }, ...of(barn) })).error_code, 200);
    const entry = await read(here);
    assert.deepEqual([entry.scope_property.ids, entry.scope_channel.channels], [[barn], ['unlimited']]);
  });

  for (const [type, create] of [
    ['by_group', 'createPropertyGroup'],
    ['by_room_type', 'createRoomType'],
  ] as const) {
    const make = async (name: string, property_ids: number[], token?: string): Promise<number> => {
      const made = await core.call(create, { name, property_ids }, token);
      return made.id ?? made.room_type_id;
    };

    it(`${type}: holds for what is in it now, and for nothing beside`, async () => {
      const [one, two] = await Promise.all(
        ['one', 'two'].map(
          async (title) => (await core.call('createProperty', { title: `${type} ${title}` })).property_id,
        ),
      );
      const place = await make('Holds', [one]);
      const id = await add({ content: `${type} kayaks`, scope_property: { type, ids: [place] } });
      assert.deepEqual((await read(id)).scope_property, { type, ids: [place] });
      const found = async (property_ids: number) =>
        (await core.call('listKnowledgeBases', { limit: 100, property_ids })).knowledge_bases.some(
          (entry: { id: number }) => entry.id === id,
        );
      assert.deepEqual([await found(one), await found(two)], [true, false]);
      await work();
      assert.deepEqual(
        [await search('kayaks', { property_ids: one }), await search('kayaks', { property_ids: two })],
        [[`${type} kayaks`], []],
      );
      await core.call('deleteKnowledgeBase', { id });
    });

    it(`${type}: another operator’s: 403; nobody’s, and what a sub-account does not see: 404`, async () => {
      const [here, there] = await Promise.all(
        ['here', 'there'].map(
          async (title) => (await core.call('createProperty', { title: `${type} ${title}` })).property_id,
        ),
      );
      const foreign = await make('Foreign', [], other.token);
      const [own, mixed, hidden, empty] = [
        await make('Own', [here]),
        type === 'by_group' ? await make('Mixed', [here, there]) : undefined,
        await make('Hidden', [there]),
        await make('Empty', []),
      ];
      const sub = await core.addSubAccount(core.own.account, [here]);
      const code = async (id: number, token?: string) =>
        (await refused({ content: 'x', scope_property: { type, ids: [id] } }, token))[0];
      assert.deepEqual(
        [await code(foreign), await code(999_999), await code(own), await code(empty)],
        [403, 404, 200, 200],
      );
      assert.deepEqual(
        [await code(foreign, sub), await code(hidden, sub), await code(empty, sub), await code(own, sub)],
        [403, 404, 401, 200],
      );
      const answer = await core.request('POST', '/knowledge_bases', {
        body: { content: 'x', scope_property: { type, ids: [foreign] } },
      });
      assert.match(answer.error_msg, /^scope_property\.ids/);
      const seen = (id: number) => core.request('GET', `/knowledge_bases/${id}`, { token: sub });
      const theirs = await add({ content: 'x', scope_property: { type, ids: [own] } });
      const notTheirs = await add({ content: 'x', scope_property: { type, ids: [hidden] } });
      assert.deepEqual([(await seen(theirs)).error_code, (await seen(notTheirs)).error_code], [200, 404]);
      assert.equal((await patch(theirs, { title: 'y' }, sub)).error_code, 200);
      if (mixed === undefined) return;
      const both = await add({ content: 'x', scope_property: { type, ids: [mixed] } });
      assert.deepEqual(
        [(await seen(both)).error_code, (await patch(both, { title: 'y' }, sub)).error_code],
        [200, 401],
      );
      assert.equal(await code(mixed, sub), 401);
    });
  }

  it('a worker cuts the text up and makes it searchable: waiting, then done', async () => {
    const id = await add({ content: 'The sauna opens at seven.', title: 'Sauna' });
    assert.deepEqual(await search('sauna'), []);
    await work();
    assert.equal((await read(id)).process_status, 'done');
    assert.deepEqual(await search('SAUNA at seven?'), ['The sauna opens at seven.']);
    assert.deepEqual(await search('sauna at eight'), []);
    assert.deepEqual(await search('?!'), []);
    assert.deepEqual(await search('"sauna" (seven'), ['The sauna opens at seven.']);
  });

  it('another text is processed again, and the old one is found no more; a new title changes nothing of it', async () => {
    const id = await add({ content: 'Skis are in the cellar.' });
    await work();
    await patch(id, { title: 'Skis' });
    assert.equal((await read(id)).process_status, 'done');
    await patch(id, { content: 'Sledges are in the attic.' });
    assert.equal((await read(id)).process_status, 'waiting');
    assert.deepEqual(await search('skis'), [], 'nor while it waits');
    await work();
    assert.deepEqual([await search('skis'), await search('sledges')], [[], ['Sledges are in the attic.']]);
    await core.call('deleteKnowledgeBase', { id });
    assert.deepEqual(await search('sledges'), []);
    assert.deepEqual(
      await core.core.store.db
        .selectFrom('knowledge_chunks')
        .select('id')
        .where('knowledge_base_id', '=', id)
        .execute(),
      [],
    );
  });

  it('long texts become many pieces, and the one that fits comes first, with its title', async () => {
    const filler = Array.from({ length: 400 }, (_, i) => `Paragraph ${i} tells of nothing in particular at all.`).join(
      '\n\n',
    );
    const contents = [
      { text: filler, sub_title: '' },
      { text: 'Turn the blue valve.', sub_title: 'Heating' },
    ];
    const id = await add({ contents });
    await work();
    const chunks = await core.core.store.db
      .selectFrom('knowledge_chunks')
      .select(['text', 'position'])
      .where('knowledge_base_id', '=', id)
      .orderBy('position')
      .execute();
    assert.ok(chunks.length > 20 && chunks.every((chunk, index) => chunk.position === index));
    assert.ok(chunks.every((chunk) => chunk.text.length <= 800));
    assert.equal((await search('heating blue valve')).length, 1);
  });

  it('a text without a single word fails', async () => {
    const id = await add({ content: '— … —', title: 'Dashes' });
    await work();
    assert.equal((await read(id)).process_status, 'failed');
    await patch(id, { content: 'Words' });
    await work();
    assert.equal((await read(id)).process_status, 'done');
  });

  it('what a crash left processing is taken up when its lease is over, and fails after several times', async () => {
    const id = await add({ content: 'Umbrellas hang by the door.' });
    const { db } = core.core.store;
    const crash = (attempts: number) =>
      db
        .updateTable('knowledge_bases')
        .set({
          process_status: 'processing',
          attempts,
          claimed_until: new Date(core.clock.now() + 60_000).toISOString(),
        })
        .where('id', '=', id)
        .execute();
    await crash(1);
    await work();
    assert.equal((await read(id)).process_status, 'processing');
    core.clock.jump(60_000);
    await work();
    assert.equal((await read(id)).process_status, 'done');
    await crash(3);
    core.clock.jump(60_000);
    await work();
    assert.equal((await read(id)).process_status, 'failed');
  });

  it('search keeps to a property, a channel and the account', async () => {
    await add({ content: 'Lanterns mill', ...of(mill) });
    await add({ content: 'Lanterns ical', scope_channel: { type: 'by_channel', channels: ['ical'] } });
    await add({ content: 'Lanterns theirs' }, other.token);
    await work();
    const found = async (more: object) => (await search('lanterns', more)).toSorted();
    assert.deepEqual(await found({}), ['Lanterns ical', 'Lanterns mill']);
    assert.deepEqual(await found({ property_ids: barn }), ['Lanterns ical']);
    assert.deepEqual(await found({ channel_types: 'direct' }), ['Lanterns mill']);
    assert.equal((await found({ limit: 1 })).length, 1);
  });

  it('what the caller cannot access is gone: another operator’s, nobody’s, and what a sub-account does not see', async () => {
    const sub = await core.addSubAccount(core.own.account, [barn]);
    const foreign = await add({ content: 'x' }, other.token);
    const hidden = await add({ content: 'x', ...of(mill) });
    const cases: [number, string][] = [
      [foreign, core.own.token],
      [999_999, core.own.token],
      [hidden, sub],
    ];
    for (const [id, token] of cases) {
      for (const [method, body] of [['GET'], ['PATCH', { title: 'x' }], ['DELETE']] as const) {
        const { error_code, error_msg } = await core.request(method, `/knowledge_bases/${id}`, {
          token,
          ...(body && { body }),
        });
        assert.deepEqual([error_code, error_msg], [404, GONE], method);
      }
    }
    const listed = (await core.call('listKnowledgeBases', { limit: 100 }, sub)).knowledge_bases;
    assert.ok(listed.every((one: { id: number }) => one.id !== hidden && one.id !== foreign));
  });

  it('a sub-account reads what holds for all, and writes only what holds for its own properties', async () => {
    const sub = await core.addSubAccount(core.own.account, [barn]);
    const everywhere = await add({ content: 'x' });
    const both = await add({ content: 'x', ...of(mill, barn) });
    const own = await add({ content: 'x' }, sub);
    assert.deepEqual((await read(own)).scope_property, { type: 'by_property', ids: [barn] });
    const { id } = await core.call('getKnowledgeBase', { id: everywhere }, sub);
    assert.equal(id, everywhere);
    const codes = await Promise.all(
      [everywhere, both, own].map(async (one) => (await patch(one, { title: 'x' }, sub)).error_code),
    );
    assert.deepEqual(codes, [401, 401, 200]);
    assert.equal((await refused({ content: 'x', scope_property: { type: 'all' } }, sub))[0], 401);
    assert.equal((await refused({ content: 'x', ...of(mill) }, sub))[0], 404);
    assert.equal((await patch(own, { scope_property: { type: 'all' } }, sub)).error_code, 401);
  });
}

describe('the knowledge base over v3', () => knowledge(async () => undefined));

describeOnPostgres('the knowledge base over v3, on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());
  knowledge(async () => ({ kind: 'postgres', url: await server.freshDatabase(), schema: 'core' }));
});
