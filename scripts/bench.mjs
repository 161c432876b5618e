import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argumentsOf, needsBuild, needsData } from './benchOptions.mjs';
import { prepare, ROOT } from './prepare.mjs';
import { spawn } from 'node:child_process';

const FOLDER = join(ROOT, 'bench');

/**
 * `npm run bench [-- name… [number] [--option value…]]`: runs the named benches one after another; without a name all that
 * need no data, and as `all` every one. Each is given the options that it knows. Each prints its verdicts, and several a
 * table of them at the end.
 */
async function main(given) {
  const from = given.findIndex((arg) => arg.startsWith('--'));
  const [args, options] = from < 0 ? [given, []] : [given.slice(0, from), given.slice(from)];
  const every = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.ts') && name !== 'prove.ts')
    .map((name) => name.slice(0, -'.ts'.length));
  const named = args.filter((arg) => !/^\d+$/.test(arg));
  const unknown = named.find((name) => name !== 'all' && !existsSync(join(FOLDER, `${name}.ts`)));
  if (unknown !== undefined) return refuse(`there is no bench ${unknown}; there are all, ${every.join(', ')}`);
  const names = named.includes('all') ? every : named.length > 0 ? named : every.filter((name) => !needsData(name));
  const size = args.filter((arg) => /^\d+$/.test(arg));
  let own;
  try {
    own = argumentsOf(names, { size, options });
  } catch (error) {
    return refuse(error.message);
  }
  await prepare({ build: names.some(needsBuild) });
  const folder = mkdtempSync(join(tmpdir(), 'stayd-bench-'));
  const outcomes = join(folder, 'outcomes');
  try {
    for (const name of names) {
      const code = await run(['--import', 'tsx', join(FOLDER, `${name}.ts`), ...own[name]], outcomes);
      // A goal that was missed is no failure; a bench that did not come to its end is one.
      if (code === 0) continue;
      console.error(`bench ${name} did not finish`);
      process.exitCode = 1;
    }
    // The console alone has a row for each page, or for each task.
    if ((names.length > 1 || names[0].startsWith('console')) && existsSync(outcomes))
      console.log(tableOf(readFileSync(outcomes, 'utf8')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function refuse(why) {
  console.error(why);
  process.exitCode = 2;
}

/** The outcomes as a table, in the order of the goals' numbers. */
function tableOf(lines) {
  const rows = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const numberOf = ({ what }) => Number(/^P(\d+)/.exec(what)?.[1] ?? Number.POSITIVE_INFINITY);
  const cells = rows
    .toSorted((a, b) => numberOf(a) - numberOf(b))
    .map(({ what, goal, floor = '', ours, ratio = '', met }) => [
      what,
      goal,
      floor,
      ours,
      ratio,
      met ? 'met' : 'missed',
    ]);
  const table = [['what', 'goal', 'floor', 'ours', 'ratio', 'outcome'], Array(6).fill('---'), ...cells];
  const met = rows.filter((row) => row.met).length;
  return `\n${table.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n\n${met} of ${rows.length} goals met`;
}

function run(args, outcomes) {
  return new Promise((resolve) => {
    const env = { ...process.env, BENCH_OUTCOMES: outcomes };
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env });
    child.on('error', () => resolve(1));
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

await main(process.argv.slice(2));
