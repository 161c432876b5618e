/** What the command line needs to know of a simulation. */
export type { SimulationProgress } from '../core/sandbox/simulation/simulate.ts';
export type { SimulationSummary } from '../core/sandbox/simulation/summary.ts';
