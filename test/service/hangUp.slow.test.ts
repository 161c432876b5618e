import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../support/port.ts';
import { dataDirectory, until } from '../support/service.ts';
import { type ServiceProcess, startProcess } from './support/process.ts';

describe('a hang-up of a service without a terminal', () => {
  const dir = dataDirectory();
  const [cert, key, settings] = [join(dir, 'cert.pem'), join(dir, 'key.pem'), join(dir, 'stayd.yaml')];
  let service: ServiceProcess;
  let port: number;
  before(async () => {
    port = await freePort();
    makeCertificate('first');
    writeFileSync(settings, 'log_level: warn\n');
    service = await startProcess(dir, { STAYD_PORT: String(port), STAYD_TLS_CERT: cert, STAYD_TLS_KEY: key });
  });
  after(async () => {
    assert.equal(await service.kill('SIGTERM'), 0);
    rmSync(dir, { recursive: true });
  });

  function makeCertificate(name: string): void {
    const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key];
    execFileSync('openssl', ['req', '-x509', ...newKey, '-out', cert, '-days', '3', '-subj', `/CN=${name}`], {
      stdio: 'pipe',
    });
  }
  async function connected(): Promise<TLSSocket> {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    return socket;
  }
  async function certificate(): Promise<string> {
    const socket = await connected();
    const { subject } = socket.getPeerCertificate();
    socket.destroy();
    return String(subject.CN);
  }
  async function healthy(socket?: TLSSocket): Promise<number | undefined> {
    const asked = request({
      port,
      path: '/healthz',
      rejectUnauthorized: false,
      agent: false,
      ...(socket && { createConnection: () => socket }),
    });
    asked.end();
    const [answer] = await once(asked, 'response');
    answer.resume();
    return answer.statusCode;
  }
  /** Hangs up, and waits for what the service says to it. */
  async function hangUp(says: RegExp): Promise<void> {
    const before = service.stdout().length;
    service.child.kill('SIGHUP');
    const said = () => service.stdout().slice(before);
    await until(
      () => says.test(said()),
      () => `${says} in ${said()}`,
    );
  }

  it('brings a new certificate into use, and no connection ends', async () => {
    assert.equal(await certificate(), 'first');
    const open = await connected();
    makeCertificate('second');
    assert.equal(await certificate(), 'first', 'until then');
    await hangUp(/the certificate was read again/);
    assert.equal(await certificate(), 'second');
    assert.equal(await healthy(open), 200);
  });

  it('goes on with what it has when the certificate or the settings cannot be used', async () => {
    writeFileSync(key, 'nothing');
    await hangUp(/cannot be used: tls\.key: .*key\.pem holds no private key; going on with those of before/);
    assert.equal(await certificate(), 'second');
    makeCertificate('third');
    writeFileSync(settings, 'log_level: loud\n');
    await hangUp(/cannot be used: .*stayd\.yaml: log_level: must be one of .*; going on with those of before/);
    assert.equal(await healthy(), 200);
  });

  it('brings other levels of the log into use, and no connection ends', async () => {
    const open = await connected();
    writeFileSync(settings, 'log_level: warn,access=debug\n');
    await hangUp(/the log writes warn,access=debug from now on/);
    assert.equal(await healthy(open), 200);
    await until(() => /"component":"access".*"route":"\/healthz"/.test(service.stdout()), 'a line of a request');
    writeFileSync(settings, 'log_level: warn,acces=debug\n');
    await hangUp(/cannot be used: .*"acces" is no component of the log; did you mean access\?/);
    assert.equal(await healthy(), 200);
  });

  it('starts again in the same process when settings are others', async () => {
    writeFileSync(settings, 'log_level: error\naccount: { property_quota: 7 }\n');
    await hangUp(/starting again with new settings\n[^]*is ready on/);
    assert.equal(await certificate(), 'third');
    assert.equal(service.child.exitCode, null);
    await hangUp(/the certificate was read again/);
  });
});
