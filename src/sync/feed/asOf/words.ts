import { ApiError } from '../../../kernel/errors.ts';
import { allResources } from '../../tables/resources.ts';
import { AVAILABILITY } from '../../tables/listings/availability.ts';
import { CALENDAR } from '../../tables/listings/calendar.ts';
import type { MirrorResource } from '../../tables/rows/resource.ts';

/** The things with a history: rows of a kind, or the days of something. */
type Asked = { kind: 'rows'; of: MirrorResource } | { kind: 'days'; of: DaysResource };
export type DaysResource = typeof AVAILABILITY | typeof CALENDAR;

const rows = new Map(allResources.map((one) => [one.name, one]));

/** The resource names that changes of the feed carry. */
export const feedWords: readonly string[] = [...rows.keys(), AVAILABILITY, CALENDAR].toSorted();

/** The things by their name in the feed, or the name of the table. */
const byWord = new Map<string, Asked>([
  ...[...rows.values()].flatMap((of): [string, Asked][] => [
    [of.name, { kind: 'rows', of }],
    [of.table, { kind: 'rows', of }],
  ]),
  ...['reservations'].flatMap((word): [string, Asked][] => {
    const of = rows.get('reservation');
    return of ? [[word, { kind: 'rows', of }]] : [];
  }),
  [AVAILABILITY, { kind: 'days', of: AVAILABILITY }],
  ['availability_days', { kind: 'days', of: AVAILABILITY }],
  [CALENDAR, { kind: 'days', of: CALENDAR }],
  ['calendar_days', { kind: 'days', of: CALENDAR }],
]);

/** @throws ApiError 404 for an unknown name */
export function askedFor(word: string): Asked {
  const asked = byWord.get(word);
  if (asked) return asked;
  throw new ApiError(404, `resource: nothing called "${word}" is mirrored; there are ${feedWords.join(', ')}`, {
    field: 'resource',
  });
}
