/** What the command line needs to know of a simulation. */
export type { SimulationProgress } from '../../sandbox/simulation/simulate.ts';
export type { SimulationSummary } from '../../sandbox/simulation/summary.ts';
