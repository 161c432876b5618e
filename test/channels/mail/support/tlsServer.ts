import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { freePort } from '../../../support/port.ts';
import { endDovecot, mailOwner, PASSWORD, startDovecot } from './mailServer.ts';

/**
 * The certificates of the servers, by the address at which each stands: of a CA for the name `localhost`, of nobody, and of
 * the CA but over.
 */
export const PLACES = { good: '127.0.0.1', stranger: '127.0.0.2', expired: '127.0.0.3' } as const;
type Place = keyof typeof PLACES;
/** Where the server for reading offers no STARTTLS. */
export const STRIPPED = '127.0.0.4';

/** A mail server that speaks TLS, on three addresses with a certificate each. */
export interface TlsServer {
  /** The file of the CA. */
  readonly ca: string;
  /** Ports for reading: `tls` from the first byte, `starttls` when asked. */
  readonly imap: { readonly tls: number; readonly starttls: number };
  readonly smtp: Readonly<Record<Place, { readonly tls: number; readonly starttls: number }>>;
  /** A server for sending that offers no STARTTLS. */
  readonly stripped: number;
  /** What may be reached. */
  readonly allow: string;
  /** Every mail that came, with how it came. */
  readonly sent: { readonly to: readonly string[]; readonly raw: string; readonly isSecure: boolean }[];
  /** How often somebody tried to sign in for sending. */
  signIns(): number;
  /** What Dovecot has noted. */
  log(): string;
  drop(user: string, raw: string): void;
  stop(): Promise<void>;
}

export async function startTlsServer(): Promise<TlsServer> {
  const dir = mkdtempSync(join(tmpdir(), 'stayd-tls-'));
  chmodSync(dir, 0o755);
  const ca = makeCertificates(dir);
  const owner = mailOwner();
  const imap = { tls: await freePort(), starttls: await freePort() };
  const keys = (place: Place) => `ssl_cert = <${dir}/${place}.pem\nssl_key = <${dir}/${place}.key`;
  const others = (['stranger', 'expired'] as const).map((place) => `local ${PLACES[place]} {\n${keys(place)}\n}`);
  const dovecot = await startDovecot(dir, imap.starttls, owner, {
    listen: [...Object.values(PLACES), STRIPPED].join(', '),
    tlsPort: imap.tls,
    ssl: ['ssl = yes', keys('good'), ...others, `local ${STRIPPED} {\n  ssl = no\n}`, 'auth_verbose = yes'],
  });
  const sent: TlsServer['sent'] = [];
  const servers: SMTPServer[] = [];
  let signIns = 0;
  const listen = async (host: string, options: SMTPServerOptions): Promise<number> => {
    const server = new SMTPServer({
      ...options,
      allowInsecureAuth: true,
      onAuth({ password }, _session, done) {
        signIns++;
        if (password === PASSWORD) done(null, { user: 'any' });
        else done(new Error('Invalid login'));
      },
      onData(stream, { envelope, secure }, done) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const to = envelope.rcptTo.map(({ address }) => address);
          sent.push({ to, raw: Buffer.concat(chunks).toString('latin1'), isSecure: secure });
          done();
        });
      },
    });
    server.on('error', () => {});
    server.listen(0, host);
    await once(server.server, 'listening');
    servers.push(server);
    return (server.server.address() as AddressInfo).port;
  };
  const pair = async (place: Place) => {
    const own = { cert: readFileSync(join(dir, `${place}.pem`)), key: readFileSync(join(dir, `${place}.key`)) };
    return {
      tls: await listen(PLACES[place], { ...own, secure: true }),
      starttls: await listen(PLACES[place], own),
    };
  };
  const smtp = { good: await pair('good'), stranger: await pair('stranger'), expired: await pair('expired') };
  const stripped = await listen(PLACES.good, { disabledCommands: ['STARTTLS'] });
  const hosts = ['localhost', ...Object.values(PLACES), STRIPPED];
  const ports = [imap, ...Object.values(smtp)].flatMap(({ tls, starttls }) => [tls, starttls]);
  return {
    ca,
    imap,
    smtp,
    stripped,
    allow: hosts.flatMap((host) => [...ports, stripped].map((port) => `${host}:${port}`)).join(','),
    sent,
    signIns: () => signIns,
    log: () => readFileSync(join(dir, 'dovecot.log'), 'utf8'),
    drop(user, raw) {
      const root = join(dir, 'mail', user.toLowerCase());
      for (const path of [root, ...['cur', 'new', 'tmp'].map((part) => join(root, part))]) {
        mkdirSync(path, { recursive: true });
        chownSync(path, owner.uid, owner.gid);
      }
      const path = join(root, 'new', `${Date.now()}.${process.hrtime.bigint()}.tests`);
      writeFileSync(path, raw);
      chownSync(path, owner.uid, owner.gid);
    },
    async stop() {
      await endDovecot(dovecot);
      await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Makes a CA and the three certificates. @returns the file of the CA */
function makeCertificates(dir: string): string {
  const run = (...args: string[]) => execFileSync('openssl', args, { cwd: dir, stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const about = (subject: string, names: string) => ['-subj', `/CN=${subject}`, '-addext', `subjectAltName=${names}`];
  run('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '30', '-subj', '/CN=CA of the house');
  const own = about('stranger', `IP:${PLACES.stranger}`);
  run('req', '-x509', ...newKey, '-keyout', 'stranger.key', '-out', 'stranger.pem', '-days', '30', ...own);
  for (const [place, names, days] of [
    ['good', 'DNS:localhost', '30'],
    ['expired', `IP:${PLACES.expired}`, '-1'],
  ] as const) {
    run('req', ...newKey, '-keyout', `${place}.key`, '-out', `${place}.csr`, ...about(place, names));
    const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-copy_extensions', 'copy'];
    run('x509', '-req', '-in', `${place}.csr`, ...signed, '-days', days, '-out', `${place}.pem`);
  }
  return join(dir, 'ca.pem');
}
