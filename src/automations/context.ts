import type { Tracer } from '../kernel/tracing/tracer.ts';
import type { Client } from '../client/client.ts';
import type { AskGuestLink, GuestLink } from '../client/guestLinks.ts';
import type { Clock } from '../kernel/clock.ts';
import type { IdMaker } from '../kernel/ids.ts';
import type { Logger } from '../kernel/log.ts';
import type { QuietHours } from '../kernel/quietHours.ts';
import type { Random } from '../kernel/random.ts';
import type { MirrorStore } from '../sync/tables/database.ts';
import type { Feed } from '../sync/feed/feed.ts';
import type { AiSettings } from './ai/settings.ts';
import type { RuleBook } from './rules/ruleBook.ts';
import type { UsualTimes } from './times.ts';

/** Settings of all rules, unless a rule overrides them. */
export interface AutomationSettings {
  quiet: QuietHours | null;
  usual: UsualTimes;
  /** Language for guests whose language is unknown. */
  language: string;
  /** Channels whose guests pay when they book. */
  paidByChannel: readonly string[];
  /** Custom fields that are as secret as a lock code. */
  secretFields: readonly string[];
  /** Addresses that rules may post to, by name. */
  hooks: Readonly<Record<string, Hook>>;
  /** The model for drafts; null for none. */
  ai: AiSettings | null;
  /** Days for which finished plans and the log are stored. Default, and null: for ever. */
  keepDays?: number | null;
  /** Milliseconds that our clock and upstream's may differ. Default: half a minute. */
  clockToleranceMs?: number;
}

interface Hook {
  url: string;
  secret: string;
}

/** The outcome of a post to a hook. */
export interface Posted {
  outcome: 'delivered' | 'refused' | 'unsure';
  detail: string;
}

/** Posts a signed body to a hook. */
export type PostToHook = (hook: Hook, id: string, body: string) => Promise<Posted>;

/** What a rule has noticed, for people. */
export interface NoticeOrder {
  /** The same in every attempt. */
  id: string;
  /** Names of places. */
  to: readonly string[];
  rule: string;
  title: string | null;
  text: string;
  /** A report that goes along, to mailboxes only. */
  report: NoticeReport | null;
}

/** A report of a month. */
export interface NoticeReport {
  name: string;
  /** Such as `2027-03`. */
  month: string;
  /** Code of an owner, for reports about one. */
  owner?: string | undefined;
}

/** Tells places of something. @returns why some of it cannot be told; undefined: it can */
export type NotifyPeople = (order: NoticeOrder) => Promise<string | undefined>;

/** Checks our clock against upstream's. With a wrong clock, rules would act too early or give up too soon. */
export interface Timekeeper {
  /**
   * Returns true if the clocks agree. Asks upstream if it has not given its time since the start or since our clock was
   * set; until it answers, the result is false.
   * @param isNeeded false if nothing depends on the result now, so upstream need not be asked
   */
  isRight(isNeeded?: boolean): Promise<boolean>;
  /** Returns false if the clock is known to be wrong. Asks nothing. */
  seemsRight(): boolean;
  /** Milliseconds by which our clock is ahead of upstream's, at least; 0 if unknown. */
  aheadMs(): number;
  /** Describes the difference for people; undefined if none is known. */
  problem(): string | undefined;
}

/** Links of a reservation for its guests. */
export type GuestLinks = Readonly<Record<GuestLink, string | null>>;

/** The surroundings of the automations of one connection. */
export interface Automating {
  store: MirrorStore;
  connection: string;
  client: Client;
  feed: Feed;
  clock: Clock;
  random: Random;
  ids: IdMaker;
  log: Logger;
  /** Absent for no traces. */
  tracer?: Tracer;
  settings: AutomationSettings;
  book: RuleBook;
  post: PostToHook;
  notify: NotifyPeople;
  /** Left out where the source is no core of ours, so that no rule knows such links. */
  guestLinkOf?: AskGuestLink | undefined;
  /** Returns a hash that needs a key from outside of the database. */
  keyedHash(text: string): string;
  /** The account's time zone. */
  zone(): string;
  /** Name of this process. */
  by: string;
  timekeeper: Timekeeper;
  signal: AbortSignal;
}
