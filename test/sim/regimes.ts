import type { DeliveryFaults } from '../../src/core/outbox/faults.ts';
import type { Tier } from '../../src/sync/scans/reconcile/freshness.ts';
import { tiers } from '../../src/sync/scans/reconcile/tiers.ts';
import type { NetworkFaults } from './network.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const EVERY_MS = 4_000;
/** What reading itself may take, beyond the age that rows may have. */
const GRACE_MS = 2 * MINUTE;

/** Minutes in place of hours and days, so that reconciliations meet changes, faults and each other in a short run. */
const hurried: readonly Tier[] = tiers.map((tier) => ({ ...tier, maxAgeMs: hurriedAge(tier.maxAgeMs) }));

function hurriedAge(ageMs: number): number {
  if (ageMs < HOUR) return MINUTE;
  if (ageMs <= 2 * HOUR) return 3 * MINUTE;
  return ageMs <= 24 * HOUR ? 4 * MINUTE : 6 * MINUTE;
}

/** What is thrown at a world. */
export interface Regime {
  name: string;
  deliveries: DeliveryFaults;
  /** Of a hundred deliveries: the answer is lost on its way. */
  deaf: number;
  network: Partial<NetworkFaults>;
  /** Changes that no event tells of happen too. */
  silent: boolean;
  /** How often the daemon is killed, on average, in a run. */
  kills: number;
  /** How often the daemon is stopped, on average, in a run; it starts again some time later. */
  stops: number;
  /** The core says after a stop what it could not deliver, as one of ours does. */
  knowsUndelivered: boolean;
  /** Things change while the first scan is still under way. */
  early: boolean;
  /** How often the core ends at a commit, on average, in a run. */
  coreEnds: number;
  /** What is read again by itself. Without it the events alone must have brought the mirror up. */
  tiers: readonly Tier[];
  /** Within how long after the last fault reconciliations must have mended what is hot, and everything; milliseconds. */
  bounds: { hot: number; all: number } | undefined;
  changes: number;
  /** Milliseconds between two of them, on average. */
  everyMs: number;
}

const STOPPED = {
  deliveries: { drop: 0, double: 0.1, reorder: 0.2, delay_ms: 1_000 },
  deaf: 0,
  network: { latencyMs: 300, slow: 5, refused: 2, oddCode: 2 },
  silent: false,
  kills: 0,
  stops: 8,
  early: false,
  coreEnds: 0,
  changes: 40,
  // Long enough for the catch-up after one stop to end before the next.
  everyMs: 4 * EVERY_MS,
} as const;

export const REGIMES = {
  /** Faults of every kind; what no event tells of is found by reconciliations, during the faults and after them. */
  R1: {
    name: 'R1',
    deliveries: { drop: 0.3, double: 0.2, reorder: 0.2, delay_ms: 2_000 },
    deaf: 5,
    network: { latencyMs: 300, slow: 5, refused: 4, cut: 4, proxyPage: 3, oddCode: 3, limited: 2 },
    silent: true,
    kills: 1,
    stops: 0,
    knowsUndelivered: true,
    early: true,
    coreEnds: 1,
    tiers: hurried,
    bounds: { hot: MINUTE + GRACE_MS, all: 4 * MINUTE + GRACE_MS },
    changes: 40,
    everyMs: EVERY_MS,
  },
  /** Nothing is dropped, and nothing but events mends the mirror. */
  R2: {
    name: 'R2',
    deliveries: { drop: 0, double: 0.3, reorder: 0.4, delay_ms: 2_000 },
    deaf: 10,
    network: { latencyMs: 800, slow: 15, refused: 5, cut: 5, proxyPage: 3, oddCode: 3, limited: 1 },
    silent: false,
    kills: 0,
    stops: 0,
    knowsUndelivered: true,
    early: false,
    coreEnds: 0,
    tiers: [],
    bounds: undefined,
    changes: 40,
    everyMs: EVERY_MS,
  },
  /** The other side all but gone, and the daemon killed again and again; then fair conditions, and a bounded time. */
  R3: {
    name: 'R3',
    deliveries: { drop: 0, double: 0.1, reorder: 0.1, delay_ms: 500 },
    deaf: 30,
    network: { latencyMs: 500, slow: 10, refused: 15, cut: 10, proxyPage: 5, oddCode: 5, limited: 2 },
    silent: false,
    kills: 6,
    stops: 0,
    knowsUndelivered: true,
    early: true,
    coreEnds: 0,
    tiers: [],
    bounds: undefined,
    changes: 40,
    everyMs: EVERY_MS,
  },
  /** Nothing is dropped, and the core ends again and again, in the middle of what it does. */
  R5: {
    name: 'R5',
    deliveries: { drop: 0, double: 0.1, reorder: 0.2, delay_ms: 1_000 },
    deaf: 0,
    network: { latencyMs: 300, slow: 5 },
    silent: false,
    kills: 0,
    stops: 0,
    knowsUndelivered: true,
    early: false,
    coreEnds: 6,
    tiers: [],
    bounds: undefined,
    changes: 40,
    everyMs: EVERY_MS,
  },
  /** Nothing is dropped, and the daemon is stopped again and again: its core says what it has missed meanwhile. */
  R6: { ...STOPPED, name: 'R6', knowsUndelivered: true, tiers: [], bounds: undefined },
  /** The same with a source that cannot say it: reconciliations find what was missed, what is hot at once. */
  R7: {
    ...STOPPED,
    name: 'R7',
    knowsUndelivered: false,
    tiers: hurried,
    bounds: { hot: MINUTE + GRACE_MS, all: 4 * MINUTE + GRACE_MS },
  },
} as const satisfies Record<string, Regime>;

/** R1 over days, with the ages that rows really may have: seconds for each world. */
export const LONG: Regime = {
  ...REGIMES.R1,
  name: 'R1-long',
  kills: 2,
  coreEnds: 2,
  tiers,
  bounds: { hot: 15 * MINUTE + GRACE_MS, all: 24 * HOUR + GRACE_MS },
  changes: 60,
  everyMs: 12 * 60_000,
};

/** One calm run, ended at one commit or call to the outside. */
export const ENUMERATED: Regime = {
  name: 'R4',
  deliveries: { drop: 0, double: 0.2, reorder: 0, delay_ms: 100 },
  deaf: 0,
  network: { latencyMs: 50 },
  silent: false,
  kills: 0,
  stops: 0,
  knowsUndelivered: true,
  early: true,
  coreEnds: 0,
  tiers: [],
  bounds: undefined,
  changes: 20,
  everyMs: EVERY_MS,
};
