import { setTimeout as wait } from 'node:timers/promises';
import { addDays, instantOf } from '../../src/kernel/dates.ts';
import { call, type Reached } from '../support/service.ts';

const CLIENTS = 4;
/** Nights of one property: those more than three years ahead cannot be booked. */
const NIGHTS = 1_000;

/** A stay of one night, so many nights from a day, as the body of a booking. */
export function stayOf(property_id: number | undefined, today: string, night: number) {
  return {
    property_id,
    check_in_date: addDays(today, night),
    check_out_date: addDays(today, night + 1),
    guest_name: 'Ada',
    rate_amount: 100,
    commission_amount: 0,
    received_amount: 50,
  };
}

interface Nights {
  property: number;
  /** The codes of bookings that were answered are added to it. */
  answered: Set<string>;
  /** How long each client rests after a booking, in milliseconds; not at all when left out. */
  restMs?: number;
}

/** Guests who book one night after the other, each night once, with whatever service is there. */
export function bookNights({ property, answered, restMs }: Nights) {
  const today = instantOf(Date.now()).slice(0, 10);
  let place = { property_id: property, night: 0 };
  let refused = 0;
  let houses = 0;

  /** Goes on with the nights of a further property. */
  async function moveOn(service: Pick<Reached, 'url' | 'secret'>, token: string): Promise<void> {
    houses += 1;
    const body = { name: `Further house ${houses}` };
    const answer = await call(service, 'POST', '/v3/properties', { token, body }).catch(() => undefined);
    if (answer?.json?.error_code === 200) place = { property_id: answer.json.data.property_id, night: 0 };
    else await wait(50);
  }

  async function client(service: Pick<Reached, 'url' | 'secret'>, token: string, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      if (place.night >= NIGHTS) {
        await moveOn(service, token);
        continue;
      }
      place.night += 1;
      const { property_id, night } = place;
      const body = stayOf(property_id, today, night);
      // When the connection breaks, nobody knows what became of the booking.
      const answer = await call(service, 'POST', '/v3/reservations', { token, body }).catch(() => undefined);
      if (answer?.json?.error_code === 200) answered.add(answer.json.data.reservation_code);
      else if (answer !== undefined) refused += 1;
      // Who cannot serve now is not asked for each night of the year meanwhile.
      if (answer === undefined || answer.http >= 500) await wait(50);
      if (restMs !== undefined) await wait(restMs);
    }
  }

  return {
    /** How many were answered with anything but success. */
    refused: () => refused,
    begin(service: Pick<Reached, 'url' | 'secret'>, token: string) {
      let over = false;
      const clients = Array.from({ length: CLIENTS }, () => client(service, token, () => over));
      return {
        async stop() {
          over = true;
          await Promise.all(clients);
        },
      };
    },
  };
}
