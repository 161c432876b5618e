import type { Instant, PlainDate } from '../kernel/dates.ts';
import type { Flag, Json } from '../sync/tables/rowFacts.ts';
import type { NoticeState, PlaceState } from './states.ts';

/** What a place can hear of by itself. What rules tell names its place. */
export const noticeTopics = ['alarms', 'today'] as const;
export type NoticeTopic = (typeof noticeTopics)[number];

export const noticeLanguages = ['en', 'de'] as const;
export type NoticeLanguage = (typeof noticeLanguages)[number];

/** Where people are told. */
export interface NoticePlacesTable {
  connection: string;
  place_id: string;
  /** As rules call it; unique. */
  name: string;
  kind: string;
  /** Sealed JSON of its kind, see {@link settingsContext}. */
  settings: string;
  /** Where it leads, without secrets. */
  shown: string;
  language: NoticeLanguage;
  /** JSON list of {@link noticeTopics}. */
  hears: Json;
  /** Hours such as `21:00-07:00`, in the account's zone. */
  quiet: string | null;
  /** 1 if alarms are told in quiet hours, too. */
  wakes: Flag;
  /** When the day ahead is told, such as `07:30`. */
  briefing_at: string | null;
  /** 1 if the day ahead names guests. */
  persons: Flag;
  state: PlaceState;
  /** The last day that was told. */
  briefed_on: PlainDate | null;
  claimed_until: Instant | null;
  /** Nothing is sent before. */
  next_at: Instant | null;
  succeeded_at: Instant | null;
  failing_since: Instant | null;
  /** Why the last attempt failed. */
  problem: string | null;
  created_at: Instant;
}

/** One thing that one place is told. */
export interface NoticesTable {
  connection: string;
  notice_id: string;
  place_id: string;
  /** The thing; a place is told each once. */
  about: string;
  topic: string;
  title: string;
  /** Empty once it has ended: it can name guests. */
  text: string;
  link: string | null;
  /** JSON of a report to attach, with its month; null: none. */
  report: Json | null;
  state: NoticeState;
  attempts: number;
  next_at: Instant;
  problem: string | null;
  created_at: Instant;
  ended_at: Instant | null;
}

/** An alarm of now, or of a moment ago. */
export interface NoticeAlarmsTable {
  connection: string;
  alarm_key: string;
  alarm: string;
  says: string;
  remedy: string | null;
  seen_at: Instant;
  gone_at: Instant | null;
  told_at: Instant | null;
}

/** Returns the context in which the settings of a place are sealed. */
export function settingsContext(connection: string, placeId: string): string {
  return `notice place ${connection} ${placeId}`;
}

declare module '../sync/tables/database.ts' {
  interface Mirror {
    notice_places: NoticePlacesTable;
    notices: NoticesTable;
    notice_alarms: NoticeAlarmsTable;
  }
}
