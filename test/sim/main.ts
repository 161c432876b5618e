import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { growth, liveForDays } from './days.ts';
import { type DialectName, DIALECTS, simProfile } from './dialects.ts';
import { houseText } from './house/report.ts';
import { liveInHouse } from './house/world.ts';
import { plantedBugs } from './planted.ts';
import { isFound, sharesOf } from './plantedTable.ts';
import { reportOf, SOMETIMES, runWorlds } from './runWorlds.ts';
import { ENUMERATED, LONG, type Regime, REGIMES } from './regimes.ts';
import { makeTemplates } from './templates.ts';
import { sendsText, sendUnderFaults } from './sends/runWorlds.ts';
import { runWorld } from './world.ts';
import { yearText } from './year/report.ts';
import { liveWithRecipes } from './year/world.ts';

/**
 * `npm run sim -- [--regime R1] [--dialect hostex] [--from S] [--seeds N]`: worlds by the number, and what was wrong in them.
 * `--hasty` ends a world at the first thing wrong in it. `--trace` prints one world line by line; `--planted` plants each
 * bug in the program as it is loaded and says how many worlds find it. `--days N` lets one world live for days and watches what
 * its memory keeps. `--sends N` lets automations send so many messages while everything on their way fails. `--recipes DAYS`
 * lets an account of `--properties` live for so many days with every recipe live. `--house DAYS` lets a house of five flats live
 * for so many days, sold by two calendars, a page where guests book, and mail, over real connections.
 */
const { values } = parseArgs({
  options: {
    regime: { type: 'string' },
    dialect: { type: 'string' },
    from: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '100' },
    'crash-at': { type: 'string' },
    trace: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
    bug: { type: 'string' },
    hasty: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    days: { type: 'string' },
    sends: { type: 'string' },
    recipes: { type: 'string' },
    house: { type: 'string' },
    properties: { type: 'string', default: '10' },
  },
});
const names = values.regime === undefined ? [...Object.keys(REGIMES), ENUMERATED.name] : values.regime.split(',');
const dialects = DIALECTS.filter((one) => values.dialect === undefined || values.dialect.split(',').includes(one));
if (dialects.length === 0) throw new Error(`--dialect is one of ${DIALECTS.join(', ')}`);
const from = Number(values.from);
const seeds = Number(values.seeds);

async function worlds(): Promise<void> {
  for (const dialect of dialects) await worldsIn(dialect);
}

async function worldsIn(dialect: DialectName): Promise<void> {
  for (const name of names) {
    const begun = performance.now();
    let done = 0;
    const {
      worlds: run,
      failed,
      counts,
    } = await runWorlds(name, {
      from,
      seeds,
      dialect,
      hasty: values.hasty,
      onOutcome({ problems }) {
        done += 1;
        if (problems.length > 0) process.exitCode = 1;
        if (!values.json && process.stderr.isTTY) process.stderr.write(`\r${name} ${done}`);
      },
    });
    const seconds = (performance.now() - begun) / 1_000;
    if (values.json) {
      console.log(JSON.stringify({ name, dialect, worlds: run, failed: failed.length, seconds }));
      continue;
    }
    const never = (SOMETIMES[name] ?? []).filter((kind) => !counts.has(kind));
    console.log(`${name}, ${dialect}: ${run} worlds, ${failed.length} failed, ${seconds.toFixed(1)} s`);
    console.log(`  ${[...counts].map(([kind, count]) => `${kind} ${count}`).join(', ')}`);
    if (never.length > 0) console.log(`  never happened: ${never.join(', ')}`);
    if (failed.length > 0) console.log(reportOf(failed, dialect));
  }
}

async function trace(): Promise<void> {
  const templates = await makeTemplates();
  const regime = ([...Object.values(REGIMES), LONG, ENUMERATED] as Regime[]).find(({ name }) => name === names[0]);
  if (!regime) throw new Error('name a regime');
  const crashAt = values['crash-at'] === undefined ? undefined : Number(values['crash-at']);
  const outcome = await runWorld(from, regime, { templates, crashAt, profile: simProfile(dialects[0] ?? 'described') });
  console.log(outcome.trace.lines().join('\n'));
  console.log(outcome.digest, outcome.problems.join('\n'));
  rmSync(templates.folder, { recursive: true });
}

/** How many of the planted bugs the worlds must find. */
const MUST_FIND = 12;

/** A table of planted bugs and regimes: how many worlds found each, of how many. */
function planted(): void {
  console.log(`| planted bug | ${names.join(' | ')} |\n|---|${names.map(() => '---:|').join('')}`);
  const chosen = plantedBugs.filter(({ name }) => values.bug === undefined || name === values.bug);
  let found = 0;
  for (const bug of chosen) {
    const shares = sharesOf(bug, names, from, seeds);
    if (isFound(shares)) found += 1;
    const cells = shares.map(
      (one) => `${Math.round((100 * one.found) / one.worlds)} % (${one.found} of ${one.worlds})`,
    );
    console.log(`| ${bug.name} | ${cells.join(' | ')} |`);
  }
  const wanted = Math.min(MUST_FIND, chosen.length);
  console.log(`${found} of ${chosen.length} found by at least 5 % of the worlds of a regime; ${wanted} must be`);
  if (found < wanted) process.exitCode = 1;
}

/** A leak would show in fewer megabytes than this an hour. */
const MOST_GROWTH_MB = 1;

async function days(count: number): Promise<void> {
  const mb = (value: number) => `${value.toFixed(1)} MB`;
  const measured = await liveForDays(from, count, ({ day, heapMb, residentMb }) =>
    console.log(`day ${day}: heap ${mb(heapMb)}, resident ${mb(residentMb)}`),
  );
  const slope = growth(measured);
  console.log(`the heap grows by ${slope.toFixed(4)} MB an hour (at most ${MOST_GROWTH_MB})`);
  if (!(slope < MOST_GROWTH_MB)) process.exitCode = 1;
}

async function sends(count: number): Promise<void> {
  const begun = performance.now();
  const stop = new AbortController();
  // The world that is under way is lived to its end, and what was seen is told.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  const report = await sendUnderFaults({ from, sends: count, signal: stop.signal }, ({ seed, problems }, sent) => {
    if (problems.length > 0) console.log(`world ${seed}: ${problems.join('\n  ')}`);
    if (process.stderr.isTTY) process.stderr.write(`\r${sent}`);
  });
  console.log(sendsText(report).join('\n'));
  const { user, system } = process.cpuUsage();
  const [heap, resident] = [process.memoryUsage().heapUsed, process.memoryUsage.rss()].map((bytes) => bytes / 1e6);
  console.log(
    `  ${Math.round((performance.now() - begun) / 1_000)} s, ${((user + system) / 1_000 / report.sends).toFixed(1)} ms of CPU a message, heap ${heap?.toFixed(0)} MB, resident ${resident?.toFixed(0)} MB`,
  );
  if (report.failed.length + report.never.length > 0) process.exitCode = 1;
}

async function recipes(days: number): Promise<void> {
  const begun = performance.now();
  const properties = Number(values.properties);
  const outcome = await liveWithRecipes({ seed: from, properties, days }, (date) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${date}`);
  });
  console.log(`${days} days of ${properties} properties, ${Math.round((performance.now() - begun) / 1_000)} s`);
  console.log(yearText(outcome).join('\n'));
  if (outcome.problems.length > 0) process.exitCode = 1;
}

async function house(days: number): Promise<void> {
  const begun = performance.now();
  const outcome = await liveInHouse({
    seed: from,
    days,
    onDay(date) {
      if (process.stderr.isTTY) process.stderr.write(`\r${date}`);
      // A run of hours says how far it is, wherever its lines go.
      else if (date.endsWith('-01')) console.log(`${date}: ${Math.round((performance.now() - begun) / 1_000)} s`);
    },
    onProblem: (problem) => console.log(`PROBLEM ${problem}`),
  });
  console.log(`${days} days of a house, seed ${from}, ${Math.round((performance.now() - begun) / 1_000)} s`);
  console.log(houseText(outcome).join('\n'));
  if (outcome.problems.length > 0) process.exitCode = 1;
}

if (values.house !== undefined) await house(Number(values.house));
else if (values.recipes !== undefined) await recipes(Number(values.recipes));
else if (values.sends !== undefined) await sends(Number(values.sends));
else if (values.days !== undefined) await days(Number(values.days));
else if (values.planted) planted();
else if (values.trace) await trace();
else await worlds();
