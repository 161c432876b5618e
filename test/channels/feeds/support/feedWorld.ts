import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { addDays, dateIn, nightsOf, type PlainDate } from '../../../../src/kernel/dates.ts';
import { calendarReader, type CalendarReader } from '../../../../src/outbound/fetchCalendar.ts';
import { systemClock } from '../../../../src/kernel/clock.ts';
import { addFeedOf, type FeedDraft, type FeedKeeper } from '../../../../src/channels/feeds/manage.ts';
import { readFeedNow } from '../../../../src/channels/feeds/poll.ts';
import { calendarBehind } from '../../../../src/channels/feeds/serveCalendar.ts';
import { openToken } from '../../../../src/channels/feeds/secrets.ts';
import { feedById } from '../../../../src/channels/feeds/table.ts';
import type { FeedRow } from '../../../../src/channels/feeds/rows.ts';
import type { StoreLocation } from '../../../../src/store/store.ts';
import { startCore, type TestCore } from '../../../support/core.ts';

/** Answers of a marketplace that a test plays: a calendar, or anything else that a server can say. */
export interface Marketplace {
  readonly url: string;
  readonly address: string;
  /** What it answers from now on. */
  says(answer: string | { status?: number; body?: string | Buffer; headers?: Record<string, string> }): void;
  /** Requests so far. */
  readonly asked: IncomingMessage[];
  close(): Promise<void>;
}

export async function startMarketplace(): Promise<Marketplace> {
  let answer: { status?: number; body?: string | Buffer; headers?: Record<string, string> } = { status: 404 };
  const asked: IncomingMessage[] = [];
  const server: Server = createServer((request, response) => {
    asked.push(request);
    response.writeHead(answer.status ?? 200, { 'content-type': 'text/calendar', ...answer.headers });
    response.end(answer.body ?? '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${address}/calendar.ics?s=secret`,
    address,
    says(next) {
      answer = typeof next === 'string' ? { body: next } : next;
    },
    asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** An event as marketplaces write it. */
export interface Written {
  uid?: string;
  start: string;
  end: string;
  summary?: string;
  description?: string;
}

/** Writes a calendar by hand, without any code of the program. */
export function ics(events: readonly Written[]): string {
  const lines = events.flatMap(({ uid, start, end, summary = 'Not available', description }) => [
    'BEGIN:VEVENT',
    'DTSTAMP:20261120T120000Z',
    `DTSTART;VALUE=DATE:${start.replaceAll('-', '')}`,
    `DTEND;VALUE=DATE:${end.replaceAll('-', '')}`,
    ...(uid === undefined ? [] : [`UID:${uid}`]),
    `SUMMARY:${summary}`,
    ...(description === undefined ? [] : [`DESCRIPTION:${description}`]),
    'END:VEVENT',
  ]);
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//other//calendar//EN', ...lines, 'END:VCALENDAR', ''].join(
    '\r\n',
  );
}

/** A unit, its feeds, and what the calendar of the core says after each read. */
export class FeedWorld {
  readonly core: TestCore;
  readonly reader: CalendarReader;
  readonly property: number;
  readonly who: FeedKeeper;

  private constructor(core: TestCore, reader: CalendarReader, property: number) {
    this.core = core;
    this.reader = reader;
    this.property = property;
    this.who = { account: core.own.account, operator: null, visible: null };
  }

  static async start(marketplaces: readonly Marketplace[], location?: StoreLocation): Promise<FeedWorld> {
    const core = await startCore(location);
    const allow = marketplaces.map(({ address }) => address);
    // Requests go to real servers, which know nothing of a driven clock.
    const reader = calendarReader({ clock: systemClock, userAgent: 'stayd/test', policy: { allow } });
    const { property_id } = await core.call('createProperty', { title: 'Mill' });
    return new FeedWorld(core, reader, property_id);
  }

  async close(): Promise<void> {
    await this.reader.close();
    await this.core.close();
  }

  get today(): PlainDate {
    return dateIn('Europe/Berlin', this.core.clock.now());
  }

  /** The date so many days from today. */
  day(days: number): PlainDate {
    return addDays(this.today, days);
  }

  async add(draft: Partial<FeedDraft> & { name: string }): Promise<FeedRow> {
    const { feed } = await addFeedOf(this.core.core, this.reader, this.who, {
      property_id: this.property,
      audience: 'channel',
      ...draft,
    });
    return feed;
  }

  /** Somebody books directly, from one day to another, counted from today. */
  book(from: number, to: number, more: Record<string, unknown> = {}): Promise<{ reservation_code: string }> {
    return this.core.call('createReservation', {
      property_id: this.property,
      check_in_date: this.day(from),
      check_out_date: this.day(to),
      guest_name: 'Ann',
      rate_amount: 300,
      commission_amount: 0,
      received_amount: 0,
      ...more,
    });
  }

  /** Reads a feed after some minutes, and says what it came to. */
  async read(feed: FeedRow, minutes = 10): Promise<'good' | 'failed' | 'gone'> {
    await this.core.clock.advance(minutes * 60_000);
    const { read } = await readFeedNow(this.core.core, this.reader, await this.row(feed));
    return read;
  }

  async row(feed: FeedRow): Promise<FeedRow> {
    const row = await feedById(this.core.core.store.db, feed);
    if (!row) throw new Error('the feed is gone');
    return row;
  }

  /** Fetches our calendar as the marketplace would. */
  async fetched(feed: FeedRow, by = 'marketplace/1'): Promise<string> {
    const token = openToken(this.core.core, await this.row(feed));
    const calendar = await calendarBehind(this.core.core, token, by);
    if (!calendar) throw new Error('no calendar');
    return calendar.text;
  }

  /** The nights that nobody can book, of the next 400 days. */
  async closed(): Promise<PlainDate[]> {
    const { properties } = await this.core.call('listAvailabilities', {
      property_ids: String(this.property),
      start_date: this.today,
      end_date: this.day(400),
    });
    const [{ availabilities } = { availabilities: [] }] = properties;
    return availabilities
      .filter((one: { available: boolean }) => !one.available)
      .map((one: { date: string }) => one.date);
  }

  /** Reservations that came by feeds, `check-in..check-out status`, the boxed ones marked. */
  async booked(): Promise<string[]> {
    const rows = await this.core.core.store.db
      .selectFrom('stays')
      .where('channel_type', '=', 'ical')
      .select(['check_in_date', 'check_out_date', 'status', 'property_id'])
      .orderBy('id')
      .execute();
    return rows.map(
      (row) => `${row.check_in_date}..${row.check_out_date} ${row.status}${row.property_id === 0 ? ' boxed' : ''}`,
    );
  }
}

/** The nights of spans, in order. */
export function nights(...spans: readonly (readonly [PlainDate, PlainDate])[]): PlainDate[] {
  return [...new Set(spans.flatMap(([start, end]) => nightsOf(start, end)))].toSorted();
}
