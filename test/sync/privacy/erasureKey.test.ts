import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, appendFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { erasureLog, mergedErasures, readErasures } from '../../../src/compose/privacy/erasureLog.ts';
import { type Instant, instantOf } from '../../../src/kernel/dates.ts';
import { systemRandom } from '../../../src/kernel/random.ts';
import { sealer } from '../../../src/kernel/seal.ts';
import { openStore } from '../../../src/store/store.ts';
import type { Mirror, MirrorStore } from '../../../src/sync/tables/database.ts';
import {
  ERASURE_KEY_CONTEXT,
  erasureFingerprint,
  resealErasureKey,
} from '../../../src/sync/privacy/erasure/erasureKey.ts';
import { subject } from '../../../src/sync/privacy/erasure/subjects.ts';
import { type Erasure, insertErasures } from '../../../src/sync/privacy/erasure/erasureTable.ts';
import { putEmpty } from '../../support/templates.ts';

const secret = (byte: number) => sealer(Buffer.alloc(32, byte), systemRandom);
const at: Instant = instantOf(Date.UTC(2026, 10, 21));

async function mirror(t: TestContext): Promise<MirrorStore> {
  const file = join(folder(t), 'mirror.db');
  await putEmpty('mirror', file);
  const store = await openStore<Mirror>({ kind: 'sqlite', file });
  t.after(() => store.close());
  return store;
}

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'stayd-erasures-'));
  t.after(() => rmSync(dir, { recursive: true }));
  return dir;
}

const opened = (store: MirrorStore, dir: string, key = 1) =>
  erasureFingerprint(store, { sealer: secret(key), random: systemRandom, log: erasureLog(dir) });

const erasureOf = (subject: string): Erasure => ({ connection: 'a', subject, erasure_id: 'E', erased_at: at });

test('a mirror that was lost, and one of before, take the key of the record beside them', async (t) => {
  const [first, lost, restored] = [await mirror(t), await mirror(t), await mirror(t)];
  const [dir, other] = [folder(t), folder(t)];
  const hash = (await opened(first, dir))('who');
  erasureLog(dir).append([erasureOf(hash)]);
  assert.equal((await opened(lost, dir))('who'), hash);
  await opened(restored, other);
  assert.equal((await opened(restored, dir))('who'), hash, 'nothing was erased under its own key');
});

test('a record of another installation is refused where persons were erased, and left where it names none', async (t) => {
  const [store, elsewhere] = [await mirror(t), await mirror(t)];
  const [dir, foreign] = [folder(t), folder(t)];
  const hash = (await opened(store, dir))('who');
  await store.transaction((trx) => insertErasures(trx, [erasureOf(hash)]));
  await opened(elsewhere, foreign);
  assert.equal((await opened(store, foreign))('who'), hash);
  const stranger = folder(t);
  erasureLog(stranger).append([erasureOf((await opened(elsewhere, stranger))('somebody'))]);
  await assert.rejects(opened(store, stranger), /erasures\.log .* is of another installation/);
  const both = [readErasures(dir), readErasures(stranger)].filter((one) => one !== undefined);
  assert.equal(mergedErasures(both).erasures.length, 1);
  erasureLog(dir).append([erasureOf(hash)]);
  const full = [readErasures(dir), readErasures(stranger)].filter((one) => one !== undefined);
  assert.throws(() => mergedErasures(full), /of different installations/);
});

test('a backup from before a new secret key knows its record again, although that is sealed with the new one', async (t) => {
  const store = await mirror(t);
  const dir = folder(t);
  const hash = (await opened(store, dir))('who');
  const log = erasureLog(dir);
  log.append([erasureOf(hash)]);
  const key = log.key();
  assert.ok(key?.check);
  const plain = secret(1).open(key.sealed, ERASURE_KEY_CONTEXT);
  log.keepKey({ ...key, sealed: secret(2).seal(plain, ERASURE_KEY_CONTEXT) });
  assert.equal((await opened(store, dir))('who'), hash);
  await resealErasureKey(store, (sealed, context) => secret(3).seal(secret(1).open(sealed, context), context));
  assert.equal((await opened(store, dir, 3))('who'), hash);
});

test('a line that a crash has cut off does not count, and spoils none after it', (t) => {
  const dir = folder(t);
  const log = erasureLog(dir);
  log.append([erasureOf('one')]);
  appendFileSync(join(dir, 'erasures.log'), '{"connection":"a","subj');
  assert.deepEqual(log.read(), [erasureOf('one')]);
  log.append([erasureOf('two')]);
  assert.deepEqual(log.read(), [erasureOf('one'), erasureOf('two')]);
  assert.doesNotMatch(readFileSync(join(dir, 'erasures.log'), 'utf8'), /subj\{/);
});

test('the texts that are hashed never change: other ones would make what was erased before unknown', () => {
  assert.deepEqual(
    [
      subject.guest('S1', 'booker'),
      subject.booking('R1'),
      subject.text('S1'),
      subject.conversation('C1'),
      subject.email(' Ann@Guest.example '),
    ],
    [
      '["guest","S1","booker"]',
      '["booking","R1"]',
      '["text","S1"]',
      '["thread","C1"]',
      '["email","ann@guest.example"]',
    ],
  );
});
