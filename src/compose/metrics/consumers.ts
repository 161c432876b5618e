import { openPlans } from '../../automations/plans/table.ts';
import { endpointsOutOfReach, waitingMessages } from '../../endpoints/table.ts';
import { failedJobs } from '../../exports/jobs/jobTable.ts';
import { msOf } from '../../kernel/dates.ts';
import type { MirrorDb } from '../../sync/tables/database.ts';
import type { Metric } from './registry.ts';

interface ConsumerFigures {
  readonly connection: string;
  /** Plans that a person or time must still decide, by state. */
  readonly plans: readonly (readonly [state: string, plans: number])[];
  readonly messages: readonly (readonly [endpoint: string, messages: number])[];
  /** Seconds for which an endpoint has taken nothing. */
  readonly failing: readonly (readonly [endpoint: string, seconds: number])[];
  /** Scheduled exports whose last run failed. */
  readonly exports: readonly string[];
}

/** What follows the change feed of a connection: rules, endpoints, exports. */
export const consumerMetrics: readonly Metric<ConsumerFigures>[] = [
  {
    name: 'stayd_mirror_plans',
    type: 'gauge',
    help: 'Plans of rules that are not finished, by state; `unknown` waits for a person.',
    labels: ['connection', 'state'],
    figures: ({ connection, plans }) => plans.map(([state, count]) => [[connection, state], count] as const),
  },
  {
    name: 'stayd_mirror_endpoint_waiting_messages',
    type: 'gauge',
    help: 'Messages that an endpoint has not taken yet.',
    labels: ['connection', 'endpoint'],
    figures: ({ connection, messages }) => messages.map(([id, count]) => [[connection, id], count] as const),
  },
  {
    name: 'stayd_mirror_endpoint_failing_seconds',
    type: 'gauge',
    help: 'Seconds since the first failure of an endpoint that has taken nothing after it.',
    labels: ['connection', 'endpoint'],
    figures: ({ connection, failing }) => failing.map(([id, seconds]) => [[connection, id], seconds] as const),
  },
  {
    name: 'stayd_mirror_failed_export',
    type: 'gauge',
    help: '1 for each scheduled export whose last run failed.',
    labels: ['connection', 'export'],
    figures: ({ connection, exports }) => exports.map((job) => [[connection, job], 1] as const),
  },
];

/** Reads the figures of one connection. @param nowMs epoch milliseconds */
export async function consumerFigures(db: MirrorDb, connection: string, nowMs: number): Promise<ConsumerFigures> {
  const failing = await endpointsOutOfReach(db, connection);
  return {
    connection,
    plans: await openPlans(db, connection),
    messages: await waitingMessages(db, connection),
    failing: failing.map(([id, since]) => [id, Math.max(0, (nowMs - msOf(since)) / 1_000)] as const),
    exports: await failedJobs(db, connection),
  };
}
