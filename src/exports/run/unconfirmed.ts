import type { PlainDate } from '../../kernel/dates.ts';
import { type BookState, bookOf } from '../journal/book.ts';
import { derive } from '../journal/derive.ts';
import type { Draft } from '../journal/draft.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { type Policy, policyOf } from '../journal/policy.ts';
import type { ReadGroup } from '../journal/read/readFacts.ts';
import type { BookSettings } from '../journal/settings.ts';

/**
 * Settings that may correct locked months: those at the time of the lock, or those that an operator confirmed later.
 */
export interface ConfirmedSettings {
  readonly hash: string;
  /** Null if they are no longer known, or if other rules applied with them. */
  readonly settings: BookSettings | null;
}

/** An entry of a locked month that other settings would correct or add. */
export interface UnconfirmedEntry {
  readonly id: string;
  /** Its day in the locked month. */
  readonly date: PlainDate;
  readonly description: string;
}

/** The effects of unconfirmed settings on locked months. */
export interface Unconfirmed {
  readonly count: number;
  /** The first {@link MOST_ENTRIES} of them. */
  readonly entries: readonly UnconfirmedEntry[];
}

const MOST_ENTRIES = 100;

/** Finds the effects of unconfirmed settings on locked months while groups pass. */
export class UnconfirmedSettings {
  /** Undefined if nothing needs confirmation; null if the former settings are unknown. */
  readonly #before: Policy | null | undefined;
  readonly #today: PlainDate;
  readonly #entries: UnconfirmedEntry[] = [];
  #count = 0;

  constructor(policy: Policy, confirmed: ConfirmedSettings | undefined, today: PlainDate) {
    this.#today = today;
    if (confirmed === undefined || confirmed.hash === policy.hash) this.#before = undefined;
    else this.#before = confirmed.settings && policyOf({ ...policy.settings, ...confirmed.settings });
  }

  add(state: BookState, group: ReadGroup, drafts: readonly Draft[], isKnown: (source: string) => boolean): void {
    if (this.#before === undefined || state.lockedThrough === null) return;
    const now = corrections(state, { group, drafts, isKnown });
    const before = this.#before
      ? corrections(state, { group, drafts: derive(this.#before, group, this.#today).drafts, isKnown })
      : new Map<string, JournalEntry>();
    const found = new Map<string, UnconfirmedEntry>();
    for (const [own, others] of [
      [now, before],
      [before, now],
    ] as const) {
      for (const [text, { id, corrects, date, originalDate, description }] of own) {
        if (others.has(text)) continue;
        const meant = corrects ?? id;
        // The description of a reversal differs, so the reversed entry supplies it.
        const known = group.issued.find(({ entry }) => entry.id === meant)?.entry;
        found.set(meant, {
          id: meant,
          date: known?.date ?? originalDate ?? date,
          description: known?.description ?? description,
        });
      }
    }
    this.#count += found.size;
    for (const entry of found.values()) if (this.#entries.length < MOST_ENTRIES) this.#entries.push(entry);
  }

  result(): Unconfirmed {
    return { count: this.#count, entries: this.#entries };
  }
}

/** Returns the entries of a group that correct locked months, or that belong to one and come too late. */
function corrections(
  state: BookState,
  { group, drafts, isKnown }: { group: ReadGroup; drafts: readonly Draft[]; isKnown: (source: string) => boolean },
): Map<string, JournalEntry> {
  const { entries } = bookOf(state, drafts, group, isKnown);
  const sealed = new Set(group.issued.flatMap((one) => (one.isLocked ? [one.entry.id] : [])));
  const late = entries.filter(
    ({ entry }) => !sealed.has(entry.id) && (entry.kind === 'reversal' || entry.originalDate !== null),
  );
  return new Map(late.map(({ entry }) => [JSON.stringify(entry), entry]));
}
