import { httpMetrics } from '../../src/api/http/routeMeter.ts';
import { brokerMetrics } from '../../src/compose/metrics/broker.ts';
import { consumerMetrics } from '../../src/compose/metrics/consumers.ts';
import { mirrorMetrics, PROPAGATION_SECONDS, propagationHistogram } from '../../src/compose/metrics/mirror.ts';
import { alarmMetrics, coreMetrics, machineMetrics, tracingMetrics } from '../../src/compose/metrics/service.ts';

/** A metric as it is declared. */
export interface DeclaredMetric {
  readonly name: string;
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly labels: readonly string[];
  readonly help: string;
}

/** Every metric of our own, in the order of its name. */
export const declaredMetrics: readonly DeclaredMetric[] = [
  ...machineMetrics,
  ...alarmMetrics,
  ...coreMetrics,
  ...tracingMetrics,
  ...httpMetrics,
  ...mirrorMetrics,
  ...consumerMetrics,
  ...brokerMetrics,
  { name: PROPAGATION_SECONDS, type: 'histogram' as const, labels: ['connection', 'resource'], help: helpOf() },
].toSorted((a, b) => (a.name < b.name ? -1 : 1));

function helpOf(): string {
  return Reflect.get(propagationHistogram(), 'help') as string;
}
