import { instantOf } from '../../kernel/dates.ts';
import type { BackfillPlan } from '../../sync/scans/backfill/plan.ts';
import type { ReconcilePlan } from '../../sync/scans/reconcile/planReconciliation.ts';

/** Converts a plan of a backfill: moments become text, milliseconds become seconds. */
export function backfillPlanText({ work, requests, rows, counts, startAt, finishAt }: BackfillPlan) {
  const seconds = Math.round((finishAt - startAt) / 1_000);
  return { work, requests, rows, counts, start_at: instantOf(startAt), finish_at: instantOf(finishAt), seconds };
}

/** Converts a plan of reconciliation: ages become seconds. */
export function reconcilePlanText({ tiers, loads, afterStop }: ReconcilePlan) {
  return {
    tiers: tiers.map(({ name, requests, everyMs, lastsMs, maxAgeMs, aimMs, reason, work }) => ({
      tier: name,
      reason,
      max_age: aimMs / 1_000,
      guaranteed_age: maxAgeMs === null ? null : Math.ceil(maxAgeMs / 1_000),
      every: Number.isFinite(everyMs) ? Math.round(everyMs / 1_000) : null,
      lasts: Math.ceil(lastsMs / 1_000),
      requests,
      work,
    })),
    loads: loads.map(({ operation, perDay, part }) => ({ operation, per_day: Math.ceil(perDay), part })),
    after_stop: afterStop,
  };
}
