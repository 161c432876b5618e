import { runChange } from '../../core/change.ts';
import type { Core } from '../../core/context.ts';
import type { AccountRow } from '../../core/database.ts';
import { instantOf } from '../../kernel/dates.ts';
import { messageOf } from '../../kernel/errors.ts';
import { sha256Hex } from '../../kernel/signature.ts';
import type { TargetPolicy } from '../../outbound/policy.ts';
import { MailboxFailure, type MailFound, type OpenFolder, withFolder } from '../../outbound/readMailbox.ts';
import { claimMailbox, releaseMailbox } from './claims.ts';
import { contentKey } from './read/plain.ts';
import { LARGEST_MAIL, READ_OF_LARGER, readMail } from './read/readMail.ts';
import { logBegins, pruneLeft } from './retention.ts';
import type { MailboxRow, MailKind } from './rows.ts';
import { afterFailure, afterRead } from './schedule.ts';
import { openPassword } from './secrets.ts';
import { accountById, knownNumbers, lockMailbox, mailboxById, writeMailbox } from './table.ts';
import { type Arrival, takeIn } from './takeIn.ts';

/** Mails of one read; more wait for the next one, which follows at once. */
const MOST_AT_ONCE = 200;
/** Milliseconds after which a read begins no further mail, so that the mailbox is still claimed when it ends. */
const LONGEST_READ_MS = 5 * 60_000;
/** Milliseconds for which a reader has a mailbox to itself; after a crash another one reads it then. */
const CLAIM_MS = 7 * 60_000;
/** The clocks of a mail server and ours may differ so much. */
const CLOCKS_DIFFER_MS = 10 * 60_000;
/** Characters of a problem that are kept. */
const LONGEST_PROBLEM = 300;

/** What mail needs of the process. */
export interface MailMeans {
  readonly core: Core;
  /** Where mail servers may stand. */
  readonly policy: TargetPolicy;
  /** Days for which the log tells of a mail. */
  readonly logDays: number;
}

/** What came of one read of a mailbox. */
export type MailOutcome =
  | { readonly read: 'good'; readonly kinds: Readonly<Partial<Record<MailKind, number>>>; readonly isMore: boolean }
  | { readonly read: 'failed'; readonly problem: string }
  | { readonly read: 'gone' };

/** Somebody else reads the mailbox at the moment. */
type Busy = { readonly read: 'busy' };

/**
 * Reads what is new in a mailbox, unless somebody else reads it at the moment. Each mail and the cursor behind it are stored
 * together, so that a crash costs nothing.
 */
export async function readMailbox(
  means: MailMeans,
  key: Pick<MailboxRow, 'account_id' | 'id'>,
  signal?: AbortSignal,
): Promise<MailOutcome | Busy> {
  const { store, clock } = means.core;
  const until = clock.now() + CLAIM_MS;
  if (!(await claimMailbox(store.db, key, { now: clock.now(), until }))) {
    return (await mailboxById(store.db, key)) ? { read: 'busy' } : { read: 'gone' };
  }
  try {
    // What was known of it before the claim may be old: its cursor, or where it is.
    const row = await mailboxById(store.db, key);
    return row?.state === 'active' ? await readClaimed(means, row, signal) : { read: 'gone' };
  } finally {
    await releaseMailbox(store.db, key, until);
  }
}

async function readClaimed(means: MailMeans, row: MailboxRow, signal?: AbortSignal): Promise<MailOutcome> {
  const { core } = means;
  try {
    const account = await accountById(core.store.db, row.account_id);
    const outcome = await withFolder(folderOf(means, row), (folder) =>
      readNew(means, { account, row, folder, signal }),
    );
    if (outcome.read === 'good') await succeed(core, row, outcome.isMore);
    return outcome;
  } catch (error) {
    if (!(error instanceof MailboxFailure)) throw error;
    return failRead(core, row, error.message);
  }
}

/** Returns the folder of a mailbox as it is opened. */
export function folderOf({ core, policy }: MailMeans, row: MailboxRow) {
  const password = openPassword(core, 'imap', row.id, row.imap_password);
  const { imap_host: host, imap_port: port, imap_security: security, imap_user: user } = row;
  return { server: { host, port, security, user, password }, folder: row.folder, policy, mostBytes: LARGEST_MAIL };
}

interface Reading {
  readonly account: AccountRow;
  readonly row: MailboxRow;
  readonly folder: OpenFolder;
  readonly signal: AbortSignal | undefined;
}

async function readNew(means: MailMeans, { account, row, folder, signal }: Reading): Promise<MailOutcome> {
  const { core } = means;
  const begun = core.clock.now();
  const cursor = await cursorIn(core, row, folder);
  const found = cursor.again ?? (await folder.list(cursor.lastUid, MOST_AT_ONCE + 1));
  const kinds: Partial<Record<MailKind, number>> = {};
  let done = 0;
  for (const mail of found.slice(0, MOST_AT_ONCE)) {
    if (signal?.aborted || core.clock.now() - begun > LONGEST_READ_MS) break;
    const kind = await takeOne(means, { account, row, folder, mail, moves: cursor.again === undefined });
    if (kind === 'gone') return { read: 'gone' };
    if (kind !== null) kinds[kind] = (kinds[kind] ?? 0) + 1;
    done++;
  }
  const isMore = done < found.length;
  if (cursor.again && !isMore) {
    const place = { uid_validity: folder.uidValidity, last_uid: folder.uidNext - 1 };
    if (!(await writeWhereRead(core, row, place))) return { read: 'gone' };
  }
  if (!cursor.again && !isMore) await pruneLeft({ core, days: means.logDays }, row, folder);
  return { read: 'good', kinds, isMore };
}

/**
 * Returns where to go on. A folder that is read for the first time begins behind what it holds. One whose server has
 * changed the numbers of its mails is looked through from the day on which the mailbox was added; what is known is
 * recognised by its Message-ID, and the cursor moves when all of it was looked at.
 */
async function cursorIn(
  core: Core,
  row: MailboxRow,
  { uidValidity, uidNext, listSince }: OpenFolder,
): Promise<{ lastUid: number; again?: readonly MailFound[] }> {
  if (row.uid_validity === uidValidity) return { lastUid: row.last_uid };
  if (row.uid_validity === null) {
    await writeMailbox(core.store.db, row, { uid_validity: uidValidity, last_uid: uidNext - 1 });
    return { lastUid: uidNext - 1 };
  }
  const since = row.since - CLOCKS_DIFFER_MS;
  const known = await knownNumbers(core.store.db, row, uidValidity);
  const found = await listSince(new Date(since));
  const again = found.filter(({ uid, arrived }) => !known.has(uid) && (arrived === null || arrived >= since));
  return { lastUid: 0, again };
}

interface OneMail {
  readonly account: AccountRow;
  readonly row: MailboxRow;
  readonly folder: OpenFolder;
  readonly mail: MailFound;
  /** True if the cursor moves behind the mail. */
  readonly moves: boolean;
}

/** @returns what it was taken for; null if it vanished from the folder, gone if the mailbox was removed or paused */
async function takeOne(
  { core, logDays }: MailMeans,
  { account, row, folder, mail, moves }: OneMail,
): Promise<MailKind | null | 'gone'> {
  const arrival = await arrivalOf(row, folder, mail);
  return runChange(core, { account, operator: null }, async (change) => {
    const mailbox = await lockMailbox(change.trx, row);
    if (mailbox?.state !== 'active' || !isSamePlace(mailbox, row)) return 'gone';
    // A reader whose claim had ended has read it meanwhile.
    if (mailbox.uid_validity === folder.uidValidity && mailbox.last_uid >= mail.uid) return null;
    const begins = logBegins({ core, days: logDays });
    const isBeforeLog = mail.arrived !== null && mail.arrived < begins;
    const taken = arrival && (await takeIn(change, mailbox, arrival, { isBeforeLog }));
    if (moves) await writeMailbox(change.trx, mailbox, { last_uid: mail.uid });
    return taken?.kind ?? null;
  });
}

/** Reads a mail and takes it apart. @returns undefined if it is no longer in the folder */
export async function arrivalOf(row: MailboxRow, folder: OpenFolder, mail: MailFound): Promise<Arrival | undefined> {
  const isCut = mail.size > LARGEST_MAIL;
  const { uid, size, arrived } = mail;
  const at = { uidValidity: folder.uidValidity, uid, size, arrived, isCut };
  const raw = await folder.read(uid, isCut ? READ_OF_LARGER : LARGEST_MAIL);
  if (raw === undefined) return undefined;
  try {
    return { ...at, content: await readMail(raw, signersOf(row)) };
  } catch (error) {
    const key = raw.length === 0 ? sha256Hex(`empty ${folder.uidValidity}/${uid}`) : contentKey(raw);
    return {
      ...at,
      content: { key, problem: `it cannot be taken apart: ${messageOf(error)}`.slice(0, LONGEST_PROBLEM) },
    };
  }
}

/** Names by which the mailbox's own server may sign its checks of senders. */
function signersOf({ authserv_id, imap_host }: MailboxRow): string[] {
  return [authserv_id ?? imap_host];
}

/** A person may have led the mailbox elsewhere while it was read; what was found is not about that place. */
function isSamePlace(one: MailboxRow, other: MailboxRow): boolean {
  return (['imap_host', 'imap_port', 'imap_user', 'folder'] as const).every((key) => one[key] === other[key]);
}

/** @returns false if the mailbox is elsewhere by now */
function writeWhereRead(core: Core, row: MailboxRow, columns: Partial<MailboxRow>): Promise<boolean> {
  return core.store.transaction(async (trx) => {
    const mailbox = await lockMailbox(trx, row);
    if (!mailbox || !isSamePlace(mailbox, row)) return false;
    await writeMailbox(trx, row, columns);
    return true;
  });
}

async function succeed(core: Core, row: MailboxRow, isMore: boolean): Promise<void> {
  const now = core.clock.now();
  await core.store.transaction(async (trx) => {
    const mailbox = await lockMailbox(trx, row);
    if (!mailbox || !isSamePlace(mailbox, row)) return;
    const next = isMore ? now : now + afterRead(core.random);
    await writeMailbox(trx, row, {
      tried_at: instantOf(now),
      good_at: instantOf(now),
      failures: 0,
      problem: null,
      next_read_at: mailbox.state === 'paused' ? null : next,
    });
  });
}

/** Notes that a mailbox could not be read; the next try comes later each time. */
export function failRead(core: Core, row: MailboxRow, problem: string): Promise<MailOutcome> {
  const now = core.clock.now();
  return core.store.transaction(async (trx) => {
    const mailbox = await lockMailbox(trx, row);
    if (!mailbox) return { read: 'gone' };
    const failures = mailbox.failures + 1;
    const said = problem.slice(0, LONGEST_PROBLEM);
    await writeMailbox(trx, row, {
      tried_at: instantOf(now),
      failures,
      problem: said,
      next_read_at: mailbox.state === 'paused' ? null : now + afterFailure(core.random, failures),
    });
    return { read: 'failed', problem: said };
  });
}
