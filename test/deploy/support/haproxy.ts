import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deployed } from './deployed.ts';

/** The name that proxies of the tests are called by. */
export const NAME = 'rooms.example';

/** Where a proxy listens, on loopback. */
export interface Ports {
  http: number;
  https: number;
}

/** Makes a certificate for `NAME` that nobody else trusts. */
export function makeCertificate(certificate: string, key: string): void {
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '3', '-subj', `/CN=${NAME}`];
  execFileSync('openssl', [...made, '-out', certificate, '-keyout', key], { stdio: 'pipe' });
}

/**
 * Lays out the HAProxy of `deploy/` before one or two processes.
 * @param upstreams host and port of each process
 * @returns the command that runs it
 */
export function layHaproxy(dir: string, upstreams: readonly string[], { http, https }: Ports): string[] {
  const [certificate, key] = ['fullchain.pem', 'privkey.pem'].map((one) => join(dir, one)) as [string, string];
  makeCertificate(certificate, key);
  const pair = join(dir, 'pair.pem');
  writeFileSync(pair, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'));
  // Nothing listens at the place of a process that is not there.
  const [one = '127.0.0.1:1', two = '127.0.0.1:1'] = upstreams;
  const site = readFileSync(deployed('haproxy.cfg'), 'utf8')
    .replace('bind :80', `bind 127.0.0.1:${http}`)
    .replace(/bind :443 ssl crt \S+/, `bind 127.0.0.1:${https} ssl crt ${pair}`)
    .replaceAll('127.0.0.1:8491', one)
    .replaceAll('127.0.0.1:8492', two);
  const file = join(dir, 'haproxy.cfg');
  writeFileSync(file, site);
  return ['/usr/sbin/haproxy', '-db', '-f', file];
}
