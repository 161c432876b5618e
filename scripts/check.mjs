import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inLanes, seconds } from './blocks.mjs';
import { prepare, ROOT } from './prepare.mjs';
import { run } from './processes.mjs';
import { runTestFiles } from './testFiles.mjs';

const LANES = 2;
const OUTPUT_LINES_SHOWN = 100;

const bin = (name) => join(ROOT, 'node_modules', '.bin', name);

/** The longest first, so that the lanes end together. */
const BLOCKS = {
  types: () => run(process.execPath, [bin('tsc'), '-p', 'tsconfig.check.json'], { cwd: ROOT }),
  'types of pages': () => checkPages('src/console/browser'),
  'types of the reference': () => checkPages('src/api/docs/browser'),
  lint: () => run(process.execPath, [bin('oxlint'), '--format=unix'], { cwd: ROOT }),
  architecture: checkArchitecture,
  format: () => run(process.execPath, [bin('oxfmt'), '--check'], { cwd: ROOT }),
};

/**
 * Checks types, lint, architecture and format, and says how each went.
 * @param {{ except?: string[] }} options names of what is not to be checked
 * @returns {Promise<string[]>} the names of what failed
 */
export async function check({ except = [] } = {}) {
  const names = Object.keys(BLOCKS).filter((name) => !except.includes(name));
  const failed = await inLanes(names, LANES, async (name) => {
    const begun = performance.now();
    const { code, output } = await BLOCKS[name]();
    console.log(`${code === 0 ? 'ok  ' : 'FAIL'}  check: ${name} (${seconds(performance.now() - begun)})`);
    if (code === 0) return [];
    console.log(firstLines(output.trim(), OUTPUT_LINES_SHOWN));
    return [name];
  });
  return failed.flat();
}

function checkPages(folder) {
  return run(process.execPath, [bin('tsc'), '-p', `${folder}/tsconfig.json`, '--noEmit'], { cwd: ROOT });
}

function firstLines(text, count) {
  const lines = text.split('\n');
  const rest = lines.length - count;
  return rest > 0 ? `${lines.slice(0, count).join('\n')}\n… ${rest} more lines` : text;
}

async function checkArchitecture() {
  const [{ failures, problems, output }] = await runTestFiles(['test/architecture.test.ts']);
  const said = [...failures, ...problems];
  return said.length === 0 ? { code: 0, output } : { code: 1, output: [...said, output].join('\n') };
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await prepare({ build: false });
  const failed = await check();
  if (failed.length > 0) {
    console.log(`FAILED: ${failed.join(', ')}`);
    process.exitCode = 1;
  }
}
