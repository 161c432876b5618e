import { z } from 'zod';
import { instantOf } from '../kernel/dates.ts';
import { ApiError, invalid } from '../kernel/errors.ts';
import { CLOCK_TIME, readQuietHours } from '../kernel/quietHours.ts';
import { mayGo, next } from '../kernel/transitions.ts';
import type { NoticeReport, NoticesContext } from './context.ts';
import { isNoticeKind, noticeKindNames, noticeKinds } from './kinds/all.ts';
import { noticeFor } from './notice.ts';
import { sendTo } from './sendWaiting.ts';
import { placeLife, type PlaceState } from './states.ts';
import { changePlace, moveNotices, newestNotices, noticesAbout, placesOf, putNotices, removePlace } from './table.ts';
import { noticeLanguages, type NoticePlacesTable, noticeTopics, settingsContext } from './tables.ts';
import { wordsIn } from './texts.ts';

const MOST_PLACES = 50;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} _.-]{0,59}$/u;

/** The choices of a place that do not depend on its kind. */
const choices = z.object({
  language: z.enum(noticeLanguages).optional(),
  hears: z.array(z.enum(noticeTopics)).max(noticeTopics.length).optional(),
  quiet: z
    .string()
    .refine((text) => readQuietHours(text) !== undefined, { error: 'must be hours such as 21:00-07:00, or off' })
    .nullable()
    .optional(),
  wakes: z.boolean().optional(),
  briefing_at: z.string().regex(CLOCK_TIME, { error: 'must be a time such as 07:30' }).nullable().optional(),
  persons: z.boolean().optional(),
});
export type PlaceChoices = z.input<typeof choices>;

export interface PlaceDraft extends PlaceChoices {
  name: string;
  kind: string;
  settings: unknown;
}

export interface PlaceChange extends PlaceChoices {
  name?: string | undefined;
  /** All of them: secrets are not shown, so they cannot be changed one by one. */
  settings?: unknown;
  state?: PlaceState | undefined;
}

/** Where people are told: the operations for those who set it up. Errors are {@link ApiError}s that name the field. */
export class NoticeService {
  readonly #context: NoticesContext;
  readonly #onChange: () => void;

  constructor(context: NoticesContext, onChange: () => void) {
    this.#context = context;
    this.#onChange = onChange;
  }

  async list(): Promise<object[]> {
    const { store, connection } = this.#context;
    return (await placesOf(store.db, connection)).map(view);
  }

  async add({ name, kind, settings, ...chosen }: PlaceDraft): Promise<object> {
    const { store, connection, ids, clock } = this.#context;
    const place_id = `place_${ids()}`;
    const { language = 'en', hears = ['alarms'], ...rest } = this.#chosen(chosen);
    const row: NoticePlacesTable = {
      connection,
      place_id,
      name: checkedName(name),
      kind,
      ...this.#sealed(place_id, kind, settings),
      language,
      hears: JSON.stringify(hears),
      quiet: rest.quiet ?? null,
      wakes: rest.wakes ? 1 : 0,
      briefing_at: rest.briefing_at ?? (hears.includes('today') ? '07:30' : null),
      persons: rest.persons ? 1 : 0,
      state: next(placeLife, null, 'add'),
      briefed_on: null,
      claimed_until: null,
      next_at: null,
      succeeded_at: null,
      failing_since: null,
      problem: null,
      created_at: instantOf(clock.now()),
    };
    await store.transaction(async (trx) => {
      const others = await placesOf(trx, connection);
      if (others.length >= MOST_PLACES) throw new ApiError(422, `there are ${MOST_PLACES} places already`);
      requireFree(others, row);
      await trx.insertInto('notice_places').values(row).execute();
    });
    return view(row);
  }

  async change(named: string, { name, settings, state, ...chosen }: PlaceChange): Promise<object> {
    const { store, connection } = this.#context;
    const given = this.#chosen(chosen);
    const changed = await store.transaction(async (trx) => {
      const places = await placesOf(trx, connection);
      const place = found(places, named);
      const trigger = state === 'paused' ? 'pause' : 'resume';
      const changes: Partial<NoticePlacesTable> = {
        ...(name !== undefined && { name: checkedName(name) }),
        ...(settings !== undefined && this.#sealed(place.place_id, place.kind, settings)),
        ...(given.language !== undefined && { language: given.language }),
        ...(given.hears !== undefined && { hears: JSON.stringify(given.hears) }),
        ...(given.quiet !== undefined && { quiet: given.quiet }),
        ...(given.wakes !== undefined && { wakes: given.wakes ? 1 : 0 }),
        ...(given.briefing_at !== undefined && { briefing_at: given.briefing_at }),
        ...(given.persons !== undefined && { persons: given.persons ? 1 : 0 }),
        ...(state !== undefined &&
          mayGo(placeLife, place.state, trigger) && { state: next(placeLife, place.state, trigger) }),
      };
      if (changes.name !== undefined) requireFree(places, { ...place, name: changes.name });
      if (Object.keys(changes).length > 0) await changePlace(trx, place, changes);
      return { ...place, ...changes };
    });
    this.#onChange();
    return view(changed);
  }

  async remove(named: string): Promise<{ place_id: string; name: string }> {
    const { store, connection } = this.#context;
    return store.transaction(async (trx) => {
      const { place_id, name } = found(await placesOf(trx, connection), named);
      await removePlace(trx, { connection, place_id });
      return { place_id, name };
    });
  }

  /** Sends a test now, whatever the hour. @returns what became of it */
  async test(named: string): Promise<{ name: string; sent: boolean; problem: string | null }> {
    const { store, connection, ids, clock } = this.#context;
    const place = found(await placesOf(store.db, connection), named);
    if (place.state !== 'active') throw new ApiError(409, `${place.name} is paused; resume it first`);
    const say = wordsIn(place.language);
    const about = `test ${ids()}`;
    const draft = { about, topic: 'test', title: say.test, text: say.tested(place.name), link: null } as const;
    const notice = noticeFor(this.#context, place, draft);
    await store.transaction((trx) => putNotices(trx, [notice]));
    await sendTo(this.#context, place);
    const [told] = await noticesAbout(store.db, connection, about);
    // A test that arrives hours later would only confuse.
    if (told?.state === 'waiting')
      await store.transaction((trx) => moveNotices(trx, [told], 'give_up', { ended_at: instantOf(clock.now()) }));
    return { name: place.name, sent: told?.state === 'sent', problem: told?.problem ?? null };
  }

  /** Tells places of something that a rule has noticed. @returns why some of it cannot be told; undefined: it can */
  async tell(order: {
    id: string;
    to: readonly string[];
    rule: string;
    title: string | null;
    text: string;
    report: NoticeReport | null;
  }): Promise<string | undefined> {
    const { store, connection, reports } = this.#context;
    const { id, to, rule, text, report } = order;
    const problem = report && reports.problemOf(report);
    if (typeof problem === 'string') return problem;
    const places = await placesOf(store.db, connection);
    const missing = to.filter((name) => !places.some((place) => place.name === name));
    const wanted = places.filter(({ name }) => to.includes(name));
    const deaf = wanted.filter(({ kind }) => report !== null && kind !== 'email').map(({ name }) => name);
    const rows = wanted
      .filter(({ name }) => !deaf.includes(name))
      .map((place) => {
        const title = order.title ?? wordsIn(place.language).rule(rule);
        const draft = { about: `rule ${id}`, topic: 'rules', title, text, link: null, report } as const;
        return noticeFor(this.#context, place, draft);
      });
    await store.transaction((trx) => putNotices(trx, rows));
    this.#onChange();
    if (missing.length > 0) return `there is no place ${missing.join(', ')}: ./stayd notices list`;
    return deaf.length > 0 ? `${deaf.join(', ')} takes no report: only mail does` : undefined;
  }

  /** Lists what was told last. */
  async log({ place, limit }: { place?: string | undefined; limit: number }): Promise<object[]> {
    const { store, connection } = this.#context;
    const places = await placesOf(store.db, connection);
    const placeId = place === undefined ? undefined : found(places, place).place_id;
    const rows = await newestNotices(store.db, { connection, placeId, limit });
    return rows.map(({ connection: _, about: _about, place_id, text: _text, report: _report, ...notice }) => ({
      ...notice,
      place: places.find((one) => one.place_id === place_id)?.name ?? place_id,
    }));
  }

  #chosen(given: PlaceChoices) {
    const result = choices.safeParse(given);
    if (result.success) return result.data;
    throw problemIn(result.error);
  }

  #sealed(placeId: string, kind: string, settings: unknown): Pick<NoticePlacesTable, 'settings' | 'shown'> {
    const { sealer, connection, means } = this.#context;
    if (!isNoticeKind(kind)) throw invalid('kind', `must be one of ${noticeKindNames.join(', ')}`);
    if (kind === 'email' && means.mail === null) {
      throw new ApiError(409, 'kind: email needs a mail server: set mail.smtp.host and mail.smtp.from', {
        field: 'kind',
      });
    }
    const result = noticeKinds[kind].settings.safeParse(settings);
    if (!result.success) throw problemIn(result.error, 'settings');
    const address = noticeKinds[kind].addressOf(result.data);
    const refusal = address && means.refusalOf(address.url);
    if (refusal !== undefined) throw invalid(`settings.${address?.field}`, refusal);
    const sealed = sealer.seal(JSON.stringify(result.data), settingsContext(connection, placeId));
    return { settings: sealed, shown: noticeKinds[kind].shown(result.data) };
  }
}

function problemIn(error: z.ZodError, ...before: string[]): ApiError {
  const [issue] = error.issues;
  const field = [...before, ...(issue?.path ?? [])].join('.');
  return invalid(field, issue?.message ?? 'is wrong');
}

function checkedName(name: string): string {
  const text = name.trim();
  if (!NAME.test(text)) throw invalid('name', 'must be at most 60 letters, digits, blanks, _, . and -');
  return text;
}

function requireFree(places: readonly NoticePlacesTable[], { place_id, name }: NoticePlacesTable): void {
  const other = places.find((one) => one.name === name && one.place_id !== place_id);
  if (other) throw new ApiError(409, `name: there is a ${name} already`, { field: 'name' });
}

/** Finds a place by its name or its id. */
function found(places: readonly NoticePlacesTable[], named: string): NoticePlacesTable {
  const place = places.find((one) => one.name === named || one.place_id === named);
  if (!place) throw new ApiError(404, `place: there is no ${named}`, { field: 'place' });
  return place;
}

/** Returns a place as people see it, without its secrets. */
function view(place: NoticePlacesTable) {
  const {
    connection: _,
    settings: _settings,
    claimed_until: _claim,
    next_at: _next,
    briefed_on: _briefed,
    ...rest
  } = place;
  const { hears, wakes, persons } = rest;
  return { ...rest, hears: JSON.parse(hears) as string[], wakes: wakes === 1, persons: persons === 1 };
}
