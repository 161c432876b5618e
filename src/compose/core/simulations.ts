/** The types of a simulation that commands use. */
export type { SimulationProgress } from '../../sandbox/simulation/simulate.ts';
export type { SimulationSummary } from '../../sandbox/simulation/summary.ts';
