import type { Profile } from '../../src/contract/dialect/profile.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import type { LimitSetting } from '../../src/core/limits/policy.ts';
import type { Budget } from '../../src/sync/budget/gate.ts';
import type { Tier } from '../../src/sync/scans/reconcile/freshness.ts';
import { diceOf } from './chance.ts';
import { openSimCore, type SimCore } from './core.ts';
import { HOOK_ADDRESS, type SimDaemon, simDaemon, type SimDaemonOptions } from './daemon.ts';
import type { NetworkFaults, Served } from './network.ts';
import { postOffice, type Receive } from './post.ts';
import type { Templates } from './templates.ts';
import type { Trace } from './trace.ts';
import type { ProcessClock, VirtualTime } from './virtualTime.ts';

const POST_MS = 200;

export interface HalvesOptions {
  seed: number;
  folder: string;
  templates: Templates;
  time: VirtualTime;
  trace: Trace;
  limits: LimitSetting;
  /** How the core speaks, and what the daemon knows of it; left out: as described. */
  profile?: Profile | undefined;
  propertyQuota?: number;
  /** Whether the core says what it could not deliver to a webhook; left out: it does not. */
  knowsUndelivered?: boolean;
  gate: (clock: Clock) => Budget;
  tiers: readonly Tier[];
  historyFrom: string;
  conditions: () => NetworkFaults;
  /** Milliseconds that a delivery takes each way, at the most; left out: 200. */
  postMs?: number;
  /** Of a hundred deliveries: the answer is lost on its way. */
  deaf: () => number;
  onAsking?(seq: number, method: string, path: string): void;
  onServed(served: Served): void;
  onAcknowledged(event: Record<string, unknown>, seq: number, isKept: boolean): void;
  /** What stands between the core and the daemon; left out: nothing. */
  between?(receive: Receive, clock: ProcessClock): Receive;
  /** A delivery leaves the core. */
  onSent(core: SimCore, body: string): void;
  /** What works beside the daemon in its process. */
  beside?: SimDaemonOptions['beside'];
}

/** The real core and the real daemon with a line between them; the core runs, the daemon is yet to be started. */
export async function openHalves(options: HalvesOptions): Promise<{ core: SimCore; daemon: SimDaemon }> {
  const { seed, folder, templates, time, trace, limits, propertyQuota } = options;
  const spoken = options.profile && { profile: options.profile };
  const core = await openSimCore({
    seed,
    folder,
    template: templates.core,
    time,
    trace,
    limits,
    ...(propertyQuota !== undefined && { propertyQuota }),
    knowsUndelivered: options.knowsUndelivered ?? false,
    ...spoken,
  });
  const daemon = simDaemon({
    seed,
    folder,
    template: templates.mirror,
    time,
    trace,
    core,
    ...spoken,
    token: core.token,
    gate: options.gate,
    faults: options.conditions,
    historyFrom: options.historyFrom,
    tiers: options.tiers,
    onAsking: options.onAsking,
    onServed: options.onServed,
    onAcknowledged: options.onAcknowledged,
    ...(options.beside && { beside: options.beside }),
  });
  const dice = diceOf(seed, 'post');
  const { between = (receive) => receive, postMs = POST_MS } = options;
  await core.start((clock) =>
    postOffice(
      {
        clock,
        dice,
        trace,
        faults: () => ({ latencyMs: postMs, deaf: options.deaf() }),
        receive: between((body, headers) => daemon.receive(body, headers), clock),
        onSent: (body) => options.onSent(core, body),
      },
      [HOOK_ADDRESS],
    ),
  );
  return { core, daemon };
}
