import { createHash } from 'node:crypto';
import type { PlainDate } from '../../kernel/dates.ts';
import { type Draft, merged, sourceKey } from './draft.ts';
import type { JournalEntry, Posting } from './entry.ts';
import { grouped } from './grouped.ts';

/** An entry that cannot be unsaid: it stands in a locked period, or some target has had it. */
export interface IssuedEntry {
  readonly entry: JournalEntry;
  /** Base and suffix of its draft; a reversal has those of what it reverses. */
  readonly base: string;
  readonly suffix: string;
  /** Whether it stands in a period that is locked. */
  readonly isLocked: boolean;
  /** Whether the job that is asked for has handed it on. */
  readonly isDelivered?: boolean;
}

export interface BookState {
  readonly connection: string;
  /** The last day that is locked; null: none is. */
  readonly lockedThrough: PlainDate | null;
  /** The day after it. */
  readonly firstOpenDay: PlainDate | null;
}

/** An entry of the journal, and what it is found by. */
export interface BookedEntry {
  readonly entry: JournalEntry;
  readonly base: string;
  readonly suffix: string;
}

/**
 * The entries of one group: those of locked periods as they were sealed, what corrects them in the first open period,
 * and the rest as it should be now.
 * @param isGone whether a source, by its key, was found to be gone; one merely not there any more is left alone
 * @returns entries, and ids of sealed ones whose source is not there without having been found to be gone
 */
export function bookOf(
  state: BookState,
  drafts: readonly Draft[],
  issued: readonly IssuedEntry[],
  isKnown: (source: string) => boolean,
): { entries: BookedEntry[]; orphans: string[] } {
  const entries: BookedEntry[] = [];
  const orphans: string[] = [];
  const wanted = new Map(drafts.map((draft) => [slotOf(draft), draft]));
  const had = grouped(issued, slotOf);
  for (const [slot, versions] of had) {
    const draft = wanted.get(slot);
    entries.push(...versions.filter((one) => one.isLocked));
    const current = currentOf(versions.filter((one) => one.isLocked));
    if (!current) {
      if (draft) entries.push(versionOf(state, draft, versions, null));
      continue;
    }
    if (!draft && !isKnown(sourceKey(current.entry.source))) {
      orphans.push(current.entry.id);
      continue;
    }
    if (draft && isSettled(state, draft, current.entry)) continue;
    entries.push(reversalOf(state, current));
    if (draft) entries.push(versionOf(state, draft, versions, current.entry.id));
  }
  for (const [slot, draft] of wanted) if (!had.has(slot)) entries.push(versionOf(state, draft, [], null));
  return { entries, orphans };
}

function slotOf({ base, suffix }: { base: string; suffix: string }): string {
  return `${base}|${suffix}`;
}

/** The sealed entry of a slot that nothing has reversed. */
function currentOf(sealed: readonly IssuedEntry[]): IssuedEntry | undefined {
  const reversed = new Set(sealed.flatMap(({ entry }) => (entry.kind === 'reversal' ? [entry.corrects] : [])));
  return sealed.find(({ entry }) => entry.kind !== 'reversal' && !reversed.has(entry.id));
}

/** Nothing is to be corrected: it says the same, and no period is another. */
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

/** The version of a slot that says this: the newest one issued, if it says the same, else the next. */
function versionOf(
  state: BookState,
  draft: Draft,
  versions: readonly IssuedEntry[],
  corrects: string | null,
): BookedEntry {
  const { base, suffix, isNoticed: _, ...said } = draft;
  const [date, originalDate] = openDate(state, draft.date);
  const newest = versions
    .filter(({ entry }) => entry.kind !== 'reversal')
    .toSorted((a, b) => b.entry.revision - a.entry.revision)[0];
  const entry = { ...said, date, originalDate, corrects };
  const isIssued = newest !== undefined && !newest.isLocked && isSame(newest.entry, entry);
  const revision = newest === undefined ? 1 : isIssued ? newest.entry.revision : newest.entry.revision + 1;
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

/** Takes a sealed or sent entry back, on the first day that is open. */
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

/** A fixed order of keys, so that the same entry is the same text. */
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

/** 20 capitals and digits that stand for an id: the same on every run, and for no other entry of any connection. */
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
 * For targets that take one entry in place of two: a reversal and what follows it on the same day become their
 * difference; nothing where they are equal.
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
