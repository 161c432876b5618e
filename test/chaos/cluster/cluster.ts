import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { parse, stringify } from 'yaml';
import { deployed } from '../../deploy/support/deployed.ts';
import { freePort } from '../../support/port.ts';
import { findPostgres } from '../../support/postgres.ts';
import { until } from '../../support/service.ts';
import type { Course } from '../scenario.ts';
import { layNetwork, type Machine } from './machines.ts';

const NAMES = ['one', 'two', 'three'] as const;
const OWNER = 'postgres';
const READY_MS = 90_000;

/** Three machines with PostgreSQL, of which Patroni makes one the primary, behind HAProxy: as the files of `deploy/` say. */
export interface Cluster {
  /** The database, at whoever is the primary. */
  url: string;
  machines: readonly Machine[];
  /** Waits for a primary with another machine that has all it acknowledges. */
  whole(): Promise<Machine>;
  /** The primary, as Patroni on the machines tells; undefined while there is none. */
  primary(): Promise<Machine | undefined>;
  /** Starts a machine that was killed. */
  start(machine: Machine): void;
}

/** What Patroni tells of the members that run. */
interface Member {
  name: string;
  role: string;
  state: string;
}

export async function startCluster(course: Course): Promise<Cluster> {
  const folder = course.folder();
  const network = layNetwork(course);
  const machines = NAMES.map((name) => network.add(name));
  // The store of who is the primary is not what is broken here, so one member of it is enough.
  startEtcd(course, folder, network.address);
  const configuration = readFileSync(deployed('patroni.yaml'), 'utf8');
  for (const machine of machines) layMachine(machine, { folder, configuration, etcd: `${network.address}:2379` });
  const port = await startHaproxy(course, folder, machines);
  const { username, password } = parse(configuration).postgresql.authentication.superuser;
  const cluster: Cluster = {
    url: `postgres://stayd:stayd@127.0.0.1:${port}/stayd`,
    machines,
    start: (machine) =>
      machine.start(
        ['runuser', '-u', OWNER, '--', 'patroni', join(folder, machine.name, 'patroni.yaml')],
        join(folder, machine.name, 'log'),
      ),
    async primary() {
      const asked = await Promise.all(machines.map(async (one) => ((await isPrimary(one)) ? one : undefined)));
      return asked.find((one) => one !== undefined);
    },
    async whole() {
      let leader: Machine | undefined;
      await until(
        async () => {
          leader = await cluster.primary();
          if (leader === undefined) return false;
          const members = await membersAt(leader);
          const running = members.filter(({ state }) => state === 'running' || state === 'streaming');
          return running.length === machines.length && members.some(({ role }) => role === 'sync_standby');
        },
        () => `the cluster to be whole; ${folder}`,
        READY_MS,
      );
      if (leader === undefined) throw new Error('unreachable');
      return leader;
    },
  };
  for (const machine of machines) cluster.start(machine);
  await cluster.whole();
  await makeDatabase(`postgres://${username}:${password}@127.0.0.1:${port}/postgres`);
  return cluster;
}

/** The database of stayd with a user who owns nothing else. */
async function makeDatabase(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query("create role stayd login password 'stayd'");
  await client.query('create database stayd owner stayd');
  await client.end();
}

function startEtcd(course: Course, folder: string, address: string): void {
  const [client, peer] = [`http://${address}:2379`, `http://${address}:2380`];
  const settings = {
    'data-dir': join(folder, 'etcd'),
    'log-level': 'error',
    'initial-cluster': `default=${peer}`,
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
  };
  const args = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
  const child = spawn('etcd', args, { stdio: 'ignore' });
  course.atEnd(() => child.kill('SIGKILL'));
}

/** The file of `deploy/`, with the names and places of a machine of this course. */
function layMachine(
  machine: Machine,
  { folder, configuration, etcd }: { folder: string; configuration: string; etcd: string },
) {
  const own = join(folder, machine.name);
  mkdirSync(own);
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, OWNER], { encoding: 'utf8' })));
  for (const place of [folder, own]) chownSync(place, uid ?? 0, gid ?? 0);
  const subnet = `${machine.address.slice(0, machine.address.lastIndexOf('.'))}.0/24`;
  const file = parse(
    configuration
      .replaceAll('10.0.0.11:2379,10.0.0.12:2379,10.0.0.13:2379', etcd)
      .replaceAll('10.0.0.0/24', subnet)
      .replaceAll('10.0.0.11', machine.address),
  );
  file.name = machine.name;
  file.postgresql.data_dir = join(own, 'data');
  file.postgresql.bin_dir = findPostgres();
  file.postgresql.parameters = { unix_socket_directories: own };
  file.postgresql.pgpass = join(own, 'pgpass');
  writeFileSync(join(own, 'patroni.yaml'), stringify(file));
}

/** The file of `deploy/`, at a free port, with the addresses of this course. */
async function startHaproxy(course: Course, folder: string, machines: readonly Machine[]): Promise<number> {
  const port = await freePort();
  let text = readFileSync(deployed('haproxy-postgres.cfg'), 'utf8').replace(
    'bind 127.0.0.1:5432',
    `bind 127.0.0.1:${port}`,
  );
  machines.forEach(({ address }, index) => (text = text.replace(`10.0.0.${11 + index}:`, `${address}:`)));
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, text);
  const child = spawn('/usr/sbin/haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  course.atEnd(() => child.kill('SIGKILL'));
  return port;
}

async function isPrimary({ address }: Machine): Promise<boolean> {
  try {
    return (await fetch(`http://${address}:8008/primary`, { signal: AbortSignal.timeout(1_000) })).status === 200;
  } catch {
    return false;
  }
}

async function membersAt({ address }: Machine): Promise<Member[]> {
  try {
    const answer = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(1_000) });
    return ((await answer.json()) as { members: Member[] }).members;
  } catch {
    return [];
  }
}
