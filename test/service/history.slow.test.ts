import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runEach } from '../cli/support/runMany.ts';
import { call, newToken, startTestService, type TestService } from '../support/service.ts';

const CANARY = 'Quinlan';

describe('what was known when, over HTTP', () => {
  let service: TestService;
  let code: string;
  let property: number;
  const ask = (path: string, token?: string) => call(service, 'GET', path, token === undefined ? {} : { token });
  before(async () => {
    service = await startTestService();
    property = (await service.v3('POST', '/properties', { title: 'Mill' })).property_id as number;
    code = await book(service, property, CANARY);
    await service.settled();
  });
  after(() => service.remove());

  it('a booking as it is, and as it was', async () => {
    const first = await ask(`/mirror/reservation/${code}`);
    assert.equal(first.http, 200, first.text);
    assert.equal(first.json.rows[0].row.number_of_guests, 2);
    const then = first.json.as_of as string;
    await service.v3('PATCH', `/reservations/${code}`, { number_of_guests: 4 });
    await service.settled();
    const guests = async (query: string) =>
      (await ask(`/mirror/reservation/${code}${query}`)).json.rows[0].row.number_of_guests as number;
    assert.equal(await guests(''), 4);
    assert.equal(await guests(`?as_of=${then}`), 2);
    const early = await ask(`/mirror/reservation/${code}?as_of=2020-01-01`);
    assert.equal(early.http, 404);
    assert.match(early.json.error.message, /was not known at 2020-01-01T00:00:00.000Z; it was first read at /);
    assert.equal((await ask('/mirror/reservation/none')).http, 404);
    assert.equal((await ask('/mirror/nonsense/1')).http, 404);
    assert.equal((await ask(`/mirror/reservation/${code}?as_of=nonsense`)).http, 422);
  });

  it('nights as ranges, and all rows of a kind', async () => {
    const nights = await ask(`/mirror/availability/${property}?from=2030-05-01&to=2030-05-31`);
    assert.equal(nights.http, 404, 'three years ahead is as far as it is known');
    const soon = new Date(Date.now() + 864e5).toISOString().slice(0, 10);
    const near = await ask(`/mirror/availability/${property}?from=${soon}&to=${soon}`);
    assert.deepEqual(near.json.days, [{ from: soon, to: soon, available: 1, remarks: null }]);
    const all = await ask('/mirror/property?limit=1');
    assert.deepEqual(
      all.json.rows.map((row: { key: string }) => row.key),
      [String(property)],
    );
    assert.equal((await ask('/mirror/calendar')).http, 422);
  });

  it('any token of the main account may look, a stranger and a sub-account may not', async () => {
    const path = `/mirror/reservation/${code}`;
    assert.equal((await ask(path, await newToken(service, 'read'))).http, 200);
    assert.equal((await call(service, 'GET', path, { token: null })).http, 401);
    const { id } = await service.portal('POST', '/portal/sub_accounts', { name: 'Sub', property_ids: [] });
    const draft = { name: 'sub', scope: 'read', operator_id: id };
    const { token } = await service.portal('POST', '/portal/tokens', draft);
    assert.equal((await ask(path, token)).http, 401);
    assert.equal((await ask('/mirror/reservation', token)).http, 401);
  });

  it('the feed carries the names of changes', async () => {
    const { json } = await ask('/mirror/changes?limit=1000');
    for (const change of json.changes as { derived: string | null; derived_events: unknown[] }[]) {
      assert.equal(change.derived_events.length > 0, change.derived !== null);
    }
  });
});

async function book(service: TestService, property_id: number, name: string): Promise<string> {
  const dates = { check_in_date: '2027-03-05', check_out_date: '2027-03-08' };
  const money = { rate_amount: 300, commission_amount: 0, received_amount: 100 };
  const guest = { guest_name: `${name} Smith`, email: `${name}@guest.example`, mobile: `+49 ${name}` };
  const more = { number_of_guests: 2, remarks: `ask ${name}` };
  const made = await service.v3('POST', '/reservations', { property_id, ...dates, ...money, ...guest, ...more });
  return made.reservation_code as string;
}

describe('erase-guest', () => {
  let service: TestService;
  let code: string;
  let environment: Record<string, string>;
  const fileOf = (name: string) => join(service.dataDir, name);
  const traces = (of = ['mirror']) =>
    of
      .flatMap((half) => [`${half}.db`, `${half}.db-wal`, `${half}.db-shm`])
      .filter((name) => existsSync(fileOf(name)))
      .reduce((sum, name) => sum + readFileSync(fileOf(name)).toString('latin1').split(CANARY).length - 1, 0);
  const run = (...commands: string[][]) =>
    runEach(commands.map((args) => ({ args: ['erase-guest', ...args], environment })));
  before(async () => {
    service = await startTestService();
    environment = { STAYD_DATA_DIR: service.dataDir, STAYD_PORT: '0' };
    const { property_id } = await service.v3('POST', '/properties', { title: 'Mill' });
    code = await book(service, property_id, CANARY);
    await service.settled();
    await service.v3('PATCH', `/reservations/${code}`, { remarks: `tell ${CANARY}` });
    await service.settled();
  });
  after(() => service.remove());

  it('says whom it wants to know, asks before it acts, and shows what would go', async () => {
    const person = ['--email', `${CANARY}@guest.example`];
    const [nothing, twice, unasked, nobody, plan] = await run(
      [],
      [...person, '--guest-id', '1'],
      person,
      ['--email', 'nobody@guest.example', '--yes'],
      [...person, '--dry-run'],
    );
    assert.deepEqual([nothing?.code, twice?.code, unasked?.code], [2, 2, 2]);
    assert.match(unasked?.stderr ?? '', /--yes/);
    assert.deepEqual([nobody?.code, nobody?.stdout], [1, 'nothing is known of such a person\n']);
    assert.equal(plan?.code, 0, plan?.stderr);
    const text = /^would erase 2 personal records of 1 booking and 0 conversations\n {2}reservation: 1 row/;
    assert.match(plan?.stdout ?? '', text);
    assert.ok(traces() > 0 && traces(['core']) > 0);
  });

  it('leaves nothing of the guest in the files of the mirror, on a running service, and the mirror stays true', async () => {
    const backup = fileOf('older.db');
    await service.run(`vacuum mirror into '${backup}'`);
    const [erased] = await run(['--reservation-code', code, '--yes', '--json']);
    assert.equal(erased?.code, 0, erased?.stderr);
    assert.equal(JSON.parse(erased?.stdout ?? '{}').traces, 0);
    assert.equal(traces(), 0);
    assert.equal(traces(['core']), 0, 'nor in those of the core, from which it came');
    const { core } = JSON.parse(erased?.stdout ?? '{}');
    assert.deepEqual([core.persons, core.bookings, core.traces], [1, [code], 0]);
    const { reservations } = await service.v3('GET', `/reservations?reservation_code=${code}`);
    assert.deepEqual([reservations[0].guest_name, reservations[0].remarks ?? null], [null, null]);
    await service.settled();
    assert.doesNotMatch(readFileSync(fileOf('erasures.log'), 'utf8'), new RegExp(`${CANARY}|${code}`));
    assert.equal(statSync(fileOf('erasures.log')).mode & 0o777, 0o600);
    assert.equal((await service.portal('POST', '/portal/verify', {})).clean, true);
    const [row] = await service.rows('select sum(amount_minor) as amount from mirror.transactions');
    assert.equal(row?.['amount'], 10_000);

    await service.stop();
    // A backup from before comes back: the start reads everything again.
    for (const suffix of ['-wal', '-shm']) rmSync(fileOf(`mirror.db${suffix}`), { force: true });
    copyFileSync(backup, fileOf('mirror.db'));
    assert.ok(traces() > 0);
    await service.restart();
    await service.settled();
    assert.equal((await service.portal('POST', '/portal/verify', {})).clean, true);
    await service.stop();
    assert.equal(traces(), 0);
  });
});
