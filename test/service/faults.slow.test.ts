import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { call, startTestService, type TestService, until } from '../support/service.ts';
import { randomOperations } from './support/operations.ts';
import { assertSameRows, differingKinds } from './support/sameRows.ts';

const OPERATIONS = 120;

/** What Node has warned of since this file began. */
const warnings: Error[] = [];
process.on('warning', (warning) => warnings.push(warning));
afterEach(() => assert.deepEqual(warnings, []));

describe('a service whose deliveries are spoilt on purpose', () => {
  let service: TestService;
  afterEach(() => service.remove());

  const outcomes = async (): Promise<Record<string, number>> => {
    const rows = await service.rows('select outcome, count(*) as total from core.deliveries group by outcome');
    return Object.fromEntries(rows.map((row) => [String(row['outcome']), Number(row['total'])]));
  };
  const count = async (sql: string): Promise<number> => Number((await service.rows(sql))[0]?.['total']);

  it('doubled, late and out of order: the mirror is right with no reconcile after them', async () => {
    service = await startTestService();
    // Not from the start, so that the scans of the start are over: nothing but events may mend the mirror.
    const scansBefore = async () =>
      count("select count(*) as total from mirror.scans where purpose in ('catch_up', 'command')");
    await service.settled();
    await service.portal('PUT', '/portal/faults', { double: 0.5, reorder: 0.5, delay_ms: 40 });
    const done = await randomOperations(service, OPERATIONS, 11);
    const scans = await scansBefore();
    await service.settled();
    const counts = await assertSameRows(service.rows);
    assert.ok((counts['stays'] ?? 0) > 15, JSON.stringify({ counts, done }));
    assert.equal(await scansBefore(), scans, 'no reconcile has helped');
    const queued = await count('select count(*) as total from core.outbox');
    assert.deepEqual(await outcomes(), { delivered: queued });
    assert.equal(await count('select count(*) as total from mirror.inbox'), queued, 'each event is kept once');
    const { counters } = (await service.portal('GET', '/portal/status')).connections.local;
    assert.ok(counters.duplicates > queued * 0.3, `doubles were seen: ${JSON.stringify(counters)}`);
    assert.equal((await service.portal('POST', '/portal/verify', {})).clean, true);
  });

  it('30 % dropped: something is missing, and one reconcile mends it', async () => {
    service = await startTestService();
    await service.settled();
    const done = await randomOperations(service, 1, 12);
    await service.settled();
    await service.portal('PUT', '/portal/faults', { drop: 0.3 });
    await randomOperations(service, OPERATIONS, 13);
    await service.settled();
    const { delivered = 0, dropped = 0, ...others } = await outcomes();
    assert.deepEqual(others, {}, JSON.stringify(done));
    const queued = await count('select count(*) as total from core.outbox');
    assert.equal(delivered + dropped, queued);
    assert.ok(dropped > queued * 0.15 && dropped < queued * 0.45, `${dropped} of ${queued} were dropped`);
    assert.equal(await count('select count(*) as total from mirror.inbox'), delivered);
    assert.notDeepEqual(await differingKinds(service.rows), []);
    await service.portal('POST', '/portal/reconcile', {});
    await service.settled();
    await assertSameRows(service.rows);
    assert.equal((await service.portal('POST', '/portal/verify', {})).clean, true);
  });
});

const KEYS_LEFT = `
  select (select count(*) from mirror.dirty_keys where attempts = 0) as untried,
    (select count(*) from mirror.dirty_keys where attempts > 0) as failed,
    (select count(*) from mirror.inbox where state = 'pending') as pending`;

describe('a service whose answers are spoilt on purpose', () => {
  let service: TestService;
  afterEach(() => service.remove());

  const ask = () => call(service, 'GET', '/v3/accounts/me', { token: service.token });
  const spoil = (answers: object) => service.portal('PUT', '/portal/faults', { answers });

  it('answers each kind of fault when told so, and nothing of it when not', async () => {
    service = await startTestService();
    await service.settled();
    await spoil({ fail: 1 });
    assert.ok([502, 503, 504].includes((await ask()).json.error_code));
    await spoil({ limit: 1 });
    const limited = await ask();
    assert.deepEqual([limited.http, limited.json.error_code, limited.headers.get('retry-after')], [200, 429, '1']);
    await spoil({ unknown_code: 1 });
    assert.deepEqual([(await ask()).http, (await ask()).json.error_code], [200, 599]);
    await spoil({ cut: 1 });
    const booked = call(service, 'POST', '/v3/properties', { token: service.token, body: { title: 'Cut House' } });
    await assert.rejects(booked, 'the answer breaks off');
    assert.deepEqual(await service.rows('select name from core.properties'), [{ name: 'Cut House' }], 'it was done');
    assert.deepEqual((await service.portal('GET', '/portal/faults')).answers, {
      delay_ms: 0,
      fail: 0,
      limit: 0,
      unknown_code: 0,
      cut: 1,
    });
    await spoil({});
    assert.equal((await ask()).json.error_code, 200);
  });

  it('the mirror comes out right behind failures, refusals, odd codes and cut answers', async () => {
    service = await startTestService();
    await service.settled();
    await randomOperations(service, 12, 21);
    await spoil({ delay_ms: 5, fail: 0.2, limit: 0.1, unknown_code: 0.15, cut: 0.2 });
    await service.portal('POST', '/portal/events/replay', { event_ids: await eventIds() });
    // Waits double with each failure in a row, so the service answers well again once every key left has failed.
    let failed = 0;
    await until(async () => {
      const [seen] = await service.rows(KEYS_LEFT);
      failed = Math.max(failed, Number(seen?.['failed']));
      return seen?.['untried'] === 0 && (failed > 0 || seen['pending'] === 0);
    }, 'every key to be read or to have failed');
    await spoil({});
    await service.settled();
    assert.ok(failed > 0, 'some reads have failed');
    await assertSameRows(service.rows);
    assert.equal((await service.portal('POST', '/portal/verify', {})).clean, true);
  });

  async function eventIds(): Promise<string[]> {
    const rows = await service.rows('select event_id from mirror.inbox');
    return rows.map((row) => String(row['event_id']));
  }
});
