import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { eraseGuest } from '../../src/core/erasure/eraseGuest.ts';
import {
  deleteUpload,
  deleteUploadsBefore,
  keepUpload,
  uploadName,
  writeUpload,
} from '../../src/core/setup/uploads.ts';
import { instantOf } from '../../src/kernel/dates.ts';
import { seededDice } from '../../src/kernel/seeded.ts';
import { startCore, type TestCore } from '../support/core.ts';

describe('a file that somebody gave', () => {
  const dir = mkdtempSync(join(tmpdir(), 'stayd-uploads-'));
  const path = join(dir, 'copy.csv');
  let test: TestCore;
  before(async () => (test = await startCore()));
  after(async () => {
    await test.close();
    rmSync(dir, { recursive: true });
  });
  const account = () => test.own.account.account_id;
  const rows = async () => (await test.core.store.db.selectFrom('upload_pieces').selectAll().execute()).length;

  it('is stored in pieces, and comes back as it was, for its owner alone', async () => {
    const dice = seededDice(1);
    // What cannot be packed.
    const bytes = Buffer.from(Uint8Array.from({ length: 1_000_000 }, () => Math.floor(dice.between(0, 255))));
    const upload = await keepUpload(test.core, account(), { name: 'stays.csv', bytes });
    assert.ok((await rows()) > 2);
    const key = { accountId: account(), upload };
    assert.equal(await uploadName(test.core.store.db, key), 'stays.csv');
    assert.equal(await writeUpload(test.core.store.db, key, path), true);
    assert.ok(readFileSync(path).equals(bytes));
    assert.equal(statSync(path).mode & 0o777, 0o600);
    await deleteUpload(test.core.store.db, key);
    assert.equal(await writeUpload(test.core.store.db, key, path), false);
    assert.equal(await rows(), 0);
  });

  it('is empty, too', async () => {
    const upload = await keepUpload(test.core, account(), { name: 'empty', bytes: Buffer.alloc(0) });
    assert.equal(await writeUpload(test.core.store.db, { accountId: account(), upload }, path), true);
    assert.equal(readFileSync(path).length, 0);
  });

  it('is not there before its last piece, nor for another account', async () => {
    const { db } = test.core.store;
    const upload = await keepUpload(test.core, account(), { name: 'a', bytes: Buffer.from('a') });
    const other = { accountId: 'another' as ReturnType<typeof account>, upload };
    assert.equal(await uploadName(db, other), undefined);
    await db.updateTable('uploads').set({ pieces: null }).where('upload', '=', upload).execute();
    assert.equal(await uploadName(db, { accountId: account(), upload }), undefined);
  });

  it('is deleted with its age, and with a person who is erased', async () => {
    const { db } = test.core.store;
    await keepUpload(test.core, account(), { name: 'old', bytes: Buffer.from('a') });
    await test.clock.advance(60_000);
    const upload = await keepUpload(test.core, account(), { name: 'new', bytes: Buffer.from('b') });
    await deleteUploadsBefore(db, instantOf(test.clock.now() - 1));
    assert.deepEqual(await db.selectFrom('uploads').select('upload').execute(), [{ upload }]);
    const nobody = { by: 'email', email: 'nobody@guest.example' } as const;
    await eraseGuest(test.core, { account: test.own.account, operator: null }, nobody);
    assert.deepEqual(await db.selectFrom('uploads').select('upload').execute(), []);
    assert.equal(await rows(), 0);
  });
});
