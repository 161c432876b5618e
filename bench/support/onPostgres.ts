import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { systemRandom } from '../../src/kernel/random.ts';
import { sealer } from '../../src/kernel/seal.ts';
import { secretContext } from '../../src/sync/connection/webhook/registerWebhook.ts';
import type { ServiceProcess } from '../../test/service/support/process.ts';
import { type TestPostgres, startPostgres } from '../../test/support/postgres.ts';
import { newToken, v3 } from '../../test/support/service.ts';
import { childrenOf, counted, type Group } from './heldProcess.ts';

/** The key of services that share a database in a bench, in hex. */
const KEY = '15'.repeat(32);

/** A PostgreSQL server whose CPU is counted. */
export interface CountedPostgres {
  readonly server: TestPostgres;
  /** What its processes have used. */
  readonly cpu: Group;
  /** Makes a database. @returns its url, and the settings of services on it */
  database(): Promise<{ url: string; environment: Record<string, string> }>;
  stop(): Promise<void>;
}

export async function startCountedPostgres(): Promise<CountedPostgres> {
  const server = await startPostgres();
  const cpu = counted('stayd-bench-database');
  const postmaster = await postmasterOf(server.url);
  for (const pid of [postmaster, ...childrenOf(postmaster)]) cpu.add(pid);
  return {
    server,
    cpu,
    async database() {
      const url = await server.freshDatabase();
      return { url, environment: { STAYD_DATABASE_URL: url, STAYD_SECRET_KEY: KEY, STAYD_LIMITS: 'off' } };
    },
    async stop() {
      await server.stop();
      cpu.remove();
    },
  };
}

/** Makes a property, and books it night after night. */
export async function book(service: ServiceProcess, nights: number): Promise<void> {
  const token = await newToken(service);
  const { property_id } = await v3(service, token, 'POST', '/properties', { title: `House of ${nights}` });
  for (let index = 0; index < nights; index += 1) {
    const day = (more: number) => new Date(Date.UTC(2027, 0, 1 + index + more)).toISOString().slice(0, 10);
    await v3(service, token, 'POST', '/reservations', {
      property_id,
      check_in_date: day(0),
      check_out_date: day(1),
      guest_name: `Guest ${index}`,
      rate_amount: 100,
      commission_amount: 0,
      received_amount: 0,
    });
  }
}

async function ask(url: string, text: string): Promise<Record<string, unknown>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows[0] ?? {};
  } finally {
    await client.end();
  }
}

async function postmasterOf(url: string): Promise<number> {
  const { data_directory: folder } = await ask(url, 'show data_directory');
  return Number(readFileSync(join(String(folder), 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
}

/** Returns the secret of the webhook by which a service tells itself. */
export async function hookSecret(url: string): Promise<string> {
  const { webhook_secret: sealed } = await ask(
    url,
    "select webhook_secret from mirror.connections where connection = 'local'",
  );
  return sealer(Buffer.from(KEY, 'hex'), systemRandom).open(String(sealed), secretContext('local'));
}
