import type { Client } from '../../client/client.ts';
import type { Purpose } from '../../client/gate.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { MirrorDb } from '../tables/database.ts';
import type { DaysAnswer } from '../tables/listings/availability.ts';
import type { CalendarsAnswer } from '../tables/listings/calendar.ts';
import type { MirrorResource, Page, Reading } from '../tables/rows/resource.ts';
import type { ReadNumbers } from '../queue/readNumbers.ts';
import type { Scope } from '../tables/rows/rowTable.ts';

/** What a scan needs to ask. */
export interface Asking {
  client: Client;
  purpose: Purpose;
  reading: Reading;
  numbers: ReadNumbers;
  db: MirrorDb;
  clock: Clock;
  /** The first date of the ledger. */
  historyFrom: string;
  signal: AbortSignal;
  /** When the last complete reading of the same began (epoch milliseconds); undefined: there was none. */
  since?: number | undefined;
  /** Told of each request sent. */
  onSend(): void;
  /** Told of a listing whose calendar upstream does not have or refuses, and of those whose it has. */
  onAbsent(listing: string): Promise<void>;
  onThere(listings: readonly string[]): Promise<void>;
}

/** What is done with each answer: apply it, or compare it with the mirror. */
export interface Visitor {
  /** Told once, before the first answer. */
  begin?(scanId: string): void;
  rows(resource: MirrorResource, page: Page, number: number): Promise<void>;
  days(answer: DaysAnswer): Promise<void>;
  calendars(answer: CalendarsAnswer): Promise<void>;
}

/** One answer of a scan. */
export interface Step {
  /** How many rows (days, for calendars) it holds that no earlier step has. */
  rows: number;
  visit(visitor: Visitor): Promise<void>;
  /** Where a later scan of the same kind goes on, once this answer has been dealt with; JSON. */
  bookmark?: unknown;
}

/** How a whole resource is read. */
export interface Scan {
  /** The word of dirty keys, of the feed and of `scans`. */
  readonly resource: string;
  /** Which part of it; left out: all. */
  readonly part?: string;
  /** Where its rows stand and how a missing one is confirmed; null for calendars, which have days, not rows. */
  readonly rows: MirrorResource | null;
  /** Where it has days: what they belong to. */
  readonly of?: MirrorResource;
  /** Requests it will take, given how many rows are known or announced. */
  cost(rows: number): number;
  /** @param bookmark of an earlier scan that was cut off */
  steps(asking: Asking, bookmark?: unknown): AsyncGenerator<Step, ScanEnd>;
  /** The known rows that it means to meet; null: it proves nothing about others. Left out: all of them. */
  scope?(asking: Asking): Scope | null;
  /** Rows of other kinds that it reads whole as well. */
  readonly also?: readonly MirrorResource[];
  /** The kind of rows that `count` counts; left out: `rows`. */
  readonly counts?: MirrorResource;
  /** Not every deployment has this list: one that answers 404 or 501 is told apart from one that fails. */
  readonly mayBeAbsent?: true;
  /** How many rows upstream says there are now, without reading them; null: it does not say. Left out where only reading tells. */
  count?(asking: Asking): Promise<number | null>;
  /** How many rows its lists will show, some of them twice; null: it does not say. Left out: as many as there are. */
  listed?(asking: Asking): Promise<number | null>;
}

/** The kinds of rows that a scan reads whole, by the words of dirty keys and of quarantine. */
export function namesOf({ resource, rows, also = [] }: Scan): string[] {
  return [...new Set([resource, rows?.name ?? resource, ...also.map(({ name }) => name)])];
}

export interface ScanEnd {
  /** How many rows there are upstream, as its lists have shown. */
  total: number;
}

/** Sends a request of a scan and numbers it. */
export async function numbered<T>(
  asking: Asking,
  call: (options: { purpose: Purpose; signal: AbortSignal; beforeSend: () => Promise<void> }) => Promise<T>,
): Promise<{ answer: T; number: number }> {
  let number = 0;
  const beforeSend = async () => {
    number = await asking.numbers.take();
    asking.onSend();
  };
  const answer = await call({ purpose: asking.purpose, signal: asking.signal, beforeSend });
  return { answer, number };
}
