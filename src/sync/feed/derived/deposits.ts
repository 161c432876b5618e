import type { Fields } from '../../../client/fields.ts';
import { minorFrom } from '../../tables/wireValues.ts';
import { isSame, valueAt } from './fields.ts';
import type { Derive, DerivedName } from './names.ts';

/** A deposit, in minor units; all zero where there is none. */
interface Deposit {
  paid: number;
  deducted: number;
  pending: number;
  status: string;
}

const DETAILS = ['check_in_details', 'deposit_details'] as const;

/** The names for a change of the amounts; several can apply at once. */
const rules: readonly { name: DerivedName; holds(before: Deposit, after: Deposit): boolean }[] = [
  { name: 'deposit_paid', holds: (before, after) => after.paid > before.paid },
  { name: 'deposit_deducted', holds: (before, after) => after.deducted > before.deducted },
  { name: 'deposit_refund_pending', holds: (before, after) => before.pending <= 0 && after.pending > 0 },
  { name: 'deposit_returned', holds: isReturned },
];

/** Names the changes of a deposit by the amounts that are paid, deducted and still owed. */
export const depositEvents: Derive<Fields> = (before, after) => {
  const [old, now] = [valueAt(before, ...DETAILS), valueAt(after, ...DETAILS)];
  if (isSame(old, now)) return [];
  const [was, is] = [depositOf(before), depositOf(after)];
  const comparable = was && is && isSameCurrency(before, after);
  const found = comparable ? rules.filter((rule) => rule.holds(was, is)) : [];
  const names: readonly DerivedName[] = found.length > 0 ? found.map((rule) => rule.name) : ['deposit_changed'];
  return names.map((name) => ({ name, before: old, after: now }));
};

/** Returns true if money was returned to the guest: the debt has shrunk by more than was deducted or reversed. */
function isReturned(before: Deposit, after: Deposit): boolean {
  const shrunk = before.pending - after.pending;
  const kept = Math.max(0, after.deducted - before.deducted);
  const takenBack = Math.max(0, before.paid - after.paid);
  if (shrunk > 0) return shrunk > kept + takenBack;
  // Paid and returned between two reads: no debt was ever seen.
  return before.status !== 'refunded' && after.status === 'refunded' && before.paid === 0 && after.pending === 0;
}

/** Returns undefined if an amount cannot be read. */
function depositOf(row: Fields): Deposit | undefined {
  const details = valueAt(row, ...DETAILS);
  if (details === null) return { paid: 0, deducted: 0, pending: 0, status: 'unpaid' };
  const currency = valueAt(row, ...DETAILS, 'currency');
  const amounts = ['paid_amount', 'deducted_amount', 'pending_refund_amount'].map((name) => {
    const amount = valueAt(row, ...DETAILS, name);
    return typeof amount === 'number' && typeof currency === 'string' ? minorFrom(amount, currency) : null;
  });
  const [paid = null, deducted = null, pending = null] = amounts;
  if (paid === null || deducted === null || pending === null) return undefined;
  return { paid, deducted, pending, status: String(valueAt(row, ...DETAILS, 'status')) };
}

function isSameCurrency(before: Fields, after: Fields): boolean {
  const [old, now] = [before, after].map((row) => valueAt(row, ...DETAILS, 'currency'));
  return old === null || now === null || old === now;
}
