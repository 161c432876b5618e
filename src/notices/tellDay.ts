import { dateIn, instantOf, msOf } from '../kernel/dates.ts';
import { momentOf } from '../kernel/quietHours.ts';
import type { NoticesContext } from './context.ts';
import { hears, noticeFor } from './notice.ts';
import { changePlace, placesOf, putNotices } from './table.ts';
import { briefingText } from './texts.ts';

/** Milliseconds after its time in which a day is still told of; after a longer stop it is no news. */
const LATE_MS = 6 * 60 * 60_000;

/**
 * Makes the notices of the day ahead that are due.
 * @returns true if there is something to send
 */
export async function tellDay(context: NoticesContext): Promise<boolean> {
  const { store, connection, clock } = context;
  const now = clock.now();
  const date = dateIn(context.zone(), now);
  const due = (await placesOf(store.db, connection)).filter((place) => {
    if (place.state !== 'active' || place.briefing_at === null || place.briefed_on === date) return false;
    const sinceMs = now - msOf(momentOf(date, place.briefing_at, context.zone()));
    return hears(place, 'today') && sinceMs >= 0 && sinceMs < LATE_MS && place.created_at < instantOf(now - sinceMs);
  });
  if (due.length === 0) return false;
  const briefing = await context.briefing(date);
  await store.transaction(async (trx) => {
    for (const place of due) {
      const said = briefingText(briefing, place.language, place.persons === 1);
      const link = context.page('today');
      await putNotices(trx, [noticeFor(context, place, { about: `day ${date}`, topic: 'today', ...said, link })]);
      await changePlace(trx, place, { briefed_on: date });
    }
  });
  return true;
}
