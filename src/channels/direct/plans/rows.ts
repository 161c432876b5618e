import type { Json } from '../../../core/database.ts';
import type { Instant } from '../../../kernel/dates.ts';
import type { AccountId } from '../../../kernel/ids.ts';

declare module '../../../core/database.ts' {
  /** The tables of rate plans for bookings without a channel. */
  interface CoreDatabase {
    rate_plans: RatePlanRow;
    rate_plan_properties: RatePlanPropertyRow;
  }
}

/** A version of a plan. It never changes, and it is kept when a newer one takes its place. */
export interface RatePlanRow {
  account_id: AccountId;
  id: number;
  /** From 1. */
  version: number;
  /** JSON in the form of `ratePlan`. */
  plan: Json;
  made_at: Instant;
}

/** The plan that a property has, in the version that counts. */
export interface RatePlanPropertyRow {
  account_id: AccountId;
  property_id: number;
  plan_id: number;
  version: number;
}
