import type { Alarm } from '../health/alarms.ts';
import { version } from '../version.ts';
import type { Metric } from './registry.ts';

/** The source of the metrics of the whole service. */
interface ServiceFigures {
  readonly alarms: readonly Alarm[];
}

/** The metrics of the whole service. */
export const serviceMetrics: readonly Metric<ServiceFigures>[] = [
  {
    name: 'stayd_build_info',
    type: 'gauge',
    help: 'Always 1; its labels name the release of stayd and of Node.js that run.',
    labels: ['version', 'node'],
    figures: () => [[[version(), process.versions.node], 1]],
  },
  {
    name: 'stayd_alarm',
    type: 'gauge',
    help: '1 for each alarm that a person must look after before long.',
    labels: ['alarm'],
    figures: ({ alarms }) => [...new Set(alarms.map(({ alarm }) => alarm))].map((alarm) => [[alarm], 1] as const),
  },
];
