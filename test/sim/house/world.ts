import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addDays, dateIn, type PlainDate } from '../../../src/kernel/dates.ts';
import type { Dice } from '../../../src/kernel/seeded.ts';
import { type MailServer, PASSWORD, startMailServer } from '../../channels/mail/support/mailServer.ts';
import { dataDirectory, startTestService, type TestService, until } from '../../support/service.ts';
import { diceOf } from '../chance.ts';
import { countTurns, virtualTime, type VirtualTime } from '../virtualTime.ts';
import { Correspondents, HOUSE_ADDRESS, type Letter } from './letters.ts';
import {
  AIRBNB,
  BOOKING,
  type Fault,
  FAULTS,
  type Listing,
  openMarketplace,
  type OpenMarketplace,
  type Sale,
  type Span,
} from './marketplace.ts';
import { judgeHouse, judgeNow, type Judgement } from './oracle.ts';
import { Person } from './person.ts';
import { dateAnswers, watchTraffic } from './realTraffic.ts';
import { Timeline, ZONE } from './timeline.ts';
import { type DirectSale, Truth } from './truth.ts';

const RECIPES = fileURLToPath(new URL('../../../config/automations/recipes/', import.meta.url));
/** Recipes of a house that has guests by mail. */
const LIVE = ['guest-messages', 'replies', 'house'];
const START = Date.parse('2026-11-20T12:00:00.000Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const FLATS = 5;
/** After what happens, time goes on in small steps until every side has heard of it. */
const LIVELY_MS = 120 * MINUTE;
const STEP = { lively: 10 * MINUTE, quiet: HOUR };
/** For so long after a step the service is awake. */
const AWAKE_MS = 3 * SECOND;
const ENDS_WITHIN_MS = 15 * MINUTE;
/** A person looks at what waits at these hours of the day, in the zone of the house. */
const LOOKS = [8, 12, 16, 20];
/** In per cent: how many who book have a rival at another place; and what happens on a day. */
const CHANCES = { rival: 12, samePlaceInTime: 50, fault: 8, closing: 3, stranger: 30 };
const PLACES = { airbnb: 42, booking: 32 };

const PLAN = {
  name: 'Standard',
  currency: 'EUR',
  base_price: 90,
  guests: { most: 4 },
  fees: [{ name: 'Cleaning', amount: 45, per: 'stay' }],
  payment: { at_booking_percent: 40, balance_days: 30 },
  cancellation: 'moderate',
};

export interface HouseOptions {
  readonly seed: number;
  readonly days: number;
  /** People a day who want to book. */
  readonly bookings?: number;
  readonly onDay?: (date: PlainDate) => void;
  /** Told of whatever is wrong while it is found; a run of hours may not reach its end. */
  readonly onProblem?: (problem: string) => void;
}

/** What a year of the house came to. */
export interface HouseOutcome extends Judgement {
  /** What happened, by name. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Lets a house of five flats live for days: two marketplaces by calendar, mail, and a page where guests book. */
export async function liveInHouse({
  seed,
  days,
  bookings = 2.5,
  onDay = () => {},
  onProblem = () => {},
}: HouseOptions): Promise<HouseOutcome> {
  const mail = await startMailServer();
  const traffic = watchTraffic([mail.imapPort, mail.smtpPort]);
  const uncount = countTurns();
  const time = virtualTime(START, () => traffic.isBusy());
  const now = () => START + time.elapsed();
  const undate = dateAnswers(now);
  const markets: OpenMarketplace[] = [];
  for (const habits of [AIRBNB, BOOKING])
    markets.push(await openMarketplace(habits, { flats: FLATS, dice: diceOf(seed, habits.name), now }));
  const dataDir = dataDirectory();
  const rules = join(dataDir, 'rules');
  mkdirSync(rules);
  for (const name of LIVE) {
    const text = readFileSync(join(RECIPES, `${name}.yaml`), 'utf8').replaceAll(/^state: test$/gm, 'state: live');
    writeFileSync(join(rules, `${name}.yaml`), text);
  }
  const starting = startTestService(
    {
      STAYD_OUTBOUND_ALLOW: [...markets.map(({ address }) => address), mail.allow].join(','),
      STAYD_AUTOMATIONS_RULES: rules,
      STAYD_ACCOUNT_TIME_ZONE: ZONE,
      STAYD_ACCOUNT_CURRENCY: 'EUR',
    },
    { dataDir, clock: time.newProcess() },
  );
  const world = { seed, days, bookings, time, now, mail, markets, says: () => traffic.says() };
  const service = await endsIn(world, starting);
  try {
    return await new House(world, service, onProblem).live(onDay);
  } finally {
    await endsIn(world, service.remove());
    for (const market of markets) await market.close();
    await mail.stop();
    traffic.stop();
    undate();
    uncount();
  }
}

interface Outside {
  readonly seed: number;
  readonly days: number;
  readonly bookings: number;
  readonly time: VirtualTime;
  readonly mail: MailServer;
  readonly markets: readonly OpenMarketplace[];
  now(): number;
  says(): string;
}

/** Lets time pass until something has ended. */
async function endsIn<T>({ time, says }: Pick<Outside, 'time' | 'says'>, work: Promise<T>): Promise<T> {
  let isOver = false;
  const end = () => (isOver = true);
  work.then(end, end);
  await time.runUntil(() => isOver, time.elapsed() + ENDS_WITHIN_MS);
  // What is left is the work of threads, which is not seen from here.
  await until(
    () => isOver,
    () => `something to end: ${says()}`,
  );
  return work;
}

class House {
  readonly #outside: Outside;
  readonly #service: TestService;
  readonly #timeline = new Timeline();
  readonly #dice: { traffic: Dice; guests: Dice };
  readonly #truth = new Truth();
  readonly #correspondents: Correspondents;
  readonly #problems: string[] = [];
  readonly #onProblem: (problem: string) => void;
  #person: Person | undefined;
  #flats: number[] = [];
  #page = '';
  #livelyUntilMs = 0;
  #guests = 0;

  constructor(outside: Outside, service: TestService, onProblem: (problem: string) => void) {
    this.#outside = outside;
    this.#service = service;
    this.#onProblem = onProblem;
    this.#dice = { traffic: diceOf(outside.seed, 'traffic'), guests: diceOf(outside.seed, 'guests') };
    this.#correspondents = new Correspondents(outside.mail, diceOf(outside.seed, 'letters'));
  }

  async live(onDay: (date: PlainDate) => void): Promise<HouseOutcome> {
    const { now, days } = this.#outside;
    await this.#ends(this.#settleIn());
    const end = now() + days * DAY;
    this.#planDays(end);
    await this.#liveUntil(end, onDay);
    this.#livelyUntilMs = now() + 6 * HOUR;
    await this.#liveUntil(now() + DAY, onDay);
    const { messages, robots } = this.#correspondents;
    const judgement = await this.#ends(
      judgeHouse({
        service: this.#service,
        truth: this.#truth,
        sent: this.#outside.mail.sent,
        letters: { messages, robots },
        now: now(),
      }),
    );
    return { ...judgement, problems: [...this.#problems, ...judgement.problems], counts: this.#truth.counts };
  }

  #ends<T>(work: Promise<T>): Promise<T> {
    return endsIn(this.#outside, work);
  }

  /** What an operator sets up on the first day. */
  async #settleIn(): Promise<void> {
    const service = this.#service;
    const { markets, mail } = this.#outside;
    for (let flat = 0; flat < FLATS; flat += 1) {
      const { property_id } = await service.v3('POST', '/properties', { title: `Flat ${flat}` });
      this.#flats.push(property_id);
    }
    await service.run(`update core.properties set address = '1 Sea Road'`);
    await service.portal('PUT', '/portal/rate_plans', { property_ids: this.#flats, plan: PLAN });
    await service.portal('PATCH', '/portal/payments', { transfer_text: 'House Ltd\nDE02 1203 0000 0000 2020 51' });
    const page = { name: 'House', property_ids: this.#flats, rules: 'No smoking.' };
    this.#page = new URL((await service.portal('POST', '/portal/booking_pages', page)).url).pathname;
    await service.portal('POST', '/portal/mailboxes', {
      name: 'House',
      address: HOUSE_ADDRESS,
      imap: { host: '127.0.0.1', port: mail.imapPort, security: 'none', password: PASSWORD },
      smtp: { host: '127.0.0.1', port: mail.smtpPort, security: 'none' },
    });
    const feeds = new Map<number, Listing>();
    for (const market of markets) {
      for (const listing of market.listings) {
        const { id, calendar_url } = await service.portal('POST', '/portal/feeds', {
          property_id: this.#flats[listing.flat],
          name: market.habits.name,
          source: market.habits.source,
          url: market.urlOf(listing),
        });
        listing.ours = `${service.url}${new URL(calendar_url).pathname}`;
        feeds.set(id, listing);
      }
    }
    this.#person = new Person(service, { truth: this.#truth, flats: this.#flats, feeds });
  }

  /** Draws what happens on every day. */
  #planDays(end: number): void {
    const { traffic } = this.#dice;
    for (let day = this.#outside.now(); day < end; day += DAY) {
      const times = (share: number) => Math.floor(share / 100) + (traffic.percent(share % 100) ? 1 : 0);
      const at = () => day + traffic.between(0, DAY / MINUTE - 1) * MINUTE;
      for (let left = times(100 * this.#outside.bookings); left > 0; left -= 1) this.#planBooking(at());
      for (let left = times(CHANCES.fault); left > 0; left -= 1) this.#planFault(at());
      for (let left = times(CHANCES.closing); left > 0; left -= 1) this.#planClosing(at());
      if (traffic.percent(CHANCES.stranger)) {
        const address = `stranger${day}@guest.example`;
        this.#timeline.add(at(), () => Promise.resolve(this.#write(this.#correspondents.question(address))));
      }
    }
  }

  #write(letter: Letter): void {
    const { now } = this.#outside;
    this.#timeline.add(now() + letter.afterMs, async () => this.#correspondents.deliver(letter, now()));
  }

  /** Somebody wants nights; now and then somebody else wants some of them elsewhere, before either side has heard. */
  #planBooking(atMs: number): void {
    const { traffic } = this.#dice;
    const flat = traffic.between(0, FLATS - 1);
    const lead = traffic.percent(25) ? traffic.between(1, 7) : traffic.between(8, 150);
    const from = addDays(dateIn(ZONE, atMs), lead);
    const span = { from, to: addDays(from, traffic.between(1, 8)) };
    const place = this.#drawPlace();
    this.#timeline.add(atMs, () => this.#want(place, flat, span));
    if (!traffic.percent(CHANCES.rival)) return;
    const isSame = traffic.percent(CHANCES.samePlaceInTime);
    const shifted = addDays(span.from, traffic.between(0, 1));
    const other = isSame ? span : { from: shifted, to: addDays(shifted, traffic.between(1, 5)) };
    const rivals = ['airbnb', 'booking', 'direct'].filter((one) => one !== place) as [Place, Place];
    const rival = traffic.pick(rivals);
    this.#timeline.add(atMs + traffic.between(1, 90) * MINUTE, () => this.#want(rival, flat, other));
  }

  #drawPlace(): Place {
    const drawn = this.#dice.traffic.fraction() * 100;
    if (drawn < PLACES.airbnb) return 'airbnb';
    return drawn < PLACES.airbnb + PLACES.booking ? 'booking' : 'direct';
  }

  async #want(place: Place, flat: number, span: Span): Promise<void> {
    if (place === 'direct') return this.#bookDirectly(flat, span);
    this.#buy(place, flat, span);
  }

  #listing(place: 'airbnb' | 'booking', flat: number): Listing {
    const listing = this.#outside.markets[place === 'airbnb' ? 0 : 1]?.listings[flat];
    if (!listing) throw new Error(`no listing of flat ${flat}`);
    return listing;
  }

  #buy(place: 'airbnb' | 'booking', flat: number, span: Span): void {
    const { now } = this.#outside;
    const { guests } = this.#dice;
    const today = dateIn(ZONE, now());
    const listing = this.#listing(place, flat);
    if (!listing.isFree(span, today)) return this.#truth.count(`${place}: not free`);
    const sale = this.#sale(listing, span, 'guest');
    this.#truth.addSale(place, sale, now());
    this.#happened(`${place}: sold`);
    if (!guests.percent(14)) return;
    const arrival = Date.parse(`${span.from}T00:00:00Z`);
    const atMs = now() + guests.fraction() * Math.max(0, arrival - now() - DAY);
    this.#timeline.add(atMs, async () => {
      if (sale.isOff) return;
      sale.isOff = true;
      this.#truth.ended(sale, now());
      this.#happened(`${place}: cancelled`);
    });
  }

  #sale(listing: Listing, { from, to }: Span, by: Sale['by']): Sale {
    const { guests } = this.#dice;
    const id = (this.#guests += 1);
    const reference = `HM${String(id).padStart(6, '0')}XY`;
    const phone = String(guests.between(1_000, 9_999));
    const sale: Sale = { id, flat: listing.flat, from, to, reference, phone, by, isOff: false };
    listing.sales.push(sale);
    return sale;
  }

  /** The owner closes some nights at a marketplace, and opens them again some weeks later. */
  #planClosing(atMs: number): void {
    const { traffic } = this.#dice;
    const { now } = this.#outside;
    const place = traffic.percent(50) ? 'airbnb' : 'booking';
    const listing = this.#listing(place, traffic.between(0, FLATS - 1));
    const from = addDays(dateIn(ZONE, atMs), traffic.between(2, 60));
    const span = { from, to: addDays(from, traffic.between(1, 4)) };
    this.#timeline.add(atMs, async () => {
      if (!listing.isFree(span, dateIn(ZONE, now()))) return;
      const sale = this.#sale(listing, span, 'owner');
      this.#truth.addSale(place, sale, now());
      this.#happened(`${place}: closed by its owner`);
      this.#timeline.add(now() + traffic.between(1, 20) * DAY, async () => {
        // What is over is neither opened nor closed.
        if (sale.to <= dateIn(ZONE, now())) return;
        sale.isOff = true;
        this.#truth.ended(sale, now());
        this.#happened(`${place}: opened by its owner`);
      });
    });
  }

  #planFault(atMs: number): void {
    const { traffic } = this.#dice;
    const listing = this.#listing(traffic.percent(50) ? 'airbnb' : 'booking', traffic.between(0, FLATS - 1));
    const fault: Fault = traffic.pick(FAULTS);
    // Three reads over two hours take an empty calendar at its word; no marketplace was seen to be empty for so long.
    const most = fault === 'empty' ? 90 : 8 * 60;
    this.#timeline.add(atMs, async () => {
      listing.fault = fault;
      this.#truth.faultBegins(listing);
      this.#happened(`fault: ${fault}`);
    });
    this.#timeline.add(atMs + traffic.between(5, most) * MINUTE, async () => {
      listing.fault = undefined;
      this.#truth.faultEnds(listing, this.#outside.now());
      this.#livelyUntilMs = Math.max(this.#livelyUntilMs, this.#outside.now() + LIVELY_MS);
    });
  }

  /** Somebody fills in the forms of the page. */
  async #bookDirectly(flat: number, { from, to }: Span): Promise<void> {
    const { now } = this.#outside;
    const { guests } = this.#dice;
    const number = (this.#guests += 1);
    const asked = { property: String(this.#flats[flat]), from, to, adults: '2' };
    const quoted = await this.#post(`${this.#page}/quotes`, asked);
    if (quoted.status !== 303) return this.#refused(quoted);
    const email = `guest${number}@guest.example`;
    const details = { name: `Guest${number} Example`, email, phone: '+49 170 1234567', country: 'DE', accept: '1' };
    const booked = await this.#post(quoted.location, { ...details, message: '', method: 'transfer' });
    if (booked.status !== 303) return this.#refused(booked);
    const text = await (await fetch(`${this.#service.url}${booked.location}`)).text();
    const code = /<code>(5-[^<]+)<\/code>/.exec(text)?.[1] ?? '';
    const page = booked.location.replace(/\?.*/, '');
    const sale: DirectSale = { id: number, flat, from, to, code, isOff: false, email, page };
    this.#truth.addDirect(sale, now());
    this.#happened('direct: booked');
    this.#write(this.#correspondents.question(email));
    if (guests.percent(85)) {
      this.#timeline.add(now() + guests.between(3, 36) * HOUR, async () => void this.#truth.transfers.add(sale));
      const arrival = Date.parse(`${from}T10:00:00Z`);
      const balanceMs = Math.max(now() + 2 * DAY, arrival - guests.between(2, 28) * DAY);
      this.#timeline.add(balanceMs, async () => void this.#truth.transfers.add(sale));
      if (guests.percent(10)) {
        const atMs = now() + 3 * DAY + guests.fraction() * Math.max(0, arrival - now() - 5 * DAY);
        // Some write to the host, and some do it by themselves.
        const isAsked = guests.percent(50);
        this.#timeline.add(atMs, async () => {
          if (isAsked) this.#truth.cancellations.add(sale);
          else await this.#cancelOnPage(sale);
        });
      }
    }
  }

  async #cancelOnPage(sale: DirectSale): Promise<void> {
    if (sale.isOff) return;
    const asked = await fetch(`${this.#service.url}${sale.page}/cancel`, { headers: { 'accept-language': 'en' } });
    const refund = /name="refund" value="(\d+)"/.exec(await asked.text())?.[1];
    // A booking that nobody paid is over before its guest asks.
    if (refund === undefined) return this.#truth.count('direct: nothing to cancel on the page');
    const answer = await this.#post(`${sale.page}/cancel`, { refund });
    if (answer.status !== 303) {
      this.#wrong(`cancelling on the page answers ${answer.status}: ${answer.text.slice(0, 500)}`);
      return;
    }
    this.#truth.ended(sale, this.#outside.now());
    this.#happened('direct: cancelled on the page');
  }

  #refused({ status, text }: { status: number; text: string }): void {
    const said = /role="alert"[^>]*>([^]*?)<\/div>/.exec(text)?.[1] ?? '';
    const why = said
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
      .slice(0, 60);
    this.#truth.count(`direct: refused (${why})`);
    if (status !== 409) this.#wrong(`the page answers ${status}: ${text.slice(0, 500)}`);
  }

  async #post(path: string, fields: Record<string, string>) {
    const answer = await fetch(`${this.#service.url}${path}`, {
      method: 'POST',
      headers: { 'accept-language': 'en' },
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
    return { status: answer.status, location: answer.headers.get('location') ?? '', text: await answer.text() };
  }

  #wrong(...problems: readonly string[]): void {
    this.#problems.push(...problems);
    for (const one of problems) this.#onProblem(one);
  }

  #happened(what: string): void {
    this.#truth.count(what);
    this.#livelyUntilMs = Math.max(this.#livelyUntilMs, this.#outside.now() + LIVELY_MS);
  }

  async #liveUntil(endMs: number, onDay: (date: PlainDate) => void): Promise<void> {
    const { now } = this.#outside;
    while (now() < endMs) {
      const step = now() < this.#livelyUntilMs ? STEP.lively : STEP.quiet;
      const before = now();
      await this.#pass(Math.min(before + step, this.#timeline.nextMs, endMs));
      while (this.#timeline.nextMs <= now()) await this.#ends(this.#timeline.take()());
      if (hourOf(before) !== hourOf(now())) await this.#newHour(before, onDay);
    }
  }

  /** The machine sleeps until then; whatever came due meanwhile is done late. */
  async #pass(untilMs: number): Promise<void> {
    const { time, markets, now } = this.#outside;
    time.skipTo(untilMs - START);
    await time.runTo(time.elapsed() + AWAKE_MS);
    for (const market of markets) await this.#ends(market.readOurs());
    for (const letter of this.#correspondents.answers()) this.#write(letter);
    this.#truth.passed(dateIn(ZONE, now()), now());
  }

  async #newHour(before: number, onDay: (date: PlainDate) => void): Promise<void> {
    const { now, markets } = this.#outside;
    const today = dateIn(ZONE, now());
    if (LOOKS.some((hour) => hourOf(before) < hour && hourOf(now()) >= hour)) {
      await this.#ends(this.#person?.looks(now()) ?? Promise.resolve());
      this.#livelyUntilMs = Math.max(this.#livelyUntilMs, now() + 15 * MINUTE);
    }
    await this.#ends(this.#person?.endsUnpaid(now()) ?? Promise.resolve());
    const found = await this.#ends(
      judgeNow({ service: this.#service, truth: this.#truth, markets, flats: this.#flats, now: now() }),
    );
    this.#wrong(...found);
    if (dateIn(ZONE, before) === today) return;
    onDay(today);
    if (today.endsWith('-03'))
      await this.#ends(this.#person?.closesMonth(addDays(today, -5).slice(0, 7), now()) ?? Promise.resolve());
  }
}

type Place = 'airbnb' | 'booking' | 'direct';

const clock = new Intl.DateTimeFormat('en', { timeZone: ZONE, hour: 'numeric', hourCycle: 'h23' });
function hourOf(ms: number): number {
  return Number(clock.format(ms));
}
