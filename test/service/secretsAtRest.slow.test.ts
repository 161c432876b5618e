import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { OperatorError } from '../../src/kernel/errors.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { sealer } from '../../src/kernel/seal.ts';
import { unseal } from '../support/sealing.ts';
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
    const [own] = await service.rows('select account_id, token from core.daemon_tokens');
    return {
      webhook: open(String(row?.['secret']), `webhook:${String(row?.['id'])}`),
      token: open(String(own?.['token']), `daemon token of ${String(own?.['account_id'])}`),
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

  describe('lock codes, and addresses that let in whoever has them', () => {
    const CODE = 'DOORCODE-4711';
    const HOOK = 'https://hooks.example/in/T0K3N-in-the-path';
    const OLD_HOOK = 'https://hooks.example/in/T0K3N-of-before';
    const ENDPOINT = 'https://programs.example/told/T0K3N-of-theirs';
    let shared: string;
    let hook: number;
    let booking: { reservation_code: string };

    const clear = () => [CODE, HOOK, OLD_HOOK, ENDPOINT, new URL(shared).pathname.slice('/share/'.length)];
    const found = () => {
      const databases = contents().filter(({ name }) => isDatabase(name));
      return clear().filter((text) => databases.some(({ bytes }) => bytes.includes(text)));
    };

    beforeEach(async () => {
      const { property_id } = await service.v3('POST', '/properties', { title: 'Mill' });
      booking = await service.v3('POST', '/reservations', {
        property_id,
        check_in_date: '2027-03-01',
        check_out_date: '2027-03-02',
        guest_name: 'A. Guest',
        rate_amount: 100,
        commission_amount: 0,
        received_amount: 0,
      });
      await service.v3('PATCH', `/reservations/${booking.reservation_code}/check_in_details`, { lock_code: CODE });
      ({ id: hook } = await service.v3('POST', '/webhooks', { url: OLD_HOOK }));
      ({ url: shared } = await service.v3('POST', '/calendar_share_links', { scope: 'entire' }));
      await service.portal('POST', '/portal/endpoints', { url: ENDPOINT, kinds: ['*'] });
      await service.settled();
      await service.portal('POST', '/portal/reconcile', {});
      await service.v3('PATCH', `/webhooks/${hook}`, { url: HOOK });
      await service.portal('POST', '/portal/reconcile', {});
    });

    /** All that is answered about them, by both halves. */
    async function shown(): Promise<unknown> {
      const { reservations } = await service.v3('GET', `/reservations?reservation_code=${booking.reservation_code}`);
      const { webhooks } = await service.v3('GET', '/webhooks');
      const { calendar_share_links: links } = await service.v3('GET', '/calendar_share_links');
      const mirrored = await service.portal('GET', `/mirror/webhook/${hook}`);
      const link = await service.portal('GET', `/mirror/calendar_share_link/${links[0].id}`);
      const { endpoints } = await service.portal('GET', '/portal/endpoints');
      const { changes } = await service.portal('GET', '/mirror/changes?after=0&limit=500');
      return {
        code: reservations[0].check_in_details.lock_code,
        hooks: webhooks.filter((one: { id: number }) => one.id === hook).map((one: { url: string }) => one.url),
        link: new URL(links[0].url).pathname,
        mirrored: mirrored.rows[0].row.url,
        mirroredLink: new URL(link.rows[0].row.url).pathname,
        endpoint: endpoints[0].url,
        diffs: changes
          .filter((one: { resource: string; key: string }) => one.resource === 'webhook' && one.key === String(hook))
          .filter((one: { diff: unknown }) => one.diff !== null)
          .map((one: { diff: unknown }) => one.diff),
      };
    }

    it('stand in no file, and are answered as they were given', async () => {
      assert.deepEqual(found(), []);
      assert.deepEqual(await shown(), {
        code: CODE,
        hooks: [HOOK],
        link: new URL(shared).pathname,
        mirrored: HOOK,
        mirroredLink: new URL(shared).pathname,
        endpoint: ENDPOINT,
        diffs: [[{ path: 'url', before: OLD_HOOK, after: HOOK }]],
      });
    });

    it('that a version of before has left in clear are sealed by the next start, and stand in no page any more', async () => {
      const before = await shown();
      await service.stop();
      await unseal(service.dataDir);
      assert.deepEqual(found(), clear(), 'the search finds what is there');
      await service.restart();
      await service.settled();
      assert.deepEqual(found(), []);
      assert.deepEqual(await shown(), before);
      const { resources } = await service.portal('POST', '/portal/verify', {});
      assert.deepEqual(
        resources.filter((one: { clean: boolean }) => !one.clean),
        [],
      );
    });
  });

  it('lie in files that are their owner’s alone, whatever the umask', () => {
    const modes = readdirSync(service.dataDir).map((name) => {
      const { mode } = statSync(join(service.dataDir, name));
      return `${name} ${(mode & 0o777).toString(8)}`;
    });
    for (const name of ['secret.key', 'control.json', 'core.db', 'mirror.db-wal'])
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
    await service.restart();
    await service.settled();
  });
});
