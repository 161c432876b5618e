import type { Clock } from '../kernel/clock.ts';
import type { PlainDate } from '../kernel/dates.ts';
import type { IdMaker } from '../kernel/ids.ts';
import type { Logger } from '../kernel/log.ts';
import type { Sealer } from '../kernel/seal.ts';
import type { MirrorStore } from '../sync/tables/database.ts';
import type { MailFile } from '../outbound/sendMail.ts';
import type { Means } from './kinds/kind.ts';

/** A problem that needs a person. */
export interface NoticeAlarm {
  alarm: string;
  says: string;
  remedy: string | null;
}

/** One stay in the text of a day. */
export interface BriefStay {
  property: string | null;
  guests: number | null;
  guest: string | null;
}

/** What a day brings. */
export interface Briefing {
  date: PlainDate;
  arrivals: readonly BriefStay[];
  departures: readonly BriefStay[];
  staying: number;
  /** What waits for a person, by kind; zeros are left out of the text. */
  waiting: { requests: number; box: number; identity: number; deposits: number };
}

/** A report of a month that goes along with a mail. */
export interface NoticeReport {
  name: string;
  /** Such as `2027-03`. */
  month: string;
  owner?: string | undefined;
}

/** Makes files of reports. */
export interface ReportFiles {
  /** Returns why there can be no such file; undefined: there can. */
  problemOf(report: NoticeReport): string | undefined;
  /** @throws UsageError for what the report does not know */
  read(report: NoticeReport): Promise<MailFile>;
}

/** The surroundings of the notices of one connection. */
export interface NoticesContext {
  store: MirrorStore;
  connection: string;
  clock: Clock;
  ids: IdMaker;
  log: Logger;
  sealer: Sealer;
  means: Means;
  reports: ReportFiles;
  /** The time zone of the account. */
  zone(): string;
  /** Returns what needs a person now, on this machine and in this connection. */
  alarms(): Promise<readonly NoticeAlarm[]>;
  /** Reads what a day brings. */
  briefing(date: PlainDate): Promise<Briefing>;
  /** Returns the address of a page of the console; null: it has none that others can open. */
  page(path: string): string | null;
}
