import type { z } from 'zod';
import type { Client, CallOptions } from '../../../client/client.ts';
import type { Known } from '../../../client/known.ts';
import type { availabilityDay } from '../../../contract/availabilities.ts';
import type { PlainDate } from '../../../kernel/dates.ts';
import type { DateRange } from '../rows/dateHints.ts';
import { flag, plainDateFrom } from '../wireValues.ts';

/** The word of events, dirty keys and the feed. */
export const AVAILABILITY = 'availability';

/** Nights around today that fill and free up from one hour to the next. */
export const NEAR_NIGHTS = { back: 1, ahead: 60 };

export interface Day {
  date: PlainDate;
  available: 0 | 1;
  remarks: string | null;
}

/** The last answer of a scan for some properties or listings: all their days were asked for since the given number. */
export interface DaysEnd<Key> {
  since: number;
  /** Those that every answer had. */
  complete: ReadonlySet<Key>;
}

/** What one request said of the nights of some properties, within a range of dates. */
export interface DaysAnswer {
  number: number;
  range: DateRange;
  properties: readonly { id: number; days: readonly Day[] }[];
  end?: DaysEnd<number>;
}

/** Reads the nights of up to 100 properties. */
export async function readDays(
  client: Client,
  propertyIds: readonly number[],
  range: DateRange,
  options: CallOptions,
): Promise<DaysAnswer['properties']> {
  const input = { property_ids: propertyIds.join(','), start_date: range.from, end_date: range.to };
  const { data } = await client.call('listAvailabilities', input, options);
  return data.properties.flatMap(({ id, availabilities }) => {
    // A property without its nights is left out of the answer, for all that it says.
    if (id === null || availabilities === null) return [];
    return [{ id, days: availabilities.flatMap((one) => dayOf(one, range)) }];
  });
}

type WireDay = Known<z.output<typeof availabilityDay>>;

/** What lies outside the question is no answer to it, and a night of which nobody says whether it is free is none. */
function dayOf({ date: text, available, remarks }: WireDay, range: DateRange): Day[] {
  const date = plainDateFrom(text);
  if (date === null || available === null || date < range.from || date > range.to) return [];
  return [{ date, available: flag(available), remarks }];
}
