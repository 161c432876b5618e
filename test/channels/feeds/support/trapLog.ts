import assert from 'node:assert/strict';
import { addDays, nightsOf, type PlainDate } from '../../../../src/kernel/dates.ts';
import type { FeedRow } from '../../../../src/channels/feeds/rows.ts';
import { FeedWorld, ics, type Marketplace, type Written } from './feedWorld.ts';

/** One poll: what the marketplace answers, and what it has really sold or closed. */
export interface Poll {
  /** By default ten. */
  readonly minutes?: number;
  /** What its calendar shows. */
  readonly events?: readonly Written[];
  /** An answer in the place of the calendar of `events`, and what it is called. */
  readonly answer?: Parameters<Marketplace['says']>[0];
  readonly called?: string;
  /** By default the spans of the events. */
  readonly sold?: readonly Span[];
  readonly comes?: 'good' | 'failed';
}

/** What an answer is called that says that nothing is new. */
export const NOTHING_NEW = 'nothing new';

export type Span = readonly [PlainDate, PlainDate];

interface Line {
  readonly poll: number;
  readonly hours: number;
  readonly shows: string;
  readonly taken: string;
  readonly freed: string;
  readonly held: string;
  readonly echoes: string;
}

interface StayNow {
  readonly id: number;
  readonly check_in_date: PlainDate;
  readonly check_out_date: PlainDate;
  readonly status: string;
}

/** Plays the polls of one trap, notes what each changed, and holds that against what was really sold. */
export class TrapLog {
  readonly title: string;
  readonly about: string;
  readonly lines: Line[] = [];
  readonly counts = { polls: 0, booked: 0, freed: 0, freedFalsely: 0, lost: 0 };
  readonly held = new Set<PlainDate>();
  readonly echoes = new Set<PlainDate>();
  readonly #world: FeedWorld;
  readonly #market: Marketplace;
  readonly #began: number;
  /** Nights that nobody could book after the last poll. */
  #closed: readonly PlainDate[] | undefined;

  constructor(title: string, about: string, { world, market }: { world: FeedWorld; market: Marketplace }) {
    this.title = title;
    this.about = about;
    this.#world = world;
    this.#market = market;
    this.#began = world.core.clock.now();
  }

  /** Polls once. @throws AssertionError if a night that is sold is free after it, or the read comes to something else */
  async poll(feed: FeedRow, { minutes = 10, events = [], answer, called, sold, comes = 'good' }: Poll): Promise<void> {
    const world = this.#world;
    this.#market.says(answer ?? ics(events));
    await world.core.clock.advance(minutes * 60_000);
    const [stays, closedBefore] = [await this.#stays(), await world.closed()];
    assert.equal(await world.read(feed, 0), comes);
    const closed = await world.closed();
    const truth = ahead(sold ?? events.map(({ start, end }) => [start, end] as const), world.today);
    const before = (this.#closed ?? closedBefore).filter((night) => night >= world.today);
    this.#closed = closed;
    const isClosed = new Set(closed);
    const freed = before.filter((night) => !isClosed.has(night));
    const lost = truth.filter((night) => !isClosed.has(night));
    const isRead = comes === 'good' && (called === undefined || called === NOTHING_NEW);
    const shown = new Set(isRead ? ahead(spansOf(events), world.today) : []);
    const ours = await this.#ours();
    const held = closed.filter((night) => !shown.has(night) && !ours.has(night));
    for (const night of held) this.held.add(night);
    const echoed = ahead(await this.#echoed(feed), world.today);
    for (const night of echoed) this.echoes.add(night);
    const staysNow = await this.#stays();
    const news = newsOf(stays, staysNow);
    const byStays = new Set(staysNow.flatMap((stay) => nightsOf(stay.check_in_date, stay.check_out_date)));
    const closedNow = closed.filter((night) => !before.includes(night) && !byStays.has(night));
    this.counts.polls += 1;
    this.counts.booked += news.filter((one) => one.startsWith('books')).length;
    this.counts.freed += freed.length;
    this.counts.freedFalsely += freed.filter((night) => truth.includes(night)).length;
    this.counts.lost += lost.length;
    this.lines.push({
      poll: this.counts.polls,
      hours: (world.core.clock.now() - this.#began) / 3_600_000,
      shows: called ?? (events.map(shownText).join('; ') || 'no event'),
      taken: [...news, ...(closedNow.length > 0 ? [`closes ${spansText(closedNow)}`] : [])].join('; '),
      freed: spansText(freed),
      held: spansText(held),
      echoes: spansText(echoed),
    });
    assert.deepEqual(lost, [], `${this.title}, poll ${this.counts.polls}: sold and free`);
  }

  async #stays(): Promise<StayNow[]> {
    return this.#world.core.core.store.db
      .selectFrom('stays')
      .where('channel_type', '=', 'ical')
      .select(['id', 'check_in_date', 'check_out_date', 'status'])
      .orderBy('id')
      .execute();
  }

  /** Nights that a stay of our own holds. */
  async #ours(): Promise<Set<PlainDate>> {
    const rows = await this.#world.core.core.store.db
      .selectFrom('stays')
      .where('channel_type', '<>', 'ical')
      .where('status', '=', 'accepted')
      .select(['check_in_date', 'check_out_date'])
      .execute();
    return new Set(rows.flatMap((stay) => nightsOf(stay.check_in_date, stay.check_out_date)));
  }

  async #echoed({ id }: FeedRow): Promise<Span[]> {
    const rows = await this.#world.core.core.store.db
      .selectFrom('feed_entries')
      .where('feed_id', '=', id)
      .where('echo', '=', 1)
      .select(['start_date', 'end_date'])
      .execute();
    return rows.map((entry) => [entry.start_date, entry.end_date]);
  }
}

function spansOf(events: readonly Written[]): Span[] {
  return events.map(({ start, end }) => [start, end]);
}

function ahead(spans: readonly Span[], today: PlainDate): PlainDate[] {
  return [...new Set(spans.flatMap(([start, end]) => nightsOf(start, end)))].filter((night) => night >= today);
}

function newsOf(before: readonly StayNow[], after: readonly StayNow[]): string[] {
  return after.flatMap((stay) => {
    const known = before.find(({ id }) => id === stay.id);
    const span = spanText([stay.check_in_date, stay.check_out_date]);
    if (!known) return [`books ${span}`];
    if (known.status !== stay.status) return [`${stay.status} ${span}`];
    const isMoved = known.check_in_date !== stay.check_in_date || known.check_out_date !== stay.check_out_date;
    return isMoved ? [`moves to ${span}`] : [];
  });
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function dayText(date: PlainDate): string {
  return `${Number(date.slice(8))} ${MONTHS[Number(date.slice(5, 7)) - 1]}`;
}

/** First night and day of departure. */
function spanText([start, end]: Span): string {
  return `${dayText(start)} – ${dayText(end)}`;
}

function spansText(nights: readonly PlainDate[]): string {
  const sorted = nights.toSorted();
  const starts = sorted.filter((night) => !sorted.includes(addDays(night, -1)));
  const ends = sorted.filter((night) => !sorted.includes(addDays(night, 1)));
  return starts.map((start, index) => spanText([start, addDays(ends[index] ?? start, 1)])).join(', ');
}

function shownText({ start, end, summary = 'Not available' }: Written): string {
  return `${/\((.+)\)/.exec(summary)?.[1] ?? summary.replace(/ - .*$/, '')} ${spanText([start, end])}`;
}

const HEAD = `# Traps of calendar feeds

Made by the tests from what stayd does; do not edit. Calendars of marketplaces are careless: starts move, names of events
change, events are missing for a moment, answers are cut off. Each trap below is played to a real service over a real
connection, poll by poll, on a clock that is moved by hand, and held against what the marketplace has really sold. What the
rules are stands in [channels](channels.md).

**Booked** counts reservations; the other figures are nights. **Held back** are nights that stayed closed although an answer
did not show them; an **echo** are nights of stays here that the marketplace repeats. **Freed falsely** are nights that were opened while they were sold; **lost** are nights that were sold and
free after a poll: both are 0, or the tests fail. A span is the first night and the day of departure.`;

/** Returns the text of `docs/feed-traps.md`. */
export function renderTraps(traps: readonly TrapLog[]): string {
  const summary = [
    '| trap | polls | booked | freed | held back | echoes | freed falsely | lost |',
    '|---|---|---|---|---|---|---|---|',
    ...traps.map(({ title, counts, held, echoes }) => {
      const figures = [counts.polls, counts.booked, counts.freed, held.size, echoes.size];
      return `| [${title}](#${anchorOf(title)}) | ${[...figures, counts.freedFalsely, counts.lost].join(' | ')} |`;
    }),
  ];
  const parts = traps.map(({ title, about, lines }) => [`## ${title}`, '', about, '', ...tableOf(lines)].join('\n'));
  return `${[HEAD, summary.join('\n'), ...parts].join('\n\n')}\n`;
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

function tableOf(lines: readonly Line[]): string[] {
  const rows: Line[][] = [];
  for (const line of lines) {
    const last = rows.at(-1);
    const isSame = last !== undefined && line.taken === '' && line.freed === '' && isLike(last.at(-1), line);
    if (isSame) last.push(line);
    else rows.push([line]);
  }
  return [
    '| poll | after | the calendar shows | booked or closed | freed | held back | echo |',
    '|---|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${[numbers(row), hours(row), shows(row), ...effects(row)].join(' | ')} |`),
  ];
}

/** Polls that change nothing are one row, as long as the same nights are held back. */
function isLike(one: Line | undefined, other: Line): boolean {
  return (
    one !== undefined &&
    one.taken === '' &&
    one.freed === '' &&
    (one.held === '') === (other.held === '') &&
    (one.echoes === '') === (other.echoes === '')
  );
}

function effects(row: readonly Line[]): string[] {
  const [first, last] = [row[0], row.at(-1)];
  return [first?.taken ?? '', first?.freed ?? '', last?.held ?? '', last?.echoes ?? ''].map((text) => text || '–');
}

function numbers(row: readonly Line[]): string {
  const [first, last] = [row[0]?.poll, row.at(-1)?.poll];
  return first === last ? String(first) : `${first}–${last}`;
}

function hours(row: readonly Line[]): string {
  const at = row.at(-1)?.hours ?? 0;
  if (at < 1) return `${Math.round(at * 60)} min`;
  return at < 48 ? `${Number(at.toFixed(1))} h` : `${Number((at / 24).toFixed(1))} days`;
}

function shows(row: readonly Line[]): string {
  const texts = [...new Set(row.map((line) => line.shows))];
  if (texts.length <= 6) return texts.join(' · ');
  return `${texts[0]} · … ${texts.length - 2} others … · ${texts.at(-1)}`;
}
