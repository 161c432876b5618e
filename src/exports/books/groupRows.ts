import { createHash } from 'node:crypto';
import { addDaysWithin, type PlainDate } from '../../kernel/dates.ts';
import type {
  BookDepositsTable,
  BookEntriesTable,
  BookExceptionsTable,
  BookOutcomesTable,
  BookPostingsTable,
} from '../tables/bookTables.ts';
import type { BookedEntry } from '../journal/book.ts';
import type { Exception, Outcome } from '../journal/draft.ts';
import { sourceKey } from '../journal/draft.ts';
import type { JournalEntry, Posting } from '../journal/entry.ts';
import type { ReservationFact, StayFact } from '../journal/read/facts.ts';
import type { Policy } from '../journal/policy.ts';
import type { CollectedGroup } from '../run/collect.ts';
import type { Roles } from './accounts.ts';
import { classOf, type EntryClass } from './classOf.ts';

/** The stored rows of one group. */
export interface GroupRows {
  readonly group: string;
  /** Digest of all rows; it changes only with them. */
  readonly digest: string;
  readonly entries: readonly BookEntriesTable[];
  readonly postings: readonly BookPostingsTable[];
  readonly deposits: readonly BookDepositsTable[];
  readonly exceptions: readonly BookExceptionsTable[];
  readonly outcomes: readonly BookOutcomesTable[];
  /** The first day on which the rows may become others although no fact changes; null if there is none. */
  readonly dueOn: PlainDate | null;
}

interface Book {
  readonly connection: string;
  readonly policy: Policy;
  readonly roles: Roles;
  /** The operator's date. Later entries are not booked. */
  readonly today: PlainDate;
}

const DIGEST_LENGTH = 20;

/** Returns the rows of a group. */
export function groupRows(book: Book, collected: CollectedGroup): GroupRows {
  const { group, canonical, outcomes, exceptions } = collected;
  const { policy, today } = book;
  const items = new Map(group.ledger.map((one) => [String(one.id), policy.item(one)?.class]));
  const booked = canonical
    .filter(({ entry }) => entry.date <= today)
    // Issued entries come first in the group, so the order would change when a month is closed.
    .toSorted((a, b) => (a.entry.id < b.entry.id ? -1 : 1))
    .map((one) => ({ ...one, class: classOf(one, items) }));
  const rows = {
    entries: booked.map((one) => entryRow(book, group.key, one)),
    postings: booked.flatMap((one) => postingRows(book, group.key, one)),
    deposits: group.reservation ? depositRows(book, group.key, group.reservation) : [],
    exceptions: exceptionRows(book, group.key, [...exceptions, ...outcomes.flatMap(unsettled)]),
    outcomes: outcomeRows(book, group.key, outcomes),
    dueOn: dueOn(today, collected),
  };
  const digest = createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, DIGEST_LENGTH);
  return { group: group.key, digest, ...rows };
}

/** Returns true if a group has no rows, now or later. */
export function isEmpty({ entries, deposits, exceptions, outcomes, dueOn: due }: GroupRows): boolean {
  return due === null && [entries, deposits, exceptions, outcomes].every((rows) => rows.length === 0);
}

/**
 * Returns the first later day on which something of the group begins or ends. Until then the rows follow from the facts
 * alone, whatever day it is.
 */
function dueOn(today: PlainDate, { group, canonical, outcomes, exceptions }: CollectedGroup): PlainDate | null {
  const { reservation, payout, transactions } = group;
  const dates = [
    ...canonical.map(({ entry }) => entry.date),
    ...[...outcomes, ...exceptions, ...transactions].map(({ date }) => date),
    ...(payout ? [payout.date] : []),
    ...(reservation ? [reservation.cancelled, reservation.gone] : []),
    ...(reservation?.stays ?? []).flatMap(({ checkIn, checkOut, deposits }) => [
      checkIn,
      checkOut,
      ...deposits.map(({ date }) => date),
    ]),
  ];
  let due: PlainDate | null = null;
  for (const date of dates) if (date !== null && date > today && (due === null || date < due)) due = date;
  return due;
}

type Classed = BookedEntry & { class: EntryClass };

function entryRow({ connection }: Book, group: string, { entry, suffix, class: name }: Classed): BookEntriesTable {
  return {
    connection,
    entry_id: entry.id,
    group_key: group,
    date: entry.date,
    original_date: entry.originalDate,
    kind: entry.kind,
    class: name,
    suffix,
    source_kind: entry.source.kind,
    source_id: entry.source.id,
    revision: entry.revision,
    corrects: entry.corrects,
    payee: entry.payee,
    description: entry.description,
    reservation_code: entry.reservation,
    stay_code: entry.stay,
    channel: entry.channel,
  };
}

function postingRows(book: Book, group: string, { entry, suffix, class: name }: Classed): BookPostingsTable[] {
  return entry.postings.map((posting, index) => {
    const owner = ownerOf(book, entry, posting);
    const said = posting.propertyId === null ? undefined : book.policy.settings.properties[posting.propertyId];
    return {
      connection: book.connection,
      entry_id: entry.id,
      posting: index + 1,
      group_key: group,
      date: entry.date,
      account: posting.account,
      amount_minor: posting.amount,
      currency: posting.currency,
      property_id: posting.propertyId,
      owner,
      contract: owner !== null && said?.owner === owner ? said.contract : null,
      memo: posting.memo ?? null,
      class: name,
      suffix,
      source_kind: entry.source.kind,
      reservation_code: entry.reservation,
      channel: entry.channel,
    };
  });
}

/** Returns the owner whom a line concerns: the creditor, or the owner who pays the fee. */
function ownerOf({ policy, roles }: Book, { postings }: JournalEntry, posting: Posting): string | null {
  const owner = roles.ownerOf(posting.account);
  if (owner !== undefined) return owner;
  if (roles.of(posting.account) !== 'management') return null;
  const beside = postings
    .filter(({ propertyId }) => propertyId === posting.propertyId)
    .flatMap(({ account }) => roles.ownerOf(account) ?? []);
  if (beside[0] !== undefined) return beside[0];
  const { propertyId } = posting;
  return propertyId === null ? null : (policy.settings.properties[propertyId]?.owner ?? null);
}

function depositRows(book: Book, group: string, reservation: ReservationFact): BookDepositsTable[] {
  const { starts_on, deposits } = book.policy.settings;
  return reservation.stays.flatMap((stay) => {
    const { deposits: states } = stay;
    const last = states.at(-1);
    if (!last || (starts_on !== null && last.date < starts_on)) return [];
    const ends = endOf(reservation, stay);
    const kind = book.policy.deposits(reservation, stay.propertyId);
    const placed = states.find(({ paid }) => paid > 0)?.date ?? last.date;
    return states.map((state, index) => ({
      connection: book.connection,
      stay_code: stay.code,
      number: index + 1,
      group_key: group,
      reservation_code: reservation.code,
      property_id: stay.propertyId,
      channel: reservation.channel,
      kind,
      from_date: state.date,
      to_date: states[index + 1]?.date ?? null,
      ends_on: ends,
      due_on: addDaysWithin(ends, deposits.return_days),
      lapses_on: kind === 'hold' ? addDaysWithin(placed, deposits.hold_days) : null,
      currency: state.currency,
      paid_minor: state.paid,
      deducted_minor: state.deducted,
      pending_minor: state.pending,
    }));
  });
}

function endOf({ cancelled }: ReservationFact, { checkOut }: StayFact): PlainDate {
  return cancelled !== null && cancelled < checkOut ? cancelled : checkOut;
}

/** Returns an exception for a source that waits for a person. A source that waits for its day is none. */
function unsettled({ source, state, reason, date }: Outcome): (Omit<Exception, 'kind'> & { kind: string })[] {
  if (state !== 'unmapped' && state !== 'pending') return [];
  // A deposit has an exception of its own.
  if (source.kind === 'deposit') return [];
  return [{ kind: state, about: sourceKey(source), problem: reason, date }];
}

function outcomeRows({ connection }: Book, group: string, outcomes: readonly Outcome[]): BookOutcomesTable[] {
  return outcomes.map(({ source, state, reason, date }, index) => ({
    connection,
    group_key: group,
    number: index + 1,
    source: sourceKey(source),
    state,
    reason,
    date,
  }));
}

/** Returns the rows of exceptions, except those of later days. */
export function exceptionRows(
  { connection, today }: Pick<Book, 'connection' | 'today'>,
  group: string,
  exceptions: readonly (Omit<Exception, 'kind'> & { kind: string })[],
): BookExceptionsTable[] {
  return exceptions
    .filter(({ date }) => date === null || date <= today)
    .map(({ kind, about, problem, date }, index) => ({
      connection,
      group_key: group,
      number: index + 1,
      kind,
      about,
      problem,
      date,
    }));
}
