import type { Clock } from '../kernel/clock.ts';
import type { PlainDate } from '../kernel/dates.ts';
import type { IdMaker } from '../kernel/ids.ts';
import type { Logger } from '../kernel/log.ts';
import type { Random } from '../kernel/random.ts';
import type { Sealer } from '../kernel/seal.ts';
import type { CalendarReader } from '../outbound/fetchCalendar.ts';
import type { MirrorStore } from '../sync/tables/database.ts';
import type { CalendarEvent } from './compare.ts';

/** Understands the calendars of marketplaces. */
export interface CalendarSense {
  /** The marketplaces whose habits are known, and everything else. */
  readonly sources: readonly string[];
  /** Returns the source that serves calendars from a host. */
  sourceOf(host: string): string;
  /**
   * Reads a calendar's text.
   * @param zone of the property, in which moments become days
   * @param until nights after it are left out
   */
  eventsOf(
    text: string,
    reading: { source: string; zone: string; until: PlainDate },
  ): { readonly events: readonly CalendarEvent[] } | { readonly problem: string };
}

/** The surroundings of the comparisons of one connection. */
export interface ComparisonsContext {
  store: MirrorStore;
  connection: string;
  clock: Clock;
  random: Random;
  ids: IdMaker;
  log: Logger;
  sealer: Sealer;
  reader: CalendarReader;
  sense: CalendarSense;
  /** The time zone of the account. */
  zone(): string;
}
