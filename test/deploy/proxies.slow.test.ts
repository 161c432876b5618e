import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as plain } from 'node:http';
import { request as secured } from 'node:https';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runOne } from '../cli/support/runMany.ts';
import { freePort } from '../support/port.ts';
import { dataDirectory, startTestService, type TestService, until } from '../support/service.ts';
import { deployed } from './support/deployed.ts';
import { layHaproxy, makeCertificate, NAME } from './support/haproxy.ts';

interface Place {
  dir: string;
  /** Where stayd listens. */
  upstream: string;
  http: number;
  https: number;
}

interface Proxy {
  name: string;
  /** Lays out the files as they are in `deploy/`, with ports and places of this test. @returns the command */
  lay(place: Place): string[];
}

const proxies: Proxy[] = [
  {
    name: 'nginx',
    lay({ dir, upstream, http, https }) {
      const certificate = [join(dir, 'fullchain.pem'), join(dir, 'privkey.pem')] as const;
      makeCertificate(...certificate);
      const site = readFileSync(deployed('nginx.conf'), 'utf8')
        .replace('127.0.0.1:8484', upstream)
        .replaceAll(/listen \[::\].*\n/g, '')
        .replace('listen 80;', `listen 127.0.0.1:${http};`)
        .replace('listen 443 ', `listen 127.0.0.1:${https} `)
        .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate[0]};`)
        .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${certificate[1]};`);
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (one) => `${one}_temp_path ${dir}/${one};`,
      );
      const whole = `daemon off; pid ${dir}/pid; error_log ${dir}/error.log; events {} http { access_log off; ${paths.join(' ')}\n${site} }`;
      writeFileSync(join(dir, 'nginx.conf'), whole);
      return ['nginx', '-e', join(dir, 'error.log'), '-c', join(dir, 'nginx.conf')];
    },
  },
  {
    name: 'Caddy',
    lay({ dir, http, https }) {
      const ports = `http_port ${http}\n\thttps_port ${https}`;
      // A certificate of its own in the place of one of a public authority, which nobody reaches here.
      const settings = `{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\tdefault_bind 127.0.0.1\n\t${ports}\n\tstorage file_system ${dir}/storage\n}\n`;
      const site = readFileSync(deployed('Caddyfile'), 'utf8');
      writeFileSync(join(dir, 'Caddyfile'), settings + site.slice(site.indexOf('{$STAYD_NAME')));
      return ['caddy', 'run', '--adapter', 'caddyfile', '--config', join(dir, 'Caddyfile')];
    },
  },
  {
    name: 'HAProxy',
    lay: ({ dir, upstream, http, https }) => layHaproxy(dir, [upstream], { http, https }),
  },
];

for (const { name, lay } of proxies) {
  describe(`${name} in front of stayd, as deploy/ says`, () => {
    const dir = dataDirectory();
    let service: TestService;
    let proxy: ChildProcess;
    let [http, https] = [0, 0];
    before(async () => {
      mkdirSync(dir, { recursive: true });
      [http, https] = [await freePort(), await freePort()];
      service = await startTestService({
        STAYD_PUBLIC_URL: `https://${NAME}`,
        STAYD_TRUSTED_PROXIES: '127.0.0.1',
      });
      const upstream = new URL(service.url).host;
      const [command = '', ...args] = lay({ dir, upstream, http, https });
      proxy = spawn(command, args, {
        stdio: 'ignore',
        env: { ...process.env, STAYD_ADDRESS: upstream, STAYD_NAME: NAME, HOME: dir, XDG_DATA_HOME: dir },
      });
      await until(
        () =>
          ask('/healthz').then(
            ({ status }) => status === 200,
            () => false,
          ),
        `${name} to answer`,
      );
    });
    after(async () => {
      proxy.kill('SIGTERM');
      await once(proxy, 'exit');
      await service.remove();
      rmSync(dir, { recursive: true, force: true });
    });

    async function ask(path: string, headers: Record<string, string> = {}, method = 'GET', body?: string) {
      const asked = secured({
        host: '127.0.0.1',
        port: https,
        path,
        method,
        servername: NAME,
        rejectUnauthorized: false,
        agent: false,
        headers: { host: NAME, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      });
      asked.end(body);
      const [response] = await once(asked, 'response');
      let text = '';
      for await (const chunk of response) text += String(chunk);
      return { status: response.statusCode as number, headers: response.headers, text };
    }
    const token = () => ({ 'service-access-token': service.token });

    it('passes on calls with their token, and answers', async () => {
      const made = await ask('/v3/properties', token(), 'POST', JSON.stringify({ name: 'Sea View' }));
      assert.equal(made.status, 200, made.text);
      const listed = await ask('/v3/properties?limit=10', token());
      assert.equal(JSON.parse(listed.text).data.properties[0].name, 'Sea View');
      assert.equal((await ask('/v3/properties')).text.includes('Sea View'), false, 'without a token');
    });

    it('shows the pages, whose cookie is for https alone', async () => {
      assert.equal((await ask('/console/sign-in')).status, 200);
      assert.equal((await ask('/', { accept: 'text/html' })).headers.location, '/console/');
    });

    it('keeps what is meant for this machine to itself', async () => {
      assert.notEqual((await ask('/status.txt')).status, 200);
      assert.notEqual((await ask('/metrics')).status, 200);
    });

    it('lets the change feed speak while it goes on', async () => {
      const asked = secured({
        host: '127.0.0.1',
        port: https,
        path: '/mirror/changes/stream',
        servername: NAME,
        rejectUnauthorized: false,
        agent: false,
        headers: { host: NAME, accept: 'text/event-stream', ...token() },
      });
      asked.end();
      const [response] = await once(asked, 'response');
      assert.equal(response.statusCode, 200);
      let text = '';
      response.setEncoding('utf8').on('data', (more: string) => (text += more));
      await ask('/v3/properties', token(), 'POST', JSON.stringify({ name: 'Live' }));
      await until(
        () => /^data: /m.test(text),
        () => `a change in ${text}`,
      );
      asked.destroy();
    });

    it('sends plain requests to https', async () => {
      const asked = plain({ host: '127.0.0.1', port: http, path: '/docs', headers: { host: NAME }, agent: false });
      asked.end();
      const [response] = await once(asked, 'response');
      response.resume();
      assert.ok([301, 308].includes(response.statusCode), String(response.statusCode));
      assert.match(response.headers.location, /^https:\/\/rooms\.example\S*\/docs$/);
    });

    it('puts the address of the caller in the place of what the caller claims', async () => {
      for (let tries = 0; tries < 3; tries += 1) {
        const headers = {
          'x-forwarded-for': `203.0.113.${tries}`,
          'x-forwarded-proto': 'http',
          'content-type': 'application/x-www-form-urlencoded',
          origin: `https://${NAME}`,
        };
        const { status } = await ask('/console/sign-in', headers, 'POST', 'login=nobody&password=wrong');
        assert.notEqual(status, 403, 'http was claimed, and https is what it was');
      }
      const { stdout } = await runOne(['audit', '--json'], { STAYD_DATA_DIR: service.dataDir });
      assert.equal(stdout.includes('203.0.113.'), false);
    });
  });
}
