import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { OperatorError } from '../../src/kernel/errors.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { sealer } from '../../src/kernel/seal.ts';
import { startTestService, type TestService } from '../support/service.ts';

/** S9 of the whole service; what the encryption itself promises is tested where it lives. */
describe('secrets that a service keeps', () => {
  let service: TestService;
  let umask: number;
  beforeEach(async () => {
    umask = process.umask(0);
    service = await startTestService();
    await service.settled();
  });
  afterEach(async () => {
    process.umask(umask);
    await service.remove();
  });

  const fileOf = (name: string) => readFileSync(join(service.dataDir, name));
  const contents = () => readdirSync(service.dataDir).map((name) => ({ name, bytes: fileOf(name) }));
  const isDatabase = (name: string) => /^(core|mirror)\.db/.test(name);
  const key = () => Buffer.from(fileOf('secret.key').toString().trim(), 'hex');

  /** The secret of the webhook by which the core tells the daemon, and the daemon's token, as they were given out. */
  async function plainSecrets(): Promise<{ webhook: string; token: string }> {
    const { open } = sealer(key(), systemRandom);
    const [row] = await service.rows('select id, secret from core.webhooks');
    return {
      webhook: open(String(row?.['secret']), `webhook:${String(row?.['id'])}`),
      token: open(fileOf('local.token').toString().trim(), 'local-token'),
    };
  }

  it('stand in no file as they are; nor does the key stand in a database', async () => {
    const { webhook, token } = await plainSecrets();
    assert.match(webhook, /^whsec_/);
    const signing = Buffer.from(webhook.slice('whsec_'.length), 'base64');
    const files = contents();
    assert.ok(files.filter(({ name }) => isDatabase(name)).length >= 4, 'both databases with what was written last');
    for (const { name, bytes } of files) {
      for (const form of [webhook, webhook.slice('whsec_'.length, -1), signing, signing.toString('hex'), token])
        assert.ok(!bytes.includes(form), name);
      if (!isDatabase(name)) continue;
      for (const form of [key(), key().toString('hex'), key().toString('base64').slice(0, -1)])
        assert.ok(!bytes.includes(form), `the key in ${name}`);
    }
    const sealed = String((await service.rows('select webhook_secret from mirror.connections'))[0]?.['webhook_secret']);
    assert.ok(
      files.some(({ bytes }) => bytes.includes(sealed)),
      'the search finds what is there',
    );
  });

  it('lie in files that are their owner’s alone, whatever the umask', () => {
    const modes = readdirSync(service.dataDir).map((name) => {
      const { mode } = statSync(join(service.dataDir, name));
      return `${name} ${(mode & 0o777).toString(8)}`;
    });
    for (const name of ['secret.key', 'local.token', 'control.json', 'core.db', 'mirror.db-wal'])
      assert.ok(modes.includes(`${name} 600`), modes.join());
    assert.deepEqual(
      modes.filter((one) => !one.endsWith(' 600')),
      [],
    );
  });

  it('are not started without: another key is refused, and both are named', async () => {
    const refusedWith = (environment: Record<string, string>) =>
      assert.rejects(
        service.restart(environment),
        (error) => error instanceof OperatorError && /sealed with the key [0-9a-f]{8}; this one is/.test(error.message),
      );
    const other = Buffer.alloc(32, 7).toString('hex');
    await refusedWith({ STAYD_SECRET_KEY: other });
    // With the daemon's token gone it is a webhook that shows the key to be another one.
    rmSync(join(service.dataDir, 'local.token'));
    await refusedWith({ STAYD_SECRET_KEY: other });
    assert.ok(!existsSync(join(service.dataDir, 'local.token')), 'nothing is sealed with the other key');
    await service.restart();
    await service.settled();
  });
});
