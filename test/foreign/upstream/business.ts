import type { Dice } from './dice.ts';
import { type Entry, type Message, type Review, reviewed, type Stay } from './records.ts';
import { depositOf, hold, makeStay } from './seed.ts';
import { addDays, dateIn } from './time.ts';
import type { Upstream } from './upstream.ts';

/** What happens on an account, each with the events that the service sends for it. */
export interface Business {
  /** A new booking, with its nights. */
  book(): Stay;
  change(stay: Stay, patch: Partial<Stay>, sub?: string): Stay;
  cancel(stay: Stay): Stay;
  enter(entry?: Partial<Entry>): Entry;
  edit(entry: Entry, patch: Partial<Entry>): void;
  remove(entry: Entry): void;
  write(fullConversation: string, message?: Partial<Message>): Message;
  review(stay: Stay): Review;
  answer(review: Review): void;
  /** Prices of some days, pushed to the channel. */
  price(listing: string, cents: number): void;
  /** No event tells of any of these. */
  silently: {
    payDeposit(stay: Stay): void;
    tellPolicy(stay: Stay): void;
    price(listing: string, cents: number): void;
    finishTask(): void;
    endOffer(): void;
  };
  /** So many of all these, at random. */
  goOn(times: number): void;
}

const DAYS_PRICED = 5;

export function businessOf({ truth, webhooks, now }: Upstream, dice: Dice): Business {
  let number = 90_000;
  let offset = 0;
  const today = () => dateIn(now(), truth.account.zone);
  const ofStay = ({ code: reservation_code, stayCode: stay_code, property: property_id }: Stay) => ({
    reservation_code,
    stay_code,
    property_id,
  });

  function tellNights(stay: Stay): void {
    if (stay.property === 0) return;
    const holds = stay.status === 'accepted' || stay.status === 'wait_pay';
    const availabilities: object[] = [];
    for (let date = stay.arrival; date < stay.departure; date = addDays(date, 1))
      availabilities.push({ date, available: !holds });
    webhooks.tell({ event: 'property_availability_updated', property_id: stay.property, availabilities });
  }

  function put(stay: Stay): Stay {
    truth.stays.put(String(stay.number), stay);
    return stay;
  }

  const self: Business = {
    book() {
      number += 1;
      const property = dice.pick(truth.properties.all());
      // Beyond all that was seeded, one after the other.
      const arrival = addDays(today(), 400 + offset);
      const departure = addDays(arrival, dice.between(1, 3));
      offset += 4;
      const made = makeStay(truth, dice, { number, property, arrival, departure, now: now() });
      const stay = put({ ...made, status: 'accepted', cancelledAt: null, bookedAt: now(), enteredAt: now() });
      hold(truth, stay);
      webhooks.tell({ event: 'reservation_created', ...ofStay(stay) });
      tellNights(stay);
      return stay;
    },
    change(stay, patch, sub) {
      const changed = put({ ...stay, ...patch });
      webhooks.tell({ event: 'reservation_updated', ...(sub !== undefined && { sub_event: sub }), ...ofStay(changed) });
      return changed;
    },
    cancel(stay) {
      const gone = self.change(stay, { status: 'cancelled', cancelledAt: now() });
      if (stay.status === 'accepted' || stay.status === 'wait_pay') {
        hold(truth, gone);
        tellNights(gone);
      }
      return gone;
    },
    enter(over = {}) {
      number += 1;
      const entry: Entry = {
        number,
        code: null,
        property: 1,
        direction: 'income',
        item: 1,
        method: 2,
        amount: dice.between(100, 90_000),
        currency: truth.account.currency,
        at: now(),
        note: `entry ${number}`,
        enteredAt: now(),
        changedAt: now(),
        ...over,
      };
      truth.entries.put(number, entry);
      webhooks.tell({ event: 'transaction_created', transaction_id: number });
      return entry;
    },
    edit(entry, patch) {
      truth.entries.put(entry.number, { ...entry, ...patch, changedAt: now() });
      webhooks.tell({ event: 'transaction_updated', transaction_id: entry.number });
    },
    remove(entry) {
      truth.entries.put(entry.number, null);
      webhooks.tell({ event: 'transaction_deleted', transaction_id: entry.number });
    },
    write(fullConversation, over = {}) {
      number += 1;
      const message: Message = {
        id: `m-new-${number}`,
        fullConversation,
        from: dice.pick(['guest', 'host']),
        name: 'Person',
        kind: 'Text',
        text: `Words ${number}`,
        attachment: null,
        at: now(),
        ...over,
      };
      truth.messages.put(`${fullConversation} ${message.id}`, message);
      webhooks.tell({ event: 'message_created', conversation_id: fullConversation, message_id: message.id });
      return message;
    },
    review(stay) {
      const { number: of, code, property, channel, listing, arrival, departure } = stay;
      const guest = { score: 4, text: 'Fine', at: now(), secretly: null };
      const review: Review = {
        number: of,
        code,
        property,
        channel,
        listing,
        arrival,
        departure,
        guest,
        host: null,
        reply: null,
      };
      truth.reviews.put(reviewed(review), review);
      webhooks.tell({ event: 'review_created', ...ofStay(stay) });
      return review;
    },
    answer(review) {
      truth.reviews.put(reviewed(review), { ...review, reply: { text: 'Thank you', at: now() } });
      const { code: reservation_code, property: property_id } = review;
      webhooks.tell({ event: 'review_updated', reservation_code, stay_code: reservation_code, property_id });
    },
    price(listing, cents) {
      self.silently.price(listing, cents);
      const { channel } = truth.listings.get(listing) ?? { channel: 'A' as const };
      const [start_date, end_date] = [today(), addDays(today(), DAYS_PRICED)];
      webhooks.tell({ event: 'listing_calendar_updated', channel, listing_id: listing, start_date, end_date });
    },
    silently: {
      payDeposit(stay) {
        const deposit = stay.deposit ?? depositOf(30_000);
        put({ ...stay, deposit: { ...deposit, paid: deposit.asked, status: 'paid' } });
      },
      tellPolicy: (stay) => void put({ ...stay, policy: 'strict_14' }),
      price(listing, cents) {
        for (let n = 0; n <= DAYS_PRICED; n += 1) {
          const date = addDays(today(), n);
          const day = { listing, date, price: cents, units: 1, minStay: 2, closedOnArrival: n === 1 };
          truth.days.put(`${listing} ${date}`, day);
        }
      },
      finishTask() {
        const task = dice.pick(truth.tasks.all());
        truth.tasks.put(task.number, { ...task, status: 'completed', changedAt: now() });
      },
      endOffer() {
        const offer = truth.offers.all().find(({ status }) => status === 'active');
        if (offer) truth.offers.put(`${offer.fullConversation} ${offer.id}`, { ...offer, status: 'expired' });
      },
    },
    goOn(times) {
      for (let n = 0; n < times; n += 1) dice.pick(deeds)();
    },
  };

  const held = () => dice.pick(truth.stays.all().filter(({ status }) => status === 'accepted'));
  const unreviewed = () =>
    truth.stays
      .all()
      .find(
        (one) =>
          one.code === one.stayCode &&
          one.status === 'accepted' &&
          !truth.reviews.get(reviewed(one)) &&
          one.departure < today(),
      );
  const deeds: readonly (() => unknown)[] = [
    () => self.book(),
    () => self.book(),
    () => self.change(held(), { adults: dice.between(1, 6) }),
    () => self.change(held(), { note: `changed ${(number += 1)}` }, 'remarks_updated'),
    () => self.cancel(held()),
    () => self.enter(),
    () => self.edit(dice.pick(truth.entries.all()), { amount: dice.between(1, 99_999) }),
    () => self.remove(dice.pick(truth.entries.all())),
    () => self.write(dice.pick(truth.fullConversations.all()).id),
    () => self.write(dice.pick(truth.fullConversations.all()).id),
    () => self.price(dice.pick(truth.listings.all()).listing, dice.between(50, 500) * 100),
    () => {
      const stay = unreviewed();
      return stay && self.review(stay);
    },
    () => self.answer(dice.pick(truth.reviews.all())),
  ];
  return self;
}
