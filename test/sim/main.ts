import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { plant, plantedBugs } from './planted.ts';
import { reportOf, SOMETIMES, sweep } from './sweep.ts';
import { ENUMERATED, makeTemplates, type Regime, REGIMES, runWorld } from './world.ts';

/**
 * `npm run sim -- [--regime R1] [--from S] [--seeds N]`: worlds by the number, and what was wrong in them.
 * `--trace` prints one world line by line; `--planted` plants each bug in a copy of the program and says how many
 * worlds find it.
 */
const { values } = parseArgs({
  options: {
    regime: { type: 'string' },
    from: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '100' },
    'crash-at': { type: 'string' },
    trace: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
    bug: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const names = values.regime === undefined ? [...Object.keys(REGIMES), ENUMERATED.name] : values.regime.split(',');
const from = Number(values.from);
const seeds = Number(values.seeds);

if (values.planted) planted();
else if (values.trace) await trace();
else await worlds();

async function worlds(): Promise<void> {
  for (const name of names) {
    const begun = performance.now();
    let done = 0;
    const { outcomes, failed, counts } = await sweep(name, {
      from,
      seeds,
      onOutcome({ problems }) {
        done += 1;
        if (problems.length > 0) process.exitCode = 1;
        if (!values.json && process.stderr.isTTY) process.stderr.write(`\r${name} ${done}`);
      },
    });
    if (values.json) {
      console.log(JSON.stringify({ name, worlds: outcomes.length, failed: failed.length }));
      continue;
    }
    const never = (SOMETIMES[name] ?? []).filter((kind) => !counts.has(kind));
    const seconds = Math.round((performance.now() - begun) / 1_000);
    console.log(`${name}: ${outcomes.length} worlds, ${failed.length} failed, ${seconds} s`);
    console.log(`  ${[...counts].map(([kind, count]) => `${kind} ${count}`).join(', ')}`);
    if (never.length > 0) console.log(`  never happened: ${never.join(', ')}`);
    if (failed.length > 0) console.log(reportOf(failed));
  }
}

async function trace(): Promise<void> {
  const templates = await makeTemplates();
  const regime = ([...Object.values(REGIMES), ENUMERATED] as Regime[]).find(({ name }) => name === names[0]);
  if (!regime) throw new Error('name a regime');
  const crashAt = values['crash-at'] === undefined ? undefined : Number(values['crash-at']);
  const outcome = await runWorld(from, regime, templates, crashAt);
  console.log(outcome.trace.lines().join('\n'));
  console.log(outcome.digest, outcome.problems.join('\n'));
  rmSync(templates.folder, { recursive: true });
}

/** A table of planted bugs and regimes: the share of worlds that found each. */
function planted(): void {
  console.log(`| planted bug | ${names.join(' | ')} |\n|---|${names.map(() => '---:|').join('')}`);
  for (const bug of plantedBugs.filter(({ name }) => values.bug === undefined || name === values.bug)) {
    const folder = mkdtempSync(join(tmpdir(), 'stayd-planted-'));
    plant(bug, folder);
    const shares = names.map((name) => {
      const more = ['--regime', name, '--from', values.from, '--seeds', values.seeds, '--json'];
      const run = spawnSync(process.execPath, ['--import', 'tsx', 'test/sim/main.ts', ...more], { cwd: folder });
      const { worlds: count, failed } = JSON.parse(run.stdout.toString()) as { worlds: number; failed: number };
      return `${Math.round((100 * failed) / count)} %`;
    });
    rmSync(folder, { recursive: true });
    console.log(`| ${bug.name} | ${shares.join(' | ')} |`);
  }
}
