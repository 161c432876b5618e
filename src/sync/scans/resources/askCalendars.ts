import { CallError } from '../../../client/callError.ts';
import type { Client } from '../../../client/client.ts';
import type { Purpose } from '../../../client/gate.ts';
import type { DateRange } from '../../tables/rows/dateHints.ts';
import { type CalendarsAnswer, listingName, readCalendars } from '../../tables/listings/calendar.ts';
import type { ReadNumbers } from '../../queue/readNumbers.ts';

interface CalendarsAsking {
  client: Client;
  numbers: ReadNumbers;
  purpose: Purpose;
  signal: AbortSignal;
  /** Called for each request sent. */
  onSend(): void;
  /**
   * Called for a listing that upstream does not have, or whose calendar it refuses; the next function, for those that
   * it has.
   */
  onAbsent(listing: string): Promise<void>;
  onThere(listings: readonly string[]): Promise<void>;
}

/** After this many refusals in a row for single listings, the calendars of a channel are taken to be unavailable. */
const REFUSED_IN_A_ROW = 2;

/**
 * Reads the days of listings. A refused request is repeated channel by channel, then in halves, until the listings at
 * fault are found. The others are read, and those at fault are remembered as long as absent keys.
 * @param refused receives the listings that could not be read although they may exist
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
    if (!(error instanceof CallError) || error.client !== 'fix') {
      for (const listing of listings) refused.set(listing, error);
      return [];
    }
    if (listings.length === 1) return absent(asking, listings);
    const ask = (some: readonly string[]) => askCalendars(asking, some, range, refused);
    // A missing listing is one among others; a refusal may concern a whole channel.
    return error.code === GONE ? inTurn(halves(listings), ask) : askByChannel(asking, listings, ask);
  }
}

const GONE = 404;

type Ask = (some: readonly string[]) => Promise<CalendarsAnswer[]>;

async function inTurn(parts: readonly (readonly string[])[], ask: Ask): Promise<CalendarsAnswer[]> {
  const answers: CalendarsAnswer[] = [];
  for (const part of parts) if (part.length > 0) answers.push(...(await ask(part)));
  return answers;
}

function halves(listings: readonly string[]): (readonly string[])[] {
  const half = Math.ceil(listings.length / 2);
  return [listings.slice(0, half), listings.slice(half)];
}

async function absent(asking: CalendarsAsking, listings: readonly string[]): Promise<CalendarsAnswer[]> {
  for (const listing of listings) await asking.onAbsent(listing);
  return [];
}

async function askByChannel(
  asking: CalendarsAsking,
  listings: readonly string[],
  ask: Ask,
): Promise<CalendarsAnswer[]> {
  const channels = new Map<string, string[]>();
  for (const key of listings) {
    const { channel_type } = listingName(key);
    channels.set(channel_type, [...(channels.get(channel_type) ?? []), key]);
  }
  if (channels.size > 1) return inTurn([...channels.values()], ask);
  // If one after the other is refused, the rest need not be requested one by one.
  const first = listings.slice(0, REFUSED_IN_A_ROW);
  const rest = listings.slice(first.length);
  const answers = await inTurn(
    first.map((one) => [one]),
    ask,
  );
  if (answers.length === 0) return absent(asking, rest);
  return [...answers, ...(await inTurn(halves(rest), ask))];
}
