import { addPageOf, openPage, type OpenPage } from '../../../../src/channels/direct/bookings/pages.ts';
import { type BookingDraft, holdQuote } from '../../../../src/channels/direct/bookings/hold.ts';
import { keepQuote, type KeptQuote, type Refusal } from '../../../../src/channels/direct/bookings/quotes.ts';
import type { DirectBookingRow } from '../../../../src/channels/direct/bookings/rows.ts';
import { paymentsOf, refundsOf } from '../../../../src/channels/direct/payments/table.ts';
import { changeSettings } from '../../../../src/channels/direct/payments/settings.ts';
import { presentBooking } from '../../../../src/channels/direct/present.ts';
import { setPlan } from '../../../../src/channels/direct/plans/manage.ts';
import { ratePlan } from '../../../../src/channels/direct/plans/plan.ts';
import { directRound } from '../../../../src/channels/direct/worker.ts';
import type { DirectWork } from '../../../../src/channels/direct/work.ts';
import { timeOut } from '../../../../src/core/reservations/times/timeouts.ts';
import { addDays, dateIn, type PlainDate } from '../../../../src/kernel/dates.ts';
import { systemClock } from '../../../../src/kernel/clock.ts';
import { silentLogger } from '../../../../src/kernel/log.ts';
import { ServiceCaller } from '../../../../src/outbound/callService.ts';
import { calendarReader, type CalendarReader } from '../../../../src/outbound/fetchCalendar.ts';
import type { StoreLocation } from '../../../../src/store/store.ts';
import { startCore, type TestCore } from '../../../support/core.ts';
import { FakeStripe } from '../../../support/fakeStripe.ts';

const PLAN = {
  name: 'Standard',
  currency: 'EUR',
  base_price: 100,
  guests: { most: 4 },
  fees: [{ name: 'Cleaning', amount: 50, per: 'stay' }],
  security_deposit: 200,
  payment: { at_booking_percent: 40, balance_days: 30 },
  cancellation: {
    steps: [
      { days_before: 60, refund_percent: 100 },
      { days_before: 7, refund_percent: 50 },
    ],
  },
};

/** A property with a rate plan, a page where guests book it, a provider that a test plays, and a driven clock. */
export class DirectWorld {
  readonly core: TestCore;
  readonly stripe: FakeStripe;
  readonly work: DirectWork;
  readonly property: number;
  readonly open: OpenPage;
  readonly #reader: CalendarReader;
  readonly #caller: ServiceCaller;

  private constructor(
    parts: { core: TestCore; stripe: FakeStripe; work: DirectWork; property: number; open: OpenPage },
    outside: { reader: CalendarReader; caller: ServiceCaller },
  ) {
    ({ core: this.core, stripe: this.stripe, work: this.work, property: this.property, open: this.open } = parts);
    this.#reader = outside.reader;
    this.#caller = outside.caller;
  }

  static async start(
    { plan = {}, allow = [] }: { plan?: object; allow?: readonly string[] } = {},
    location?: StoreLocation,
  ): Promise<DirectWorld> {
    const core = await startCore(location);
    const stripe = await FakeStripe.start();
    stripe.now = () => Math.floor(core.clock.now() / 1_000);
    const policy = { allow: [stripe.address, ...allow] };
    const outside = {
      // Requests go to real servers, which know nothing of a driven clock.
      reader: calendarReader({ clock: systemClock, userAgent: 'stayd/test', policy }),
      caller: new ServiceCaller({ clock: systemClock, userAgent: 'stayd/test', limitMs: 5_000, policy }),
    };
    const work: DirectWork = {
      core: core.core,
      reader: outside.reader,
      caller: { stripeUrl: stripe.url, call: (request) => outside.caller.call(request) },
      wake: () => {},
    };
    const who = { account: core.own.account, operator: null, visible: null };
    const { property_id: property } = await core.call('createProperty', { title: 'Mill' });
    await setPlan(core.core, who, { properties: [property], written: ratePlan.parse({ ...PLAN, ...plan }) });
    await changeSettings(core.core, who, {
      transfer_text: 'Mill Ltd\nDE02 1203 0000 0000 2020 51',
      stripe_key: stripe.key,
      stripe_webhook_secret: stripe.webhookSecret,
    });
    const page = await addPageOf(core.core, who, { name: 'Mill', property_ids: [property], rules: 'No smoking.' });
    const open = await openPage(core.core, String(page.url).split('/').at(-1) ?? '');
    if (!open) throw new Error('the page does not open');
    return new DirectWorld({ core, stripe, work, property, open }, outside);
  }

  async close(): Promise<void> {
    await this.#reader.close();
    await this.#caller.close();
    await this.stripe.close();
    await this.core.close();
  }

  get who() {
    return { account: this.core.own.account, operator: null, visible: null };
  }

  /** The date so many days from today. */
  day(days: number): PlainDate {
    return addDays(dateIn('Europe/Berlin', this.core.clock.now()), days);
  }

  /** Asks for a price, from one day to another, counted from today. */
  ask(from: number, to: number): Promise<KeptQuote | Refusal> {
    const wish = { check_in_date: this.day(from), check_out_date: this.day(to), adults: 2, children: [], pets: 0 };
    return keepQuote(this.work, this.open, { ...wish, property_id: this.property });
  }

  async quote(from: number, to: number): Promise<KeptQuote> {
    const kept = await this.ask(from, to);
    if ('refused' in kept) throw new Error(JSON.stringify(kept));
    return kept;
  }

  draft(more: Partial<BookingDraft> = {}): BookingDraft {
    const guest = { name: 'Clara Hofmann', email: 'clara@example.com', phone: '+49 170 1234567', country: 'DE' };
    return { guest, message: null, method: 'transfer', language: 'en', ...more };
  }

  hold(kept: KeptQuote, more: Partial<BookingDraft> = {}) {
    return holdQuote(this.work, this.open, kept, this.draft(more));
  }

  /** Asks and books. */
  async book(from: number, to: number, more: Partial<BookingDraft> = {}): Promise<DirectBookingRow> {
    const held = await this.hold(await this.quote(from, to), more);
    if ('refused' in held) throw new Error(JSON.stringify(held));
    return held.booking;
  }

  /** Time passes, and the service does what is due: reservations time out, payments are followed. */
  async pass(minutes: number): Promise<void> {
    await this.core.clock.advance(minutes * 60_000);
    await this.followed();
  }

  async followed(): Promise<void> {
    const { core, store } = { core: this.core.core, store: this.core.core.store };
    const due = await store.db.selectFrom('reservation_timers').select('reservation_code').execute();
    for (const { reservation_code } of due) await timeOut(core, this.core.own.account, reservation_code);
    while (await directRound(this.work, silentLogger));
    // Once more, for what the first round began.
    await directRound(this.work, silentLogger);
  }

  shown({ account_id, reservation_code }: DirectBookingRow) {
    return this.core.core.store.db
      .selectFrom('direct_bookings')
      .where('account_id', '=', account_id)
      .where('reservation_code', '=', reservation_code)
      .selectAll()
      .executeTakeFirstOrThrow()
      .then((booking) => presentBooking(this.core.core, booking));
  }

  payments({ account_id, reservation_code }: DirectBookingRow) {
    return paymentsOf(this.core.core.store.db, account_id, reservation_code);
  }

  refunds({ account_id, reservation_code }: DirectBookingRow) {
    return refundsOf(this.core.core.store.db, account_id, reservation_code);
  }

  /** The entries of a reservation in the ledger, as v3 shows them: income above zero, expense below. */
  async ledger({ reservation_code }: DirectBookingRow): Promise<number[]> {
    const { transactions } = await this.core.call('listTransactions', {
      reservation_code,
      start_date: this.day(-180),
      end_date: this.day(1),
      limit: 100,
    });
    return transactions
      .toReversed()
      .map(({ direction, amount }: { direction: string; amount: number }) =>
        direction === 'income' ? amount : -amount,
      );
  }

  /** The one page of a payment at the provider. */
  async session(booking: DirectBookingRow): Promise<string> {
    const open = (await this.payments(booking)).findLast(({ session_id }) => session_id !== null);
    if (!open?.session_id) throw new Error('there is no page to pay on');
    return open.session_id;
  }
}
