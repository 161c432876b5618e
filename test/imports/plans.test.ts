import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { importedRows, otherStays, propertyIdsByName } from '../../src/imports/table.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { Planner } from '../support/plans.ts';

describe('query plans of the import', () => {
  let core: TestCore;
  let planner: Planner;

  before(async () => {
    core = await startCore();
    planner = new Planner(join(core.folder, 'core.db'));
  });
  after(async () => {
    await planner.close();
    await core.close();
  });

  /** The one plan of what `work` asks, which never sorts: each page goes on where the last one ended. */
  async function planOf(work: () => Promise<unknown>): Promise<string[]> {
    const [plan = [], ...more] = await planner.plansOf(work);
    assert.deepEqual(more, []);
    assert.deepEqual(
      plan.filter((step) => step.startsWith('SCAN') || step.includes('TEMP B-TREE')),
      [],
    );
    return plan;
  }

  it('rows of earlier runs: along their key from where the last page ended, each stay by its code', async () => {
    const { account_id } = core.own.account;
    assert.deepEqual(await planOf(() => importedRows(planner.db, account_id, 'file')), [
      'SEARCH imported USING INDEX sqlite_autoindex_import_rows_1 (account_id=? AND source=? AND row_key>?)',
      'SEARCH stay USING INDEX stays_of_reservation (account_id=? AND reservation_code=?)',
      'SEARCH property USING INDEX sqlite_autoindex_properties_2 (account_id=? AND id=?) LEFT-JOIN',
    ]);
  });

  it('stays from elsewhere: along their numbers from where the last page ended, each property by its id', async () => {
    const { account_id } = core.own.account;
    assert.deepEqual(await planOf(() => otherStays(planner.db, account_id, new Set())), [
      'SEARCH stay USING INDEX sqlite_autoindex_stays_1 (account_id=? AND id>?)',
      'SEARCH property USING INDEX sqlite_autoindex_properties_2 (account_id=? AND id=?)',
    ]);
  });

  it('properties: by their account', async () => {
    const { account_id } = core.own.account;
    assert.match(
      (await planOf(() => propertyIdsByName(planner.db, account_id))).join('\n'),
      /^SEARCH properties USING (COVERING )?INDEX \w+ \(account_id=\?\)$/,
    );
  });
});
