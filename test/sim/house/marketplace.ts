import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addDays, dateIn, nightsOf, type PlainDate } from '../../../src/kernel/dates.ts';
import type { Dice } from '../../../src/kernel/seeded.ts';
import { ZONE } from './timeline.ts';

const MINUTE = 60_000;
/** Nights that a marketplace sells ahead; it shows what lies behind as closed. Somewhat more than are judged: all nights pass it. */
const HORIZON_NIGHTS = 180;

/** Nights from the first to before the last day. */
export interface Span {
  readonly from: PlainDate;
  readonly to: PlainDate;
}

/** What somebody bought at a marketplace, or what its host closed there. */
export interface Sale extends Span {
  readonly id: number;
  readonly flat: number;
  readonly reference: string;
  readonly phone: string;
  readonly by: 'guest' | 'owner';
  isOff: boolean;
}

/** Ways in which a calendar fails, as they were seen. */
export const FAULTS = ['html', 'error', 'empty', 'cut', 'refused'] as const;
export type Fault = (typeof FAULTS)[number];

/** How a marketplace writes and reads calendars. */
export interface Habits {
  readonly name: string;
  readonly source: 'airbnb' | 'booking_com';
  /** Minutes between two reads of our calendar. */
  readonly readsEvery: readonly [number, number];
  /** Shows what it has learned from us as its own closed nights. */
  events(listing: Listing, today: PlainDate): readonly Written[];
}

interface Written extends Span {
  readonly uid: string;
  readonly summary: string;
  readonly description?: string;
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Tells reservations and closed nights apart; a closed span begins today at the earliest, and its UID follows it. */
export const AIRBNB: Habits = {
  name: 'Airbnb',
  source: 'airbnb',
  readsEvery: [120, 180],
  events(listing, today) {
    const closed = listing.closedNights(today, { ownSales: false });
    return [
      ...listing.sold(today).map(({ from, to, reference, phone }) => ({
        from,
        to,
        uid: `1418fb94e984-${digest(reference)}@airbnb.com`,
        summary: 'Reserved',
        description: `Reservation URL: https://www.airbnb.com/hosting/reservations/details/${reference}\\nPhone Number (Last 4 Digits): ${phone}`,
      })),
      ...spansOf(closed).map(({ from, to }) => ({
        from,
        to,
        uid: `7f662ec65913-${digest(`${listing.flat} ${from} ${to}`)}@airbnb.com`,
        summary: 'Airbnb (Not available)',
      })),
    ];
  },
};

/** Calls everything closed, and cuts neighbouring nights as it likes. */
export const BOOKING: Habits = {
  name: 'Booking.com',
  source: 'booking_com',
  readsEvery: [15, 240],
  events: (listing, today) =>
    spansOf(listing.closedNights(today, { ownSales: true })).map(({ from, to }) => ({
      from,
      to,
      uid: `${digest(`${listing.flat} ${from}`)}@booking.com`,
      summary: 'CLOSED - Not available',
    })),
};

/** One flat at a marketplace. */
export class Listing {
  readonly flat: number;
  readonly sales: Sale[] = [];
  /** Nights that our calendar closed when it was read last. */
  learned = new Set<PlainDate>();
  ours = '';
  etag = '';
  nextReadMs = 0;
  fault: Fault | undefined;

  constructor(flat: number) {
    this.flat = flat;
  }

  /** Sales that stand and are not over. */
  standing(today: PlainDate): Sale[] {
    return this.sales.filter((sale) => !sale.isOff && sale.to > today);
  }

  sold(today: PlainDate): Sale[] {
    return this.standing(today).filter(({ by }) => by === 'guest');
  }

  isFree({ from, to }: Span, today: PlainDate): boolean {
    const taken = this.closedNights(today, { ownSales: true });
    return nightsOf(from, to).every((night) => !taken.has(night));
  }

  /** Nights from today on that are not sold here. */
  closedNights(today: PlainDate, { ownSales }: { ownSales: boolean }): Set<PlainDate> {
    const sold = new Set(this.sold(today).flatMap(({ from, to }) => nightsOf(from, to)));
    const owner = this.standing(today).filter(({ by }) => by === 'owner');
    const horizon = nightsOf(addDays(today, HORIZON_NIGHTS), addDays(today, HORIZON_NIGHTS + 30));
    const closed = [...this.learned, ...owner.flatMap(({ from, to }) => nightsOf(from, to)), ...horizon];
    return new Set(
      [...closed.filter((night) => !sold.has(night)), ...(ownSales ? sold : [])].filter((n) => n >= today),
    );
  }
}

function spansOf(nights: ReadonlySet<PlainDate>): Span[] {
  const spans: { from: PlainDate; to: PlainDate }[] = [];
  for (const night of [...nights].toSorted()) {
    const last = spans.at(-1);
    if (last?.to === night) last.to = addDays(night, 1);
    else spans.push({ from: night, to: addDays(night, 1) });
  }
  return spans;
}

/** Nights of a calendar, read line by line: a reader that shares nothing with the program. */
function nightsIn(text: string): Set<PlainDate> {
  const nights = new Set<PlainDate>();
  for (const event of text
    .replaceAll(/\r\n[ \t]/g, '')
    .split('BEGIN:VEVENT')
    .slice(1)) {
    const [from, to] = ['DTSTART', 'DTEND'].map((name) => {
      const [, year, month, day] = new RegExp(`^${name}[^:\r\n]*:(\\d{4})(\\d\\d)(\\d\\d)`, 'm').exec(event) ?? [];
      return `${year}-${month}-${day}`;
    }) as [PlainDate, PlainDate];
    for (const night of nightsOf(from, to)) nights.add(night);
  }
  return nights;
}

export interface OpenMarketplace {
  readonly habits: Habits;
  readonly address: string;
  readonly listings: readonly Listing[];
  urlOf(listing: Listing): string;
  /** Reads those of our calendars whose turn has come. */
  readOurs(): Promise<void>;
  close(): Promise<void>;
}

interface Surroundings {
  readonly flats: number;
  readonly dice: Dice;
  now(): number;
}

/** Opens a marketplace that sells the flats, over real HTTP. */
export async function openMarketplace(habits: Habits, { flats, dice, now }: Surroundings): Promise<OpenMarketplace> {
  const listings = Array.from({ length: flats }, (_, flat) => new Listing(flat));
  const server = createServer((request, response) => {
    const listing = listings[Number(/\/ical\/(\d+)\.ics/.exec(request.url ?? '')?.[1])];
    if (!listing) return response.writeHead(404).end();
    const { fault } = listing;
    if (fault === 'error' || fault === 'refused') return response.writeHead(fault === 'error' ? 503 : 429).end('later');
    if (fault === 'html') return response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>');
    const events = fault === 'empty' ? [] : habits.events(listing, dateIn(ZONE, now()));
    const text = write(habits, events);
    const etag = `"${digest(text)}"`;
    if (fault === 'cut') return response.writeHead(200, CALENDAR).end(text.slice(0, Math.floor(text.length * 0.6)));
    if (request.headers['if-none-match'] === etag) return response.writeHead(304, { etag }).end();
    return response.writeHead(200, { ...CALENDAR, etag }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const agent = { 'user-agent': `${habits.name} calendar` };
  async function readOurs(): Promise<void> {
    for (const listing of listings) {
      if (listing.ours === '' || listing.nextReadMs > now()) continue;
      listing.nextReadMs = now() + dice.between(...habits.readsEvery) * MINUTE;
      const answer = await fetch(listing.ours, { headers: { ...agent, 'if-none-match': listing.etag } });
      const text = await answer.text();
      if (answer.status === 304) continue;
      if (answer.status !== 200) throw new Error(`our calendar answers ${answer.status} ${text}`);
      listing.etag = answer.headers.get('etag') ?? '';
      listing.learned = nightsIn(text);
    }
  }
  return {
    habits,
    address,
    listings,
    urlOf: ({ flat }) => `http://${address}/ical/${flat}.ics?s=secret`,
    readOurs,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const CALENDAR = { 'content-type': 'text/calendar; charset=utf-8' };

function write({ name }: Habits, events: readonly Written[]): string {
  const day = (date: PlainDate) => date.replaceAll('-', '');
  const lines = events.flatMap(({ from, to, uid, summary, description }) => [
    'BEGIN:VEVENT',
    'DTSTAMP:20261120T120000Z',
    `DTSTART;VALUE=DATE:${day(from)}`,
    `DTEND;VALUE=DATE:${day(to)}`,
    `SUMMARY:${summary}`,
    `UID:${uid}`,
    ...(description === undefined ? [] : [`DESCRIPTION:${description}`]),
    'END:VEVENT',
  ]);
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', `PRODID:-//${name}//EN`, ...lines, 'END:VCALENDAR', ''].join('\r\n');
}
