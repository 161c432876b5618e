import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { describeOnPostgres, findPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startTestService, type TestService, until } from '../support/service.ts';
import { runOne } from './support/runMany.ts';

/** What PostgreSQL calls a server that follows; this one only keeps the log. */
const FOLLOWER = 'pg_receivewal';

describeOnPostgres('doctor, of what PostgreSQL promises of a commit', () => {
  const dir = mkdtempSync(join(tmpdir(), 'stayd-wal-'));
  let postgres: TestPostgres;
  let url: string;
  let service: TestService;
  let follower: ChildProcess | undefined;
  before(async () => {
    postgres = await startPostgres();
    url = await postgres.freshDatabase();
    service = await startTestService({ STAYD_DATABASE_URL: url });
    await service.settled();
  });
  after(async () => {
    await unfollow();
    await service.remove();
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  async function durability(as = url) {
    const { code, stdout } = await runOne(['doctor', '--json'], {
      STAYD_DATA_DIR: service.dataDir,
      STAYD_DATABASE_URL: as,
    });
    const { findings } = JSON.parse(stdout) as { findings: { check: string; state: string; says: string }[] };
    const told = findings.filter(({ check }) => check === 'durability');
    return { code, told: told.map(({ state, says }) => `${state}: ${says}`) };
  }
  async function expect(code: number, ...says: RegExp[]) {
    const found = await durability();
    assert.equal(found.code, code, found.told.join('\n'));
    assert.equal(found.told.length, says.length, found.told.join('\n'));
    for (const [index, one] of says.entries()) assert.match(found.told[index] ?? '', one);
  }
  async function set(name: string, value: string) {
    await postgres.query(`alter system set ${name} = '${value}'`);
    await postgres.query('select pg_reload_conf()');
    await until(async () => {
      const { rows } = await postgres.query('select current_setting($1) as value', [name]);
      return rows[0].value === value;
    }, `${name} to be ${value}`);
  }
  const states = async (): Promise<string[]> =>
    (await postgres.query('select sync_state from pg_stat_replication')).rows.map((row) => row.sync_state);
  async function follow() {
    const { hostname, port, username } = new URL(url);
    const args = ['-D', dir, '-h', hostname, '-p', port, '-U', username, '--synchronous', '--no-loop'];
    follower = spawn(join(findPostgres() ?? '', FOLLOWER), args, { stdio: 'ignore' });
    await until(async () => (await states()).length === 1, 'the follower to follow');
  }
  async function unfollow() {
    if (!follower) return;
    const ended = once(follower, 'exit');
    follower.kill('SIGKILL');
    await ended;
    follower = undefined;
    await until(async () => (await states()).length === 0, 'the follower to be missed');
  }

  it('a server that does not wait for its disk', async () => {
    await expect(1, /^problem: PostgreSQL runs with fsync off/, /^ok: /);
    await set('fsync', 'on');
    await expect(0, /^ok: .* and nowhere else/);
  });

  it('commits that are acknowledged before they are stored, set for the database alone', async () => {
    const name = new URL(url).pathname.slice(1);
    await postgres.query(`alter database ${name} set synchronous_commit to off`);
    await expect(1, /^problem: synchronous_commit is off/);
    await postgres.query(`alter database ${name} reset synchronous_commit`);
    await expect(0, /^ok: /);
  });

  it('a replica that nothing waits for, is waited for, and is gone', async () => {
    await follow();
    await expect(0, /^note: replicas: 1, and no commit waits/);
    await set('synchronous_standby_names', FOLLOWER);
    await until(async () => (await states())[0] === 'sync', 'the follower to be waited for');
    await expect(0, /^ok: .* two servers/);
    await set('synchronous_commit', 'local');
    await expect(1, /^problem: a replica is to be waited for, but/);
    await set('synchronous_commit', 'on');
    await unfollow();
    await expect(1, /^problem: commits wait for a synchronous replica, and none is there/);
    await set('synchronous_standby_names', '');
  });

  it('a role that may not see the state of a replica is told no more than it can know', async () => {
    await postgres.query('create role plain login');
    await postgres.query('grant pg_read_all_data to plain');
    const plain = new URL(url);
    plain.username = 'plain';
    await follow();
    assert.match((await durability(plain.href)).told.join(), /^note: replicas: 1/);
    await set('synchronous_standby_names', FOLLOWER);
    assert.match((await durability(plain.href)).told.join(), /^ok: .* two servers/);
    await set('synchronous_standby_names', '');
  });
});
