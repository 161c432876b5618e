import { withOffset } from '../../../kernel/dates.ts';
import type { StoredPlan } from './table.ts';

/** Returns the public form of a plan: its amounts are in units of its currency. */
export function presentPlan({ id, version, made_at, property_ids, written }: StoredPlan, zone: string) {
  return { id, version, changed_at: withOffset(made_at, zone), property_ids, plan: written };
}
