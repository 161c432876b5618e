import { createHash } from 'node:crypto';
import { subscriptionAt } from '../../core/accounts/rules.ts';
import type { Core } from '../../core/context.ts';
import { instantOf } from '../../kernel/dates.ts';
import { sha256Hex } from '../../kernel/signature.ts';
import { calendarText } from './calendarText.ts';
import { eventsToShow } from './shown.ts';
import type { FeedRow } from './rows.ts';
import { accountAndProperty, feedByHash, writeFeed } from './table.ts';
import { tellAgain, toldOf } from './told.ts';

/** Milliseconds after which a further fetch of the same calendar is noted again; nearer ones belong together. */
const NOTE_MS = 60_000;
const LONGEST_PROGRAM = 100;
/** The share of the newest gap in the usual one. */
const NEWEST = 0.2;

/** A calendar of ours. */
export interface ServedCalendar {
  readonly feedId: number;
  readonly text: string;
  /** Changes with the text. */
  readonly etag: string;
}

/**
 * Returns the calendar behind a token, and notes who fetched it and what they saw, so that it is recognised when it comes
 * back.
 * @param by the program that asks
 * @returns undefined for a token that opens nothing, or no longer
 */
export async function calendarBehind(core: Core, token: string, by: string): Promise<ServedCalendar | undefined> {
  const { db } = core.store;
  const feed = await feedByHash(db, sha256Hex(token));
  if (!feed) return undefined;
  const { account, property } = await accountAndProperty(db, feed);
  // An error lets a channel keep what it knows; an empty calendar would open every night there.
  if (property.status === 'inactive' && feed.audience === 'channel') return undefined;
  const now = core.clock.now();
  if (subscriptionAt(account, now) !== 'active') return undefined;
  const events = await eventsToShow({ core, db, now }, feed, property);
  const before = toldOf(feed);
  const told = tellAgain(before, events, instantOf(now));
  const text = calendarText(`${property.name} (${feed.name})`, events, told, feed.audience);
  const isNews = JSON.stringify(told) !== JSON.stringify(before);
  const isDue = feed.fetched_at === null || now - Date.parse(feed.fetched_at) >= NOTE_MS;
  if (isNews || isDue) {
    await writeFeed(db, feed, {
      fetched_at: instantOf(now),
      ...(isDue && { usual_fetch_ms: usualFetch(feed, now) }),
      fetched_by: by.replaceAll(/\p{Cc}+/gu, ' ').slice(0, LONGEST_PROGRAM),
      told: JSON.stringify(told),
    });
  }
  return { feedId: feed.id, text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 24)}"` };
}

/** Returns the usual time between two fetches, now that one has come. */
function usualFetch({ fetched_at, usual_fetch_ms: usual }: FeedRow, now: number): number | null {
  if (fetched_at === null) return null;
  const gap = now - Date.parse(fetched_at);
  return Math.round(usual === null ? gap : usual + NEWEST * (gap - usual));
}
