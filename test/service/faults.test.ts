import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { startTestService, type TestService } from '../support/service.ts';
import { randomOperations } from './support/operations.ts';
import { assertSameRows, differingKinds } from './support/sameRows.ts';

const OPERATIONS = 120;

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
    // Not from the start, so that the walks of the start are over: nothing but events may mend the mirror.
    const walksBefore = async () =>
      count("select count(*) as total from mirror.walks where purpose in ('catch_up', 'command')");
    await service.settled();
    await service.portal('PUT', '/portal/faults', { double: 0.5, reorder: 0.5, delay_ms: 40 });
    const done = await randomOperations(service, OPERATIONS, 11);
    const walks = await walksBefore();
    await service.settled();
    const counts = await assertSameRows(service.rows);
    assert.ok((counts['stays'] ?? 0) > 15, JSON.stringify({ counts, done }));
    assert.equal(await walksBefore(), walks, 'no reconcile has helped');
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
