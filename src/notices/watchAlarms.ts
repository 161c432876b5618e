import { instantOf, msOf } from '../kernel/dates.ts';
import { sha256Hex } from '../kernel/signature.ts';
import type { MirrorTrx } from '../sync/tables/database.ts';
import type { NoticeAlarm, NoticesContext } from './context.ts';
import { hears, noticeFor } from './notice.ts';
import {
  addAlarm,
  changeAlarm,
  knownAlarms,
  moveNotices,
  noticesAbout,
  placesOf,
  putNotices,
  removeAlarm,
} from './table.ts';
import type { NoticeAlarmsTable, NoticePlacesTable } from './tables.ts';
import { wordsIn } from './texts.ts';

/** Milliseconds for which an alarm holds before people are told: many pass by themselves. */
const HOLDS_MS = 2 * 60_000;
/** Milliseconds for which it is missing before it counts as over. */
const GONE_MS = 10 * 60_000;

/**
 * Compares the alarms of now with those that are known. Each is told once, when it has held for a while, and once more
 * when it is over; while it lasts and says the same, nothing more is told.
 * @returns true if there is something to send
 */
export async function watchAlarms(context: NoticesContext): Promise<boolean> {
  const { store, connection, clock } = context;
  const now = clock.now();
  const present = new Map((await context.alarms()).map((one) => [keyOf(one), one]));
  return store.transaction(async (trx) => {
    const places = (await placesOf(trx, connection)).filter((place) => hears(place, 'alarms'));
    const known = await knownAlarms(trx, connection);
    for (const [alarm_key, { alarm, says, remedy }] of present) {
      if (known.some((one) => one.alarm_key === alarm_key)) continue;
      const times = { seen_at: instantOf(now), gone_at: null, told_at: null };
      await addAlarm(trx, { connection, alarm_key, alarm, says, remedy, ...times });
    }
    let made = 0;
    for (const row of known) {
      if (present.has(row.alarm_key)) made += await holds(trx, context, row, places);
      else made += await isMissing(trx, context, row, places, [...present.values()]);
    }
    return made > 0;
  });
}

/** Figures and moments change with every look and are no news. */
function keyOf({ alarm, says }: NoticeAlarm): string {
  return sha256Hex(`${alarm}\n${says.replace(/\d[\d.,:TZ-]*/g, '#')}`).slice(0, 32);
}

async function holds(
  trx: MirrorTrx,
  context: NoticesContext,
  row: NoticeAlarmsTable,
  places: readonly NoticePlacesTable[],
): Promise<number> {
  const now = context.clock.now();
  if (row.gone_at !== null) await changeAlarm(trx, row, { gone_at: null });
  if (now - msOf(row.seen_at) < HOLDS_MS) return 0;
  const { told_at } = row;
  if (told_at === null) await changeAlarm(trx, row, { told_at: instantOf(now) });
  // A place that was added since hears of it, too.
  const untold = told_at === null ? places : places.filter(({ created_at }) => created_at > told_at);
  return putNotices(
    trx,
    untold.map((place) => {
      const say = wordsIn(place.language);
      const text = [row.says, ...(row.remedy === null ? [] : [say.remedy(row.remedy)])].join('\n');
      const title = say.needsYou(row.alarm);
      return noticeFor(context, place, {
        about: begunOf(row),
        topic: 'alarms',
        title,
        text,
        link: context.page('health'),
      });
    }),
  );
}

async function isMissing(
  trx: MirrorTrx,
  context: NoticesContext,
  row: NoticeAlarmsTable,
  places: readonly NoticePlacesTable[],
  present: readonly NoticeAlarm[],
): Promise<number> {
  const now = context.clock.now();
  if (row.gone_at === null) {
    await changeAlarm(trx, row, { gone_at: instantOf(now) });
    return 0;
  }
  if (now - msOf(row.gone_at) < GONE_MS) return 0;
  await removeAlarm(trx, row);
  if (row.told_at === null) return 0;
  const told = await noticesAbout(trx, context.connection, begunOf(row));
  const untold = told.filter(({ state }) => state === 'waiting');
  await moveNotices(trx, untold, 'drop', { ended_at: instantOf(now) });
  // It says something else now, which is told by itself.
  if (present.some(({ alarm }) => alarm === row.alarm)) return 0;
  const knowing = new Set(told.filter(({ state }) => state === 'sent').map(({ place_id }) => place_id));
  return putNotices(
    trx,
    places
      .filter(({ place_id }) => knowing.has(place_id))
      .map((place) => {
        const title = wordsIn(place.language).over(row.alarm);
        return noticeFor(context, place, {
          about: `over ${begunOf(row)}`,
          topic: 'alarms',
          title,
          text: row.says,
          link: null,
        });
      }),
  );
}

function begunOf({ alarm_key, seen_at }: NoticeAlarmsTable): string {
  return `alarm ${alarm_key} ${seen_at}`;
}
