import { type BrokerFigures, brokerFigures } from '../../broker/health.ts';
import type { MirrorDb } from '../../sync/tables/database.ts';
import type { Metric } from './registry.ts';

type Figures = BrokerFigures & { readonly connection: string };

/** How the broker takes the change feed. */
export const brokerMetrics: readonly Metric<Figures>[] = [
  {
    name: 'stayd_mirror_broker_published_total',
    type: 'counter',
    help: 'Changes that the broker has acknowledged.',
    labels: ['connection'],
    figures: ({ connection, published }) => [[[connection], published] as const],
  },
  {
    name: 'stayd_mirror_broker_failures_total',
    type: 'counter',
    help: 'Attempts to publish that failed.',
    labels: ['connection'],
    figures: ({ connection, failures }) => [[[connection], failures] as const],
  },
  {
    name: 'stayd_mirror_broker_waiting_changes',
    type: 'gauge',
    help: 'Changes that the broker has not acknowledged yet.',
    labels: ['connection'],
    figures: ({ connection, lag }) => [[[connection], lag] as const],
  },
  {
    name: 'stayd_mirror_broker_failing_seconds',
    type: 'gauge',
    help: 'Seconds since the first failure of a broker that has taken nothing after it; 0 if it takes what comes.',
    labels: ['connection'],
    figures: ({ connection, failingSeconds }) => [[[connection], failingSeconds] as const],
  },
];

/** Reads the figures of one connection; none if it has never been published. @param now epoch milliseconds */
export async function brokerOf(db: MirrorDb, connection: string, now: number): Promise<Figures[]> {
  const figures = await brokerFigures(db, connection, now);
  return figures ? [{ connection, ...figures }] : [];
}
