/** A keyed hash: the same text gives the same one, and without the key nobody can tell which text it was. */
export type Fingerprint = (text: string) => string;

/** What an erasure can be about. Only fingerprints of these texts are ever stored. */
export const subject = {
  /** One person of one stay: `booker`, or a guest on record. */
  guest: (stayCode: string, guestKey: string) => textOf('guest', stayCode, guestKey),
  /** Everybody of a booking, and what was written about it. */
  booking: (reservationCode: string) => textOf('booking', reservationCode),
  /** What was written about a booking, or one of its stays. */
  text: (code: string) => textOf('text', code),
  /**
   * A conversation with all that was said in it until then. The word is part of what is hashed: another one would make
   * conversations that were erased before unknown.
   */
  conversation: (conversationId: string) => textOf('thread', conversationId),
  /** Whoever has this address, in bookings made until then. */
  email: (address: string) => textOf('email', tidyAddress(address)),
} as const;

function textOf(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

/** Addresses that differ in case or blanks are one. */
export function tidyAddress(address: string): string {
  return address.trim().toLowerCase();
}
