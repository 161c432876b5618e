import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { activitiesOf } from '../../src/core/conversations/activities.ts';
import { conversationPage, findAttachment, findConversation, messagePage } from '../../src/core/conversations/table.ts';
import { reviewPage } from '../../src/core/reviews/table.ts';
import { offerPage } from '../../src/core/specialOffers/table.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { Planner, scansIn } from '../support/plans.ts';
import { openConversation } from '../support/conversations.ts';

describe('query plans of conversations and reviews', () => {
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

  it('no list and no look-up scans a table', async () => {
    const { db } = planner;
    const accountId = core.own.account.account_id;
    // Beyond the end, so that what there is must be counted as well.
    const paging = { offset: 1, limit: 20 };
    const row = await findConversation(core.core.store.db, conversation);
    assert.ok(row);
    const works: (() => Promise<unknown>)[] = [
      () => conversationPage(db, { accountId, visible: null, ...paging }),
      () => conversationPage(db, { accountId, visible: [1], ...paging }),
      () => findConversation(db, conversation),
      () => messagePage(db, row, paging),
      () => activitiesOf(db, accountId, [conversation], null),
      () => findAttachment(db, 'x'),
      () => offerPage(db, row, paging),
      () => reviewPage(db, { accountId, visible: null, from: '2026-01-01', to: '2026-02-01', ...paging }),
      () => reviewPage(db, { accountId, visible: [1], reservationCode: 'x', ...paging }),
      () =>
        reviewPage(db, { accountId, visible: null, propertyId: 1, from: '2026-01-01', to: '2026-02-01', ...paging }),
    ];
    for (const work of works) {
      const plans = await planner.plansOf(work);
      assert.ok(plans.length > 0);
      assert.deepEqual(scansIn(plans), [], `${String(work)}\n${plans.flat().join('\n')}`);
    }
  });
});
