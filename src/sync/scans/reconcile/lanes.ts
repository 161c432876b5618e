import type { Tier } from './freshness.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Tiers that are scanned one after the other. */
export interface Lane {
  purpose: 'reconcile' | 'reconcile_slow';
  tiers: readonly Tier[];
}

/** The maximum ages that share a lane, so that a reconciliation of hours does not delay one of minutes. */
const shared: readonly { upToMs: number; purpose: Lane['purpose'] }[] = [
  { upToMs: 15 * MINUTE_MS, purpose: 'reconcile' },
  { upToMs: 2 * HOUR_MS, purpose: 'reconcile' },
  { upToMs: 24 * HOUR_MS, purpose: 'reconcile_slow' },
];

/** Divides tiers into the lanes that run in parallel. A reconciliation that may last for days has a lane to itself. */
export function lanesOf(tiers: readonly Tier[]): Lane[] {
  const lanes: Lane[] = [];
  let overMs = 0;
  for (const { upToMs, purpose } of shared) {
    const own = tiers.filter(({ maxAgeMs }) => maxAgeMs > overMs && maxAgeMs <= upToMs);
    if (own.length > 0) lanes.push({ purpose, tiers: own });
    overMs = upToMs;
  }
  const alone = tiers.filter(({ maxAgeMs }) => maxAgeMs > overMs);
  return [...lanes, ...alone.map((tier): Lane => ({ purpose: 'reconcile_slow', tiers: [tier] }))];
}
