import { rmSync } from 'node:fs';
import { makeTemplates } from '../templates.ts';
import { runSendsWorld, type SendsOutcome, SOMETIMES } from './world.ts';

export interface SendsReport {
  worlds: number;
  sends: number;
  intended: number;
  /** What became of what was intended, before a person had decided on anything. */
  ends: ReadonlyMap<string, number>;
  counts: ReadonlyMap<string, number>;
  /** Faults that have never happened. */
  never: readonly string[];
  failed: readonly SendsOutcome[];
}

/** Runs world after world until so many messages have left, or it is stopped. */
export async function sendUnderFaults(
  { from, sends, signal }: { from: number; sends: number; signal: AbortSignal },
  onWorld: (outcome: SendsOutcome, sent: number) => void = () => {},
): Promise<SendsReport> {
  const templates = await makeTemplates();
  const [ends, counts] = [new Map<string, number>(), new Map<string, number>()];
  const failed: SendsOutcome[] = [];
  let [worlds, sent, intended] = [0, 0, 0];
  try {
    for (let seed = from; sent < sends && !signal.aborted; seed += 1) {
      const outcome = await runSendsWorld(seed, templates);
      worlds += 1;
      sent += outcome.sends;
      intended += outcome.intended;
      addTo(ends, outcome.ends);
      addTo(counts, outcome.counts);
      if (outcome.problems.length > 0) failed.push(outcome);
      onWorld(outcome, sent);
    }
  } finally {
    rmSync(templates.folder, { recursive: true });
  }
  return { worlds, sends: sent, intended, ends, counts, never: SOMETIMES.filter((kind) => !counts.has(kind)), failed };
}

function addTo(sum: Map<string, number>, more: ReadonlyMap<string, number>): void {
  for (const [name, count] of more) sum.set(name, (sum.get(name) ?? 0) + count);
}

/** The figures of a run, line by line. */
export function sendsText(report: SendsReport): string[] {
  const { worlds, sends, intended, ends, counts, never, failed } = report;
  const listed = (map: ReadonlyMap<string, number>) =>
    [...map]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, count]) => `${name} ${count}`)
      .join(' · ');
  const faults = [...counts].filter(([kind]) => SOMETIMES.includes(kind));
  const duplicates = failed.flatMap(({ problems }) => problems.filter((one) => one.startsWith('duplicate')));
  return [
    `${sends} messages left in ${worlds} worlds, for ${intended} that were intended; ${duplicates.length} duplicates, ${failed.length} worlds failed`,
    `  ends: ${listed(ends)}`,
    `  faults: ${listed(new Map(faults))}`,
    ...(never.length > 0 ? [`  never happened: ${never.join(', ')}`] : []),
    ...failed.map(({ seed, problems }) => `  npm run sim -- --sends 1 --from ${seed}\n    ${problems.join('\n    ')}`),
  ];
}
