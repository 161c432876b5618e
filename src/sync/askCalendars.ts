import { CallError } from '../client/callError.ts';
import type { Client } from '../client/client.ts';
import type { Purpose } from '../client/gate.ts';
import type { DateRange } from './dateHints.ts';
import { type CalendarsAnswer, readCalendars } from './mirror/calendar.ts';
import type { ReadNumbers } from './readNumbers.ts';

export interface CalendarsAsking {
  client: Client;
  numbers: ReadNumbers;
  purpose: Purpose;
  signal: AbortSignal;
  /** Told of each request sent. */
  onSend(): void;
  /** Told of a listing that upstream does not have (404), and of those that it has. */
  onAbsent(listing: string): Promise<void>;
  onThere(listings: readonly string[]): Promise<void>;
}

/**
 * Asks for the days of listings, and halves a request that is refused, until it is clear which listing is at fault.
 * @param refused receives the listings that could not be read; one that is gone is left out of both
 */
export async function askCalendars(
  asking: CalendarsAsking,
  listings: readonly string[],
  range: DateRange,
  refused: Map<string, unknown>,
): Promise<CalendarsAnswer[]> {
  let number = 0;
  const beforeSend = async () => {
    number = await asking.numbers.take();
    asking.onSend();
  };
  const { purpose, signal } = asking;
  try {
    const calendars = await readCalendars(asking.client, listings, range, { purpose, signal, beforeSend });
    await asking.onThere(listings);
    return [{ number, range, calendars }];
  } catch (error) {
    if (!(error instanceof CallError) || error.client !== 'fix') return refuse(refused, listings, error);
    if (listings.length === 1) {
      if (error.code !== 404) return refuse(refused, listings, error);
      for (const listing of listings) await asking.onAbsent(listing);
      return [];
    }
    const half = Math.ceil(listings.length / 2);
    const first = await askCalendars(asking, listings.slice(0, half), range, refused);
    return [...first, ...(await askCalendars(asking, listings.slice(half), range, refused))];
  }
}

function refuse(refused: Map<string, unknown>, listings: readonly string[], error: unknown): CalendarsAnswer[] {
  for (const listing of listings) refused.set(listing, error);
  return [];
}
