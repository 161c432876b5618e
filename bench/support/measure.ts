import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LoadOrder, LoadResult } from './loader.ts';
import { note } from './outcome.ts';

const LOADER = fileURLToPath(new URL('./loader.ts', import.meta.url));

/** Sends load from a process of its own, so that it does not share the event loop it measures. */
export function sendLoad(order: LoadOrder): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', LOADER], { stdio: ['pipe', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve(JSON.parse(output) as LoadResult) : reject(new Error(`the loader ended with ${code}`)),
    );
    child.stdin.end(JSON.stringify(order));
  });
}

export interface Comparison {
  floor: number;
  ours: number;
  ratio: number;
  /** Lowest and highest ratio of the rounds. */
  spread: [number, number];
}

/** Runs floor and ours in alternation; the figures are medians over the rounds. */
export async function alternate(
  rounds: number,
  floor: () => Promise<number>,
  ours: () => Promise<number>,
): Promise<Comparison> {
  const pairs: { floor: number; ours: number }[] = [];
  for (let round = 0; round < rounds; round += 1) pairs.push({ floor: await floor(), ours: await ours() });
  const ratios = pairs.map((pair) => pair.ours / pair.floor).toSorted((a, b) => a - b);
  return {
    floor: median(pairs.map((pair) => pair.floor)),
    ours: median(pairs.map((pair) => pair.ours)),
    ratio: median(ratios),
    spread: [ratios[0] ?? Number.NaN, ratios.at(-1) ?? Number.NaN],
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** One line of the outcome, `met` or `missed`. */
export function verdict(what: string, goal: number, result: Comparison, unit: string): string {
  const figure = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 1 });
  const [low, high] = result.spread;
  const met = result.ratio >= goal;
  const [ours, floor] = [`${figure(result.ours)} ${unit}`, `${figure(result.floor)} ${unit}`];
  const ratio = `${result.ratio.toFixed(2)} × (${low.toFixed(2)} to ${high.toFixed(2)})`;
  note({ what, goal: `${goal} ×`, ours, floor, ratio, met });
  return `${what}: ${ratio} the floor, goal ${goal}: ${met ? 'met' : 'missed'}; ours ${ours}, floor ${floor}`;
}
