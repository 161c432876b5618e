import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { operationIds, operations } from '../../src/contract/index.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { closePage, pageOf } from '../../src/core/cursor.ts';
import type { StoreLocation } from '../../src/store/store.ts';
import { type PagedId, pagedLists, pagedWorld, type PagedList } from '../support/pagedLists.ts';
import { type Answer, startCore, type TestCore } from '../support/core.ts';
import { requestOf } from '../support/fixtures.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';

const paged = operationIds.filter((id) => 'offset' in operations[id].query.shape) as PagedId[];

describe('operations with pages', () => {
  for (const id of paged) {
    const { query, data }: Operation = operations[id];
    it(`${id} pages by cursor as well, and is tried here`, () => {
      assert.ok('cursor' in query.shape, 'its query takes a cursor');
      assert.ok('next_cursor' in (data as { shape?: object }).shape!, 'its data has next_cursor');
      assert.ok(id in pagedLists, 'test/support/pagedLists.ts has no row for it');
    });
  }
});

/** Far more than any list here has. */
const MOST_ROWS = 1_000;

/** What happens to a list between two pages. */
const steps = fc.array(fc.record({ what: fc.constantFrom('add', 'change', 'remove', 'page'), which: fc.nat() }), {
  minLength: 4,
  maxLength: 12,
});

function lists(place: () => Promise<StoreLocation | undefined>): void {
  let core: TestCore;
  let world: Awaited<ReturnType<typeof pagedWorld>>;
  before(async () => {
    core = await startCore(await place());
    world = await pagedWorld(core);
  });
  after(() => core.close());

  const ask = (id: PagedId, query: Record<string, unknown>, token = core.own.token): Promise<Answer> => {
    const [method, path] = requestOf(id, { ...pagedLists[id].input(world), ...query });
    return core.request(method, path, { token });
  };
  async function page(id: PagedId, query: Record<string, unknown>): Promise<any> {
    const { error_code, error_msg, data } = await ask(id, query);
    assert.equal(error_code, 200, error_msg);
    return data;
  }
  const keysIn = (id: PagedId, data: any): string[] => data[pagedLists[id].rows].map(pagedLists[id].key);

  /** All pages from the beginning to the end, with whatever happens behind each. */
  async function scan(id: PagedId, limit: number, between: () => Promise<void> = async () => {}): Promise<string[]> {
    const seen: string[] = [];
    for (let cursor: string | null = 'start'; cursor !== null;) {
      const data: any = await page(id, { cursor, limit });
      assert.ok(keysIn(id, data).length <= limit);
      seen.push(...keysIn(id, data));
      assert.ok(seen.length <= MOST_ROWS, 'the pages do not come to an end');
      cursor = data.next_cursor;
      await between();
    }
    return seen;
  }

  /** The list by offset, while nothing happens to it. */
  async function whole(id: PagedId): Promise<string[]> {
    const keys: string[] = [];
    for (let offset = 0; offset === keys.length; offset += 100)
      keys.push(...keysIn(id, await page(id, { offset, limit: 100 })));
    return keys;
  }

  for (const id of paged) {
    it(`${id}: whatever is added, changed or removed between pages, what lasts comes exactly once`, async () => {
      const list: PagedList = pagedLists[id];
      await fc.assert(
        fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), async (happenings, limit) => {
          const all = () => whole(id);
          while ((await all()).length < 7) await list.add(world);
          const lasting = new Set(await all());
          const left = [...happenings];
          const between = async () => {
            for (let step = left.shift(); step && step.what !== 'page'; step = left.shift()) {
              if (step.what === 'add') await list.add(world);
              const there = (await all()).filter((key) => list.mayGo?.(key, world) ?? true);
              const picked = there[step.which % there.length];
              if (picked === undefined) continue;
              if (step.what === 'change') await list.change?.(world, picked);
              if (step.what !== 'remove') continue;
              await list.remove(world, picked);
              lasting.delete(picked);
            }
          };
          const seen = await scan(id, limit, between);
          assert.equal(new Set(seen).size, seen.length, 'no row comes twice');
          assert.deepEqual(
            [...lasting].filter((key) => !seen.includes(key)),
            [],
            'no row that lasted is missing',
          );
        }),
        { numRuns: 6 },
      );
    });

    it(`${id}: pages by cursor hold the rows that pages by offset hold, and end with null on the last row`, async () => {
      // What happened to the list before may have left a single row.
      while ((await whole(id)).length < 2) await pagedLists[id].add(world);
      const all = await page(id, { limit: 100 });
      assert.ok(!('next_cursor' in all), 'nothing is answered otherwise without a cursor');
      const keys = keysIn(id, all);
      assert.deepEqual((await scan(id, 3)).toSorted(), keys.toSorted());
      const exact = await page(id, { cursor: 'start', limit: keys.length });
      assert.equal(exact.next_cursor, null);
      const first = await page(id, { cursor: 'start', limit: keys.length - 1 });
      const last = await page(id, { cursor: first.next_cursor, limit: 100 });
      assert.deepEqual([keysIn(id, last).length, last.next_cursor], [1, null]);
      assert.deepEqual([exact.total, first.total, last.total], [all.total, all.total, all.total]);
    });
  }
}

describe('lists by cursor on SQLite', () => lists(async () => undefined));

describeOnPostgres('lists by cursor on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());
  lists(async () => ({ kind: 'postgres', url: await server.freshDatabase(), schema: 'core' }));
});

describe('a cursor', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore();
    for (let index = 0; index < 4; index += 1) await task(index);
  });
  after(() => core.close());

  const task = (index: number, token?: string) =>
    core.call('createTask', { type: 'cleaning', expected_date: `2026-12-0${index + 1}`, currency: 'EUR' }, token);
  const first = async (query = '', path = '/tasks'): Promise<string> =>
    (await core.request('GET', `${path}?cursor=start&limit=1${query}`)).data.next_cursor;
  async function refused(path: string, message: RegExp, token = core.own.token): Promise<void> {
    const { error_code, error_msg, data } = await core.request('GET', path, { token });
    assert.deepEqual([error_code, data], [422, undefined], path);
    assert.match(error_msg, message);
  }
  const NONE = /^cursor: is none that GET \/\w+ has answered; send next_cursor as it came, or start to begin again$/;

  it('goes with neither offset nor order_by, which are named', async () => {
    const cursor = await first();
    for (const one of ['start', cursor]) {
      await refused(`/tasks?cursor=${one}&offset=0`, /^offset: does not go with cursor/);
      await refused(`/reservations?cursor=${one}&order_by=created_at`, /^order_by: does not go with cursor/);
    }
  });

  it('that is empty is none: the null of a last page, written into an address, would begin again for ever', async () => {
    await refused('/tasks?cursor=', /^cursor: must not be empty; the first page has cursor=start$/);
    await refused(`/tasks?cursor=${'x'.repeat(1_001)}`, /^cursor: must have at most 1000 characters/);
  });

  it('is refused when any of its characters is another, or is lacking', async () => {
    const cursor = await first();
    await fc.assert(
      fc.asyncProperty(fc.nat(cursor.length - 1), fc.constantFrom('', 'A', 'b', '0', '_'), async (at, put) => {
        const spoilt = cursor.slice(0, at) + put + cursor.slice(at + 1);
        if (spoilt !== cursor) await refused(`/tasks?cursor=${spoilt}`, NONE);
      }),
    );
    for (const made of ['null', 'undefined', 'Start', 'eyJrZXkiOjF9', core.core.sealer.seal('{"key":1}', 'other')])
      await refused(`/tasks?cursor=${made}`, NONE);
  });

  it('is of its account and its list alone', async () => {
    const cursor = await first();
    const other = await core.addAccount('Other');
    await refused(`/tasks?cursor=${cursor}`, NONE, other.token);
    await refused(`/staffs?cursor=${cursor}`, NONE);
  });

  it('is of its filters, which are sent with each page; the limit may be another', async () => {
    const cursor = await first('&type=cleaning');
    assert.equal((await core.request('GET', `/tasks?cursor=${cursor}&limit=3&type=cleaning`)).data.tasks.length, 3);
    for (const filters of ['', '&type=other', '&type=cleaning&status=pending'])
      await refused(
        `/tasks?cursor=${cursor}${filters}`,
        /^cursor: was answered to other filters; send those, or begin again with cursor=start$/,
      );
  });

  it('is known where unknown fields are refused', async () => {
    const strict = { headers: { prefer: 'handling=strict' } };
    assert.equal((await core.request('GET', '/tasks?cursor=start', strict)).error_code, 200);
    assert.match((await core.request('GET', '/tasks?courser=start', strict)).error_msg, /it takes .*\bcursor\b/);
    assert.match((await core.request('GET', '/webhooks?cursor=start', strict)).error_msg, /^cursor: not a field of/);
  });

  it('answers the total of its first page, and counts no more', async () => {
    const page = await core.request('GET', '/tasks?cursor=start&limit=2');
    await task(5);
    const next = await core.request('GET', `/tasks?cursor=${page.data.next_cursor}&limit=2`);
    assert.deepEqual([next.data.total, next.data.next_cursor], [page.data.total, null]);
  });

  it('keeps windows that begin today where they were when its first page was asked for', async () => {
    const { property_id } = await core.call('createProperty', { title: 'Mill' });
    const booking = { property_id, guest_name: 'A', rate_amount: 1, commission_amount: 0, received_amount: 0 };
    // Both leave today, the one with the lesser number comes second.
    const leaving = { ...booking, check_in_date: '2026-11-19', check_out_date: '2026-11-20' };
    const other = (await core.call('createProperty', { title: 'Barn' })).property_id;
    await core.call('createReservation', leaving);
    await core.call('createReservation', { ...leaving, property_id: other });
    const cursor = await first('', '/reservations');
    await core.clock.advance(86_400_000);
    const { data } = await core.request('GET', `/reservations?cursor=${cursor}`);
    assert.equal(data.reservations.length, 1);
    assert.equal((await core.request('GET', '/reservations')).data.total, 0, 'today’s own window has moved on');
  });

  it('shows a sub-account what it sees, and no more', async () => {
    const { property_id } = await core.call('createProperty', { title: 'Own' });
    await core.call('createProperty', { title: 'Hidden' });
    const sub = await core.addSubAccount(core.own.account, [property_id]);
    const { data } = await core.request('GET', '/properties?cursor=start&limit=1', { token: sub });
    assert.deepEqual([data.properties.map((row: any) => row.id), data.next_cursor], [[property_id], null]);
    const all = await first('', '/properties');
    assert.equal((await core.request('GET', `/properties?cursor=${all}`, { token: sub })).error_code, 200);
  });

  it('of a conversation is of that conversation', async () => {
    const world = await pagedWorld(core);
    for (let index = 0; index < 3; index += 1) await pagedLists.getConversation.add(world);
    const [, path] = requestOf('getConversation', pagedLists.getConversation.input(world));
    const cursor = await first('', path);
    const [, elsewhere] = requestOf('getConversation', { conversation_id: world.otherConversation });
    await refused(`${elsewhere}?cursor=${cursor}`, /^cursor: was answered to other filters/);
    assert.equal((await core.request('GET', `${path}?cursor=${cursor}`)).data.messages.length, 2);
  });

  it('does not end where a row has gone since its key was read', () => {
    const { account } = core.own;
    const context = { core: core.core, account, now: core.core.clock.now() };
    const page = pageOf('listTasks', 'number', { offset: 0, limit: 2, cursor: 'start' }, context);
    // Three keys were found, and then two of the rows.
    const { rows, next } = closePage(
      page,
      { rows: [{ id: 9 }, { id: 7 }], keys: [9, 8, 7], total: 3 },
      (row) => row.id,
    );
    assert.deepEqual(rows, [{ id: 9 }]);
    const following = pageOf('listTasks', 'number', { offset: 0, limit: 2, cursor: next.next_cursor ?? '' }, context);
    assert.deepEqual(following.range, { offset: 0, limit: 3, before: 8, total: 3 });
  });
});
