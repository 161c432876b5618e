import type { Clock } from '../../kernel/clock.ts';

const HOUR_MS = 3_600_000;
/** Registrations in one hour: from one address, and in total. */
const FROM_ADDRESS = 10;
const IN_ALL = 100;

/** Returns a test that permits or denies one more registration from an address. In memory: protection, not truth. */
export function registrations(clock: Clock): (address: string) => boolean {
  let hour = 0;
  let all = 0;
  let counts = new Map<string, number>();
  return (address) => {
    const present = Math.floor(clock.now() / HOUR_MS);
    if (present !== hour) {
      hour = present;
      all = 0;
      counts = new Map();
    }
    const count = (counts.get(address) ?? 0) + 1;
    if (count > FROM_ADDRESS || all >= IN_ALL) return false;
    counts.set(address, count);
    all += 1;
    return true;
  };
}
