/** A keyed hash: the same text gives the same hash, and without the key the text cannot be found. */
export type Fingerprint = (text: string) => string;

/** The possible subjects of an erasure. Only fingerprints of these texts are ever stored. */
export const subject = {
  /** One person of one stay: `booker`, or a guest on record. */
  guest: (stayCode: string, guestKey: string) => textOf('guest', stayCode, guestKey),
  /** All persons of a reservation, and the texts about it. */
  booking: (reservationCode: string) => textOf('booking', reservationCode),
  /** The texts about a reservation, or one of its stays. */
  text: (code: string) => textOf('text', code),
  /**
   * A conversation with all of its messages until then. The word is part of what is hashed: another one would make
   * conversations that were erased before unknown.
   */
  conversation: (conversationId: string) => textOf('thread', conversationId),
  /** The holder of this address, in reservations made until then. */
  email: (address: string) => textOf('email', tidyAddress(address)),
} as const;

function textOf(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

/** Normalizes an address: addresses that differ in case or blanks are one. */
export function tidyAddress(address: string): string {
  return address.trim().toLowerCase();
}
