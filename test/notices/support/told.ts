import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A request that somebody was told something by. */
export interface Heard {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** A service of others that takes notices. */
export interface Ear {
  readonly url: string;
  readonly address: string;
  readonly heard: Heard[];
  /** What it answers from now on. */
  answers(status: number, headers?: Record<string, string>): void;
  close(): Promise<void>;
}

export async function openEar(): Promise<Ear> {
  const heard: Heard[] = [];
  let answer: { status: number; headers: Record<string, string> } = { status: 200, headers: {} };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      heard.push({ method, path: url, headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
      response.end('{"ok":true}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${address}`,
    address,
    heard,
    answers: (status, headers = {}) => (answer = { status, headers }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** What users sign in with at {@link openMailbox}; it takes mail without, too. */
export const MAIL_PASSWORD = 's3cret';

/** A mail server that others wrote. */
export interface Mailbox {
  readonly port: number;
  /** Each mail as it came. */
  readonly mails: { to: string[]; text: string }[];
  /** Refuses mail to this address. */
  refuses(address: string): void;
  close(): Promise<void>;
}

export async function openMailbox(): Promise<Mailbox> {
  const mails: Mailbox['mails'] = [];
  const refused = new Set<string>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ password }, _session, done) =>
      password === MAIL_PASSWORD ? done(null, { user: 'any' }) : done(new Error('Invalid login')),
    onRcptTo: ({ address }, _session, done) =>
      done(refused.has(address) ? Object.assign(new Error('nobody of that name'), { responseCode: 550 }) : null),
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        mails.push({ to: envelope.rcptTo.map(({ address }) => address), text: Buffer.concat(chunks).toString() });
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    refuses: (address) => refused.add(address),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
