/**
 * Compares keys of groups in the order in which the books are made: reservations by code, then ledger entries by id,
 * then the empty key of the books as a whole.
 */
export function byGroupOrder(a: string, b: string): number {
  const [left, right] = [placeOf(a), placeOf(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

const MOST_DIGITS = 20;

function placeOf(key: string): string {
  if (key === '') return 'z';
  return key.startsWith('t') ? `t${key.slice(1).padStart(MOST_DIGITS, '0')}` : key;
}
