import { daysBetween, type PlainDate } from '../../kernel/dates.ts';

/** Nights in a row that one thing takes: a stay, or a block. */
export interface Span {
  kind: 'stay' | 'block';
  /** Index of its first night among those shown. */
  first: number;
  nights: number;
  /** The guest of a stay, or the reason of a block; null: not known. */
  text: string | null;
  stay_code: string | null;
  /** True if another stay has one of its nights, too. */
  isDouble: boolean;
}

/** A night of a stay. */
export interface Night {
  night: PlainDate;
  stay_code: string;
  guest: string | null;
}

/** A night that is closed, whether by a stay or a block. */
export interface Closed {
  date: PlainDate;
  remarks: string | null;
}

/**
 * Joins nights of the same stay, and closed nights with the same reason that no stay takes, to spans. A span goes into the
 * first lane with room for it, so there is more than one lane only where a night is taken twice.
 */
export function lanesOf(from: PlainDate, nights: readonly Night[], closed: readonly Closed[]): Span[][] {
  const taken = new Map<PlainDate, number>();
  for (const { night } of nights) taken.set(night, (taken.get(night) ?? 0) + 1);
  const things = new Map<string, Span[]>();
  const add = (key: string, span: Span) => {
    const known = things.get(key);
    if (known) known.push(span);
    else things.set(key, [span]);
  };
  for (const { night, stay_code, guest } of nights) {
    const isDouble = Number(taken.get(night)) > 1;
    add(stay_code, { kind: 'stay', first: daysBetween(from, night), nights: 1, text: guest, stay_code, isDouble });
  }
  for (const { date, remarks } of closed) {
    if (taken.has(date)) continue;
    const first = daysBetween(from, date);
    add('', { kind: 'block', first, nights: 1, text: remarks, stay_code: null, isDouble: false });
  }
  const lanes: Span[][] = [];
  for (const span of [...things.values()].flatMap(joined).toSorted((a, b) => a.first - b.first)) {
    const lane = lanes.find((one) => endOf(one.at(-1)) <= span.first);
    if (lane) lane.push(span);
    else lanes.push([span]);
  }
  return lanes;
}

/** Joins spans of one stay, or of blocks, that follow each other for the same reason. */
function joined(single: readonly Span[]): Span[] {
  const spans: Span[] = [];
  for (const one of single.toSorted((a, b) => a.first - b.first)) {
    const last = spans.at(-1);
    if (last && last.text === one.text && endOf(last) === one.first) {
      last.nights += 1;
      last.isDouble ||= one.isDouble;
    } else spans.push({ ...one });
  }
  return spans;
}

function endOf(span: Span | undefined): number {
  return span ? span.first + span.nights : 0;
}
