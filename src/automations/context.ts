import type { Client } from '../client/client.ts';
import type { Clock } from '../kernel/clock.ts';
import type { IdMaker } from '../kernel/ids.ts';
import type { Logger } from '../kernel/log.ts';
import type { Random } from '../kernel/random.ts';
import type { MirrorStore } from '../sync/tables/database.ts';
import type { Feed } from '../sync/feed/feed.ts';
import type { AiSettings } from './ai/settings.ts';
import type { RuleBook } from './rules/ruleBook.ts';
import type { QuietHours } from './rules/durations.ts';
import type { UsualTimes } from './times.ts';

/** What holds for all rules unless they say otherwise. */
export interface AutomationSettings {
  quiet: QuietHours | null;
  usual: UsualTimes;
  /** Spoken to guests of whom nothing is known. */
  language: string;
  /** Channels whose guests have paid when they have booked. */
  paidByChannel: readonly string[];
  /** Custom fields that are as secret as a lock code. */
  secretFields: readonly string[];
  /** Where rules may post to, by name. */
  hooks: Readonly<Record<string, Hook>>;
  /** Who drafts; null: no model is asked. */
  ai: AiSettings | null;
  /** Days that finished plans and the log are kept; null or left out: for ever. */
  keepDays?: number | null;
  /** So far our clock and the other side's may differ; left out: half a minute. */
  clockToleranceMs?: number;
}

export interface Hook {
  url: string;
  secret: string;
}

/** What became of a post to a hook. */
export interface Posted {
  outcome: 'delivered' | 'refused' | 'unsure';
  detail: string;
}

/** Posts a signed body to a hook. */
export type PostToHook = (hook: Hook, id: string, body: string) => Promise<Posted>;

/** Knows whether our clock can be believed: what is done by a wrong one is done too early, or given up too soon. */
export interface Timekeeper {
  /**
   * Whether the clock is that of the other side. Where nobody has said so since the start, or since it was set, the
   * other side is asked first, and while nobody answers it is not.
   * @param isNeeded false: nothing depends on it just now, so that nobody is asked
   */
  isRight(isNeeded?: boolean): Promise<boolean>;
  /** As far as is known without asking: whether it is not known to be wrong. */
  seemsRight(): boolean;
  /** By how much it is ahead of the other side's, at least; 0 where nobody says. */
  aheadMs(): number;
  /** By how much it is wrong, for people; undefined: it is not known to be. */
  problem(): string | undefined;
}

/** What all parts of the automations of one connection share. */
export interface Automating {
  store: MirrorStore;
  connection: string;
  client: Client;
  feed: Feed;
  clock: Clock;
  random: Random;
  ids: IdMaker;
  log: Logger;
  settings: AutomationSettings;
  book: RuleBook;
  post: PostToHook;
  /** A hash that nobody can make who has the database alone. */
  keyedHash(text: string): string;
  /** The account's time zone. */
  zone(): string;
  /** Names this process. */
  by: string;
  timekeeper: Timekeeper;
  signal: AbortSignal;
}
