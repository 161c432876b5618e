import type { Client } from '../../client/client.ts';
import type { Purpose } from '../../client/gate.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { MirrorDb } from '../tables/database.ts';
import type { DaysAnswer } from '../tables/listings/availability.ts';
import type { CalendarsAnswer } from '../tables/listings/calendar.ts';
import type { MirrorResource, Page, Reading } from '../tables/rows/resource.ts';
import type { ReadNumbers } from '../queue/readNumbers.ts';
import type { DateScope } from '../tables/rows/rowTable.ts';

/** The context of a scan's requests. */
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
  /** The moment when the last complete read of the same part began (epoch milliseconds); undefined: there was none. */
  since?: number | undefined;
  /** Called for each request sent. */
  onSend(): void;
  /**
   * Called for a listing whose calendar upstream does not have or refuses; the next function, for those whose it has.
   */
  onAbsent(listing: string): Promise<void>;
  onThere(listings: readonly string[]): Promise<void>;
}

/** The consumer of answers: it applies them, or compares them with the mirror. */
export interface Visitor {
  /** Called once, before the first answer. */
  begin?(scanId: string): void;
  rows(resource: MirrorResource, page: Page, number: number): Promise<void>;
  days(answer: DaysAnswer): Promise<void>;
  calendars(answer: CalendarsAnswer): Promise<void>;
}

/** One answer of a scan. */
export interface Step {
  /** The number of rows (days, for calendars) that no earlier step has. */
  rows: number;
  visit(visitor: Visitor): Promise<void>;
  /** The position for a later scan of the same kind, once this answer has been processed; JSON. */
  bookmark?: unknown;
}

/** The way in which a whole resource is read. */
export interface Scan {
  /** The name of the resource in dirty keys, the feed and `scans`. */
  readonly resource: string;
  /** The part of the resource; left out: all. */
  readonly part?: string;
  /**
   * The kind of its rows, which also says how a missing one is confirmed; null for calendars, which have days, not
   * rows.
   */
  readonly rows: MirrorResource | null;
  /** For days: the kind of rows that they belong to. */
  readonly of?: MirrorResource;
  /** Returns the number of requests, given the number of known or announced rows. */
  cost(rows: number): number;
  /** @param bookmark the position of an interrupted scan */
  steps(asking: Asking, bookmark?: unknown): AsyncGenerator<Step, ScanEnd>;
  /**
   * Returns the known rows that it is expected to meet; null: it proves nothing about others. Left out: all of them.
   */
  scope?(asking: Asking): DateScope | null;
  /** Rows of other kinds that it reads whole as well. */
  readonly also?: readonly MirrorResource[];
  /** The kind of rows that `count` counts; left out: `rows`. */
  readonly counts?: MirrorResource;
  /** Set if some deployments lack this list: an answer of 404 or 501 is then not a failure. */
  readonly mayBeAbsent?: true;
  /**
   * Returns the number of rows that upstream reports without reading them; null: it reports none. Left out where only
   * reading shows it.
   */
  count?(asking: Asking): Promise<number | null>;
  /**
   * Returns the number of rows that its lists will show, some of them twice; null: unknown. Left out: as many as there
   * are.
   */
  listed?(asking: Asking): Promise<number | null>;
}

/** Returns the kinds of rows that a scan reads whole, as dirty keys and the quarantine name them. */
export function namesOf({ resource, rows, also = [] }: Scan): string[] {
  return [...new Set([resource, rows?.name ?? resource, ...also.map(({ name }) => name)])];
}

/** The result of a complete scan of a list. */
interface ScanEnd {
  /** The number of rows upstream, as its lists have shown. */
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
