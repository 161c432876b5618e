import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { seededDice } from '../../src/kernel/seeded.ts';
import { runOne } from '../cli/support/runMany.ts';
import { type ServiceProcess, startProcess } from '../service/support/process.ts';
import { call, dataDirectory, newToken, type Row, rowsOf, settled, until, v3 } from '../support/service.ts';
import { type Login, readStream } from './support/natsReader.ts';
import { describeWithNats, type NatsServer, startNats } from './support/natsServer.ts';

const KILLS = 4;
const PASSWORD = 'right-one';
const LOGIN: Login = { user: 'stayd', pass: PASSWORD };
const SETTINGS = `authorization { user: stayd, password: "${PASSWORD}" }`;
const LIMIT_MS = 90_000;
const LONG_AGO = '2026-01-01T00:00:00.000Z';

describeWithNats('a service that is killed while it publishes', () => {
  const dataDir = dataDirectory();
  const secret = join(dataDir, 'nats-password');
  let nats: NatsServer;
  let token: string | undefined;
  let property = 0;
  let night = 0;
  before(async () => {
    nats = await startNats(SETTINGS);
    writeFileSync(secret, `${PASSWORD}\n`);
  });
  after(async () => {
    await nats.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const environment = (more: Record<string, string> = {}) => ({
    STAYD_DATA_DIR: dataDir,
    STAYD_NATS_SERVERS: `nats://127.0.0.1:${nats.port}`,
    STAYD_NATS_CREATE_STREAM: 'true',
    STAYD_NATS_USER: 'stayd',
    STAYD_NATS_PASSWORD_FILE: secret,
    ...more,
  });
  const start = () => startProcess(dataDir, environment());

  async function house(service: ServiceProcess): Promise<void> {
    token ??= await newToken(service);
    property ||= (await v3(service, token, 'POST', '/properties', { name: 'House' })).property_id;
  }

  async function book(service: ServiceProcess, count: number): Promise<void> {
    for (let made = 0; made < count; made += 1) {
      night += 1;
      const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
      const body = {
        property_id: property,
        check_in_date: day(night),
        check_out_date: day(night + 1),
        guest_name: 'Ada Lovelace',
        rate_amount: 100,
        commission_amount: 0,
        received_amount: 0,
      };
      // The connection breaks when the service is killed.
      await call(service, 'POST', '/v3/reservations', { token: token ?? null, body }).catch(() => undefined);
    }
  }

  const feedState = async (service: ServiceProcess): Promise<Row | undefined> =>
    (await rowsOf(service, `select * from mirror.broker_feeds where connection = 'local'`))[0];
  async function caughtUp(service: ServiceProcess): Promise<void> {
    await settled(service);
    const question = `select (select max(seq) from mirror.changes) - cursor as behind from mirror.broker_feeds`;
    await until(
      async () => (await rowsOf(service, question))[0]?.['behind'] === 0,
      'the broker to take all changes',
      LIMIT_MS,
    );
  }
  /** What is in the stream is the feed: each change once, in its order. */
  async function assertSame(service: ServiceProcess): Promise<number> {
    const stored = await readStream(nats.port, 'stayd', LOGIN);
    const changes = await rowsOf(service, 'select seq, resource, key, op, diff from mirror.changes order by seq');
    assert.deepEqual(
      stored.map(({ body: { seq, resource, key, op } }) => ({ seq, resource, key, op })),
      changes.map(({ seq, resource, key, op }) => ({ seq, resource, key, op })),
    );
    assert.equal(JSON.stringify(stored).includes('Lovelace'), false, 'persons are references');
    return changes.length;
  }

  it('has each change in the stream once, in order, after kills of both sides', async () => {
    const dice = seededDice(11).fraction;
    for (let round = 0; round < KILLS; round += 1) {
      const service = await start();
      await house(service);
      const booking = book(service, 12);
      const at = performance.now() + 100 + dice() * 600;
      await until(() => performance.now() > at, 'the time of the kill');
      if (round % 2 === 1) await nats.stop('SIGKILL');
      await service.kill('SIGKILL');
      await booking;
      if (round % 2 === 1) await nats.start();
    }
    const service = await start();
    await caughtUp(service);
    await assertSame(service);
    // Now the broker alone goes away and comes back.
    await nats.stop();
    await book(service, 3);
    await settled(service);
    await until(async () => (await feedState(service))?.['failing_since'] !== null, 'a failure', LIMIT_MS);
    await nats.start();
    await caughtUp(service);
    assert.ok((await assertSame(service)) > 12);
    assert.equal(await service.kill('SIGTERM'), 0);
  });

  it('says what hinders the broker in doctor, status and metrics', async () => {
    writeFileSync(secret, 'wrong-one');
    const service = await start();
    await book(service, 1);
    await until(async () => (await feedState(service))?.['failing_since'] !== null, 'a failure', LIMIT_MS);
    const doctor = await runOne(['doctor'], environment());
    assert.equal(doctor.code, 1);
    assert.match(doctor.stdout, /broker.* takes no changes of local since .*refuses what stayd signs in with/);
    assert.equal(doctor.stdout.includes('wrong-one'), false);
    const counted = async (name: string) => {
      const { text } = await call(service, 'GET', '/metrics', { token: null });
      return Number(new RegExp(`^${name}\\{connection="local"\\} (\\S+)$`, 'm').exec(text)?.[1]);
    };
    assert.ok((await counted('stayd_mirror_broker_waiting_changes')) > 0);
    assert.ok((await counted('stayd_mirror_broker_failures_total')) > 0);
    assert.ok((await counted('stayd_mirror_broker_published_total')) > 12);
    await service.kill('SIGTERM');
    const again = await start();
    // The time that a person is left in peace with it is over; the first try after a start may count from itself.
    const file = new (await import('better-sqlite3')).default(join(dataDir, 'mirror.db'));
    const alarm = /ALARM broker for local: the broker has taken nothing since .*refuses/;
    await until(
      async () => {
        file.exec(`update broker_feeds set failing_since = '${LONG_AGO}'`);
        return alarm.test((await runOne(['status'], environment())).stdout);
      },
      'the alarm',
      LIMIT_MS,
    );
    file.close();
    assert.ok(
      (await (async () => (await call(again, 'GET', '/metrics', { token: null })).text)()).includes('kind="broker"'),
    );
    await again.kill('SIGTERM');
    writeFileSync(secret, PASSWORD);
    const right = await start();
    await caughtUp(right);
    await assertSame(right);
    const healthy = await runOne(['doctor', '--json'], environment());
    const broker = JSON.parse(healthy.stdout).findings.find(({ check }: { check: string }) => check === 'broker');
    assert.equal(broker.state, 'ok', JSON.stringify(broker));
    assert.match(broker.says, /has taken \d+ changes of local, and 0 wait/);
    await right.kill('SIGTERM');
  });
});
