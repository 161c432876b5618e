import { lockAccount } from '../../core/accounts/lock.ts';
import { runChange } from '../../core/change.ts';
import type { Change, Core, Principal } from '../../core/context.ts';
import { type AccountRow, flag } from '../../core/database.ts';
import { sleep } from '../../kernel/clock.ts';
import { instantOf } from '../../kernel/dates.ts';
import { ApiError, invalid } from '../../kernel/errors.ts';
import { oneLine } from '../../kernel/oneLine.ts';
import type { MailSecurity } from '../../outbound/mailTarget.ts';
import { MailboxFailure, withFolder } from '../../outbound/readMailbox.ts';
import { type MailServer, tryLetterServer } from '../../outbound/sendMail.ts';
import { nextIds } from '../../store/leases/sequences.ts';
import { arrivalOf, folderOf, type MailMeans, type MailOutcome, readMailbox } from './poll.ts';
import { serverOf } from './post.ts';
import { plainAddress } from './read/plain.ts';
import type { MailboxRow, MailLogRow } from './rows.ts';
import { sealPassword } from './secrets.ts';
import {
  addMailbox,
  lockMailbox,
  logEntry,
  mailboxById,
  mailboxesOf,
  removeMailbox,
  writeLog,
  writeMailbox,
} from './table.ts';
import { takeIn, type TakenIn } from './takeIn.ts';

/** Mailboxes of one account. */
const MOST_MAILBOXES = 20;
/** Milliseconds for which somebody who asks waits for another reader, and between two looks. */
const LONGEST_WAIT_MS = 20_000;
const LOOK_AGAIN_MS = 100;

/** What the mailboxes of a process need: the core, where servers may stand, and the server of the installation. */
export type MailServices = MailMeans & { readonly server: Omit<MailServer, 'from'> | null };

/** A person who keeps the mailboxes of an account. */
export interface MailKeeper {
  readonly account: AccountRow;
  readonly operator: Principal['operator'] | null;
}

/** A server with who signs in there. */
export interface ServerDraft {
  readonly host: string;
  readonly port: number;
  readonly security: MailSecurity;
  readonly user: string;
  readonly password: string;
}

/** A mailbox to add. */
export interface MailboxDraft {
  /** The sender's name that guests see. */
  readonly name: string;
  readonly address: string;
  readonly imap: ServerDraft;
  readonly folder: string;
  /** null: the installation's own server sends. */
  readonly smtp: ServerDraft | null;
  readonly plus_addresses: boolean;
  readonly authserv_id: string | null;
}

/** A change of a mailbox: what is left out stays. A password that is left out stays, too. */
export interface MailboxChange {
  readonly name?: string | undefined;
  readonly imap?: { readonly [Key in keyof ServerDraft]?: ServerDraft[Key] | undefined } | undefined;
  readonly folder?: string | undefined;
  readonly smtp?: ServerDraft | null | undefined;
  readonly plus_addresses?: boolean | undefined;
  readonly authserv_id?: string | null | undefined;
  readonly state?: MailboxRow['state'] | undefined;
}

/**
 * Adds a mailbox. Both servers are tried before anything is stored. What is in the folder already stays out.
 * @throws ApiError 409 for an address that is there already, 422 with the side that does not work
 */
export async function addMailboxOf(means: MailServices, who: MailKeeper, draft: MailboxDraft): Promise<MailboxRow> {
  const { core } = means;
  const address = plainAddress(draft.address);
  if (address === undefined) throw invalid('address', 'must be an address such as reception@rooms.example');
  requireOneLine(draft.name);
  const known = await mailboxesOf(core.store.db, who.account.account_id);
  if (known.some((one) => one.address === address)) throw taken();
  const id = await core.store.transaction((trx) => nextIds(trx, 'mailboxes'));
  const row = rowOf(core, { ...draft, address }, { id, accountId: who.account.account_id });
  const place = await requireWorking(means, row);
  return runChange(core, who, async (change) => {
    await lockAccount(change.trx, who.account.account_id);
    const own = await mailboxesOf(change.trx, who.account.account_id);
    if (own.some((one) => one.address === address)) throw taken();
    if (own.length >= MOST_MAILBOXES) throw new ApiError(409, `An account has at most ${MOST_MAILBOXES} mailboxes.`);
    const added = { ...row, ...place };
    await addMailbox(change.trx, added);
    change.audit('add mailbox', String(id), { after: recorded(added) });
    return added;
  });
}

function taken(): ApiError {
  return new ApiError(409, 'address: there is a mailbox of this address already', { field: 'address' });
}

function requireOneLine(name: string): void {
  if (oneLine(name, name.length) !== name) throw invalid('name', 'must be on one line, without hidden signs');
}

function rowOf(
  core: Core,
  { name, address, imap, folder, smtp, plus_addresses, authserv_id }: MailboxDraft,
  { id, accountId }: { id: number; accountId: AccountRow['account_id'] },
): MailboxRow {
  const now = core.clock.now();
  return {
    account_id: accountId,
    id,
    name,
    address,
    ...imapColumns(core, id, imap),
    folder,
    ...smtpColumns(core, id, smtp),
    plus_addresses: flag(plus_addresses),
    authserv_id,
    state: 'active',
    created_at: instantOf(now),
    uid_validity: null,
    last_uid: 0,
    since: now,
    next_read_at: now,
    reading_until: null,
    log_pruned_at: null,
    tried_at: null,
    good_at: null,
    failures: 0,
    problem: null,
    sent_at: null,
    send_failed_at: null,
    send_problem: null,
  };
}

function imapColumns(core: Core, id: number, { host, port, security, user, password }: ServerDraft) {
  return {
    imap_host: host,
    imap_port: port,
    imap_security: security,
    imap_user: user,
    imap_password: sealPassword(core, 'imap', id, password),
  };
}

function smtpColumns(core: Core, id: number, smtp: ServerDraft | null) {
  if (!smtp) return { smtp_host: null, smtp_port: null, smtp_security: null, smtp_user: null, smtp_password: null };
  return {
    smtp_host: smtp.host,
    smtp_port: smtp.port,
    smtp_security: smtp.security,
    smtp_user: smtp.user,
    smtp_password: sealPassword(core, 'smtp', id, smtp.password),
  };
}

/** Tries both servers. @returns where reading begins @throws ApiError 422 with the side that does not work */
async function requireWorking(means: MailServices, row: MailboxRow) {
  const { imap, smtp, place } = await tryMailbox(means, row);
  if (imap !== null || !place) throw invalid('imap', `cannot be read: ${imap ?? 'the folder does not open'}`);
  if (smtp !== null) throw invalid('smtp', `cannot send: ${smtp}`);
  return place;
}

/** What a trial of a mailbox has shown; null: that side works. */
export interface MailTrial {
  readonly imap: string | null;
  readonly smtp: string | null;
  /** Where reading would begin. */
  readonly place: Pick<MailboxRow, 'uid_validity' | 'last_uid'> | undefined;
}

async function tryMailbox(means: MailServices, row: MailboxRow): Promise<MailTrial> {
  const server = serverOf(means, row);
  const none = 'no server sends: name one, or set mail.smtp for the installation';
  const smtp = server ? ((await tryLetterServer(server)) ?? null) : none;
  try {
    const place = await withFolder(folderOf(means, row), async ({ uidValidity, uidNext }) => ({
      uid_validity: uidValidity,
      last_uid: uidNext - 1,
    }));
    return { imap: null, smtp, place };
  } catch (error) {
    if (!(error instanceof MailboxFailure)) throw error;
    return { imap: error.message, smtp, place: undefined };
  }
}

/** What the record keeps of a mailbox; its passwords are secrets. */
function recorded(row: MailboxRow): object {
  const { name, address, imap_host, imap_port, imap_user, folder, smtp_host, smtp_port, smtp_user, state } = row;
  return { name, address, imap_host, imap_port, imap_user, folder, smtp_host, smtp_port, smtp_user, state };
}

/** Changes a mailbox. A new server is tried first. @throws ApiError as {@link addMailboxOf} */
export async function changeMailboxOf(
  means: MailServices,
  who: MailKeeper,
  { id, ...wanted }: MailboxChange & { id: number },
): Promise<MailboxRow> {
  const { core } = means;
  const known = await requireMailbox(core, who, id);
  if (wanted.name !== undefined) requireOneLine(wanted.name);
  const columns = columnsOf(core, known, wanted);
  const isMoved = wanted.imap !== undefined || wanted.folder !== undefined;
  const place =
    isMoved || wanted.smtp !== undefined ? await requireWorking(means, { ...known, ...columns }) : undefined;
  const isElsewhere = ['imap_host', 'imap_user', 'folder'].some(
    (key) => key in columns && columns[key as 'folder'] !== known[key as 'folder'],
  );
  return runChange(core, who, async (change) => {
    const before = await lockMailbox(change.trx, known);
    if (!before) throw gone();
    const next = wanted.state ?? before.state;
    const after: MailboxRow = {
      ...before,
      ...columns,
      state: next,
      next_read_at: next === 'paused' ? null : change.now,
      ...(isMoved && { failures: 0, problem: null }),
      ...(wanted.smtp !== undefined && { send_problem: null }),
      ...(isElsewhere && { ...place, since: change.now }),
    };
    await writeMailbox(change.trx, before, after);
    change.audit('change mailbox', String(id), { before: recorded(before), after: recorded(after) });
    return after;
  });
}

function columnsOf(core: Core, known: MailboxRow, wanted: MailboxChange): Partial<MailboxRow> {
  const { name, imap, folder, smtp, plus_addresses, authserv_id } = wanted;
  return {
    ...(name !== undefined && { name }),
    ...(imap?.host !== undefined && { imap_host: imap.host }),
    ...(imap?.port !== undefined && { imap_port: imap.port }),
    ...(imap?.security !== undefined && { imap_security: imap.security }),
    ...(imap?.user !== undefined && { imap_user: imap.user }),
    ...(imap?.password !== undefined && { imap_password: sealPassword(core, 'imap', known.id, imap.password) }),
    ...(folder !== undefined && { folder }),
    ...(smtp !== undefined && smtpColumns(core, known.id, smtp)),
    ...(plus_addresses !== undefined && { plus_addresses: flag(plus_addresses) }),
    ...(authserv_id !== undefined && { authserv_id }),
  };
}

/** Removes a mailbox and its log. Nothing in the mailbox itself is touched, and its conversations stay. */
export async function removeMailboxOf({ core }: MailServices, who: MailKeeper, id: number): Promise<void> {
  const known = await requireMailbox(core, who, id);
  await runChange(core, who, async (change) => {
    const mailbox = await lockMailbox(change.trx, known);
    if (!mailbox) throw gone();
    await removeMailbox(change.trx, mailbox);
    change.audit('remove mailbox', String(id), { before: recorded(mailbox) });
  });
}

/** Tries both servers of a mailbox; nothing is sent or taken in. */
export async function testMailboxOf(means: MailServices, who: MailKeeper, id: number): Promise<MailTrial> {
  return tryMailbox(means, await requireMailbox(means.core, who, id));
}

/**
 * Reads a mailbox now, whenever its next turn is; while somebody else reads it, after that.
 * @throws ApiError 409 for a paused one, and for one that somebody else reads for long
 */
export async function readMailboxOf(
  means: MailServices,
  who: MailKeeper,
  id: number,
): Promise<{ mailbox: MailboxRow; outcome: MailOutcome }> {
  const known = await requireMailbox(means.core, who, id);
  if (known.state === 'paused') throw new ApiError(409, 'The mailbox is paused: resume it first.');
  const outcome = await readInTurn(means, known);
  return { mailbox: (await mailboxById(means.core.store.db, known)) ?? known, outcome };
}

async function readInTurn(means: MailServices, mailbox: MailboxRow): Promise<MailOutcome> {
  const { clock } = means.core;
  const limit = clock.monotonic() + LONGEST_WAIT_MS;
  for (;;) {
    const outcome = await readMailbox(means, mailbox);
    if (outcome.read !== 'busy') return outcome;
    if (clock.monotonic() >= limit) {
      throw new ApiError(409, 'The mailbox is being read at the moment: look in the log of Mail in some minutes.');
    }
    await sleep(clock, LOOK_AGAIN_MS);
  }
}

/** Notes that a person has looked at a mail of the log. @throws ApiError 404 if none of that number waits */
export async function settleMailOf({ core }: MailServices, who: MailKeeper, entry: number): Promise<void> {
  await runChange(core, who, async (change) => {
    const row = await requireWaiting(change, who, entry);
    await writeLog(change.trx, row, { needs_a_look: 0 });
    change.audit('settle mail', String(entry));
  });
}

async function requireWaiting({ trx }: Change, { account }: MailKeeper, entry: number): Promise<MailLogRow> {
  const row = await logEntry(trx, account.account_id, entry);
  if (row?.needs_a_look !== 1) throw new ApiError(404, 'The log has no such mail that waits for a look.');
  return row;
}

/**
 * Takes a mail in that was held back, since a person says that a person wrote it.
 * @throws ApiError 404 if none of that number is held, 409 if it is no longer in the mailbox, 502 if that cannot be read
 */
export async function takeMailOf(means: MailServices, who: MailKeeper, entry: number): Promise<TakenIn> {
  const { core } = means;
  const row = await logEntry(core.store.db, who.account.account_id, entry);
  const uid = row?.kind === 'held' ? row.uid : null;
  if (!row || uid === null) throw new ApiError(404, 'The log has no such mail that is held back.');
  const mailbox = await requireMailbox(core, who, row.mailbox_id);
  const arrival = await readAgain(means, mailbox, { uid, size: row.size });
  if (!arrival || arrival.uidValidity !== row.uid_validity || arrival.content.key !== row.message_key) {
    throw new ApiError(409, 'The mail is no longer where it was in the mailbox.');
  }
  return runChange(core, who, async (change) => {
    const locked = await lockMailbox(change.trx, mailbox);
    const still = await logEntry(change.trx, row.account_id, row.id);
    if (!locked || still?.kind !== 'held') throw new ApiError(404, 'The log has no such mail that is held back.');
    const taken = await takeIn(change, locked, arrival, { isAskedFor: true });
    change.audit('take mail', String(entry));
    return taken;
  });
}

async function readAgain(means: MailServices, mailbox: MailboxRow, { uid, size }: { uid: number; size: number }) {
  try {
    return await withFolder(folderOf(means, mailbox), (folder) =>
      arrivalOf(mailbox, folder, { uid, size, arrived: null }),
    );
  } catch (error) {
    if (error instanceof MailboxFailure) throw new ApiError(502, error.message);
    throw error;
  }
}

/** Returns a mailbox of the account. @throws ApiError 404 */
export async function requireMailbox(core: Core, who: MailKeeper, id: number): Promise<MailboxRow> {
  const mailbox = await mailboxById(core.store.db, { account_id: who.account.account_id, id });
  if (!mailbox) throw gone();
  return mailbox;
}

function gone(): ApiError {
  return new ApiError(404, 'id not found.', { field: 'id' });
}
