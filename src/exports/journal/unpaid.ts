import type { Group } from './read/facts.ts';

/**
 * Returns true if a reservation has a price but no receipt: its ledger has no income, and upstream reports none. A
 * reservation without a price, such as an owner's stay, or with an unknown one is not unpaid.
 */
export function isUnpaid({ reservation, transactions }: Pick<Group, 'reservation' | 'transactions'>): boolean {
  if (!reservation || (reservation.received ?? 0) > 0) return false;
  if (transactions.some(({ direction }) => direction === 'income')) return false;
  return reservation.stays.some(({ status, rate }) => status === 'accepted' && rate !== null && rate > 0);
}
