import type { z } from 'zod';
import type { Client, CallOptions } from '../../../client/client.ts';
import type { Known } from '../../../client/known.ts';
import type { availabilityDay } from '../../../contract/availabilities.ts';
import type { PlainDate } from '../../../kernel/dates.ts';
import type { DateRange } from '../rows/dateHints.ts';
import { flag, plainDateFrom } from '../wireValues.ts';

/** The name of the resource in events, dirty keys and the feed. */
export const AVAILABILITY = 'availability';

/** The nights around today that sell and free up from one hour to the next. */
export const NEAR_NIGHTS = { back: 1, ahead: 60 };

export interface Day {
  date: PlainDate;
  available: 0 | 1;
  remarks: string | null;
}

/** The last answer of a scan for some properties or listings: all their days were requested since the given number. */
export interface DaysEnd<Key> {
  since: number;
  /** The properties or listings that were in every answer. */
  complete: ReadonlySet<Key>;
}

/** The content of one answer: the nights of some properties, within a range of dates. */
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
    // A property without its nights is left out, whatever else the answer says.
    if (id === null || availabilities === null) return [];
    return [{ id, days: availabilities.flatMap((one) => dayOf(one, range)) }];
  });
}

type WireDay = Known<z.output<typeof availabilityDay>>;

/** Skips a night outside the requested range, and one whose availability is unknown. */
function dayOf({ date: text, available, remarks }: WireDay, range: DateRange): Day[] {
  const date = plainDateFrom(text);
  if (date === null || available === null || date < range.from || date > range.to) return [];
  return [{ date, available: flag(available), remarks }];
}
