import { createHash } from 'node:crypto';
import type { PlainDate } from '../../kernel/dates.ts';
import { type Draft, merged, sourceKey } from './draft.ts';
import type { JournalEntry, Posting } from './entry.ts';
import { grouped } from './grouped.ts';

/** An entry that cannot be withdrawn: it lies in a locked period, or a target has received it. */
export interface IssuedEntry {
  readonly entry: JournalEntry;
  /** Base and suffix of its draft. A reversal has those of the entry that it reverses. */
  readonly base: string;
  readonly suffix: string;
  /** True if it lies in a locked period. */
  readonly isLocked: boolean;
  /** True if the job in question has delivered it. */
  readonly isDelivered?: boolean;
}

/** The state of the books that dates new entries. */
export interface BookState {
  readonly connection: string;
  /** The last locked day, or null if none is locked. */
  readonly lockedThrough: PlainDate | null;
  /** The day after `lockedThrough`, or null. */
  readonly firstOpenDay: PlainDate | null;
}

/** A journal entry with the base and suffix that identify it. */
export interface BookedEntry {
  readonly entry: JournalEntry;
  readonly base: string;
  readonly suffix: string;
}

/** What was issued before of the slots of a group. */
export interface IssuedBefore {
  /** The entries that were issued for the group. */
  readonly issued: readonly IssuedEntry[];
  /** The highest revision that other groups have had of a base, for ledger entries that moved from one to another. */
  readonly elsewhere: ReadonlyMap<string, number>;
}

/**
 * Returns the entries of one group: those of locked periods as sealed, their corrections in the first open period, and
 * the rest as the facts say now.
 * @param isKnown true for the key of a source that is present or was found to be gone; a sealed entry of any other
 * source is left alone
 * @returns the entries, and the ids of sealed entries whose source is missing but was not found to be gone
 */
export function bookOf(
  state: BookState,
  drafts: readonly Draft[],
  { issued, elsewhere }: IssuedBefore,
  isKnown: (source: string) => boolean,
): { entries: BookedEntry[]; orphans: string[] } {
  const entries: BookedEntry[] = [];
  const orphans: string[] = [];
  const wanted = new Map(drafts.map((draft) => [slotOf(draft), draft]));
  const had = grouped(issued, slotOf);
  const next = (draft: Draft, versions: readonly IssuedEntry[], corrects: string | null) =>
    versionOf(state, draft, { versions, least: 1 + (elsewhere.get(draft.base) ?? 0) }, corrects);
  for (const [slot, versions] of had) {
    const draft = wanted.get(slot);
    entries.push(...versions.filter((one) => one.isLocked));
    const current = currentOf(versions.filter((one) => one.isLocked));
    if (!current) {
      if (draft) entries.push(next(draft, versions, null));
      continue;
    }
    if (!draft && !isKnown(sourceKey(current.entry.source))) {
      orphans.push(current.entry.id);
      continue;
    }
    if (draft && isSettled(state, draft, current.entry)) continue;
    entries.push(reversalOf(state, current));
    if (draft) entries.push(next(draft, versions, current.entry.id));
  }
  for (const [slot, draft] of wanted) if (!had.has(slot)) entries.push(next(draft, [], null));
  return { entries, orphans };
}

function slotOf({ base, suffix }: { base: string; suffix: string }): string {
  return `${base}|${suffix}`;
}

/** Returns the sealed entry of a slot that nothing has reversed. */
function currentOf(sealed: readonly IssuedEntry[]): IssuedEntry | undefined {
  const reversed = new Set(sealed.flatMap(({ entry }) => (entry.kind === 'reversal' ? [entry.corrects] : [])));
  return sealed.find(({ entry }) => entry.kind !== 'reversal' && !reversed.has(entry.id));
}

/** Returns true if the sealed entry needs no correction: same postings, and no move to another period. */
function isSettled({ lockedThrough }: BookState, draft: Draft, sealed: JournalEntry): boolean {
  if (!isSamePostings(draft.postings, sealed.postings)) return false;
  if (draft.isNoticed) return true;
  const wanted = sealed.originalDate ?? sealed.date;
  return draft.date === wanted || (lockedThrough !== null && draft.date <= lockedThrough);
}

function isSamePostings(a: readonly Posting[], b: readonly Posting[]): boolean {
  return postingsText(a) === postingsText(b);
}

function postingsText(postings: readonly Posting[]): string {
  return postings
    .map(({ account, amount, currency, propertyId }) => JSON.stringify([account, currency, propertyId, amount]))
    .toSorted()
    .join('\n');
}

/**
 * Returns the version of a slot for this draft: the newest issued version if it has the same content, else the next.
 * @param least the lowest revision that no other group has had
 */
function versionOf(
  state: BookState,
  draft: Draft,
  { versions, least }: { versions: readonly IssuedEntry[]; least: number },
  corrects: string | null,
): BookedEntry {
  const { base, suffix, isNoticed: _, ...said } = draft;
  const [date, originalDate] = openDate(state, draft.date);
  const newest = versions
    .filter(({ entry }) => entry.kind !== 'reversal')
    .toSorted((a, b) => b.entry.revision - a.entry.revision)[0];
  const entry = { ...said, date, originalDate, corrects };
  const last = newest?.entry.revision ?? 0;
  const isIssued = newest !== undefined && last >= least && !newest.isLocked && isSame(newest.entry, entry);
  const revision = isIssued ? last : Math.max(last + 1, least);
  const id = `${base}-${revision}${suffix && `-${suffix}`}`;
  return { base, suffix, entry: { id, reference: referenceOf(state.connection, id), ...ordered(entry, revision) } };
}

type Said = Omit<JournalEntry, 'id' | 'reference' | 'revision'>;

function isSame(issued: JournalEntry, entry: Said): boolean {
  return (
    issued.date === entry.date &&
    issued.description === entry.description &&
    isSamePostings(issued.postings, entry.postings)
  );
}

/** Reverses a sealed or sent entry on the first open day. */
export function reversalOf(state: BookState, { entry, base, suffix }: BookedEntry): BookedEntry {
  const [date, originalDate] = openDate(state, entry.date);
  const id = `${entry.id}-rev`;
  const reversal = {
    ...entry,
    date,
    originalDate,
    kind: 'reversal' as const,
    corrects: entry.id,
    description: `Reverses ${entry.id}: ${entry.description}`,
    postings: entry.postings.map((posting) => ({ ...posting, amount: 0 - posting.amount })),
  };
  return {
    base,
    suffix,
    entry: { id, reference: referenceOf(state.connection, id), ...ordered(reversal, entry.revision) },
  };
}

/** Returns the entry with its keys in a fixed order, so equal entries are equal text. */
function ordered(entry: Said, revision: number): Omit<JournalEntry, 'id' | 'reference'> {
  const { date, originalDate, kind, source, corrects, payee, description, reservation, stay, channel, postings } =
    entry;
  return {
    date,
    originalDate,
    kind,
    source,
    revision,
    corrects,
    payee,
    description,
    reservation,
    stay,
    channel,
    postings,
  };
}

function openDate({ lockedThrough, firstOpenDay }: BookState, date: PlainDate): [PlainDate, PlainDate | null] {
  if (lockedThrough === null || firstOpenDay === null || date > lockedThrough) return [date, null];
  return [firstOpenDay, date];
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const REFERENCE_LENGTH = 20;

/**
 * Returns the 20 capitals and digits that represent an id: the same in every run, and different for every other entry
 * of any connection.
 */
export function referenceOf(connection: string, id: string): string {
  const digest = createHash('sha256').update(`${connection}|${id}`).digest();
  let bits = 0n;
  for (const byte of digest.subarray(0, 13)) bits = (bits << 8n) | BigInt(byte);
  let text = '';
  for (let at = 0; at < REFERENCE_LENGTH; at += 1) {
    text += ALPHABET[Number((bits >> BigInt(99 - at * 5)) & 31n)];
  }
  return text;
}

/**
 * Merges a reversal and its replacement on the same day into their difference, and drops the pair if they are equal.
 * Serves targets that take one entry instead of two.
 */
export function adjusted(state: BookState, entries: readonly BookedEntry[]): BookedEntry[] {
  const reversals = new Map(
    entries.flatMap((one) => (one.entry.kind === 'reversal' ? [[one.entry.corrects, one] as const] : [])),
  );
  const taken = new Set<BookedEntry>();
  const deltas = entries.map((one) => {
    const reversal = one.entry.kind === 'reversal' ? undefined : reversals.get(one.entry.corrects);
    if (!reversal || reversal.entry.date !== one.entry.date) return one;
    taken.add(reversal);
    const id = `${one.entry.id}-adj`;
    const postings = merged([...reversal.entry.postings, ...one.entry.postings]);
    const reference = referenceOf(state.connection, id);
    const description = `Corrects ${one.entry.corrects}: ${one.entry.description}`;
    return { ...one, entry: { ...one.entry, id, reference, kind: 'correction' as const, description, postings } };
  });
  return deltas.filter((one) => !taken.has(one) && one.entry.postings.length > 0);
}
