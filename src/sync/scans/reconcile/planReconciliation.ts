import { type Guarantee, guarantees, type Load, type Recurring } from './guarantee.ts';
import type { Limits } from '../../budget/ledger.ts';
import type { Work } from '../../budget/plan.ts';
import { scansAfterStop } from '../all.ts';
import type { ScanContext } from '../purpose.ts';
import { partName, type Tier } from './freshness.ts';
import { lanesOf } from './lanes.ts';
import { paces } from './pace.ts';
import { historyDaysOf, mirroredSizes, requestsOf, type Sizes, usualSizes } from './requests.ts';

interface TierPlan extends Guarantee {
  reason: string;
  /** The intended age. */
  aimMs: number;
  work: readonly Work[];
}

export interface ReconcilePlan {
  tiers: TierPlan[];
  loads: Load[];
  /** What is read at once after a short stop, where the source cannot say what it sent meanwhile. */
  afterStop: { parts: string[]; requests: number };
}

/** A size to plan for in place of the mirror's own. */
export interface GivenSize {
  listings: number;
  bookings: number;
}

/** The assumed time of a reconciliation's request, including its answer and the transaction. */
const MS_PER_REQUEST = 50;

/** Computes the cost of these tiers under the limits, and the ages that result. */
export async function planReconciliation(
  context: ScanContext,
  tiers: readonly Tier[],
  limits: Limits,
  given: GivenSize | undefined,
): Promise<ReconcilePlan> {
  const { historyFrom, clock } = context;
  const sizes = given
    ? usualSizes(given, historyDaysOf(historyFrom, context.zone(), clock.now()))
    : await mirroredSizes(
        context,
        tiers.map((tier) => tier.scan),
      );
  return planTiers(tiers, sizes, limits);
}

/** Returns the interval of each tier while the limits leave room, by its name; see {@link paces}. */
export async function planPaces(
  context: ScanContext,
  tiers: readonly Tier[],
  limits: Limits,
): Promise<ReadonlyMap<string, number>> {
  const sizes = await mirroredSizes(
    context,
    tiers.map((tier) => tier.scan),
  );
  return paces(recurringOf(tiers, sizes), limits, MS_PER_REQUEST);
}

/** Does the same as {@link planReconciliation} for a known size. */
export function planTiers(tiers: readonly Tier[], sizes: Sizes, limits: Limits): ReconcilePlan {
  const recurring = recurringOf(tiers, sizes);
  const { guarantees: found, loads } = guarantees(recurring, limits, MS_PER_REQUEST);
  const plans = found.map((guarantee, index): TierPlan => {
    const { maxAgeMs = 0, reason = '' } = tiers[index] ?? {};
    return { ...guarantee, reason, aimMs: maxAgeMs, work: recurring[index]?.work ?? [] };
  });
  return { tiers: plans, loads: loads.toSorted((a, b) => b.part - a.part), afterStop: planAfterStop(sizes) };
}

function planAfterStop(sizes: Sizes): ReconcilePlan['afterStop'] {
  const work = scansAfterStop.flatMap((scan) => requestsOf(scan, sizes));
  return {
    parts: scansAfterStop.map(partName),
    requests: work.reduce((sum, { requests }) => sum + requests, 0),
  };
}

function recurringOf(tiers: readonly Tier[], sizes: Sizes): Recurring[] {
  const lanes = lanesOf(tiers);
  return tiers.map((tier) => {
    const { scan, maxAgeMs } = tier;
    const lane = lanes.findIndex((one) => one.tiers.includes(tier));
    const purpose = lanes[lane]?.purpose ?? 'reconcile_slow';
    return { name: partName(scan), lane, purpose, maxAgeMs, work: requestsOf(scan, sizes) };
  });
}
