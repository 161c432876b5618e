import { type Instant, instantOf, msOf } from '../kernel/dates.ts';
import { messageOf } from '../kernel/errors.ts';
import { afterQuiet, readQuietHours } from '../kernel/quietHours.ts';
import type { MailFile } from '../outbound/sendMail.ts';
import type { NoticeReport, NoticesContext, ReportFiles } from './context.ts';
import { isNoticeKind, noticeKinds } from './kinds/all.ts';
import type { Outcome, Told } from './kinds/kind.ts';
import { changePlace, claimPlace, moveNotices, placesOf, waitingOf } from './table.ts';
import { type NoticePlacesTable, type NoticesTable, settingsContext } from './tables.ts';
import { wordsIn } from './texts.ts';

/** Notices that are told together at most. */
const AT_ONCE = 50;
/** Milliseconds of a claim: longer than any attempt. */
const CLAIM_MS = 120_000;
/** Milliseconds between two messages to a place; what comes meanwhile is told together. */
const GAP_MS = 60_000;
const MINUTE = 60_000;
/** Milliseconds between an attempt and the next one; the last one repeats. */
const PAUSES_MS = [MINUTE / 2, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, 60 * MINUTE, 120 * MINUTE];
/** Milliseconds after which a notice is given up. */
const GIVE_UP_MS = 48 * 60 * MINUTE;
const TOO_OLD = 'it waited for two days';

/** Sends what waits and is due. @returns epoch milliseconds of the next work; Infinity: nothing waits */
export async function sendWaiting(context: NoticesContext, signal: AbortSignal): Promise<number> {
  const { store, connection } = context;
  let nextMs = Number.POSITIVE_INFINITY;
  for (const place of await placesOf(store.db, connection)) {
    if (signal.aborted) break;
    if (place.state === 'active') nextMs = Math.min(nextMs, await sendTo(context, place));
  }
  return nextMs;
}

/** Sends what is due at one place, together. @returns epoch milliseconds of the next work there */
export async function sendTo(context: NoticesContext, place: NoticePlacesTable): Promise<number> {
  const { store, clock, log, connection } = context;
  const waiting = await waitingOf(store.db, place, AT_ONCE);
  const now = clock.now();
  // Of before a long pause, or of a backup.
  const old = waiting.filter(({ created_at }) => now - msOf(created_at) >= GIVE_UP_MS);
  if (old.length > 0) {
    const changes = { problem: TOO_OLD, ended_at: instantOf(now) };
    await store.transaction((trx) => moveNotices(trx, old, 'give_up', changes));
  }
  const left = waiting.filter((notice) => !old.includes(notice));
  const times = left.map((notice) => ({ notice, atMs: dueOf(context, place, notice) }));
  const due = times.filter(({ atMs }) => atMs <= now).map(({ notice }) => notice);
  if (due.length === 0) return Math.min(...times.map(({ atMs }) => atMs), Number.POSITIVE_INFINITY);
  if (!(await claimPlace(store.db, place, { now: instantOf(now), until: instantOf(now + CLAIM_MS) }))) {
    return now + CLAIM_MS;
  }
  const outcome = await attempt(context, place, due);
  await note(context, place, due, outcome);
  if ('problem' in outcome)
    log.warn({ connection, place: place.name, problem: outcome.problem }, 'a notice was not taken');
  return clock.now() + GAP_MS;
}

/** Returns when a notice may be sent (epoch milliseconds): after quiet hours, and not too close to the last message. */
function dueOf({ zone }: NoticesContext, place: NoticePlacesTable, { topic, next_at }: NoticesTable): number {
  if (topic === 'test') return msOf(next_at);
  const at: Instant = place.next_at !== null && place.next_at > next_at ? place.next_at : next_at;
  const quiet = place.quiet === null || (topic === 'alarms' && place.wakes === 1) ? null : readQuietHours(place.quiet);
  return msOf(afterQuiet(at, quiet ?? null, zone()));
}

/** Tells a place of one thing, or of several together. Never throws. */
async function attempt(
  { means, sealer, connection, reports }: NoticesContext,
  place: NoticePlacesTable,
  due: readonly NoticesTable[],
): Promise<Outcome> {
  try {
    if (!isNoticeKind(place.kind)) return { problem: `there is no kind ${place.kind}` };
    const kind = noticeKinds[place.kind];
    const sealed = sealer.open(place.settings, settingsContext(connection, place.place_id));
    const files = await filesOf(reports, due);
    return await kind.tell(means, kind.settings.parse(JSON.parse(sealed)), { ...together(place, due), files });
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** Makes the reports that go along, as they are now; each once. */
async function filesOf(reports: ReportFiles, due: readonly NoticesTable[]): Promise<MailFile[]> {
  const asked = new Set(due.flatMap(({ report }) => (report === null ? [] : [report])));
  const files: MailFile[] = [];
  for (const report of asked) files.push(await reports.read(JSON.parse(report) as NoticeReport));
  return files;
}

function together({ language }: NoticePlacesTable, due: readonly NoticesTable[]): Omit<Told, 'files'> {
  const [first] = due;
  if (!first) throw new Error('there is nothing to tell');
  const isUrgent = due.some(({ topic }) => topic === 'alarms');
  const { notice_id: id, topic, title, text, link } = first;
  if (due.length === 1) return { id, topic, title, text, link, isUrgent };
  const parts = due.map((one) => [one.title, ...(one.text === '' ? [] : [one.text])].join('\n'));
  const links = new Set(due.map((one) => one.link));
  return {
    id,
    topic: due.every((one) => one.topic === topic) ? topic : 'several',
    title: wordsIn(language).several(due.length),
    text: parts.join('\n\n'),
    link: links.size === 1 ? link : null,
    isUrgent,
  };
}

async function note(
  { store, clock }: NoticesContext,
  place: NoticePlacesTable,
  due: readonly NoticesTable[],
  outcome: Outcome,
): Promise<void> {
  const now = clock.now();
  const at = instantOf(now);
  const free = { claimed_until: null };
  await store.transaction(async (trx) => {
    if ('sent' in outcome) {
      await moveNotices(trx, due, 'send', { ended_at: at, problem: null });
      const next_at = instantOf(now + GAP_MS);
      await changePlace(trx, place, { ...free, succeeded_at: at, failing_since: null, problem: null, next_at });
      return;
    }
    const { problem, retryAfterMs = 0 } = outcome;
    for (const notice of due) {
      const attempts = notice.attempts + 1;
      const pause = PAUSES_MS[Math.min(attempts, PAUSES_MS.length) - 1] ?? MINUTE;
      const next_at = instantOf(now + Math.max(pause, retryAfterMs));
      await moveNotices(trx, [notice], 'retry', { attempts, problem, next_at });
    }
    await changePlace(trx, place, { ...free, problem, failing_since: place.failing_since ?? at });
  });
}
