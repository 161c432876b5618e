/** What the command line needs to know of a simulation. */
export type { SimulationProgress, SimulationSummary } from '../core/sandbox/simulation/simulate.ts';
