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

/** In the order of their bytes, so that codes sort as the numbers that they spell. No I, O, 0 and 1. */
const CODE_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Returns `length` characters that people can read aloud. 32 symbols, so no modulo bias. */
export function readableCode(random: Random, length: number): string {
  let code = '';
  for (const byte of random.bytes(length)) code += CODE_ALPHABET[byte % CODE_ALPHABET.length];
  return code;
}

/** Characters of a moment: 34 years of seconds. */
const MOMENT_LENGTH = 6;
const FIRST_MOMENT = Date.UTC(2020, 0, 1);

/** Returns the second of `ms` in 6 characters that people can read aloud. Later seconds sort higher, until 2054. */
export function readableMoment(ms: number): string {
  let rest = Math.floor(Math.max(0, ms - FIRST_MOMENT) / 1_000);
  let code = '';
  for (let index = 0; index < MOMENT_LENGTH; index++) {
    code = CODE_ALPHABET.charAt(rest % CODE_ALPHABET.length) + code;
    rest = Math.floor(rest / CODE_ALPHABET.length);
  }
  return code;
}
