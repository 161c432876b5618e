import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { rotateSecrets } from '../../src/compose/privacy/rotateSecrets.ts';
import { loadConfig } from '../../src/config.ts';
import { OperatorError, UsageError } from '../../src/kernel/errors.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { sealer } from '../../src/kernel/seal.ts';
import { call, startTestService, type TestService } from '../support/service.ts';
import { keepOpen } from '../support/tables.ts';

const SEALED = /v1\.([0-9a-f]{8})\.[A-Za-z0-9_-]+/g;

describe('S9: secrets rotate', () => {
  let service: TestService;
  let shared: string;
  let hook: { id: number; secret_token: string };
  beforeEach(async () => {
    service = await startTestService();
    await service.v3('POST', '/properties', { title: 'Mill' });
    hook = await service.v3('POST', '/webhooks', { url: 'https://hooks.example/a' });
    const gone = await service.v3('POST', '/webhooks', { url: 'https://hooks.example/b' });
    await service.portal('POST', `/portal/webhooks/${hook.id}/rotate`);
    await service.v3('DELETE', `/webhooks/${gone.id}`);
    ({ url: shared } = await service.v3('POST', '/calendar_share_links', { scope: 'entire' }));
    const settings = { url: 'https://hooks.example/notices' };
    await service.portal('POST', '/portal/notices', { name: 'Reception', kind: 'slack', settings });
    await service.settled();
  });
  afterEach(() => service.remove());

  const fileOf = (name: string) => readFileSync(join(service.dataDir, name), 'utf8').trim();
  const key = (name = 'secret.key') => sealer(Buffer.from(fileOf(name), 'hex'), systemRandom);
  const config = (more: Record<string, string> = {}) => loadConfig({ STAYD_DATA_DIR: service.dataDir, ...more });

  /** The keys that anything stored is sealed with, in whatever column of whatever table, and how many texts there are. */
  async function sealedWith(): Promise<{ keys: string[]; texts: number }> {
    const found: string[] = [];
    const letGo = keepOpen(service);
    for (const half of ['core', 'mirror']) {
      const tables = await service.rows(
        `select name from ${half}.sqlite_master where type = 'table' and name not like '%_words%'`,
      );
      for (const { name } of tables) {
        const rows = await service.rows(`select * from ${half}."${String(name)}"`);
        found.push(...[...JSON.stringify(rows).matchAll(SEALED)].map(([, id]) => id ?? ''));
      }
    }
    letGo();
    return { keys: [...new Set(found)], texts: found.length };
  }

  /** The shared page opens, the daemon still hears of changes, and the address of the link is the same. */
  async function worksAsBefore(): Promise<void> {
    const path = new URL(shared).pathname;
    assert.equal((await call(service, 'GET', path, { token: null })).http, 200);
    const { calendar_share_links: links } = await service.v3('GET', '/calendar_share_links');
    assert.equal(new URL(links[0].url).pathname, path);
    await service.v3('POST', '/properties', { title: `Barn ${service.url}` });
    await service.settled();
    const [row] = await service.rows(`select id, previous_secret from core.webhooks where id = ${hook.id}`);
    assert.equal(key().open(String(row?.['previous_secret']), `webhook:${String(row?.['id'])}`), hook.secret_token);
  }

  it('makes a new key, and everything that was sealed is sealed with it; all works as before', async () => {
    const old = key();
    const before = await sealedWith();
    assert.deepEqual(before.keys, [old.keyId]);
    await service.stop();
    const { keyId, webhooks, shareLinks, connections } = await rotateSecrets(config());
    assert.deepEqual([webhooks, shareLinks, connections], [3, 1, 1]);
    assert.notEqual(keyId, old.keyId);
    assert.equal(key().keyId, keyId);
    assert.equal(statSync(join(service.dataDir, 'secret.key')).mode & 0o777, 0o600);
    assert.ok(!existsSync(join(service.dataDir, 'secret.key.new')));
    assert.deepEqual(await sealedWith(), { keys: [keyId], texts: before.texts });
    await service.restart();
    await worksAsBefore();
  });

  it('is refused while the service runs, and changes nothing', async () => {
    const before = key().keyId;
    await assert.rejects(
      rotateSecrets(config()),
      (error) => error instanceof OperatorError && /another stayd/.test(error.message),
    );
    assert.equal(key().keyId, before);
    assert.deepEqual((await sealedWith()).keys, [before]);
  });

  for (const cut of ['before anything was sealed', 'after the core', 'after both'] as const) {
    it(`cut off ${cut}: the next start goes on and ends it`, async () => {
      await service.stop();
      const [coreFile, mirrorFile, oldKey] = ['core.db', 'mirror.db', 'secret.key'].map((name) =>
        readFileSync(join(service.dataDir, name)),
      );
      const { keyId } = await rotateSecrets(config());
      // As the files lay when it was cut off: the key last, and what had not been reached as it was.
      writeFileSync(join(service.dataDir, 'secret.key.new'), fileOf('secret.key'), { mode: 0o600 });
      const put = (name: string, bytes: Buffer | undefined) =>
        bytes && writeFileSync(join(service.dataDir, name), bytes);
      put('secret.key', oldKey);
      if (cut !== 'after both') put('mirror.db', mirrorFile);
      if (cut === 'before anything was sealed') put('core.db', coreFile);
      await service.restart();
      assert.equal(key().keyId, keyId);
      assert.deepEqual((await sealedWith()).keys, [keyId]);
      await worksAsBefore();
    });
  }

  it('with a secret that neither key opens it changes nothing', async () => {
    await service.run(`update core.webhooks set secret = 'v1.00000000.AAAA' where id = ${hook.id}`);
    const before = await sealedWith();
    await service.stop();
    await assert.rejects(rotateSecrets(config()), OperatorError);
    assert.deepEqual(await sealedWith(), before);
    await service.run(`delete from core.webhooks where id = ${hook.id}`);
    await service.restart();
  });
});

describe('S9: secrets rotate, where the key is configured', () => {
  it('takes the new key to a file of its own, and the service starts with that', async () => {
    const old = Buffer.alloc(32, 7).toString('hex');
    const service = await startTestService({ STAYD_SECRET_KEY: old });
    await service.settled();
    await service.stop();
    const file = join(service.dataDir, 'next.key');
    const config = loadConfig({ STAYD_DATA_DIR: service.dataDir, STAYD_SECRET_KEY: old });
    await assert.rejects(rotateSecrets(config), UsageError);
    await assert.rejects(rotateSecrets(loadConfig({ STAYD_DATA_DIR: service.dataDir }), file), UsageError);
    const first = await rotateSecrets(config, file);
    assert.deepEqual(await rotateSecrets(config, file), first, 'safe to repeat');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    await assert.rejects(
      service.restart(),
      (error) => error instanceof OperatorError && /sealed with the key/.test(error.message),
    );
    await service.restart({ STAYD_SECRET_KEY: readFileSync(file, 'utf8').trim() });
    await service.settled();
    await service.remove();
  });
});
