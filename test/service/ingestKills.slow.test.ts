import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { Pool } from 'undici';
import { signingKey, signWebhook } from '../../src/kernel/signature.ts';
import { seededDice } from '../../src/kernel/seeded.ts';
import { dataDirectory, until } from '../support/service.ts';
import { startProcess } from './support/process.ts';

const KILLS = 7;
const CONNECTIONS = 24;
const LONGEST_LIFE_MS = 300;
const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const key = signingKey(secret);

describe('a receiver that is killed while events come in', () => {
  const dataDir = dataDirectory();
  after(() => rmSync(dataDir, { recursive: true, force: true }));

  it('has every event that it has answered 200 in its inbox', async () => {
    const random = seededDice(11).fraction;
    // Nobody answers there: what is received stays pending, and nothing but receiving happens.
    const nowhere = { url: 'http://127.0.0.1:9', token: 'none', webhook_secret: secret };
    const environment = {
      STAYD_ROLES: 'receive,work,schedule',
      STAYD_LOG_LEVEL: 'silent',
      STAYD_CONNECTIONS: JSON.stringify({ other: { ...nowhere, webhook_authentication: 'signature' } }),
    };
    const accepted: string[] = [];
    let sent = 0;
    for (let round = 0; round < KILLS; round += 1) {
      const service = await startProcess(dataDir, environment);
      const pool = new Pool(service.url, { connections: CONNECTIONS });
      let alive = true;
      const client = async () => {
        while (alive) {
          sent += 1;
          const id = `KILL${String(sent).padStart(10, '0')}`;
          if ((await deliver(pool, id)) === 200) accepted.push(id);
        }
      };
      const clients = Array.from({ length: CONNECTIONS }, client);
      const enough = accepted.length + 2 * CONNECTIONS;
      await until(() => accepted.length >= enough, 'the first events to be accepted');
      await wait(random() * LONGEST_LIFE_MS);
      await service.kill('SIGKILL');
      alive = false;
      await Promise.all(clients);
      await pool.destroy();
    }
    const database = new Database(join(dataDir, 'mirror.db'), { readonly: true });
    const stored = new Set(database.prepare('select event_id from inbox').pluck().all());
    assert.equal(database.pragma('integrity_check', { simple: true }), 'ok');
    database.close();
    assert.ok(accepted.length < sent, 'some were under way when the receiver was killed');
    const lost = accepted.filter((id) => !stored.has(id));
    assert.deepEqual(lost, [], `${lost.length} of ${accepted.length} accepted events are not there`);
  });
});

/** @returns the HTTP status; undefined when the connection broke, so that nobody knows what became of the event */
async function deliver(pool: Pool, id: string): Promise<number | undefined> {
  const body = JSON.stringify({ event: 'reservation_updated', event_id: id, reservation_code: `5-${id}` });
  const timestamp = Math.floor(Date.now() / 1_000);
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signWebhook(key, id, timestamp, body),
  };
  try {
    const answer = await pool.request({ method: 'POST', path: '/hooks/other', headers, body });
    await answer.body.dump();
    return answer.statusCode;
  } catch {
    return undefined;
  }
}
