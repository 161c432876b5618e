import { instantOf } from '../kernel/dates.ts';
import { next } from '../kernel/transitions.ts';
import type { NoticeReport, NoticesContext } from './context.ts';
import { noticeLife } from './states.ts';
import type { NoticePlacesTable, NoticesTable, NoticeTopic } from './tables.ts';

/** What is to be told. */
interface NoticeDraft {
  /** The thing; a place is told each once. */
  about: string;
  topic: NoticeTopic | 'rules' | 'test';
  title: string;
  text: string;
  link: string | null;
  report?: NoticeReport | null;
}

/** Makes a notice for a place. */
export function noticeFor(
  { clock, ids }: Pick<NoticesContext, 'clock' | 'ids'>,
  { connection, place_id }: Pick<NoticePlacesTable, 'connection' | 'place_id'>,
  { report = null, ...draft }: NoticeDraft,
): NoticesTable {
  const at = instantOf(clock.now());
  return {
    connection,
    notice_id: `note_${ids()}`,
    place_id,
    ...draft,
    report: report && JSON.stringify(report),
    state: next(noticeLife, null, 'make'),
    attempts: 0,
    next_at: at,
    problem: null,
    created_at: at,
    ended_at: null,
  };
}

/** Returns true if a place hears of a topic by itself. */
export function hears({ hears: list }: Pick<NoticePlacesTable, 'hears'>, topic: NoticeTopic): boolean {
  return (JSON.parse(list) as string[]).includes(topic);
}
