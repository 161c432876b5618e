import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { CompiledQuery, Kysely } from 'kysely';
import { planPage } from '../../src/core/automation/table.ts';
import { linkPage } from '../../src/core/calendarShareLinks/table.ts';
import { channelAccountPage, listingPage } from '../../src/core/channels/table.ts';
import { conversationPage, findConversation, messagePage } from '../../src/core/conversations/table.ts';
import type { CoreDatabase, CoreTransaction } from '../../src/core/database.ts';
import { entryPage } from '../../src/core/knowledgeBases/table.ts';
import { propertyPage } from '../../src/core/properties/table.ts';
import { groupPage } from '../../src/core/propertyGroups/table.ts';
import { tagPage } from '../../src/core/propertyTags/table.ts';
import { reservationPage, type ReservationQuestion } from '../../src/core/reservations/page.ts';
import { ownTagPage } from '../../src/core/reservationTags/table.ts';
import { reviewPage } from '../../src/core/reviews/table.ts';
import { roomTypePage } from '../../src/core/roomTypes/table.ts';
import { offerPage } from '../../src/core/specialOffers/table.ts';
import { staffPage } from '../../src/core/staffs/table.ts';
import { taskPage } from '../../src/core/tasks/table.ts';
import { transactionPage } from '../../src/core/transactions/table.ts';
import { addDays } from '../../src/kernel/dates.ts';
import type { ReservationCode, StayCode } from '../../src/kernel/ids.ts';
import { insertMany } from '../../src/store/queries/insertMany.ts';
import { openPostgres } from '../../src/store/postgres.ts';
import type { Range } from '../../src/store/queries/paging.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { Planner, type Step, scansIn } from '../support/plans.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { openConversation } from '../support/conversations.ts';

type Db = Kysely<CoreDatabase>;
const LIMIT = 21;
const WINDOW = { from: '2026-01-01T00:00:00.000Z', until: '2027-01-01T00:00:00.000Z' };

describe('query plans of pages by cursor on SQLite', () => {
  let core: TestCore;
  let planner: Planner;
  let conversation: string;
  before(async () => {
    core = await startCore();
    conversation = await openConversation(core);
    planner = new Planner(join(core.folder, 'core.db'));
  });
  after(async () => {
    await planner.close();
    await core.close();
  });

  /** Behind another page, so that nothing is counted. */
  const behind: Range = { offset: 0, limit: LIMIT, before: 1_000, total: 1_500 };
  const behindText: Range<string> = { ...behind, before: 'x' };

  /** The plan of the first query, which finds the keys of the page. */
  async function keysBy(work: (db: Db, accountId: TestCore['own']['account']['account_id']) => Promise<unknown>) {
    const plans = await planner.plansOf(() => work(planner.db, core.own.account.account_id));
    return { first: plans[0] ?? [], all: plans };
  }

  const scanned: [what: string, index: string, work: Parameters<typeof keysBy>[0]][] = [
    ['properties', 'id', (db, accountId) => propertyPage(db, { accountId, visible: null, ...behind })],
    ['room types', 'id', (db, accountId) => roomTypePage(db, { accountId, visible: null, ...behind })],
    ['groups', 'id', (db, accountId) => groupPage(db, { accountId, visible: null, ...behind })],
    ['tags', 'id', (db, accountId) => tagPage(db, { accountId, visible: null, ...behind })],
    ['tags of reservations', 'id', (db, accountId) => ownTagPage(db, { accountId, ...behind })],
    ['share links', 'id', (db, accountId) => linkPage(db, { accountId, visible: null, ...behind })],
    ['channel accounts', 'id', (db, accountId) => channelAccountPage(db, { accountId, visible: null, ...behind })],
    ['listings', 'id', (db, accountId) => listingPage(db, { accountId, visible: null, ...behind })],
    ['tasks', 'id', (db, accountId) => taskPage(db, { accountId, visible: null, ...behind })],
    [
      'tasks of a status',
      'id',
      (db, accountId) => taskPage(db, { accountId, visible: null, status: 'pending', ...behind }),
    ],
    ['staff', 'id', (db, accountId) => staffPage(db, { accountId, visible: null, ...behind })],
    ['knowledge bases', 'id', (db, accountId) => entryPage(db, { accountId, visible: null, ...behind })],
    [
      'conversations',
      'conversation_id',
      (db, accountId) => conversationPage(db, { accountId, visible: null, order: 'id', ...behindText }),
    ],
    ...(
      [
        ['all', {}],
        ['of a status', { status: 'accepted' }],
        ['that leave from a day on', { start_check_out_date: '2026-11-20' }],
      ] as const
    ).map(([what, filters]): [string, string, Parameters<typeof keysBy>[0]] => [
      `reservations, ${what}`,
      'id',
      (db, accountId) => reservationPage(db, { accountId, visible: null, filters, order: 'id', ...behind }),
    ]),
  ];
  for (const [what, key, work] of scanned) {
    it(`${what}: the page is read from an index behind the key before, unsorted`, async () => {
      const { first } = await keysBy(work);
      const text = first.join('\n');
      assert.match(
        text,
        new RegExp(`^SEARCH \\w+ USING (COVERING )?INDEX \\w+ \\(account_id=\\? AND ${key}<\\?\\)`),
        text,
      );
      assert.deepEqual(
        first.filter((step: Step) => step.includes('TEMP B-TREE') || step.startsWith('SCAN')),
        [],
      );
    });
  }

  it('messages and offers of a conversation: the same, within the conversation', async () => {
    const row = await findConversation(core.core.store.db, conversation);
    assert.ok(row);
    for (const work of [
      (db: Db) => messagePage(db, row, { order: 'id', ...behind }),
      (db: Db) => offerPage(db, row, behind),
    ]) {
      const { first } = await keysBy(work);
      assert.match(first.join('\n'), /^SEARCH \w+ USING INDEX \w+ \(account_id=\? AND conversation_id=\? AND id<\?\)$/);
    }
  });

  const narrowed: [what: string, step: RegExp, work: Parameters<typeof keysBy>[0]][] = [
    ...(
      [
        [
          'the next check-outs',
          /stays_by_check_out_date \(account_id=\? AND check_out_date>\? AND check_out_date<\?\)/,
          { start_check_out_date: '2026-11-20', end_check_out_date: '2027-05-19' },
        ],
        [
          'check-ins',
          /stays_by_check_in_date \(account_id=\? AND check_in_date>\? AND check_in_date<\?\)/,
          { start_check_in_date: '2027-03-01', end_check_in_date: '2027-03-31' },
        ],
        ['a property', /stays_of_property \(account_id=\? AND property_id=\?\)/, { property_id: 1 }],
        ['a code', /stays_of_reservation \(account_id=\? AND reservation_code=\?\)/, { reservation_code: 'x' }],
      ] as [string, RegExp, ReservationQuestion['filters']][]
    ).map(([what, step, filters]): [string, RegExp, Parameters<typeof keysBy>[0]] => [
      `reservations by ${what}`,
      step,
      (db, accountId) => reservationPage(db, { accountId, visible: null, filters, order: 'id', ...behind }),
    ]),
    [
      'transactions by a window',
      /transactions_by_action \(account_id=\? AND action_at>\? AND action_at<\?\)/,
      (db, accountId) => transactionPage(db, { accountId, visible: null, ...WINDOW, ...behind, total: 20 }),
    ],
    [
      'reviews by a window of check-outs',
      /stays_by_check_out_date \(account_id=\? AND check_out_date>\? AND check_out_date<\?\)/,
      (db, accountId) =>
        reviewPage(db, { accountId, visible: null, from: '2026-01-01', to: '2026-02-01', ...behind, total: 20 }),
    ],
    [
      'automation actions',
      /automation_plans_by_schedule \(account_id=\? AND state=\? AND scheduled_at<\?\)/,
      (db, accountId) => planPage(db, { accountId, until: WINDOW.until, order: 'id', ...behindText }),
    ],
  ];
  for (const [what, step, work] of narrowed) {
    it(`${what}: what leaves few is answered first, by its index`, async () => {
      const { first, all } = await keysBy(work);
      assert.ok(
        first.some((one) => step.test(one)),
        first.join('\n'),
      );
      assert.deepEqual(scansIn(all), []);
    });
  }

  it('a page behind another counts nothing', async () => {
    const { account_id: accountId } = core.own.account;
    const full = { accountId, visible: null, offset: 0, limit: 1 };
    const counts = async (range: Partial<Range>) =>
      (await planner.plansOf(() => taskPage(planner.db, { ...full, ...range }))).length;
    await core.call('createTask', { type: 'other', expected_date: '2026-12-01', currency: 'EUR' });
    assert.deepEqual([await counts({}), await counts({ before: 1_000_000, total: 1 })], [3, 2]);
  });
});

/** Rows of each table; and the pages of all that lie between the first and the last. */
const MANY = 8_000;
const AT_MOST_MORE = 12;

describeOnPostgres('pages by cursor on PostgreSQL', () => {
  let server: TestPostgres;
  let core: TestCore;
  let db: Db;
  let asked: CompiledQuery[] = [];
  before(async () => {
    server = await startPostgres();
    const url = await server.freshDatabase();
    core = await startCore({ kind: 'postgres', url, schema: 'core' });
    const { property_id } = await core.call('createProperty', { title: 'House' });
    await core.call('createTask', { type: 'cleaning', expected_date: '2026-12-01', currency: 'EUR' });
    await core.call('createReservation', {
      property_id,
      check_in_date: '2026-12-01',
      check_out_date: '2026-12-05',
      guest_name: 'A. Guest',
      rate_amount: 300,
      commission_amount: 0,
      received_amount: 10,
    });
    await openConversation(core);
    await core.change(core.own.account, ({ trx }) => fill(trx));
    db = new Kysely({ dialect: await openPostgres(url, 'core'), log: ({ query }) => void asked.push(query) });
    await db.executeQuery(CompiledQuery.raw('analyze'));
  });
  after(async () => {
    await db.destroy();
    await core.close();
    await server.stop();
  });

  interface Node {
    'Node Type': string;
    'Shared Hit Blocks': number;
    'Shared Read Blocks': number;
    Plans?: Node[];
  }

  /** How the query of `work` that finds the keys of a page is answered, and how many blocks it takes. */
  async function costOf(work: () => Promise<unknown>): Promise<{ blocks: number; nodes: string[] }> {
    asked = [];
    await work();
    const query = asked.find(({ sql }) => sql.includes(' offset '));
    assert.ok(query);
    const explain = CompiledQuery.raw(`explain (analyze, buffers, format json) ${query.sql}`, [...query.parameters]);
    const { rows } = await db.executeQuery<{ 'QUERY PLAN': { Plan: Node }[] }>(explain);
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
    assert.ok(plan);
    const nodesOf = (node: Node): string[] => [node['Node Type'], ...(node.Plans ?? []).flatMap(nodesOf)];
    return { blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], nodes: nodesOf(plan) };
  }

  type List = (range: Range & Range<string>) => Promise<{ keys: readonly (string | number)[] }>;
  const accountId = () => core.own.account.account_id;
  const all: Record<string, List> = {
    tasks: (range) => taskPage(db, { accountId: accountId(), visible: null, ...range }),
    reservations: (range) =>
      reservationPage(db, {
        accountId: accountId(),
        visible: null,
        filters: { start_check_out_date: '2026-01-01' },
        order: 'id',
        ...range,
      }),
    transactions: (range) => transactionPage(db, { accountId: accountId(), visible: null, ...WINDOW, ...range }),
    conversations: (range) => conversationPage(db, { accountId: accountId(), visible: null, order: 'id', ...range }),
  };
  for (const [name, list] of Object.entries(all)) {
    it(`${name}: the last page costs what the first does, by an index, unsorted; by offset it costs many times as much`, async () => {
      const none = { offset: 0, limit: LIMIT, total: MANY };
      const { keys } = await list({ ...none, limit: MANY });
      assert.equal(keys.length, MANY);
      const costAt = (index: number) => costOf(() => list({ ...none, before: keys[index] as never }));
      const begin = await costAt(1);
      const middle = await costAt(MANY / 2);
      const end = await costAt(MANY - LIMIT);
      for (const { nodes } of [begin, middle, end])
        assert.deepEqual(
          nodes.filter((node) => /Seq Scan|Sort/.test(node)),
          [],
          nodes.join(),
        );
      for (const { blocks } of [middle, end])
        assert.ok(blocks <= begin.blocks + AT_MOST_MORE, `${blocks} for ${begin.blocks}`);
      const deep = await costOf(() => list({ ...none, offset: MANY - LIMIT }));
      assert.ok(deep.blocks > 2 * end.blocks + AT_MOST_MORE, `${deep.blocks} by offset, ${end.blocks} by cursor`);
    });
  }

  it('a window of check-outs is found by its index, on each of its pages', async () => {
    const filters = { start_check_out_date: '2026-03-01', end_check_out_date: '2026-03-03' };
    const question = { accountId: accountId(), visible: null, filters, order: 'id', limit: LIMIT, offset: 0 } as const;
    const { keys } = await reservationPage(db, { ...question, limit: MANY });
    assert.ok(keys.length > 2 * LIMIT && keys.length < MANY / 10);
    const costs = [1, keys.length - LIMIT].map(
      (index) => () => reservationPage(db, { ...question, before: keys[index] }),
    );
    for (const cost of costs) {
      const { nodes } = await costOf(cost);
      assert.deepEqual(
        nodes.filter((node) => node.includes('Seq Scan')),
        [],
        nodes.join(),
      );
    }
  });
});

/** Many of everything, each like the one there is. */
async function fill(trx: CoreTransaction): Promise<void> {
  const numbers = Array.from({ length: MANY - 1 }, (_, index) => 1_000 + index);
  // Another order than that of the numbers.
  const dayOf = (id: number) => addDays('2026-01-01', (id * 37) % 300);
  const task = await trx.selectFrom('tasks').selectAll().executeTakeFirstOrThrow();
  await insertMany(
    trx,
    'tasks',
    numbers.map((id) => ({ ...task, id, expected_date: dayOf(id) })),
  );
  const entry = await trx.selectFrom('transactions').selectAll().executeTakeFirstOrThrow();
  await insertMany(
    trx,
    'transactions',
    numbers.map((id) => ({ ...entry, id, reservation_code: null, action_at: `${dayOf(id)}T00:00:00.000Z` })),
  );
  const reservation = await trx.selectFrom('reservations').selectAll().executeTakeFirstOrThrow();
  const codeOf = (id: number) => `5-R${id}` as ReservationCode;
  await insertMany(
    trx,
    'reservations',
    numbers.map((id) => ({ ...reservation, reservation_code: codeOf(id), channel_id: `many ${id}` })),
  );
  const stay = await trx.selectFrom('stays').selectAll().executeTakeFirstOrThrow();
  await insertMany(
    trx,
    'stays',
    // Each of a reservation of its own: if all were of one, PostgreSQL would take a code for something that finds no stay.
    numbers.map((id) => ({
      ...stay,
      id,
      stay_code: `5-S${id}` as StayCode,
      reservation_code: codeOf(id),
      check_out_date: dayOf(id),
    })),
  );
  const conversation = await trx.selectFrom('conversations').selectAll().executeTakeFirstOrThrow();
  await insertMany(
    trx,
    'conversations',
    numbers.map((id) => ({
      ...conversation,
      id,
      conversation_id: `T${(id * 7_919) % 1_000_003}`,
      channel_thread_id: `many ${id}`,
      last_message_at: `${dayOf(id)}T00:00:00.000Z`,
    })),
  );
}
