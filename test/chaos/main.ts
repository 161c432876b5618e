import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { sourceOf } from '../../src/compose/profiles/profiles.ts';
import { type DialectName, DIALECTS } from '../sim/dialects.ts';
import { speak } from './built.ts';
import { lacking, runScenario } from './course.ts';
import { provenByTests } from './proven.ts';
import type { Scenario, Verdict } from './scenario.ts';
import { scenarios } from './scenarios.ts';

/**
 * `npm run chaos -- [--only NAME,…] [--dialect hostex] [--count N | --seconds N] [--seed S] [--json FILE]`: does faults to real
 * processes of the built program, a row at a time, and says what came of each. Exit codes: 0, 1 when a promise was
 * broken or a scenario could not be brought to its end, 2 for wrong use.
 */
interface Result {
  row: string;
  scenario: string;
  verdicts: Verdict[];
  /** Why it could not be brought to its end. */
  problem: string | null;
  /** What this machine lacks for it. */
  lacks: readonly string[];
  seconds: number;
  load: number;
}

// Whoever ends this ends what it has started.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

const options = readOptions();
if (options.dialect !== 'described') speak(profileFile(options.dialect));
const results: Result[] = [];
if (!options.only) {
  for (const [row, proofs] of Object.entries(provenByTests)) {
    for (const { file, figure } of proofs)
      console.log(`${row.padEnd(4)}${'in the tests'.padEnd(22)}${figure} (${file})`);
  }
}
for (const scenario of options.chosen) results.push(await judged(scenario));
writeFileSync(options.json, `${JSON.stringify({ cores: cpus().length, node: process.versions.node, results })}\n`);
const broken = results.filter((one) => one.problem !== null || one.verdicts.some((v) => v.isPromise && !v.met));
const left = results.filter((one) => one.lacks.length > 0).length;
console.log(
  `${results.length} scenarios, ${broken.length} broken, ${left} not run; the figures are in ${options.json}`,
);
// What a fault has left hanging must not keep this from ending.
process.exit(broken.length > 0 ? 1 : 0);

async function judged(scenario: Scenario): Promise<Result> {
  const { name, rows } = scenario;
  const begun = performance.now();
  const lacks = lacking(scenario);
  const end = (verdicts: Verdict[], problem: string | null): Result => {
    const seconds = Math.round((performance.now() - begun) / 100) / 10;
    const load = Math.round((loadavg()[0] ?? 0) * 10) / 10;
    const result = { row: rows.join(','), scenario: name, verdicts, problem, lacks, seconds, load };
    print(result);
    return result;
  };
  if (lacks.length > 0) return end([], null);
  const { count, seconds, seed } = options;
  const say = (line: string) => void (process.stderr.isTTY && process.stderr.write(`${name}: ${line}\n`));
  try {
    return end(await runScenario(scenario, { count, seconds, seed, say }), null);
  } catch (error) {
    return end([], error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

function print({ row, scenario, verdicts, problem, lacks, seconds, load }: Result): void {
  const head = `${row.padEnd(4)}${scenario.padEnd(22)}`;
  for (const { figure, target, met, isPromise } of verdicts) {
    console.log(`${head}${met ? 'met' : isPromise ? 'BROKEN' : 'missed'}: ${figure} (target ${target})`);
  }
  if (problem !== null) console.log(`${head}FAILED: ${problem}`);
  if (lacks.length > 0) console.log(`${head}NOT RUN: needs ${lacks.join(', ')}`);
  else console.log(`${head}took ${seconds} s at load ${load.toFixed(1)}`);
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      dialect: { type: 'string', default: 'described' },
      count: { type: 'string' },
      seconds: { type: 'string' },
      seed: { type: 'string', default: '1' },
      json: { type: 'string', default: 'chaos.json' },
    },
  });
  const names = values.only?.split(',');
  const chosen = scenarios.filter(({ name, rows }) => names?.some((one) => one === name || rows.includes(one)) ?? true);
  const unknown = names?.find((one) => !scenarios.some(({ name, rows }) => one === name || rows.includes(one)));
  if (unknown !== undefined) {
    wrongUse(`--only: there is no ${unknown}; there are ${scenarios.map(({ name }) => name).join(', ')}`);
  }
  const dialect = DIALECTS.find((one) => one === values.dialect);
  if (!dialect) wrongUse(`--dialect is one of ${DIALECTS.join(', ')}`);
  const number = (name: 'count' | 'seconds' | 'seed'): number | undefined => {
    const text = values[name];
    if (text === undefined) return undefined;
    if (!/^\d{1,9}$/.test(text)) wrongUse(`--${name}: ${text} is no whole number`);
    return Number(text);
  };
  return { ...values, dialect, chosen, count: number('count'), seconds: number('seconds'), seed: number('seed') };
}

/** A dialect in which nothing is left out that rows look at, as a file. */
function profileFile(dialect: DialectName): string {
  const folder = mkdtempSync(join(tmpdir(), 'stayd-chaos-dialect-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, `${dialect}.yaml`);
  const { serving: _, ...told } = sourceOf({ profiles: 'profiles' }, dialect);
  writeFileSync(file, stringify(told));
  return file;
}

function wrongUse(problem: string): never {
  console.error(problem);
  process.exit(2);
}
