import type { Minor } from '../../kernel/money.ts';
import { splitByWeights } from '../../kernel/money.ts';
import type { StayCode } from '../../kernel/ids.ts';

/** Returns each stay's share of an entry of the whole reservation: by room rates, to the minor unit. */
export function allocationsOf(
  amount: Minor,
  stays: readonly { stay_code: StayCode; rate: Minor | null }[],
): { stay_code: StayCode; amount: Minor }[] {
  const shares = splitByWeights(
    amount,
    stays.map((stay) => Math.max(0, stay.rate ?? 0)),
  );
  return stays.map((stay, index) => ({ stay_code: stay.stay_code, amount: shares[index] ?? 0 }));
}

/** Returns outstanding for an entry dated in the future, and paid for all others. */
export function entryStatus(actionAtMs: number, nowMs: number): 'paid' | 'outstanding' {
  return actionAtMs > nowMs ? 'outstanding' : 'paid';
}

/** Returns the kind of object that an entry is linked to: at most one of reservation and property. */
export function linkType(entry: { reservation_code: string | null; property_id: number | null }) {
  if (entry.reservation_code !== null) return 'reservation';
  return entry.property_id === null ? 'operator' : 'property';
}
