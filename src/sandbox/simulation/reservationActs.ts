import { daysBetween, type PlainDate } from '../../kernel/dates.ts';
import type { Change } from '../../core/context.ts';
import { createPreapproval, createSpecialOffer, withdrawSpecialOffer } from '../../core/specialOffers/handlers.ts';
import { book, type SandboxBooked } from '../book.ts';
import { reservationName } from '../names.ts';
import { answerOffer, inquire } from '../write.ts';
import { type PlayedProperty, listingOn } from './playedProperties.ts';
import type { PlannedReservation, PlannedOffer } from './scenario.ts';
import type { Stage } from './stage.ts';

const DAY_MINUTES = 1_440;
/** Minutes that an unpaid reservation waits here: longer than the rest of the simulation. */
const PAY_MINUTES = 120;

/** A reservation that was made, with its conversation. */
export type Booked = SandboxBooked & { conversation_id: string };

/** The property of a reservation, and that of its further room. */
interface Place {
  played: PlayedProperty;
  further: PlayedProperty | null;
}

/** Counts an action. */
type Tally = (action: string) => void;

/** Makes the guest book, perhaps after an inquiry. @returns undefined when no reservation came of it */
export async function makeReservation(
  stage: Stage,
  planned: PlannedReservation,
  place: Place,
  tally: Tally,
): Promise<Booked | undefined> {
  const conversation = reservationName(stage.core.random);
  const conversation_id = planned.inquiry === null ? null : await ask(stage, planned, place.played, conversation);
  if (conversation_id !== null) tally('inquiry');
  if (planned.offer && conversation_id !== null) {
    return makeOffer(stage, planned, { ...planned.offer, conversation_id, played: place.played }, tally);
  }
  tally(planned.kind);
  return known(await stage.change((change) => bookRooms(change, stage, { planned, place, conversation })));
}

async function ask(
  stage: Stage,
  planned: PlannedReservation,
  played: PlayedProperty,
  conversation: string,
): Promise<string> {
  const { day, minutes, guests: number_of_guests } = planned;
  const { conversation_id } = await stage.change((change) =>
    inquire(change, {
      ...listingOn(played, planned.channel),
      ...datesOf(planned),
      number_of_guests,
      guest: guestOf(planned),
      conversation,
      message: planned.inquiry ?? '',
      sent_at: stage.moment(day, minutes + 5),
    }),
  );
  return conversation_id;
}

function bookRooms(
  change: Change,
  stage: Stage,
  { planned, place, conversation }: { planned: PlannedReservation; place: Place; conversation: string },
): Promise<SandboxBooked> {
  const { channel: channel_type, kind, day, minutes } = planned;
  const rooms = [place.played, ...(place.further ? [place.further] : [])].map((played) => ({
    listing_id: listingOn(played, channel_type).listing_id,
    ...datesOf(planned),
    number_of_guests: planned.guests,
    overbook: true,
  }));
  const [first, ...others] = rooms;
  if (!first) throw new Error('a booking has a room');
  // A reservation that is answered or paid in this story must not time out before. One that lapses has the usual
  // deadline.
  const isPatient = !planned.steps.some(({ step }) => step.kind === 'lapse');
  const sinceThen = -day * DAY_MINUTES + minutes;
  return book(change, {
    kind,
    channel_type,
    channel_id: conversation,
    rooms: [first, ...others],
    guest: guestOf(planned),
    booked_at: stage.moment(day, minutes),
    ...(isPatient && { answer_minutes: sinceThen + DAY_MINUTES, pay_minutes: sinceThen + PAY_MINUTES }),
  });
}

async function makeOffer(
  stage: Stage,
  planned: PlannedReservation,
  offer: PlannedOffer & { conversation_id: string; played: PlayedProperty },
  tally: Tally,
): Promise<Booked | undefined> {
  const { conversation_id, offer_type, end, played, percent } = offer;
  tally(offer_type);
  const nights = daysBetween(planned.check_in_date, planned.check_out_date);
  const { id } =
    offer_type === 'preapproval'
      ? await createPreapproval({ conversation_id }, stage.host())
      : await createSpecialOffer(
          {
            conversation_id,
            listing_id: listingOn(played, planned.channel).listing_id,
            ...datesOf(planned),
            price: Math.round((played.base_price * nights * percent) / 100),
            number_of_adults: planned.guests,
            number_of_children: 0,
            number_of_infants: 0,
            number_of_pets: 0,
          },
          stage.host(),
        );
  if (end === 'leave') return undefined;
  tally(`offer_${end}`);
  if (end === 'withdraw') {
    await withdrawSpecialOffer({ conversation_id, special_offer_id: id }, stage.host());
    return undefined;
  }
  const answered = await stage.change((change) =>
    answerOffer(change, { special_offer_id: id, answer: end, overbook: true }),
  );
  return 'booking' in answered ? known(answered.booking) : undefined;
}

function known(booked: SandboxBooked): Booked {
  const { conversation_id } = booked;
  if (conversation_id === null) throw new Error(`${booked.reservation_code} has no conversation`);
  return { ...booked, conversation_id };
}

function guestOf({ guest: name }: PlannedReservation) {
  return { name, email: `${name.toLowerCase().replaceAll(' ', '.')}@guest.example` };
}

function datesOf({ check_in_date, check_out_date }: { check_in_date: PlainDate; check_out_date: PlainDate }) {
  return { check_in_date, check_out_date };
}
