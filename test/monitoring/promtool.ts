import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { stringify } from 'yaml';

const run = promisify(execFile);

export const RULES = fileURLToPath(new URL('../../deploy/prometheus/rules.yaml', import.meta.url));
/** What Prometheus adds to every series of a target. */
const TARGET = 'instance="127.0.0.1:8484",job="stayd"';
/** Minutes between two scrapes. */
const STEP = 2;
/** Scrapes of a state before and after a fault; together longer than every rule waits. */
const BEFORE = 20;
const AFTER = 30;

/** A scrape: each series with its value. */
export type Scrape = ReadonlyMap<string, number>;

/** Reads what `/metrics` answered. @param isUp false if nothing was answered */
export function scraped(text: string, isUp = true): Scrape {
  const series = new Map<string, number>([[`up{${TARGET}}`, Number(isUp)]]);
  for (const line of text.split('\n')) {
    const [, name, labels, value] = /^(stayd_\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined) continue;
    series.set(`${name}{${[labels || [], TARGET].flat().join(',')}}`, Number(value));
  }
  return series;
}

/** Returns the names of alerts that fire while a state lasts. */
export function firing(state: Scrape): Promise<string[]> {
  return begunBy(new Map(), state);
}

/**
 * Returns the names of alerts that do not fire in one state, and do once it has become another. What only grows goes on
 * growing, from scrape to scrape, as it did between the two.
 */
export async function begunBy(before: Scrape, after: Scrape): Promise<string[]> {
  const output = await runTest({
    interval: `${STEP}m`,
    input_series: inputOf(before, after),
    promql_expr_test: [{ expr: NEWLY_FIRING, eval_time: `${(BEFORE + AFTER - 1) * STEP}m`, exp_samples: [] }],
  });
  return [...output.matchAll(/\{alertname="(\w+)"\} 1E\+00/g)].map(([, name = '']) => name).toSorted();
}

const FIRES = 'ALERTS{alertstate="firing"}';
/** Alerts that fire now, and did not before the change. */
const NEWLY_FIRING = `group by (alertname) (${FIRES}) unless group by (alertname) (${FIRES} offset ${AFTER * STEP}m)`;

export function alertNames(): string[] {
  return [...readFileSync(RULES, 'utf8').matchAll(/^ +- alert: (\w+)$/gm)].map(([, name = '']) => name);
}

/** Series that no rule asks for are left out. */
function inputOf(before: Scrape, after: Scrape): { series: string; values: string }[] {
  const asked = new Set([...readFileSync(RULES, 'utf8').matchAll(/\b(stayd_\w+|up)\b/g)].map(([name]) => name));
  const all = [...new Set([...before.keys(), ...after.keys()])];
  return all
    .filter((series) => asked.has(series.slice(0, series.indexOf('{'))))
    .map((series) => ({ series, values: valuesOf(series, before.get(series), after.get(series)) }));
}

function valuesOf(series: string, before: number | undefined, after: number | undefined): string {
  const grows = /_total\{/.test(series) ? Math.max(0, (after ?? 0) - (before ?? 0)) : 0;
  const first = before === undefined ? `_x${BEFORE}` : `${before}+0x${BEFORE - 1}`;
  const second = after === undefined ? 'stale' : `${after}+${grows}x${AFTER - 1}`;
  return `${first} ${second}`;
}

/** Runs a unit test of the rules. @returns what failed, in the words of promtool; empty if nothing did */
async function runTest(test: object): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'stayd-rules-'));
  try {
    const file = join(dir, 'tests.yaml');
    writeFileSync(file, stringify({ rule_files: [RULES], evaluation_interval: `${STEP}m`, tests: [test] }));
    const { code, output } = await promtool('test', 'rules', file);
    if (code === 0) return '';
    if (!output.includes('got:')) throw new Error(`promtool: ${output}`);
    return output;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Runs promtool beside us, since a service of this process must not stand still meanwhile. */
export async function promtool(...args: readonly string[]): Promise<{ code: number; output: string }> {
  try {
    const { stdout, stderr } = await run('promtool', args);
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: unknown; stdout: string; stderr: string };
    if (typeof code === 'number') return { code, output: stdout + stderr };
    throw new Error('these tests need promtool, of the Debian package prometheus', { cause: error });
  }
}
