import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { nkeys } from '@nats-io/transport-node';
import { NatsBroker, type NatsSettings } from '../../src/outbound/natsBroker.ts';
import { credentials, operator } from './support/credentials.ts';
import { describeWithNats, type NatsServer, startNats } from './support/natsServer.ts';

describeWithNats('the broker lets stayd in', () => {
  let nats: NatsServer;
  before(async () => {
    nats = await startNats();
  });
  after(() => nats.remove());

  async function tried(configuration: string, more: Partial<NatsSettings>): Promise<string> {
    await nats.stop();
    await nats.start(configuration);
    const none = { user: null, password: null, token: null, nkey: null, creds: null };
    const broker = new NatsBroker({
      servers: [`nats://127.0.0.1:${nats.port}`],
      stream: 'stayd',
      create: ['stayd.*'],
      ...none,
      tls: { ca: null, cert: null, key: null },
      ...more,
    });
    try {
      await broker.ready();
      await broker.publish({ subject: 'stayd.a', id: 'a', body: '{}' });
      return 'published';
    } catch (error) {
      return (error as Error).message;
    } finally {
      await broker.close();
    }
  }

  it('by a token', async () => {
    const configuration = 'authorization { token: "t0ken" }';
    assert.equal(await tried(configuration, { token: 't0ken' }), 'published');
    assert.match(await tried(configuration, { token: 'other' }), /refuses what stayd signs in with/);
    assert.match(await tried(configuration, {}), /refuses what stayd signs in with/);
  });

  it('by an nkey', async () => {
    const [user, other] = [nkeys.createUser(), nkeys.createUser()];
    const configuration = `authorization { users: [{ nkey: ${user.getPublicKey()} }] }`;
    const seed = new TextDecoder().decode(user.getSeed());
    assert.equal(await tried(configuration, { nkey: seed }), 'published');
    const wrong = new TextDecoder().decode(other.getSeed());
    const says = await tried(configuration, { nkey: wrong });
    assert.match(says, /refuses what stayd signs in with/);
    assert.equal(says.includes(wrong), false);
    assert.match(await tried(configuration, { nkey: 'SUNONSENSE' }), /nats\.nkey/);
  });

  it('by the content of a file with credentials', async () => {
    const known = operator();
    assert.equal(await tried(known.settings, { creds: credentials(known) }), 'published');
    assert.match(await tried(known.settings, { creds: credentials(operator()) }), /refuses what stayd signs in with/);
    assert.match(await tried(known.settings, { creds: 'no credentials' }), /nats\.creds/);
  });

  it('over TLS, and says nothing in clear where tls:// is asked for', async () => {
    const [cert, key] = [join(nats.dir, 'cert.pem'), join(nats.dir, 'key.pem')];
    const made = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost';
    const names = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert];
    execFileSync('openssl', ['req', ...made.split(' '), ...names], { stdio: 'ignore' });
    assert.match(readFileSync(cert, 'utf8'), /BEGIN CERTIFICATE/);
    const secured = `tls { cert_file: "${cert}", key_file: "${key}" }\nauthorization { user: stayd, password: p4ss }`;
    const login = { user: 'stayd', password: 'p4ss', servers: [`tls://localhost:${nats.port}`] };
    const tls = { ca: cert, cert: null, key: null };
    assert.equal(await tried(secured, { ...login, tls }), 'published');
    assert.match(await tried(secured, login), /^the certificate of tls:\/\/localhost:\d+ is signed by itself/);
    const clear = 'authorization { user: stayd, password: p4ss }';
    assert.match(await tried(clear, login), /offers no TLS/);
    assert.match(await tried(secured, { ...login, tls: { ...tls, ca: join(nats.dir, 'none.pem') } }), /none\.pem/);
  });

  it('and refuses a subject that its user may not write to', async () => {
    const permissions = 'permissions: { publish: ["$JS.API.>", "other.>"], subscribe: "_INBOX.>" }';
    const configuration = `authorization { users: [{ user: a, password: b, ${permissions} }] }`;
    assert.match(
      await tried(configuration, { user: 'a', password: 'b' }),
      /does not let stayd publish "?stayd\.a"?: give its user the right/,
    );
  });
});
