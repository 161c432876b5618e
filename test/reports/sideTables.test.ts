import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { VerifyReport } from '../../src/sync/scans/verify/verify.ts';
import { CONNECTION, openWorld, type World } from '../support/mirror.ts';
import { truthWithBooks } from './support/books.ts';

let w: World;
before(async () => {
  w = await openWorld({ truth: truthWithBooks() });
  await w.quiet();
});
after(() => w.close());

async function done<T>(work: Promise<T>): Promise<T> {
  let value: { of: T } | undefined;
  void work.then((of) => (value = { of }));
  await w.clock.until(() => value !== undefined, 'an end');
  assert.ok(value);
  return value.of;
}

const verify = (): Promise<VerifyReport> => done(w.daemon.verify(CONNECTION));
const mend = (resource: string) => done(w.daemon.reconcile(CONNECTION, resource, () => {}));
const run = (text: string) => sql.raw(text).execute(w.store.db);
const differing = (report: VerifyReport, resource: string) =>
  report.resources.find((one) => one.resource === resource)?.different;

test('a change in any column of stay_figures is found by verify, and mended by reconcile', async () => {
  const table = (await w.store.db.introspection.getTables()).find((one) => one.name === 'stay_figures');
  const columns = (table?.columns ?? []).map((column) => column.name);
  const planted = columns.filter((name) => !['connection', 'stay_code'].includes(name));
  assert.equal(planted.length, 22);
  const { rows } = await sql<{ stay_code: string }>`select stay_code from stay_figures order by 1`.execute(w.store.db);
  for (let first = 0; first < planted.length; first += rows.length) {
    const part = planted.slice(first, first + rows.length);
    for (const [index, name] of part.entries()) {
      const value = /_minor$|nights|_id$|days|guests/.test(name)
        ? `coalesce(${name}, 0) + 1`
        : `coalesce(${name}, '') || 'x'`;
      await run(`update stay_figures set ${name} = ${value} where stay_code = '${rows[index]?.stay_code}'`);
    }
    assert.equal(differing(await verify(), 'reservation'), part.length, part.join(', '));
    await mend('reservation');
    assert.equal((await verify()).clean, true);
  }
});

test('items and postings that are wrong, missing or too many are found and mended', async () => {
  for (const text of [
    `update stay_items set amount_minor = amount_minor + 1 where stay_code = 'LEAP' and item = 'CLEANING_FEE'`,
    `delete from stay_items where stay_code = 'LEAP' and item = 'CLEANING_FEE'`,
    `insert into stay_items (connection, stay_code, item, amount_minor) values ('local', 'LEAP', 'PET_FEE', 1)`,
  ]) {
    await run(text);
    assert.equal(differing(await verify(), 'reservation'), 1, text);
    await mend('reservation');
  }
  for (const text of [
    `update property_listings set currency = 'USD' where listing = 'marketplace_a/L1'`,
    `delete from property_listings where listing = 'marketplace_a/L1'`,
  ]) {
    await run(text);
    assert.equal(differing(await verify(), 'property'), 1, text);
    await mend('property');
  }
  assert.equal((await verify()).clean, true);
});

test('figures of no stay are found; a stay and a property that were lost come back over what they have left', async () => {
  await run(`insert into stay_items (connection, stay_code, item, amount_minor) values ('local', 'NOBODY', 'X', 1)`);
  const extra = (await verify()).resources.find((one) => one.resource === 'reservation')?.extra;
  assert.equal(extra, 1);
  await run(`delete from stay_items where stay_code = 'NOBODY'`);
  await run(`delete from stays where stay_code = 'THIRDS'`);
  await run(`delete from stay_nights where stay_code = 'THIRDS'`);
  await run(`delete from guests where stay_code = 'THIRDS'`);
  await run(`delete from properties where id = 7`);
  await mend('reservation');
  await mend('property');
  assert.equal((await verify()).clean, true);
});
