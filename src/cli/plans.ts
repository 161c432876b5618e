import { counted, grouped, span, table } from './output.ts';

/** The plan of reconciliation: for each tier its ages in seconds, and the load of each operation. */
export interface ReconcilePlan {
  tiers: {
    tier: string;
    max_age: number;
    guaranteed_age: number | null;
    every: number | null;
    requests: number;
  }[];
  loads: { operation: string; per_day: number; part: number }[];
  after_stop: { parts: string[]; requests: number };
}

/** The plan of a backfill: requests, rows, and the expected end. `seconds` is its duration. */
export interface BackfillPlan {
  work: { operation: string; requests: number }[];
  requests: number;
  rows: number;
  finish_at: string;
  seconds: number;
}

/** The share of a limit below which an operation appears in the sum only. */
const WORTH_TELLING = 0.005;

/** Formats the tiers of reconciliation and the operations with a notable load. */
export function reconcilePlanText({ tiers, loads, after_stop: afterStop }: ReconcilePlan): string {
  const rows = tiers.map((one) => [
    one.tier,
    span(one.max_age),
    one.guaranteed_age === null ? 'no room' : span(one.guaranteed_age),
    one.every === null ? '-' : span(one.every),
    grouped(one.requests),
  ]);
  const shown = loads.filter(({ part }) => part >= WORTH_TELLING);
  return [
    table(['part', 'aim', 'never older than', 'read every', 'requests'], rows),
    '',
    table(
      ['operation', 'requests a day', 'of its limits'],
      shown.map(({ operation, per_day, part }) => [operation, grouped(per_day), `${(100 * part).toFixed(1)} %`]),
    ),
    '',
    `After a clean stop of up to an hour ${counted(afterStop.requests, 'request')} (${afterStop.parts.join(', ')}); none if`,
    'the source is stayd and delivered all events. After any other stop everything is read.',
  ].join('\n');
}

/** Formats the requests and the expected duration of a backfill. */
export function backfillPlanText({ work, requests, rows, finish_at, seconds }: BackfillPlan): string {
  const lines = work.toSorted((a, b) => b.requests - a.requests).map((one) => [one.operation, grouped(one.requests)]);
  return [
    table(['operation', 'requests'], lines),
    `${counted(requests, 'request')} for ${counted(rows, 'row')}; over at ${finish_at}, in ${span(seconds)}`,
  ].join('\n');
}
