import assert from 'node:assert/strict';
import { closeSync, existsSync, openSync, readdirSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { seededDice } from '../../src/kernel/seeded.ts';
import { checkIntegrity } from '../../src/store/sqlite/integrity.ts';
import { dataDirectory, rowsOf, settled, startTestService, type TestService, until } from '../support/service.ts';
import { randomOperations } from './support/operations.ts';
import { startProcess } from './support/process.ts';

const PAGE = 4096;

/** Flips bytes in so many pages of a file. */
function flip(file: string, pages: number, seed: number): void {
  const { fraction } = seededDice(seed);
  const descriptor = openSync(file, 'r+');
  const total = Math.floor(statSync(file).size / PAGE);
  for (let n = 0; n < pages; n += 1) {
    const page = Buffer.alloc(PAGE);
    const at = Math.floor(fraction() * total) * PAGE;
    readSync(descriptor, page, 0, PAGE, at);
    for (let byte = 0; byte < 8; byte += 1) {
      const index = Math.floor(fraction() * PAGE);
      page[index] = (page[index] ?? 0) ^ 0xff;
    }
    writeSync(descriptor, page, 0, PAGE, at);
  }
  closeSync(descriptor);
}

describe('a mirror whose file is not what was written', () => {
  let service: TestService;
  afterEach(() => service.remove());

  async function filled(): Promise<number> {
    service = await startTestService();
    await service.settled();
    await randomOperations(service, 20, 3);
    await service.settled();
    const [head] = await service.rows('select seq from mirror.feed_heads');
    await service.stop();
    return Number(head?.['seq']);
  }

  async function isWhole(): Promise<void> {
    await service.settled();
    assert.equal((await service.portal('POST', '/portal/verify', {})).clean, true);
    const { automations } = (await service.portal('GET', '/portal/status')).connections.local;
    assert.equal(automations.armed, false);
    assert.match(automations.because, /mirror\.db was (damaged|missing)/);
    assert.equal((await service.v3('GET', '/webhooks')).webhooks.length, 1, 'its registration was replaced');
  }

  const quarantined = () => readdirSync(service.dataDir).filter((name) => /^mirror\.db\.damaged-.*Z$/.test(name));

  it('flipped bytes in 100 pages: found at the start, moved away, read again, the feed goes on', async () => {
    const head = await filled();
    flip(join(service.dataDir, 'mirror.db'), 100, 8);
    await service.restart();
    await isWhole();
    assert.equal(quarantined().length, 1);
    const [first] = await service.rows('select min(seq) as seq from mirror.changes');
    assert.ok(Number(first?.['seq']) > head, 'no place of the feed is given twice');
    await service.restart();
    await isWhole();
    assert.equal(quarantined().length, 1, 'one loss is one loss');
  });

  it('a file that is missing: the same', async () => {
    await filled();
    rmSync(join(service.dataDir, 'mirror.db'));
    await service.restart();
    await isWhole();
  });

  it('a damaged or missing core is not served, and a backup is what helps', async () => {
    await filled();
    const core = join(service.dataDir, 'core.db');
    flip(core, 100, 9);
    assert.notDeepEqual(checkIntegrity(core), []);
    await assert.rejects(service.restart(), /core\.db in .* is damaged/);
    rmSync(core);
    await assert.rejects(service.restart(), /core\.db is missing, although there was one/);
    assert.equal(existsSync(core), false, 'no empty one takes its place');
  });
});

describe('a mirror that is damaged under the running service', () => {
  const dataDir = dataDirectory();
  after(() => rmSync(dataDir, { recursive: true, force: true }));

  it('is not served on once the damage is met: the service starts again with a new one', async () => {
    const service = await startProcess(dataDir);
    await settled(service);
    const mirror = join(dataDir, 'mirror.db');
    const other = new Database(mirror);
    other.pragma('wal_checkpoint(truncate)');
    const pages = Math.floor(statSync(mirror).size / PAGE);
    const descriptor = openSync(mirror, 'r+');
    for (let page = 1; page < pages; page += 1) writeSync(descriptor, Buffer.alloc(PAGE, 0x5a), 0, PAGE, page * PAGE);
    closeSync(descriptor);
    // Whoever writes makes the service look at the file again, in place of what it remembers of it.
    other.pragma('user_version = 1');
    other.close();
    await until(
      () => {
        void fetch(`${service.url}/portal/status`, { headers: { 'stayd-control-secret': service.secret } }).catch(
          () => {},
        );
        return /mirror\.db is damaged: stopping[\s\S]*is ready on/.test(service.stdout());
      },
      () => `a second start; it said ${service.stdout()}${service.stderr()}`,
    );
    const names = readdirSync(dataDir);
    assert.ok(names.some((name) => name.startsWith('mirror.db.damaged-')));
    // All but the first are written when the webhook is registered, which goes on after the start.
    await until(
      async () => (await rowsOf(service, 'select name from mirror.connection_facts')).length === 4,
      'what is known of the connection',
    );
    assert.deepEqual(await rowsOf(service, 'select name from mirror.connection_facts order by name'), [
      { name: 'automations_disarmed' },
      { name: 'instance' },
      { name: 'listening_since' },
      { name: 'registration' },
    ]);
    assert.equal(await service.kill('SIGINT'), 0);
  });
});
