import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { CompiledQuery, Kysely } from 'kysely';
import { activitiesOf } from '../../src/core/conversations/activities.ts';
import { conversationPage, findAttachment, findConversation, messagePage } from '../../src/core/conversations/table.ts';
import type { CoreDatabase } from '../../src/core/database.ts';
import { reviewPage } from '../../src/core/reviews/table.ts';
import { offerPage } from '../../src/core/specialOffers/table.ts';
import { sqliteDialect } from '../../src/store/sqlite.ts';
import { openSqliteFile } from '../../src/store/sqliteFile.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { openThread } from '../support/threads.ts';

describe('query plans of threads and reviews', () => {
  let core: TestCore;
  let db: Kysely<CoreDatabase>;
  let asked: CompiledQuery[] = [];
  let thread: string;

  before(async () => {
    core = await startCore();
    thread = await openThread(core);
    db = new Kysely({
      dialect: sqliteDialect(openSqliteFile(join(core.folder, 'core.db'))),
      log: ({ query }) => void asked.push(query),
    });
  });
  after(async () => {
    await db.destroy();
    await core.close();
  });

  /** Steps that walk a table, with an index or without; rows that a query has put together itself may be walked. */
  async function walksOf(work: () => Promise<unknown>): Promise<string[]> {
    asked = [];
    await work();
    const steps: string[] = [];
    for (const { sql, parameters } of asked.splice(0)) {
      const explain = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
      steps.push(...(await db.executeQuery<{ detail: string }>(explain)).rows.map((row) => row.detail));
    }
    assert.ok(steps.length > 0);
    return steps.filter((step) => step.startsWith('SCAN') && !/^SCAN (matching|json_each|CONSTANT ROW)\b/.test(step));
  }

  it('no list and no look-up walks a table', async () => {
    const accountId = core.own.account.account_id;
    const paging = { offset: 0, limit: 20 };
    const row = await findConversation(core.core.store.db, thread);
    assert.ok(row);
    const works: (() => Promise<unknown>)[] = [
      () => conversationPage(db, { accountId, visible: null, ...paging }),
      () => conversationPage(db, { accountId, visible: [1], ...paging }),
      () => findConversation(db, thread),
      () => messagePage(db, row, paging),
      () => activitiesOf(db, accountId, [thread], null),
      () => findAttachment(db, 'x'),
      () => offerPage(db, row, paging),
      () => reviewPage(db, { accountId, visible: null, from: '2026-01-01', to: '2026-02-01', ...paging }),
      () => reviewPage(db, { accountId, visible: [1], reservationCode: 'x', ...paging }),
      () =>
        reviewPage(db, { accountId, visible: null, propertyId: 1, from: '2026-01-01', to: '2026-02-01', ...paging }),
    ];
    for (const work of works) assert.deepEqual(await walksOf(work), [], String(work));
  });
});
