import type { Group } from './read/facts.ts';

/**
 * Whether something was to be received for a booking and nothing ever was: neither does its ledger hold income, nor does
 * upstream say so. What costs nothing, such as an owner's stay, is not unpaid; nor is what has no known price.
 */
export function isUnpaid({ reservation, transactions }: Pick<Group, 'reservation' | 'transactions'>): boolean {
  if (!reservation || (reservation.received ?? 0) > 0) return false;
  if (transactions.some(({ direction }) => direction === 'income')) return false;
  return reservation.stays.some(({ status, rate }) => status === 'accepted' && rate !== null && rate > 0);
}
