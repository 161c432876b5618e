import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { seconds } from './blocks.mjs';
import { buildTests } from './buildTests.mjs';
import { check } from './check.mjs';
import { prepare, ROOT } from './prepare.mjs';
import { chooseFiles, CLOSING_LINES, runTestFiles } from './testFiles.mjs';
import { withTestFolder } from './testFolder.mjs';

const SLOWEST_SHOWN = 10;
const OUTPUT_LINES_SHOWN = 60;
const GOOD_OUTPUT_LINES_SHOWN = 5;
const FOLDERS = ['src', 'migrations', 'bench', 'scripts', 'test'];

/**
 * `npm test [-- path…]`: prepares, checks, and runs the tests whose files are not named `*.slow.test.ts`; those are
 * run by `npm run test:slow` (`--slow`), without the checks. With paths: the test files of either kind whose path
 * contains one of them, and no checks.
 */
async function main([first, ...rest]) {
  const isSlow = first === '--slow';
  const paths = [...(isSlow || first === undefined ? [] : [first]), ...rest];
  const begun = performance.now();
  const times = [];
  const timed = async (name, work) => {
    const blockBegun = performance.now();
    const result = await work();
    times.push(`${name} ${seconds(performance.now() - blockBegun)}`);
    return result;
  };

  const builtOf = await timed('prepare', async () => {
    await prepare({ build: true });
    return await buildTests();
  });
  // The architecture is one of the tests.
  const failedChecks =
    paths.length > 0 || isSlow ? [] : await timed('check', () => check({ except: ['architecture'] }));
  const { files, unreachable } = testFiles();
  const chosen = chooseFiles(files, { isSlow, paths });
  const results = await timed('tests', () => runTestFiles(chosen, { onResult: show, env: withTestFolder(), builtOf }));

  console.log(`\ntimes: ${times.join(', ')}`);
  console.log('slowest files:');
  for (const { file, ms } of results.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST_SHOWN)) {
    console.log(`  ${seconds(ms).padStart(8)}  ${file}`);
  }
  const problems = [
    ...failedChecks.map((name) => `check: ${name}`),
    ...unreachable.map((file) => `${file} looks like a test, but only test/**/*.test.ts is run`),
    ...(chosen.length === 0 ? ['there is no such test'] : []),
    ...results.flatMap(({ file, failures, problems }) =>
      [...failures, ...problems].map((text) => `${file}: ${text.split('\n', 1)[0]}`),
    ),
  ];
  if (problems.length > 0) {
    console.log(`\nFAILED:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    process.exitCode = 1;
  }
  console.log('');
  const sums = sumOf(results);
  for (const line of CLOSING_LINES) console.log(`# ${line} ${sums[line]}`);
  console.log(`# duration_ms ${performance.now() - begun}`);
}

function testFiles() {
  const all = FOLDERS.filter((folder) => existsSync(join(ROOT, folder))).flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  const named = all.filter((file) => /\.(test|spec)\.[cm]?[jt]sx?$/.test(file)).sort();
  const isReached = (file) => file.startsWith('test/') && file.endsWith('.test.ts');
  return { files: named.filter(isReached), unreachable: named.filter((file) => !isReached(file)) };
}

function isGood({ failures, problems }) {
  return failures.length === 0 && problems.length === 0;
}

function show(result) {
  const { file, ms, counts, failures, problems, output } = result;
  console.log(`${isGood(result) ? 'ok  ' : 'FAIL'}  ${file}: ${counts.tests ?? 0} tests (${seconds(ms)})`);
  for (const text of [...failures, ...problems]) console.log(indented(text));
  if (output.trim() === '') return;
  const shown = isGood(result) ? GOOD_OUTPUT_LINES_SHOWN : OUTPUT_LINES_SHOWN;
  console.log(indented(`it printed:\n${lastLines(output, shown)}`));
}

function lastLines(text, count) {
  const lines = text.trimEnd().split('\n');
  return lines.length <= count ? lines.join('\n') : ['…', ...lines.slice(-count)].join('\n');
}

function indented(text) {
  return text.replace(/^/gm, '      ');
}

/** The closing lines of all files together; a file that fails beside its tests counts as one failed test. */
function sumOf(results) {
  const sums = Object.fromEntries(CLOSING_LINES.map((line) => [line, 0]));
  for (const { counts, failures, problems } of results) {
    for (const line of CLOSING_LINES) sums[line] += counts[line] ?? 0;
    const isCounted = (counts.fail ?? 0) + (counts.cancelled ?? 0) > 0;
    if (isCounted || failures.length + problems.length === 0) continue;
    sums.tests += 1;
    sums.fail += 1;
  }
  return sums;
}

await main(process.argv.slice(2));
