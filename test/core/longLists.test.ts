import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { reservationOrders } from '../../src/contract/reservations.ts';
import { listingsNamed } from '../../src/core/channels/table.ts';
import { conversationPage, findConversation, messagePage } from '../../src/core/conversations/table.ts';
import { reservationPage, type ReservationQuestion } from '../../src/core/reservations/page.ts';
import { reviewPage } from '../../src/core/reviews/table.ts';
import { taskPage } from '../../src/core/tasks/table.ts';
import { transactionPage } from '../../src/core/transactions/table.ts';
import { insertMany } from '../../src/store/queries/insertMany.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { Planner, scansIn } from '../support/plans.ts';
import { openConversation } from '../support/conversations.ts';

describe('query plans far down a list', () => {
  let core: TestCore;
  let planner: Planner;
  let accountId: TestCore['own']['account']['account_id'];

  before(async () => {
    core = await startCore();
    accountId = core.own.account.account_id;
    planner = new Planner(join(core.folder, 'core.db'));
  });
  after(async () => {
    await planner.close();
    await core.close();
  });

  const FAR = { offset: 900_000, limit: 100 };

  /** The page is scanned along the index that is named, and nothing is sorted; the total comes from any index alone. */
  function assertScanned([page, count]: string[][], index: string): void {
    assert.deepEqual(page, [`SEARCH ${index} (account_id=?)`]);
    assert.match(count?.join('\n') ?? '', /^SEARCH \w+ USING COVERING INDEX \w+ \(account_id=\?( AND \w+[<>]\?)*\)$/);
  }

  const reservations = (filters: ReservationQuestion['filters'], order: ReservationQuestion['order']) =>
    planner.plansOf(() => reservationPage(planner.db, { accountId, visible: null, filters, order, ...FAR }));

  for (const order of reservationOrders) {
    it(`reservations by ${order}: along the index of the order, dates and status looked at on the way`, async () => {
      const index = `stays USING COVERING INDEX stays_by_${order}`;
      assertScanned(await reservations({}, order), index);
      const other = order === 'check_out_date' ? 'start_check_in_date' : 'start_check_out_date';
      assertScanned(await reservations({ [other]: '2000-01-01' }, order), index);
      assertScanned(await reservations({ [other]: '2000-01-01', status: 'accepted' }, order), index);
    });
  }

  it('reservations of a window that holds most of them: along the index of the order as well', async () => {
    const question = { accountId, visible: null, order: 'booked_at', ...FAR, total: 1_000_000 } as const;
    const filters = { start_check_in_date: '2000-01-01', end_check_in_date: '2030-01-01' };
    const [, page = []] = await planner.plansOf(() => reservationPage(planner.db, { ...question, filters }));
    assert.deepEqual(page, ['SEARCH stays USING COVERING INDEX stays_by_booked_at (account_id=?)']);
  });

  it('reviews of a window that holds many: the newest along the index of their numbers', async () => {
    const window = { from: '2000-01-01', to: '2030-01-01' };
    const [, page = []] = await planner.plansOf(() =>
      reviewPage(planner.db, { accountId, visible: null, ...window, offset: 0, limit: 100, total: 1_000 }),
    );
    assert.deepEqual(page, [
      'SEARCH review USING COVERING INDEX reviews_by_id (account_id=? AND id>?)',
      'SEARCH stay USING INDEX sqlite_autoindex_stays_1 (account_id=? AND id=?)',
    ]);
  });

  it('conversations: along the index of the last message', async () => {
    const plans = await planner.plansOf(() => conversationPage(planner.db, { accountId, visible: null, ...FAR }));
    assertScanned(plans, 'conversations USING COVERING INDEX conversations_by_message');
  });

  it('tasks: along an index of their numbers', async () => {
    const [page = []] = await planner.plansOf(() => taskPage(planner.db, { accountId, visible: null, ...FAR }));
    assert.match(page.join('\n'), /^SEARCH tasks USING COVERING INDEX \w+ \(account_id=\?\)$/);
  });

  it('messages of a conversation: along the index of their time', async () => {
    const row = await findConversation(core.core.store.db, await openConversation(core));
    assert.ok(row);
    assert.deepEqual(await planner.plansOf(() => messagePage(planner.db, row, FAR)), [
      ['SEARCH messages USING INDEX messages_by_time (account_id=? AND conversation_id=?)'],
    ]);
  });

  it('listings that a request names: by their names', async () => {
    const [plan = []] = await planner.plansOf(() => listingsNamed(planner.db, ['L1']));
    assert.equal(plan[0], 'SEARCH listings USING INDEX listings_anybodys (listing_id=?)');
    assert.deepEqual(scansIn([plan]), []);
  });

  it('a ledger: most of it along its ids, a part of it sorted', async () => {
    const window = { from: '2026-01-01T00:00:00.000Z', until: '2027-01-01T00:00:00.000Z' };
    const list = () =>
      planner.plansOf(() => transactionPage(planner.db, { accountId, visible: null, ...window, ...FAR }));
    await addEntries(1, '2020-01-01T00:00:00.000Z');
    await addEntries(2_000, '2026-06-01T00:00:00.000Z', 1_000_000);
    // Between the first and the last there is room for a million others.
    assert.deepEqual((await list()).at(-1)?.slice(1), ['USE TEMP B-TREE FOR ORDER BY']);
    await planner.db.deleteFrom('transactions').where('id', '<', 1_000_000).execute();
    const plans = await list();
    assert.deepEqual(plans.at(-1), ['SEARCH entry USING COVERING INDEX transactions_by_id (account_id=?)']);
    assert.deepEqual(plans[0], [
      'SEARCH entry USING COVERING INDEX transactions_by_action (account_id=? AND action_at>? AND action_at<?)',
    ]);
    // However they are found, they are the same.
    const page = { accountId, visible: null, ...window, offset: 1_990, limit: 100 };
    const { rows, total } = await transactionPage(core.core.store.db, page);
    assert.equal(total, 2_000);
    assert.deepEqual(
      rows.map((row) => row.id),
      Array.from({ length: 10 }, (_, index) => 1_000_009 - index),
    );
  });

  async function addEntries(count: number, action_at: string, firstId = 1): Promise<void> {
    const rows = Array.from({ length: count }, (_, index) => ({
      account_id: accountId,
      id: firstId + index,
      direction: 'income' as const,
      item_id: 1,
      payment_method_id: 1,
      amount: 1,
      currency: 'EUR',
      action_at,
      note: '',
      reservation_code: null,
      property_id: null,
      operator_id: null,
      created_at: action_at,
      updated_at: action_at,
    }));
    await core.core.store.transaction((trx) => insertMany(trx, 'transactions', rows));
  }
});
