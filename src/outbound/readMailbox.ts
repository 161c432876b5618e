import type { ImapFlow } from 'imapflow';
import { messageOf } from '../kernel/errors.ts';
import { judgeMailHost, type MailHost } from './mailTarget.ts';
import type { TargetPolicy } from './policy.ts';
import { tlsProblem } from './tlsProblem.ts';

/** Milliseconds for a connection, and for each answer of the server. */
const CONNECT_LIMIT_MS = 15_000;
const SILENCE_LIMIT_MS = 30_000;
/** Bytes of one answer of the server beyond the mail itself. */
const ANSWER_BYTES = 4 * 1_024 * 1_024;

/** One mail in the folder, unread so far. */
export interface MailFound {
  readonly uid: number;
  readonly size: number;
  /** Milliseconds since the epoch at which the server took it in; null if it does not say. */
  readonly arrived: number | null;
}

/** A folder that is open for reading alone: nothing in it is changed, marked as read or deleted. */
export interface OpenFolder {
  /** Changes when the numbers of the mails do. */
  readonly uidValidity: string;
  /** The number that the next mail gets. */
  readonly uidNext: number;
  /** Returns mails with greater numbers, by number. */
  list(after: number, limit: number): Promise<readonly MailFound[]>;
  /** Returns mails that the server took in on this day (in UTC) or later, by number; null: all. */
  listSince(day: Date): Promise<readonly MailFound[]>;
  /** Returns the numbers of all mails that lie in it. */
  numbers(): Promise<readonly number[]>;
  /** Returns the bytes of a mail, of a large one the first; undefined if it is gone. */
  read(uid: number, mostBytes: number): Promise<Buffer | undefined>;
}

interface FolderAsked {
  readonly server: MailHost;
  readonly folder: string;
  readonly policy: TargetPolicy;
  /** Bytes of the largest read. */
  readonly mostBytes: number;
}

/**
 * Opens a folder of a mailbox, lets `work` read it, and closes the connection, whatever happens.
 * @throws MailboxFailure if the server cannot be reached, refuses the user, or breaks off; errors of `work` pass
 */
export async function withFolder<T>(asked: FolderAsked, work: (folder: OpenFolder) => Promise<T>): Promise<T> {
  const client = await clientOf(asked);
  try {
    await calling(asked, () => connect(client, asked));
    return await work(openFolder(client, asked));
  } finally {
    await end(client);
  }
}

/** Thrown when a mailbox cannot be read. The message is for the operator; it never holds the password. */
export class MailboxFailure extends Error {
  override readonly name = 'MailboxFailure';
}

async function clientOf({ server, policy, mostBytes }: FolderAsked): Promise<ImapFlow> {
  const judged = await judgeMailHost(policy, server);
  if ('problem' in judged) throw new MailboxFailure(judged.problem);
  const { port, security, user, password } = server;
  const { address, servername } = judged;
  // Imported late, because many have no mailbox.
  const imap = await import('./imapClient.ts');
  const client = new imap.ImapFlow({
    host: address,
    port,
    secure: security === 'tls',
    ...(security !== 'tls' && { doSTARTTLS: security === 'starttls' }),
    ...(servername !== undefined && { servername }),
    tls: { minVersion: 'TLSv1.2' },
    auth: { user, pass: password },
    clientInfo: { name: 'stayd' },
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    connectionTimeout: CONNECT_LIMIT_MS,
    greetingTimeout: CONNECT_LIMIT_MS,
    socketTimeout: SILENCE_LIMIT_MS,
    maxLineLength: ANSWER_BYTES,
    maxLiteralSize: mostBytes + 1_024,
    maxResponseSize: mostBytes + ANSWER_BYTES,
  });
  // Each command in progress is rejected as well; without a listener the event alone would end the process.
  client.on('error', () => {});
  return client;
}

async function connect(client: ImapFlow, { folder, server }: FolderAsked): Promise<void> {
  await client.connect();
  try {
    await client.mailboxOpen(folder, { readOnly: true });
  } catch (error) {
    throw new MailboxFailure(`${server.host}: the folder ${folder} cannot be opened: ${saidBy(error)}`);
  }
}

function openFolder(client: ImapFlow, asked: FolderAsked): OpenFolder {
  const { mailbox } = client;
  if (mailbox === false) throw new MailboxFailure('no folder is open');
  const sizes = (uids: readonly number[]): Promise<MailFound[]> =>
    calling(asked, async () => {
      const found: MailFound[] = [];
      if (uids.length === 0) return found;
      const query = { uid: true, size: true, internalDate: true };
      for await (const { uid, size = 0, internalDate } of client.fetch([...uids].join(','), query, { uid: true })) {
        const arrived = internalDate === undefined ? Number.NaN : new Date(internalDate).getTime();
        found.push({ uid, size, arrived: Number.isNaN(arrived) ? null : arrived });
      }
      return found.toSorted((a, b) => a.uid - b.uid);
    });
  const search = (query: { uid: string } | { since: Date }): Promise<number[]> =>
    calling(asked, async () => {
      const uids = mailbox.exists === 0 ? [] : await client.search(query, { uid: true });
      if (!uids) throw new MailboxFailure('the server does not say what is in the folder');
      return uids.toSorted((a, b) => a - b);
    });
  return {
    uidValidity: String(mailbox.uidValidity),
    uidNext: mailbox.uidNext,
    // `n:*` names the newest mail even when its number is below n.
    list: async (after, limit) =>
      sizes((await search({ uid: `${after + 1}:*` })).filter((uid) => uid > after).slice(0, limit)),
    numbers: () => search({ uid: '1:*' }),
    listSince: async (day) => sizes(await search({ since: day })),
    read: (uid, most) =>
      calling(asked, async () => {
        const wanted = { uid: true, source: { start: 0, maxLength: Math.min(most, asked.mostBytes) } };
        const found = await client.fetchOne(String(uid), wanted, { uid: true });
        return found === false ? undefined : found.source;
      }),
  };
}

/** Says good-bye, within the time for an answer, and hangs up. */
async function end(client: ImapFlow): Promise<void> {
  try {
    if (client.usable) await client.logout();
  } catch {
    // The server has hung up first.
  } finally {
    client.close();
  }
}

/** Does something at the server. @throws MailboxFailure whatever goes wrong there */
async function calling<T>({ server }: FolderAsked, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MailboxFailure) throw error;
    const isRefused = error instanceof Error && 'authenticationFailed' in error && error.authenticationFailed === true;
    const { host } = server;
    const problem = isRefused ? `${host} refuses the user and the password` : `${host}: ${saidBy(error)}`;
    throw new MailboxFailure(tlsProblem(error, server) ?? problem, { cause: error });
  }
}

/** Returns the words of the server, if it has said any. */
function saidBy(error: unknown): string {
  if (error instanceof Error && 'responseText' in error && typeof error.responseText === 'string') {
    return error.responseText;
  }
  return messageOf(error);
}
