import { encodeTime, monotonicFactory } from 'ulid';
import type { Clock } from './clock.ts';
import type { Random } from './random.ts';

declare const brand: unique symbol;
type Branded<Base, Name extends string> = Base & { readonly [brand]: Name };

/** The master account: the tenant of the core. */
export type AccountId = Branded<string, 'AccountId'>;
/** One mirrored account: the tenant of the daemon; also the last segment of `/hooks/<connection>`. */
export type ConnectionId = Branded<string, 'ConnectionId'>;
/** One reservation; it has one stay for each room. */
export type ReservationCode = Branded<string, 'ReservationCode'>;
/** One room of a reservation; equals the reservation code if there is one room only. */
export type StayCode = Branded<string, 'StayCode'>;

/** Makes identifiers that sort by their creation, also within one millisecond. */
export type IdMaker = () => string;

/** Returns a maker of 26-character ULIDs over the given clock and random source. */
export function ulidMaker(clock: Clock, random: Random): IdMaker {
  const next = monotonicFactory(() => random.fraction());
  return () => next(clock.now());
}

/** Returns the text between all identifiers made before `ms` and all made at `ms` or later. */
export function firstIdAt(ms: number): string {
  return encodeTime(Math.max(0, ms), TIME_LENGTH);
}

/** Characters of a ULID that encode its time. */
const TIME_LENGTH = 10;

const CODE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Returns `length` characters that people can read aloud (no I, O, 0, 1). 32 symbols, so no modulo bias. */
export function readableCode(random: Random, length: number): string {
  let code = '';
  for (const byte of random.bytes(length)) code += CODE_ALPHABET[byte % CODE_ALPHABET.length];
  return code;
}
