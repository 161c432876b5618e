import { dayNumber, daysBetween, type PlainDate } from '../../kernel/dates.ts';
import { decimalText } from '../../kernel/money.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import type { Visit } from '../visit.ts';
import type { NightPrice } from './prices.ts';
import type { Unit } from './query.ts';
import type { Span } from './spans.ts';
import { calendarAddress } from './state.ts';

/** Nights of a part of a lane, or somewhat more. */
const PART = 56;

/** What all rows of a calendar have in common. */
export interface Columns {
  readonly dates: readonly PlainDate[];
  /** These dates in words, and the day after them. */
  readonly days: readonly string[];
  /** True: each night has a cell of its own. False: nights without a stay that follow each other share one. */
  readonly isFine: boolean;
}

/** Returns the classes that make something as wide, or as high, as a number of nights or rows. */
export function sizeClasses(count: number): string {
  const digits = { h: Math.floor(count / 100), t: Math.floor(count / 10) % 10, u: count % 10 };
  return Object.entries(digits)
    .flatMap(([place, digit]) => (digit === 0 ? [] : [`${place}${digit}`]))
    .join(' ');
}

/** Returns the classes of a date's column. */
export function dateClasses(date: PlainDate, today: PlainDate): string {
  // 1970-01-01 was a Thursday.
  const weekday = (dayNumber(date) + 4) % 7;
  return [date === today ? 'today' : '', weekday === 0 || weekday === 6 ? 'weekend' : ''].filter(Boolean).join(' ');
}

/** Builds the row of a property: its name, and its lanes of nights. */
export function unitRow(visit: Visit, unit: Unit, columns: Columns): Html {
  const { id, name, lanes } = unit;
  const title = name ?? `#${id}`;
  const isFree = freeNights(visit, unit, columns);
  const shown: readonly (readonly Span[])[] = lanes.length === 0 ? [[]] : lanes;
  return html`<div role="row" class="row" data-unit="${id}" data-name="${title}">
    <div role="rowheader" class="unit">
      ${mayChange(visit) ? html`<a href="${calendarAddress(visit, { unit: id })}">${title}</a>` : title}
    </div>
    <div role="none" class="lanes">
      ${shown.map(
        (spans, lane) =>
          html`<div role="none" class="lane">
            ${partsOf(piecesOf(spans, columns, (index) => lane === 0 && isFree(index))).map(
              (pieces) =>
                html`<div role="none" class="part ${sizeClasses(nightsIn(pieces))}">
                  ${pieces.map((piece) => pieceCell(visit, unit, piece, columns))}
                </div>`,
            )}
          </div>`,
      )}
    </div>
  </div>`;
}

/** Returns true for a person who may do something with the nights of a property. */
export function mayChange(visit: Visit): boolean {
  return (['calendar.block', 'calendar.price', 'calendar.move', 'stay.book'] as const).some((right) =>
    visit.may(right),
  );
}

/** Returns which nights, by their index, can still be booked. */
function freeNights({ today }: Visit, { lanes }: Unit, { dates }: Columns): (index: number) => boolean {
  const taken = new Set<number>();
  for (const { first, nights } of lanes.flat())
    for (let index = 0; index < nights; index += 1) taken.add(first + index);
  const start = daysBetween(dates[0] ?? today, today);
  return (index) => index >= start && !taken.has(index);
}

/** A part of a lane: a stay or block, or nights without one, which are free or out of reach. */
type Piece = Span | { kind: 'free' | 'gap'; first: number; nights: number };

function piecesOf(spans: readonly Span[], { dates, isFine }: Columns, isFree: (index: number) => boolean): Piece[] {
  const pieces: Piece[] = [];
  let column = 0;
  const fillUntil = (end: number) => {
    for (; column < end; column += 1) {
      const kind = isFree(column) ? 'free' : 'gap';
      const last = pieces.at(-1);
      if (!isFine && last?.kind === kind && last.first + last.nights === column) last.nights += 1;
      else pieces.push({ kind, first: column, nights: 1 });
    }
  };
  for (const span of spans) {
    fillUntil(span.first);
    pieces.push(span);
    column += span.nights;
  }
  fillUntil(dates.length);
  return pieces;
}

/** Parts of a lane of at least {@link PART} nights: those that are out of sight are not drawn. */
function partsOf(pieces: readonly Piece[]): Piece[][] {
  const parts: Piece[][] = [];
  for (const piece of pieces) {
    const last = parts.at(-1);
    if (last && nightsIn(last) < PART) last.push(piece);
    else parts.push([piece]);
  }
  return parts;
}

function nightsIn(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { nights }) => sum + nights, 0);
}

function pieceCell(visit: Visit, unit: Unit, piece: Piece, columns: Columns): Html {
  if (piece.kind === 'stay' || piece.kind === 'block') return spanCell(visit, unit, piece, columns);
  const { kind, first, nights } = piece;
  const date = columns.dates[first] ?? '';
  const look = `night ${sizeClasses(nights)} ${columns.isFine ? dateClasses(date, visit.today) : ''}`;
  return html`<div role="cell" class="${look}">
    ${kind === 'free' ? freeNight(visit, unit, { date, nights, days: columns.days.slice(first, first + nights + 1) }) : ''}
  </div>`;
}

/** A free night, or several, with its price where it is shown; it leads to a booking from there. */
function freeNight(
  visit: Visit,
  unit: Unit,
  { date, nights, days }: { date: PlainDate; nights: number; days: readonly string[] },
): Html {
  const words = visit.texts.calendar;
  const price = unit.prices.get(date);
  const content = price ? priceOf(price) : '';
  if (!visit.may('stay.book')) return html`${content}`;
  const [from = ''] = days;
  const says = nights > 1 ? words.freeFromTo(from, days.at(-1) ?? '') : words.freeOn(from);
  const label = price ? `${says} ${priceText(visit, price)}` : says;
  return html`<a
    class="free"
    tabindex="-1"
    href="${visit.address('book', { property: unit.id, from: date })}"
    aria-label="${label}"
    >${content}</a
  >`;
}

function priceOf({ price, currency, minimum }: NightPrice): Html {
  const amount = price === null ? '' : decimalText(price, currency).replace(/[.]0+$/, '');
  return html`<b>${amount}</b>${minimum === null || minimum < 2 ? '' : html`<small>≥ ${minimum}</small>`}`;
}

/** Says a price and a minimum stay in words. */
export function priceText(
  { texts, format }: Visit,
  { price, currency, minimum }: Omit<NightPrice, 'listing' | 'date'>,
): string {
  const words = texts.calendar;
  const amount = price === null ? words.noPrice : format.money(price, currency);
  return minimum === null ? amount : `${amount}, ${words.atLeast(minimum)}`;
}

function spanCell(visit: Visit, { id }: Unit, span: Span, { dates, days }: Columns): Html {
  const { texts } = visit;
  const { kind, first, nights, text, isDouble, stay_code } = span;
  const words = texts.calendar;
  const shown = text ?? (kind === 'stay' ? texts.today.unknownGuest : words.blocked);
  const from = dates[first] ?? '';
  const title = words.nightsOf(shown, days[first] ?? '', days[first + nights] ?? '');
  const last = dates[first + nights - 1] ?? from;
  const to =
    stay_code === null
      ? calendarAddress(visit, { unit: id, first: from, last })
      : visit.address('stay', { code: stay_code });
  const look = `span ${isDouble ? 'double' : kind}`;
  const says = `${title}${isDouble ? `: ${words.double}` : ''}`;
  const content = html`${isDouble ? `${words.double}: ` : ''}${shown}`;
  const isLink = stay_code === null ? mayChange(visit) : visit.may('stay');
  return html`<div role="cell" aria-colindex="${first + 2}" aria-colspan="${nights}" class="${sizeClasses(nights)}">
    ${
      isLink
        ? html`<a
            class="${look}"
            href="${to}"
            title="${says}"
            ${stay_code === null ? '' : html`data-stay="${stay_code}"`}
            >${content}</a
          >`
        : html`<span class="${look}" title="${says}">${content}</span>`
    }
  </div>`;
}
