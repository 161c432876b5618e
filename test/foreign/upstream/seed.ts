import type { Dice } from './dice.ts';
import { type Channel, dictionaryNames, type Property, reviewed, type Stay, type StayStatus } from './records.ts';
import { addDays, dateIn, datesFrom } from './time.ts';
import type { Truth } from './truth.ts';

/** How much there is of everything. */
export interface Size {
  properties: number;
  /** Of each property. */
  stays: number;
  entries: number;
  fullConversations: number;
  /** Of the fullConversation that has most of them. */
  longestConversation: number;
}

export const smallSize: Size = {
  properties: 6,
  stays: 40,
  entries: 230,
  fullConversations: 24,
  longestConversation: 130,
};

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const listed: readonly Channel[] = ['A', 'B', 'C', 'regional', 'site', 'agoda'];
const colors = ['#FD587B', '#1BBFA4', '#FFA416'];

/** A host's account with some years of business. Everything in it has been so for long. */
export function seed(truth: Truth, dice: Dice, now: number, size: Size = smallSize): void {
  const today = dateIn(now, truth.account.zone);
  seedPortfolio(truth, size, now);
  let number = 1_000;
  for (const property of truth.properties.all()) {
    // One after the other, so that no night is sold twice.
    let from = addDays(today, -310);
    for (let n = 0; n < size.stays; n += 1) {
      const arrival = addDays(from, dice.between(0, 4));
      const departure = addDays(arrival, dice.between(1, 7));
      from = departure;
      number += 1;
      truth.stays.put(`${number}`, makeStay(truth, dice, { number, property, arrival, departure, now }));
    }
  }
  seedUnits(truth, dice, now);
  for (const stay of truth.stays.all()) hold(truth, stay);
  seedEntries(truth, dice, now, size);
  seedConversations(truth, dice, now, size);
  seedReviews(truth, dice, now);
  seedWork(truth, dice, now);
}

function seedPortfolio(truth: Truth, { properties }: Size, now: number): void {
  const madeAt = now - 400 * DAY_MS;
  for (const name of dictionaryNames) {
    for (let number = 1; number <= 3; number += 1) {
      truth.dictionary.put(`${name}/${number}`, { dictionary: name, number, name: `${name} ${number}` });
    }
  }
  truth.sources.put(1, { number: 1, name: 'Telephone' });
  truth.sources.put(2, { number: 2, name: 'Own site' });
  for (const [index, channel] of (['A', 'B', 'C', 'regional'] as const).entries()) {
    truth.channelAccounts.put(index + 1, {
      number: index + 1,
      channel,
      user: `host at ${channel}`,
      state: 'active',
      madeAt,
    });
  }
  for (const [index, color] of colors.entries()) {
    const number = index + 1;
    truth.tags.put(number, { number, name: `tag ${number}`, color, properties: [number] });
    truth.stayTags.put(number, { number, name: `mark ${number}`, color, isDefault: number === 1 });
    truth.groups.put(number, { number, name: `group ${number}`, properties: [number, number + 1] });
  }
  truth.roomTypes.put(1, { number: 1, name: 'Double room', properties: [1, 2] });
  truth.shareLinks.put(1, { number: 1, properties: [], url: 'https://share.example/all', madeAt });
  truth.shareLinks.put(2, { number: 2, properties: [1, 2], url: 'https://share.example/some', madeAt });
  for (let number = 1; number <= properties; number += 1) {
    const channel = listed[number % listed.length] ?? 'A';
    // Beyond the numbers that a float tells apart.
    const listing = `90071992547409${String(930 + number)}`;
    truth.listings.put(listing, {
      number,
      listing,
      channel,
      account: channel === 'site' || channel === 'agoda' ? 0 : number % 4,
      title: `House ${number} on its channel`,
      cover: number % 2 === 0 ? null : `https://pictures.example/${number}`,
      units: 1,
      price: 10_000 + number * 500,
      madeAt,
    });
    truth.properties.put(number, {
      number,
      name: `House ${number}`,
      address: `${number} Shore Road`,
      listings: [{ channel, listing }],
      groups: number === 1 ? [1] : [],
      tags: number <= 3 ? [number] : [],
    });
  }
}

interface Booking {
  number: number;
  property: Property;
  arrival: string;
  departure: string;
  now: number;
}

export function makeStay(truth: Truth, dice: Dice, { number, property, arrival, departure, now }: Booking): Stay {
  const channel = property.listings[0] && dice.percent(80) ? property.listings[0].channel : 'direct';
  const rate = dice.between(80, 900) * 100 + 37;
  const isPast = Date.parse(departure) < now;
  const states: readonly StayStatus[] = isPast
    ? ['accepted', 'accepted', 'accepted', 'accepted', 'cancelled', 'denied', 'timeout']
    : ['accepted', 'accepted', 'accepted', 'accepted', 'cancelled', 'wait_accept', 'wait_pay'];
  const status = dice.pick(states);
  const bookedAt =
    Math.min(now - HOUR_MS, Date.parse(arrival) - dice.between(1, 90) * DAY_MS) + dice.between(0, 23) * HOUR_MS;
  const code = channel === 'direct' ? `5-F${number}` : `0-${number}-${channel}`;
  const tax = dice.percent(40) ? Math.round(rate / 10) : null;
  const commission = channel === 'direct' ? 0 : Math.round(rate / 7);
  return {
    number,
    code,
    stayCode: code,
    reference: `REF${number}`,
    property: dice.percent(3) ? 0 : property.number,
    channel,
    listing: channel === 'direct' ? '' : (property.listings[0]?.listing ?? ''),
    arrival,
    departure,
    adults: dice.between(1, 4),
    children: dice.between(0, 2),
    infants: 0,
    pets: dice.between(0, 1),
    status,
    guest: {
      name: `Guest ${number}`,
      phone: dice.percent(50) ? `+49 170 ${number}` : null,
      email: dice.percent(50) ? `guest${number}@mail.example` : null,
    },
    bookedAt,
    enteredAt: bookedAt + 60_000,
    cancelledAt: status === 'cancelled' ? Math.min(now - HOUR_MS, bookedAt + 5 * DAY_MS) : null,
    rate,
    commission,
    tax,
    totalRate: rate,
    totalCommission: commission,
    received: dice.percent(50) ? 0 : dice.percent(50) ? rate - commission : Math.floor(rate / 3),
    deposit: dice.percent(25) ? depositOf(20_000) : null,
    policy: channel === 'A' && dice.percent(50) ? dice.pick(['flexible', 'moderate', 'strict']) : null,
    note: dice.percent(20) ? `note ${number}` : null,
    tags: dice.percent(20) ? ['mark 2'] : [],
    fullConversation: null,
    source: channel === 'direct' ? { id: 1, name: truth.sources.get(1)?.name ?? '' } : null,
  };
}

export function depositOf(asked: number): NonNullable<Stay['deposit']> {
  return { asked, paid: 0, deducted: 0, pending: 0, refunded: 0, status: 'unpaid' };
}

/** Some orders are of several units, each with a code of its own. */
function seedUnits(truth: Truth, dice: Dice, now: number): void {
  const pairs = truth.stays.all().filter(({ channel, status }) => channel !== 'direct' && status === 'accepted');
  for (const first of pairs.filter((_, index) => index % 12 === 0)) {
    const number = first.number + 20_000;
    const totalRate = first.rate * 2;
    const totalCommission = first.commission * 2;
    const order = { totalRate, totalCommission };
    truth.stays.put(`${first.number}`, { ...first, ...order, stayCode: `${first.code}-1` });
    const second: Stay = {
      ...first,
      ...order,
      number,
      stayCode: `${first.code}-2`,
      property: 0,
      deposit: null,
      enteredAt: Math.min(now, first.enteredAt + dice.between(0, 60) * 1_000),
    };
    truth.stays.put(`${number}`, second);
  }
}

/** Takes the nights of a stay that holds its property, or gives them back. */
export function hold(truth: Truth, stay: Stay): void {
  if (stay.property === 0) return;
  const holds = stay.status === 'accepted' || stay.status === 'wait_pay';
  for (const date of datesFrom(stay.arrival, addDays(stay.departure, -1))) {
    truth.closed.put(`${stay.property} ${date}`, holds ? { property: stay.property, date, why: 'booked' } : null);
  }
}

function seedEntries(truth: Truth, dice: Dice, now: number, { entries }: Size): void {
  const stays = truth.stays.all();
  for (let number = 1; number <= entries; number += 1) {
    const stay = dice.percent(60) ? dice.pick(stays) : undefined;
    const at = now - dice.between(0, 300) * DAY_MS + dice.between(0, 23) * HOUR_MS - 30 * 60_000;
    const isDoubtful = dice.percent(10);
    truth.entries.put(number, {
      number,
      code: stay?.code ?? null,
      property: stay ? stay.property : dice.percent(50) ? dice.between(1, 3) : null,
      direction: dice.pick(['income', 'expense']),
      item: isDoubtful ? 1 : dice.between(1, 3),
      method: dice.between(1, 3),
      amount: dice.between(100, 90_000),
      currency: truth.account.currency,
      at,
      note: `entry ${number}`,
      enteredAt: at,
      changedAt: at,
    });
  }
}

function seedConversations(
  truth: Truth,
  dice: Dice,
  now: number,
  { fullConversations, longestConversation }: Size,
): void {
  const stays = truth.stays.all().filter(({ channel }) => channel !== 'direct');
  for (let n = 1; n <= fullConversations; n += 1) {
    const stay = dice.pick(stays);
    const id = `T/${n}=${dice.between(100, 999)}`;
    const about = dice.percent(20) ? [] : [stay.code];
    truth.fullConversations.put(id, {
      id,
      channel: stay.channel,
      guest: { name: stay.guest.name, email: stay.guest.email, phone: stay.guest.phone },
      about,
      note: dice.percent(20) ? `about ${n}` : null,
      notedAt: null,
    });
    const count = n === 1 ? longestConversation : dice.between(1, 6);
    const first = now - dice.between(20, 60) * DAY_MS;
    for (let m = 1; m <= count; m += 1) {
      truth.messages.put(`${id} ${m}`, {
        id: `m-${n}-${m}`,
        fullConversation: id,
        from: m % 2 === 1 ? 'guest' : 'host',
        name: m % 4 === 0 ? null : `Person ${n}`,
        kind: 'Text',
        text: `Words ${m} of fullConversation ${n}`,
        attachment:
          m % 5 === 0 ? { type: 'image', url: `https://files.example/${n}/${m}.jpg`, name: `${m}.jpg` } : null,
        at: first + m * HOUR_MS + dice.between(0, 59) * 1_000,
      });
    }
    if ((stay.channel === 'A' || stay.channel === 'site') && dice.percent(60)) {
      const offer = `O-${n}`;
      truth.offers.put(`${id} ${offer}`, {
        id: offer,
        fullConversation: id,
        status: dice.pick(['active', 'expired', 'declined']),
        listing: stay.listing,
        arrival: stay.arrival,
        departure: stay.departure,
        guests: 2,
        price: 25_050,
        expiresAt: now + DAY_MS,
        madeAt: first,
      });
    }
  }
}

function seedReviews(truth: Truth, dice: Dice, now: number): void {
  const over = truth.stays
    .all()
    .filter(
      (one) =>
        one.status === 'accepted' &&
        one.channel !== 'direct' &&
        one.stayCode === one.code &&
        Date.parse(one.departure) < now,
    );
  for (const stay of over.filter((_, index) => index % 2 === 0)) {
    const at = Date.parse(stay.departure) + DAY_MS;
    const score = dice.between(6, 10) / 2;
    const hasGuest = dice.percent(70);
    const hasHost = dice.percent(50);
    truth.reviews.put(reviewed(stay), {
      number: stay.number,
      code: stay.code,
      property: stay.property,
      channel: stay.channel,
      listing: stay.listing,
      arrival: stay.arrival,
      departure: stay.departure,
      guest: hasGuest
        ? { score, text: `It was ${score}`, at, secretly: stay.channel === 'A' ? 'The tap drips' : null }
        : null,
      host: hasHost ? { score: 5, text: 'Good guests', at } : null,
      reply: hasGuest && dice.percent(30) ? { text: 'Thank you', at: at + DAY_MS } : null,
    });
  }
}

function seedWork(truth: Truth, dice: Dice, now: number): void {
  const stays = truth.stays.all();
  for (let number = 1; number <= 3; number += 1) {
    truth.staffs.put(number, {
      number,
      name: `Staff ${number}`,
      mobile: `+49 17012345${number}`,
      email: number === 1 ? 'staff@mail.example' : null,
      isActive: number < 3,
    });
    truth.knowledge.put(number, {
      number,
      title: `How to ${number}`,
      properties: number === 1 ? [] : [number],
      channels: number === 2 ? ['A', 'C'] : [],
      isOn: number < 3,
    });
  }
  for (let number = 1; number <= 12; number += 1) {
    const stay = dice.pick(stays);
    truth.tasks.put(number, {
      number,
      type: dice.pick(['cleaning', 'maintenance', 'reception']),
      status: dice.pick(['pending', 'in_progress', 'completed', 'cancelled']),
      property: stay.property === 0 ? null : stay.property,
      stay: stay.stayCode,
      staff: dice.percent(50) ? 1 : null,
      date: stay.departure,
      time: dice.percent(50) ? '11:00:00' : null,
      fee: 4_550,
      note: `task ${number}`,
      madeAt: now - 9 * DAY_MS,
      changedAt: now - 8 * DAY_MS,
    });
    truth.actions.put(number, {
      number,
      type: number % 3 === 0 ? 'review' : 'message',
      name: `rule ${number}`,
      stay: stay.stayCode,
      property: stay.property === 0 ? null : stay.property,
      channel: stay.channel,
      at: now + number * DAY_MS,
    });
  }
}
