import { Counter, Gauge, type Registry } from 'prom-client';

/**
 * One metric of `/metrics`, declared once. Its name ends in its unit, or in `_total` if it only grows.
 * @template Of the source of its figures
 */
export interface Metric<Of> {
  readonly name: `stayd_${string}`;
  readonly type: 'gauge' | 'counter';
  readonly help: string;
  readonly labels: readonly string[];
  /** Returns each figure with the values of its labels, in their order. */
  figures(of: Of): Iterable<readonly [labels: readonly string[], value: number]>;
}

/**
 * Sets these metrics to the values of this scrape and removes figures that are no longer named.
 * @param all the sources, for example one for each connection
 */
export function collect<Of>(registry: Registry, metrics: readonly Metric<Of>[], all: readonly Of[]): void {
  for (const metric of metrics) {
    const { name, help, labels: labelNames } = metric;
    const made = { name, help, labelNames: [...labelNames], registers: [registry] };
    const known = registry.getSingleMetric(name) as Gauge | Counter | undefined;
    const one = known ?? (metric.type === 'gauge' ? new Gauge(made) : new Counter(made));
    one.reset();
    for (const of of all) {
      for (const [values, value] of metric.figures(of)) {
        one.inc(Object.fromEntries(labelNames.map((label, index) => [label, values[index] ?? ''])), value);
      }
    }
  }
}
