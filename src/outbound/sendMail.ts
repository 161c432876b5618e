import type { Transporter } from 'nodemailer';
import { messageOf } from '../kernel/errors.ts';
import { judgeMailHost, type MailHost, type MailSecurity } from './mailTarget.ts';
import type { TargetPolicy } from './policy.ts';
import { tlsProblem } from './tlsProblem.ts';

/** Milliseconds for each step of a conversation with a mail server. */
const STEP_LIMIT_MS = 15_000;
/** Answers of a server that say that it will never take this. */
const FIRST_REFUSAL = 500;

/** The server that sends mail. Its operator has set it, so it may lie in a private network. */
export interface MailServer {
  host: string;
  port: number;
  /** starttls: in clear until the server has been asked to encrypt, and not at all if it cannot; none: in clear. */
  security: MailSecurity;
  user: string | null;
  password: string | null;
  /** The sender, such as `Sea View <reception@rooms.example>`. */
  from: string;
}

/** A mail in plain text that no person has written. */
export interface Mail {
  /** Makes its Message-ID, so that a mail that was sent twice is recognised. */
  id: string;
  to: readonly string[];
  subject: string;
  text: string;
  files?: readonly MailFile[] | undefined;
}

/** A file that goes along with a mail. */
export interface MailFile {
  name: string;
  /** Such as `text/csv`. */
  type: string;
  content: string;
}

/** A mail to one person, in the name of a mailbox. Names and subjects are free of line breaks. */
export interface Letter {
  /** The whole Message-ID, with its brackets. */
  readonly messageId: string;
  readonly from: Mailbox;
  readonly to: Mailbox;
  readonly replyTo: string;
  readonly subject: string;
  readonly text: string;
  readonly inReplyTo: string | null;
  readonly references: readonly string[];
  /** True if a program wrote it: no robot answers it then. */
  readonly isAutomatic: boolean;
  readonly attachments: readonly { readonly name: string; readonly contentType: string; readonly bytes: Buffer }[];
}

interface Mailbox {
  readonly name: string;
  readonly address: string;
}

type MailOutcome = { sent: true } | { problem: string; isFinal: boolean };

/**
 * What came of a letter. unknown: the server had begun to take it in and did not say whether it has; another try could
 * reach the person twice.
 */
export type LetterOutcome = 'sent' | { readonly problem: string; readonly isUnknown: boolean };

/** Sends mail through one server. */
export class MailSender {
  readonly #server: MailServer;
  #transport: Promise<Transporter> | undefined;

  constructor(server: MailServer) {
    this.#server = server;
  }

  /** Sends one mail to all of its recipients. Never throws. */
  async send({ id, to, subject, text, files = [] }: Mail): Promise<MailOutcome> {
    const { from } = this.#server;
    try {
      this.#transport ??= mailer().then(({ createTransport }) => createTransport(optionsOf(this.#server)));
      const transport = await this.#transport;
      const { rejected = [] } = await transport.sendMail({
        from,
        to: [...to],
        subject,
        text,
        attachments: files.map(({ name, type, content }) => ({ filename: name, contentType: type, content })),
        messageId: `<${id}@${domainOf(from)}>`,
        // RFC 3834: no robot answers it.
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      if (rejected.length === 0) return { sent: true };
      return { problem: `the server refuses ${rejected.map(String).join(', ')}`, isFinal: true };
    } catch (error) {
      return { problem: problemOf(error, this.#server), isFinal: isRefusal(error) };
    }
  }

  async close(): Promise<void> {
    (await this.#transport)?.close();
  }
}

/** Imported late, because many send no mail. */
const mailer = () => import('./mailTransport.ts');

/** A server for letters: one that a user has named is judged first, the installation's own is not. */
export type LetterServer = ({ readonly judgedBy: TargetPolicy } & MailHost) | Omit<MailServer, 'from'>;

/** Sends one letter by a connection of its own. Never throws. */
export async function sendLetter(server: LetterServer, letter: Letter): Promise<LetterOutcome> {
  let began = false;
  const transport = await transportTo(server, (command) => (began ||= command === 'DATA'));
  if ('problem' in transport) return { ...transport, isUnknown: false };
  try {
    const { rejected } = await transport.sendMail(mailOf(letter));
    if (rejected.length === 0) return 'sent';
    return { problem: `${server.host} refuses ${letter.to.address}`, isUnknown: false };
  } catch (error) {
    return { problem: problemOf(error, server), isUnknown: began && !hasAnswered(error) };
  } finally {
    transport.close();
  }
}

/** Signs in at a server and sends nothing. @returns the problem; undefined if letters can be sent */
export async function tryLetterServer(server: LetterServer): Promise<string | undefined> {
  const transport = await transportTo(server, () => {});
  if ('problem' in transport) return transport.problem;
  try {
    await transport.verify();
    return undefined;
  } catch (error) {
    return problemOf(error, server);
  } finally {
    transport.close();
  }
}

/** Prepares a connection; a server that a user has named is judged, and reached at the very address that was judged. */
async function transportTo(server: LetterServer, onCommand: (command: string) => void) {
  const judged = 'judgedBy' in server ? await judgeMailHost(server.judgedBy, server) : undefined;
  if (judged && 'problem' in judged) return judged;
  const { createTransport } = await mailer();
  return createTransport({
    ...optionsOf(server),
    ...(judged && {
      host: judged.address,
      tls: { minVersion: 'TLSv1.2', ...(judged.servername !== undefined && { servername: judged.servername }) },
    }),
    transactionLog: true,
    logger: watcher(onCommand),
  });
}

function mailOf(letter: Letter) {
  const { messageId, from, to, replyTo, subject, text, inReplyTo, references, isAutomatic, attachments } = letter;
  return {
    messageId,
    from: { name: from.name, address: from.address },
    to: { name: to.name, address: to.address },
    envelope: { from: from.address, to: [to.address] },
    replyTo,
    subject,
    text,
    ...(inReplyTo !== null && { inReplyTo }),
    ...(references.length > 0 && { references: [...references] }),
    ...(isAutomatic && { headers: { 'Auto-Submitted': 'auto-generated' } }),
    attachments: attachments.map(({ name, contentType, bytes }) => ({ filename: name, contentType, content: bytes })),
  };
}

function optionsOf({ host, port, security, user, password }: Omit<MailServer, 'from'>) {
  return {
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(user !== null && { auth: { user, pass: password ?? '' } }),
    connectionTimeout: STEP_LIMIT_MS,
    greetingTimeout: STEP_LIMIT_MS,
    socketTimeout: STEP_LIMIT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Makes the listener of a connection that hears of every command of ours, and keeps nothing. */
function watcher(onCommand: (command: string) => void) {
  const ignore = () => {};
  const debug = (entry: object, message?: unknown) => {
    if ('tnx' in entry && entry.tnx === 'client' && typeof message === 'string') onCommand(message);
  };
  return { level: ignore, trace: ignore, debug, info: ignore, warn: ignore, error: ignore, fatal: ignore };
}

function problemOf(error: unknown, server: Pick<MailServer, 'host' | 'security'>): string {
  return tlsProblem(error, server) ?? `${server.host}: ${messageOf(error)}`;
}

function domainOf(from: string): string {
  return /@([^\s>]+)/.exec(from)?.[1] ?? 'stayd';
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'responseCode' in error && Number(error.responseCode) >= FIRST_REFUSAL;
}

function hasAnswered(error: unknown): boolean {
  return error instanceof Error && 'responseCode' in error && Number(error.responseCode) > 0;
}
