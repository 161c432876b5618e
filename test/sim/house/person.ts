import { addDays, dateIn, nightsOf, type PlainDate } from '../../../src/kernel/dates.ts';
import { call, type TestService } from '../../support/service.ts';
import type { Listing, Span } from './marketplace.ts';
import { ZONE } from './timeline.ts';
import type { Buyer, DirectSale, Truth } from './truth.ts';

interface Stay {
  readonly stay_code: string;
  readonly reservation_code: string;
  readonly channel_id: string;
  readonly status: string;
  readonly check_in_date: PlainDate;
  readonly check_out_date: PlainDate;
  readonly in_reservation_box: boolean;
}

interface Known {
  readonly truth: Truth;
  /** Numbers of the properties, by flat. */
  readonly flats: readonly number[];
  /** Listings by the numbers of their feeds. */
  readonly feeds: ReadonlyMap<number, Listing>;
}

/** Looks at what waits for a person some times a day, and does what the programs cannot do. */
export class Person {
  readonly #service: TestService;
  readonly #known: Known;

  constructor(service: TestService, known: Known) {
    this.#service = service;
    this.#known = known;
  }

  async looks(now: number): Promise<void> {
    await this.#looksIntoBox(now);
    await this.#looksAtAlarms(now);
    await this.#notesTransfers(now);
    await this.#cancels(now);
    await this.#givesBack();
    await this.#settlesMail();
  }

  /** Locks a month of the books. @param month such as 2027-03 */
  async closesMonth(month: string, _now: number): Promise<void> {
    const { truth } = this.#known;
    await this.#service.portal('POST', '/portal/exports/close', { period: month });
    truth.count('month closed');
  }

  async #looksIntoBox(now: number): Promise<void> {
    const { truth, flats, feeds } = this.#known;
    const today = dateIn(ZONE, now);
    for (const stay of await this.#stays(today)) {
      if (!stay.in_reservation_box || stay.status !== 'accepted' || stay.check_out_date <= today) continue;
      const feed = feeds.get(Number(/^feed-(\d+)-/.exec(stay.channel_id)?.[1]));
      const span = { from: stay.check_in_date, to: stay.check_out_date };
      const buyer = feed && this.#buyerAt(feed, span);
      if (!buyer) {
        truth.count('person: a stay in the box that nobody bought any more');
        continue;
      }
      truth.seen(buyer, now);
      const free = await this.#freeFlat(span, today);
      if (free === undefined) {
        this.#callsOff(buyer, now);
        continue;
      }
      await this.#service.v3('POST', `/reservations/${stay.stay_code}/allocate`, { property_id: flats[free] });
      if (free !== buyer.flat) truth.moved(buyer, free, now);
    }
  }

  async #stays(today: PlainDate): Promise<Stay[]> {
    const all: Stay[] = [];
    for (let offset = 0; ; offset += 100) {
      const page = `start_check_out_date=${today}&end_check_out_date=${addDays(today, 400)}&limit=100&offset=${offset}`;
      const { reservations } = await this.#service.v3('GET', `/reservations?${page}`);
      all.push(...(reservations as Stay[]));
      if (reservations.length < 100) return all;
    }
  }

  #buyerAt(listing: Listing, { from, to }: Span): Buyer | undefined {
    return this.#known.truth.standing.find(
      ({ sale }) => 'reference' in sale && listing.sales.includes(sale) && sale.from <= from && sale.to === to,
    );
  }

  /** A flat whose nights are free, as the calendar says. */
  async #freeFlat({ from, to }: Span, today: PlainDate): Promise<number | undefined> {
    const { flats } = this.#known;
    if (from < today) return undefined;
    const path = `/availabilities?property_ids=${flats.join(',')}&start_date=${from}&end_date=${addDays(to, -1)}`;
    const { properties } = await this.#service.v3('GET', path);
    for (const [flat, id] of flats.entries()) {
      const own = properties.find((one: { id: number }) => one.id === id)?.availabilities ?? [];
      const isFree = (night: PlainDate) =>
        own.some((one: { date: string; available: boolean }) => one.date === night && one.available);
      if (nightsOf(from, to).every(isFree)) return flat;
    }
    return undefined;
  }

  #callsOff({ sale }: Buyer, now: number): void {
    this.#known.truth.ended(sale, now);
    this.#known.truth.count('person: called off');
  }

  async #looksAtAlarms(now: number): Promise<void> {
    const { truth, feeds } = this.#known;
    const { alarms } = await this.#service.portal('GET', '/portal/status');
    for (const { alarm } of alarms as { alarm: string }[]) truth.count(`alarm: ${alarm}`);
    if (!alarms.some(({ says }: { says: string }) => says.includes('perhaps both are sold'))) return;
    for (const [id, listing] of feeds) {
      const { entries } = await this.#service.portal('GET', `/portal/feeds/${id}`);
      for (const entry of entries) {
        if (!entry.needs_a_look) continue;
        const span = { from: entry.start_date as PlainDate, to: entry.end_date as PlainDate };
        const sold = truth.standing.filter(
          ({ sale }) =>
            'reference' in sale && listing.sales.includes(sale) && sale.from < span.to && span.from < sale.to,
        );
        const doubled = sold.filter((buyer) =>
          truth.conflicts.some((one) => one.overMs === undefined && one.buyers.includes(buyer)),
        );
        for (const buyer of sold) truth.seen(buyer, now);
        truth.count(doubled.length > 0 ? 'person: a clash that was one' : 'person: a clash that was none');
        for (const buyer of doubled) this.#callsOff(buyer, now);
        await this.#service.portal('POST', `/portal/feeds/${id}/entries/${entry.entry}/settle`);
      }
    }
  }

  async #notesTransfers(now: number): Promise<void> {
    const { truth } = this.#known;
    for (const sale of truth.transfers) {
      truth.transfers.delete(sale);
      const booking = await this.#booking(sale);
      if (booking.status === 'wait_pay' || (booking.status === 'accepted' && booking.due !== null)) {
        await this.#notePayment(sale, now);
      }
      if (!sale.isOff && !STANDS.has((await this.#booking(sale)).status)) this.#ends(sale, now);
    }
  }

  /** One that is refused, since the nights may be sold elsewhere, is noted all the same if nobody else bought them. */
  async #notePayment(sale: DirectSale, now: number): Promise<void> {
    const { truth } = this.#known;
    const path = `/portal/bookings/${sale.code}/paid`;
    const { http, text } = await call(this.#service, 'POST', path, { body: {} });
    if (http === 200) return truth.count('person: noted a payment');
    const buyer = truth.standing.find((one) => one.sale === sale);
    const isDoubled = truth.conflicts.some((one) => one.overMs === undefined && buyer && one.buyers.includes(buyer));
    if (buyer) truth.seen(buyer, now);
    const isUnread = text.includes('could not be read lately');
    const why = isUnread ? 'a calendar is old' : isDoubled ? 'rightly' : 'for nothing';
    truth.count(`person: a payment was refused, ${why}`);
    if (isUnread || !isDoubled) {
      await this.#service.portal('POST', path, { anyway: true });
      return;
    }
    await this.#service.v3('DELETE', `/reservations/${sale.code}`);
    this.#ends(sale, now);
  }

  #ends(sale: DirectSale, now: number): void {
    if (!this.#known.truth.standing.some((buyer) => buyer.sale === sale)) return;
    this.#known.truth.ended(sale, now);
  }

  #booking(
    sale: DirectSale,
  ): Promise<{ status: string; due: object | null; refunds: { id: number; state: string }[] }> {
    return this.#service.portal('GET', `/portal/bookings/${sale.code}`);
  }

  async #cancels(now: number): Promise<void> {
    const { truth } = this.#known;
    for (const sale of truth.cancellations) {
      truth.cancellations.delete(sale);
      if (sale.isOff || (await this.#booking(sale)).status !== 'accepted') continue;
      await this.#service.v3('DELETE', `/reservations/${sale.code}`);
      this.#ends(sale, now);
      truth.count('direct: cancelled');
    }
  }

  /** Sends back by transfer what is to go back. */
  async #givesBack(): Promise<void> {
    const waiting = await this.#service.rows(
      `select reservation_code, id from core.direct_refunds where state not in ('done', 'dropped') and provider = 'transfer'`,
    );
    for (const { reservation_code: code, id } of waiting) {
      await this.#service.portal('POST', `/portal/bookings/${String(code)}/refunds/${String(id)}/done`, {});
      this.#known.truth.count('person: sent money back');
    }
  }

  /** A booking that nobody paid is over, as its guest knows from the page. */
  async endsUnpaid(now: number): Promise<void> {
    for (const { place, sale } of this.#known.truth.standing) {
      if (place !== 'direct' || !('code' in sale) || STANDS.has((await this.#booking(sale)).status)) continue;
      this.#ends(sale, now);
      this.#known.truth.count('direct: not paid in time');
    }
  }

  async #settlesMail(): Promise<void> {
    const { mails } = await this.#service.portal('GET', '/portal/mailboxes/log?waiting=true');
    for (const { entry } of mails) await this.#service.portal('POST', `/portal/mailboxes/log/${entry}/settle`);
  }
}

const STANDS = new Set(['accepted', 'wait_pay']);
