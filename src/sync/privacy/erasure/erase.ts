import { instantOf } from '../../../kernel/dates.ts';
import type { IdMaker } from '../../../kernel/ids.ts';
import { affectedBy, type Affected } from './affected.ts';
import { type Erasure, finish, insertErasures } from './erasureTable.ts';
import { scrubDrafts } from './scrubDrafts.ts';
import { scrubEvents, scrubHistory, scrubQuarantine } from './scrubHistory.ts';
import { scrubRows, type Scrubbing } from './scrubRows.ts';
import { findScope, type Scope, type Whom } from './scope.ts';
import { type Fingerprint, subject } from './subjects.ts';

/** The key of the hashes, as it is stored. */
export interface HashKey {
  sealed: string;
  /** A hash made with the key. It identifies the key even if that is sealed with an earlier secret key. */
  check?: string | undefined;
}

/** The record of erasures outside the database: a restored backup does not know later erasures. */
export interface ErasureLog {
  /** Returns the key of its hashes. */
  key(): HashKey | undefined;
  keepKey(key: HashKey): void;
  read(): Erasure[];
  append(erasures: readonly Erasure[]): void;
}

export interface Erasing extends Scrubbing {
  fingerprint: Fingerprint;
  ids: IdMaker;
  log: ErasureLog;
}

/** The data that an erasure deletes, or would delete. */
interface ErasureReport {
  /** null: nothing was changed. */
  erasure_id: string | null;
  bookings: string[];
  stays: number;
  persons: number;
  conversations: number;
  /** Rows that stay, without the values that name the person, by kind. */
  rows: Record<string, number>;
}

/** Returns the effect of an erasure. Changes nothing. */
export async function planErasure(context: Erasing, whom: Whom): Promise<ErasureReport> {
  const scope = await findScope(context.store.db, context.connection, whom);
  const affected = await affectedBy(context.store.db, context.connection, scope);
  return reportOf(context, scope, affected, null);
}

/**
 * Erases a person: deletes personal rows, removes identifying values from everything else, and stores keyed hashes so
 * that they do not come back. Rows of reservations and money stay.
 * @returns the report, and the strings of which no trace may be left
 */
export async function erase(
  context: Erasing,
  whom: Whom,
): Promise<{ report: ErasureReport; strings: readonly string[] }> {
  const { store, connection, clock, ids, log } = context;
  const scope = await findScope(store.db, connection, whom);
  const affected = await affectedBy(store.db, connection, scope);
  const erasureId = ids();
  const report = await reportOf(context, scope, affected, erasureId);
  const erasedAt = instantOf(clock.now());
  const erasures = subjectsOf(scope).map((text): Erasure => {
    return { connection, subject: context.fingerprint(text), erasure_id: erasureId, erased_at: erasedAt };
  });
  // Done first, so that no read that is under way brings anything back.
  log.append(erasures);
  await store.transaction((trx) => insertErasures(trx, erasures));
  await scrub(context, affected);
  await finish(store.db, connection, erasedAt);
  return { report, strings: scope.strings };
}

/** Removes the erased values from everything that these rows have left anywhere. */
export async function scrub(context: Scrubbing, affected: readonly Affected[]): Promise<void> {
  await scrubEvents(context, affected);
  await scrubDrafts(context, affected);
  for (const one of affected) {
    await scrubQuarantine(context, one);
    // Before the rows, since they give a second attempt the names to search for: a first attempt may be interrupted.
    await scrubHistory(context, one);
  }
  for (const one of affected) {
    await scrubRows(context, one);
    // Repeated, since a read in between may have moved the unchanged row into history.
    await scrubHistory(context, one);
  }
}

function subjectsOf({ stays, conversations, bookings, addresses }: Scope): string[] {
  const texts: string[] = [
    ...[...bookings].map(subject.booking),
    ...[...conversations].map(subject.conversation),
    ...[...addresses].map(subject.email),
  ];
  for (const [code, { reservation, owners, text }] of stays) {
    if (text) texts.push(subject.text(code), subject.text(reservation));
    if (owners !== 'all') texts.push(...[...owners].map((owner) => subject.guest(code, owner)));
  }
  return [...new Set(texts)];
}

async function reportOf(
  { store, connection }: Erasing,
  scope: Scope,
  affected: readonly Affected[],
  erasureId: string | null,
): Promise<ErasureReport> {
  let persons = 0;
  for (const [stay, { owners }] of scope.stays) {
    const guests = await store.db
      .selectFrom('guests')
      .select('guest_key')
      .where('connection', '=', connection)
      .where('stay_code', '=', stay)
      .execute();
    persons += guests.filter(({ guest_key }) => owners === 'all' || owners.has(guest_key)).length;
  }
  return {
    erasure_id: erasureId,
    bookings: [...new Set([...scope.stays.values()].map((stay) => stay.reservation))],
    stays: scope.stays.size,
    persons,
    conversations: scope.conversations.size,
    rows: Object.fromEntries(affected.map(({ resource, rows }) => [resource.name, rows.size])),
  };
}
