import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inLanes } from './blocks.mjs';
import { ROOT } from './prepare.mjs';
import { endGroup, start } from './processes.mjs';

/** One more than there are processors, because many tests wait for servers. */
const LANES = availableParallelism() + 1;
const LIMITS_MS = {
  /** The longest that a test may take; measured from the last test of its file that began or ended. */
  test: 240_000,
  /** The longest that a file may live without a test running, once one has. */
  idle: 30_000,
};
const REPORTER = join(ROOT, 'scripts', 'testReporter.mjs');
const PRELOADED = pathToFileURL(join(ROOT, 'scripts', 'withoutTestHooks.mjs')).href;

/** The closing lines of node:test. */
export const CLOSING_LINES = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo'];
const CLOSING_LINE = new RegExp(`^(${CLOSING_LINES.join('|')}) (\\d+)$`);

/**
 * Chooses the files of one of the two suites; with paths, those of both whose path contains one of them.
 * @param {string[]} files
 * @param {{ isSlow: boolean, paths: string[] }} suite
 * @returns {string[]}
 */
export function chooseFiles(files, { isSlow, paths }) {
  if (paths.length > 0) return files.filter((file) => paths.some((path) => file.includes(path)));
  return files.filter((file) => file.endsWith('.slow.test.ts') === isSlow);
}

/**
 * @typedef {object} FileResult
 * @property {string} file
 * @property {number} ms
 * @property {Record<string, number>} counts the closing lines of the file
 * @property {string[]} failures each failed test with what it said
 * @property {string[]} problems why the file fails, whatever its tests say
 * @property {string} output what the file printed
 */

/**
 * Runs each file as `node <file>`, some at a time, which is what `node --test` does too. That one is not used
 * because on Node 20 it calls a file without tests passed, forgets the tests behind a `process.exit(0)`, and
 * knows limits for files only.
 * @param {string[]} files
 * @param {object} more
 * @param {(result: FileResult) => void} [more.onResult]
 * @param {{ test: number, idle: number }} [more.limits]
 * @param {NodeJS.ProcessEnv} [more.env]
 * @param {(file: string) => string} [more.builtOf] what is run in place of a file; without it the file itself
 * @returns {Promise<FileResult[]>}
 */
export function runTestFiles(
  files,
  { onResult = () => {}, limits = LIMITS_MS, env = process.env, builtOf = (file) => file } = {},
) {
  return inLanes(files, LANES, async (file) => {
    const result = await runTestFile(file, builtOf(file), limits, env);
    onResult(result);
    return result;
  });
}

function runTestFile(file, program, limits, env) {
  const begun = performance.now();
  const reporting = [`--test-reporter=${REPORTER}`, '--test-reporter-destination=stdout'];
  const loading = program === file ? ['--import', 'tsx'] : ['--enable-source-maps'];
  const args = ['--import', PRELOADED, ...loading, ...reporting, program];
  const child = start(process.execPath, args, { cwd: ROOT, env, ipc: true });
  const story = {
    counts: {},
    failures: [],
    problems: [],
    leftOut: 0,
    running: new Set(),
    ended: 0,
    names: [],
  };

  const giveUp = () => {
    const names = [...story.running].join(', ');
    story.problems.push(
      names ? `took too long: ${names}` : 'neither ran a test nor ended: an endless loop, or an open server or timer',
    );
    endGroup(child, 'SIGKILL');
  };
  let limit = setTimeout(giveUp, limits.test);
  child.on('message', (message) => {
    hear(story, message);
    clearTimeout(limit);
    limit = setTimeout(giveUp, story.ended > 0 && story.running.size === 0 ? limits.idle : limits.test);
  });

  return new Promise((resolve) => {
    child.on('error', (error) => story.problems.push(error.message));
    child.on('close', (code) => {
      clearTimeout(limit);
      const { counts, failures } = story;
      const problems = story.problems.length > 0 ? story.problems : problemsOf(story, code);
      resolve({ file, ms: performance.now() - begun, counts, failures, problems, output: child.output });
    });
  });
}

function hear(story, { type, name, nesting, message, isLeftOut, isSumOfOthers, error }) {
  switch (type) {
    case 'test:dequeue':
      story.running.add(name);
      break;
    case 'test:complete':
      story.running.delete(name);
      story.ended += 1;
      break;
    case 'test:start':
      story.names = [...story.names.slice(0, nesting), name];
      break;
    case 'test:fail':
      if (!isSumOfOthers) story.failures.push(`${[...story.names.slice(0, nesting), name].join(' > ')}\n${error}`);
      if (isLeftOut) story.leftOut += 1;
      break;
    case 'test:pass':
      if (isLeftOut) story.leftOut += 1;
      break;
    case 'test:diagnostic': {
      const closing = CLOSING_LINE.exec(message);
      if (closing && nesting === 0) story.counts[closing[1]] = Number(closing[2]);
      break;
    }
  }
}

/** What makes a file fail although none of its tests says so. */
function problemsOf({ counts, failures, leftOut }, code) {
  if (counts.todo === undefined) return [`has no test, or ended before its tests did (exit code ${code})`];
  const problems = [];
  if (counts.tests === 0) problems.push('has no test');
  if (leftOut > 0) problems.push(`leaves out ${leftOut} (skip or todo)`);
  if (code !== 0 && failures.length === 0) problems.push(`exit code ${code}, although no test failed`);
  return problems;
}
