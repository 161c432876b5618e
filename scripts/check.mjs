import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inLanes, seconds } from './blocks.mjs';
import { prepare, ROOT } from './prepare.mjs';
import { run } from './processes.mjs';

const LANES = 2;

const bin = (name) => join(ROOT, 'node_modules', '.bin', name);

/** The longest first, so that the lanes end together. */
const BLOCKS = [
  { name: 'types', args: [bin('tsc'), '-p', 'tsconfig.check.json'] },
  { name: 'lint', args: [bin('oxlint')] },
  { name: 'architecture', args: ['--import', 'tsx', '--test-reporter=spec', 'test/architecture.test.ts'] },
  { name: 'format', args: [bin('oxfmt'), '--check'] },
];

/**
 * Checks types, lint, architecture and format, and says how each went.
 * @returns {Promise<string[]>} the names of what failed
 */
export async function check() {
  const failed = await inLanes(BLOCKS, LANES, async ({ name, args }) => {
    const begun = performance.now();
    const { code, output } = await run(process.execPath, args, { cwd: ROOT });
    console.log(`${code === 0 ? 'ok  ' : 'FAIL'}  check: ${name} (${seconds(performance.now() - begun)})`);
    if (code === 0) return [];
    console.log(output.trimEnd());
    return [name];
  });
  return failed.flat();
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await prepare({ build: false });
  const failed = await check();
  if (failed.length > 0) {
    console.log(`FAILED: ${failed.join(', ')}`);
    process.exitCode = 1;
  }
}
