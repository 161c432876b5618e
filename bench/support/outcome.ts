import { appendFileSync } from 'node:fs';

/** What a bench found about one goal, with units. */
interface Outcome {
  what: string;
  goal: string;
  ours: string;
  /** Absent if the goal is absolute. */
  floor?: string;
  /** Ours to the floor. */
  ratio?: string;
  met: boolean;
}

/** Notes an outcome for the table at the end of several benches, if there is to be one. */
export function note(outcome: Outcome): void {
  const file = process.env['BENCH_OUTCOMES'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(outcome)}\n`);
}

/** Notes a figure that has no floor. @returns the line that says whether it met its goal */
export function absolute(what: string, { ours, goal, also = '' }: Figures, met: boolean): string {
  note({ what, goal, ours, met });
  return `${what}: ${ours} (goal ${goal})${also}: ${met ? 'met' : 'missed'}`;
}

interface Figures {
  ours: string;
  goal: string;
  /** Further figures that decide nothing. */
  also?: string;
}
