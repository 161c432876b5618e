import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import type { AddressInfo } from 'node:net';
import { freePort } from '../../../support/port.ts';

const DOVECOT = '/usr/sbin/dovecot';
export const PASSWORD = 'pa"ss*1';
/** Milliseconds for the server to listen. */
const START_MS = 20_000;

/** A mail server as providers run them: Dovecot for reading, and SMTP that delivers into its folders. */
export interface MailServer {
  readonly imapPort: number;
  readonly smtpPort: number;
  /** What programs may be allowed to reach. */
  readonly allow: string;
  /** Every mail that came by SMTP, as it came. */
  readonly sent: { readonly from: string; readonly to: readonly string[]; readonly raw: string }[];
  /** Heads that the server puts on top of what it delivers. */
  stamp: string;
  /** Says how SMTP answers from now on. */
  answers(how: 'takes' | 'refuses' | 'breaks off'): void;
  /** Puts a mail into somebody's folder, as it is. */
  drop(user: string, raw: string | Buffer, arrived?: Date): void;
  /** Removes the mails from somebody's folder that hold a text, as a person does. */
  remove(user: string, text: string): void;
  /** The number of mails in somebody's folder. */
  count(user: string): number;
  /** Numbers the folder's mails otherwise, as after a restore of the server. */
  renumber(user: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a mail server for any user; each signs in with {@link PASSWORD}. */
export async function startMailServer(): Promise<MailServer> {
  const dir = mkdtempSync(join(tmpdir(), 'stayd-mail-'));
  chmodSync(dir, 0o755);
  const owner = mailOwner();
  const imapPort = await freePort();
  let dovecot = await startDovecot(dir, imapPort, owner);
  let counter = 0;
  let behaviour: 'takes' | 'refuses' | 'breaks off' = 'takes';
  const folder = (user: string) => {
    const root = join(dir, 'mail', user.toLowerCase());
    for (const part of ['', 'cur', 'new', 'tmp']) {
      const path = join(root, part);
      if (existsSync(path)) continue;
      mkdirSync(path, { recursive: true });
      chownSync(path, owner.uid, owner.gid);
      chownSync(root, owner.uid, owner.gid);
    }
    return root;
  };
  const drop: MailServer['drop'] = (user, raw, arrived) => {
    const path = join(folder(user), 'new', `${Math.floor(Date.now() / 1_000)}.${process.pid}_${++counter}.tests`);
    writeFileSync(path, raw);
    chownSync(path, owner.uid, owner.gid);
    if (arrived) utimesSync(path, arrived, arrived);
  };
  const sent: { from: string; to: string[]; raw: string }[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) =>
      password === PASSWORD ? done(null, { user: 'any' }) : done(new Error('Invalid login')),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (behaviour === 'refuses') return done(Object.assign(new Error('5.7.1 not here'), { responseCode: 550 }));
        const raw = Buffer.concat(chunks).toString('latin1');
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        const to = rcptTo.map(({ address }) => address);
        sent.push({ from, to, raw });
        for (const one of to) {
          const heads = `Return-Path: <${from}>\r\nDelivered-To: ${one}\r\n${server.stamp}`;
          drop(one.replace(/\+[^@]*@/, '@'), Buffer.from(`${heads}${raw}`, 'latin1'));
        }
        if (behaviour === 'breaks off') {
          for (const connection of (smtp as unknown as { connections: Set<{ close(): void }> }).connections)
            connection.close();
          return;
        }
        done();
      });
    },
  });
  smtp.on('error', () => {});
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  const smtpPort = (smtp.server.address() as AddressInfo).port;
  const server: MailServer = {
    imapPort,
    smtpPort,
    allow: `127.0.0.1:${imapPort},127.0.0.1:${smtpPort}`,
    sent,
    stamp: '',
    answers: (how) => (behaviour = how),
    drop,
    remove(user, text) {
      for (const path of ['cur', 'new'].map((part) => join(folder(user), part)))
        for (const name of readdirSync(path))
          if (readFileSync(join(path, name), 'latin1').includes(text)) rmSync(join(path, name));
    },
    count: (user) => ['cur', 'new'].reduce((sum, part) => sum + readdirSync(join(folder(user), part)).length, 0),
    async renumber(user) {
      await endDovecot(dovecot);
      const root = folder(user);
      for (const name of readdirSync(root))
        if (name.startsWith('dovecot')) rmSync(join(root, name), { recursive: true });
      // A folder gets its number by the second in which it is first seen.
      const next = Math.floor(Date.now() / 1_000) + 7;
      writeFileSync(join(root, 'dovecot-uidlist'), `3 V${next} N1\n`);
      chownSync(join(root, 'dovecot-uidlist'), owner.uid, owner.gid);
      dovecot = await startDovecot(dir, imapPort, owner);
    },
    async stop() {
      await endDovecot(dovecot);
      await new Promise<void>((resolve) => smtp.close(() => resolve()));
      rmSync(dir, { recursive: true, force: true });
    },
  };
  return server;
}

export interface Owner {
  readonly uid: number;
  readonly gid: number;
  readonly lines: readonly string[];
}

/** Dovecot serves no mail of root; where the tests run as another user, everything is theirs. */
export function mailOwner(): Owner {
  const { uid, gid, username } = userInfo();
  if (uid === 0) return { uid: 8, gid: 8, lines: ['first_valid_uid = 8', 'first_valid_gid = 8'] };
  return {
    uid,
    gid,
    lines: [
      `default_internal_user = ${username}`,
      `default_internal_group = ${gid}`,
      `default_login_user = ${username}`,
      'service imap-login { chroot = }',
      'service anvil { chroot = }',
      `first_valid_uid = ${uid}`,
    ],
  };
}

/** How a Dovecot speaks: in clear unless said otherwise. */
interface Speech {
  readonly listen?: string;
  /** 0: no port for TLS from the first byte. */
  readonly tlsPort?: number;
  readonly ssl?: readonly string[];
}

/** Starts a Dovecot that signs in anybody with {@link PASSWORD}; its mails lie in `mail/` of the directory. */
export async function startDovecot(
  dir: string,
  port: number,
  { uid, gid, lines }: Owner,
  { listen = '127.0.0.1', tlsPort = 0, ssl = ['ssl = no'] }: Speech = {},
): Promise<ChildProcess> {
  const config = join(dir, 'dovecot.conf');
  mkdirSync(join(dir, 'mail'), { recursive: true });
  chownSync(join(dir, 'mail'), uid, gid);
  writeFileSync(
    config,
    [
      `base_dir = ${dir}/run`,
      `state_dir = ${dir}/state`,
      `log_path = ${dir}/dovecot.log`,
      'protocols = imap',
      ...ssl,
      'disable_plaintext_auth = no',
      `listen = ${listen}`,
      'mail_max_userip_connections = 50',
      `service imap-login {\n  inet_listener imap {\n    port = ${port}\n  }\n  inet_listener imaps {\n    port = ${tlsPort}\n  }\n}`,
      `mail_location = maildir:${dir}/mail/%Lu`,
      `passdb {\n  driver = static\n  args = password={PLAIN}${PASSWORD}\n}`,
      `userdb {\n  driver = static\n  args = uid=${uid} gid=${gid} home=${dir}/mail/%Lu\n}`,
      ...lines,
      '',
    ].join('\n'),
  );
  const child = spawn(DOVECOT, ['-F', '-c', config], { stdio: 'ignore' });
  const limit = Date.now() + START_MS;
  while (!(await answers(port))) {
    if (Date.now() > limit || child.exitCode !== null)
      throw new Error(`dovecot does not start: see ${dir}/dovecot.log`);
    await wait(50);
  }
  return child;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}

export async function endDovecot(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
