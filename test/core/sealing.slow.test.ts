import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { forgetClear } from '../../src/compose/privacy/forgetClear.ts';
import { resealCore, sealCore } from '../../src/core/reseal.ts';
import { openLockCode } from '../../src/core/reservations/lockCode.ts';
import { OperatorError } from '../../src/kernel/errors.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { resealing, type Sealer, sealer } from '../../src/kernel/seal.ts';
import { insertMany } from '../../src/store/queries/insertMany.ts';
import { countInTables } from '../../src/store/sqlite/rewriteTables.ts';
import { requireSameKey } from '../../src/store/sealing/sealClear.ts';
import type { StoreLocation } from '../../src/store/store.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';

const HOOK = 'https://hooks.example/in/T0K3N-of-before?key=also-a-secret';
const otherKey = sealer(Buffer.alloc(32, 9), systemRandom);

/** More stays than one transaction seals. */
const STAYS = 450;
const codeOf = (index: number) => `door-${index}-4711`;

function sealing(place: () => Promise<StoreLocation | undefined>): void {
  let core: TestCore;
  let reservationCode: string;
  let stayCode: string;
  let database: string | undefined;

  beforeEach(async () => {
    const location = await place();
    database = location?.kind === 'postgres' ? location.url : undefined;
    core = await startCore(location);
    const { property_id } = await core.call('createProperty', { title: 'Mill' });
    await core.call('createWebhook', { url: HOOK });
    const first = await core.call('createReservation', {
      property_id,
      check_in_date: '2027-03-01',
      check_out_date: '2027-03-02',
      guest_name: 'A. Guest',
      rate_amount: 100,
      commission_amount: 0,
      received_amount: 0,
    });
    const page = await core.call('listReservations', { reservation_code: first.reservation_code });
    reservationCode = first.reservation_code;
    stayCode = page.reservations[0].stay_code;
  });
  afterEach(() => core.close());

  const db = () => core.core.store.db;
  const seal = (forgetBytes: () => Promise<boolean> = async () => true) =>
    sealCore(core.core.store, core.core.sealer, forgetBytes);
  const forget = (tables: readonly string[]) =>
    forgetClear({
      store: core.core.store,
      config: { database_url: database ?? null, data_dir: core.folder },
      half: 'core',
      tables,
      log: silentLogger,
    });
  /** Of the newest stay of the booking. */
  const shownCode = async () => {
    const { reservations } = await core.call('listReservations', { reservation_code: reservationCode });
    return reservations[0].check_in_details.lock_code;
  };
  const stored = async () => {
    const codes = await db().selectFrom('stays').select('lock_code').where('lock_code', 'is not', null).execute();
    const hooks = await db().selectFrom('webhooks').select('url').execute();
    return [...codes.map((row) => row.lock_code ?? ''), ...hooks.map((row) => row.url)];
  };

  /** As a version of before has left it: in clear, and what was replaced still in free pages. */
  async function putInClear(): Promise<string[]> {
    const [one] = await db().selectFrom('stays').selectAll().execute();
    assert.ok(one);
    const stays = Array.from({ length: STAYS }, (_, index) => ({
      ...one,
      id: one.id + index + 1,
      stay_code: `${one.stay_code}-${index}` as typeof one.stay_code,
      lock_code: index % 3 === 0 ? null : codeOf(index),
    }));
    await core.core.store.transaction(async (trx) => {
      await insertMany(trx, 'stays', stays);
      await sql`update stays set lock_code = ${codeOf(STAYS)} where id = ${one.id}`.execute(trx);
      await sql`update webhooks set url = ${HOOK}`.execute(trx);
    });
    return [...stays.flatMap(({ lock_code }) => lock_code ?? []), codeOf(STAYS), HOOK];
  }

  /** Texts that stand in the database, in whatever page or row of it. */
  async function found(texts: readonly string[]): Promise<string[]> {
    if (database !== undefined) {
      const count = async (text: string) => countInTables(db(), [text]);
      const counts = await Promise.all(texts.map(count));
      return texts.filter((_, index) => counts[index] !== 0);
    }
    const bytes = ['core.db', 'core.db-wal'].map((name) => readFileSync(join(core.folder, name)));
    return texts.filter((text) => bytes.some((one) => one.includes(text)));
  }

  it('keeps lock codes and addresses sealed, and shows them as they were given', async () => {
    await core.call('updateCheckInDetails', { stay_code: stayCode, lock_code: codeOf(1) });
    assert.equal(await shownCode(), codeOf(1));
    const { webhooks } = await core.call('listWebhooks');
    assert.deepEqual(
      webhooks.map((one: { url: string }) => one.url),
      [HOOK],
    );
    for (const text of await stored()) assert.match(text, /^v1\./);
    const before = (await core.events()).length;
    await core.call('updateCheckInDetails', { stay_code: stayCode, lock_code: codeOf(1) });
    assert.equal((await core.events()).length, before, 'the same code is no change');
  });

  it('seals what a version of before has left in clear; nothing of it is left in any page', async () => {
    const clear = await putInClear();
    assert.deepEqual(await found(clear), clear, 'the search finds what is there');
    assert.equal(await sealCore(core.core.store, core.core.sealer, forget), true);
    assert.deepEqual(await found(clear), []);
    for (const text of await stored()) assert.match(text, /^v1\./);
    assert.equal(await shownCode(), codeOf(STAYS - 1));
    const { webhooks } = await core.call('listWebhooks');
    assert.equal(webhooks[0].url, HOOK);
    const once = await stored();
    assert.equal(await seal(() => assert.fail('nothing was in clear')), false);
    assert.deepEqual(await stored(), once);
  });

  it('cut off in the middle it goes on where it stopped, and loses nothing', async () => {
    const clear = await putInClear();
    const { core: inner } = core;
    for (const limit of [50, 250, 1_000]) {
      let left = limit;
      const cut: Sealer = {
        ...inner.sealer,
        seal(plain, context) {
          if (left === 0) throw new Error('cut off');
          left -= 1;
          return inner.sealer.seal(plain, context);
        },
      };
      const done = sealCore(inner.store, cut, async () => false);
      if (limit === 1_000) assert.equal(await done, true);
      else await assert.rejects(done, /cut off/);
    }
    let again = 0;
    assert.equal(await seal(async () => (again += 1) > 0), true);
    assert.equal(again, 1, 'old bytes are forgotten, if not at first');
    const opened = await db().selectFrom('stays').select(['id', 'lock_code']).orderBy('id').execute();
    const codes = opened.flatMap((row) => openLockCode(inner.sealer, row) ?? []);
    assert.deepEqual(new Set([...codes, HOOK]), new Set(clear));
  });

  it('is sealed with another key, and not touched with a wrong one', async () => {
    await putInClear();
    const { store, sealer: first } = core.core;
    await seal();
    await requireSameKey(store, first);
    const before = await stored();
    const wrong = sealer(Buffer.alloc(32, 5), systemRandom);
    await assert.rejects(requireSameKey(store, wrong), OperatorError);
    await assert.rejects(resealCore(store, resealing(wrong, otherKey), []), OperatorError);
    assert.deepEqual(await stored(), before);
    const { webhooks, lockCodes } = await resealCore(store, resealing(first, otherKey), []);
    assert.deepEqual([webhooks, lockCodes], [1, 301]);
    await requireSameKey(store, otherKey);
    for (const text of await stored()) assert.ok(text.startsWith(`v1.${otherKey.keyId}.`));
  });
}

describe('lock codes and addresses of webhooks on SQLite', () => sealing(async () => undefined));

describeOnPostgres('lock codes and addresses of webhooks on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());
  sealing(async () => ({ kind: 'postgres', url: await server.freshDatabase(), schema: 'core' }));
});
