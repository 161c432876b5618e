import type { FieldChange } from './diff.ts';

/** Changes of these fields send no event; in the feed they get a name of their own. First match wins. */
const silent: readonly { resource: string; path: RegExp; name: string }[] = [
  { resource: 'reservation', path: /^check_in_details\.deposit_details\.paid_amount$/, name: 'deposit_paid' },
  { resource: 'reservation', path: /^check_in_details\.deposit_details\.deducted_amount$/, name: 'deposit_deducted' },
  {
    resource: 'reservation',
    path: /^check_in_details\.deposit_details\.(refunded|pending_refund)_amount$/,
    name: 'deposit_refunded',
  },
  { resource: 'reservation', path: /^check_in_details\.deposit_details\b/, name: 'deposit_changed' },
  { resource: 'reservation', path: /^channel_details\b/, name: 'channel_details_changed' },
  { resource: 'special_offer', path: /^status$/, name: 'offer_status_changed' },
  { resource: 'conversation', path: /^note$/, name: 'note_changed' },
];

/** The derived event that a diff amounts to, when it holds one of the changes nobody announces; else null. */
export function derivedFrom(resource: string, diff: readonly FieldChange[]): string | null {
  const found = silent.find((rule) => rule.resource === resource && diff.some((change) => rule.path.test(change.path)));
  return found?.name ?? null;
}
