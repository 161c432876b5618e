import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

interface FileResult {
  file: string;
  counts: Record<string, number>;
  failures: string[];
  problems: string[];
  output: string;
}
type ChooseFiles = (files: string[], suite: { isSlow: boolean; paths: string[] }) => string[];
type RunTestFiles = (files: string[], more: { limits: { test: number; idle: number } }) => Promise<FileResult[]>;

const SCRIPT = new URL('../../scripts/testFiles.mjs', import.meta.url).href;
/** A slow machine takes more than a second to load a file that tests nothing. */
const LIMITS = { test: 6000, idle: 4000 };
const IMPORTS = `import assert from 'node:assert/strict';\nimport { describe, it } from 'node:test';\n`;

/** A test file with this text passes (`good`), or fails and says so. */
const rows: [name: string, text: string, expected: 'good' | { failure: RegExp } | { problem: RegExp }][] = [
  ['two tests', `it('a', () => {}); describe('b', () => it('c', () => {}));`, 'good'],
  [
    'an async hook of its own',
    `import { createHook } from 'node:async_hooks';
     it('a', async () => {
       let seen = 0;
       const hook = createHook({ init: () => void (seen += 1) }).enable();
       await new Promise((resolve) => setTimeout(resolve, 1));
       hook.disable();
       assert.ok(seen > 0);
     });`,
    'good',
  ],
  ['a failed test', `describe('a', () => it('b', () => assert.equal(1, 2)));`, { failure: /^a > b\n[^]*1 !== 2/ }],
  ['no test', `console.log('nothing');`, { problem: /has no test/ }],
  ['a suite without tests', `describe('a', () => {});`, { problem: /has no test/ }],
  ['a skipped test', `it('a', () => {}); it('b', (t) => t.skip());`, { problem: /leaves out 1/ }],
  ['a test still to be written', `it('a', () => {}); it.todo('b');`, { problem: /leaves out 1/ }],
  [
    'an early end',
    `it('a', () => {}); it('b', () => process.exit(0)); it('c', () => {});`,
    { problem: /ended before its tests did/ },
  ],
  ['a module that does not load', `import './nowhere.mjs';`, { problem: /ended before its tests did \(exit code 1\)/ }],
  [
    'an error after the tests',
    `it('a', () => { setTimeout(() => { throw new Error('late'); }, 20); });`,
    { problem: /exit code 1, although/ },
  ],
  [
    'a test that never ends',
    `it('a', () => new Promise((resolve) => setTimeout(resolve, 60_000)));`,
    { problem: /took too long: a$/ },
  ],
  ['a test that never yields', `it('a', () => { for (;;); });`, { problem: /neither ran a test nor ended/ }],
  [
    'a timer left open',
    `it('a', () => { setInterval(() => {}, 1000); });`,
    { problem: /neither ran a test nor ended/ },
  ],
];

describe('a test file with', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stayd-tests-'));
  after(() => rmSync(folder, { recursive: true }));
  let results: FileResult[];
  before(async () => {
    const files = rows.map(([, text], index) => {
      const file = join(folder, `${index}.test.mjs`);
      writeFileSync(file, IMPORTS + text);
      return file;
    });
    const { runTestFiles } = (await import(SCRIPT)) as { runTestFiles: RunTestFiles };
    results = await runTestFiles(files, { limits: LIMITS });
  });

  for (const [index, [name, , expected]] of rows.entries()) {
    it(`${name} ${expected === 'good' ? 'passes' : 'fails'}`, () => {
      const { failures, problems } = results[index] ?? assert.fail('was not run');
      if (expected === 'good') assert.deepEqual([...failures, ...problems], []);
      else if ('failure' in expected) assert.match(failures.join('\n---\n'), expected.failure);
      else assert.match(problems.join('\n---\n'), expected.problem);
    });
  }

  it('two tests counts them as node:test does', () => {
    assert.deepEqual(results[0]?.counts, { tests: 2, suites: 1, pass: 2, fail: 0, cancelled: 0, skipped: 0, todo: 0 });
  });
});

describe('the files of', () => {
  const FILES = ['test/kernel/dates.test.ts', 'test/sim/worlds.slow.test.ts', 'test/sim/readLog.test.ts'];
  const suites: [name: string, suite: { isSlow: boolean; paths: string[] }, expected: string[]][] = [
    ['npm test', { isSlow: false, paths: [] }, ['test/kernel/dates.test.ts', 'test/sim/readLog.test.ts']],
    ['npm run test:slow', { isSlow: true, paths: [] }, ['test/sim/worlds.slow.test.ts']],
    ['a path, of either suite', { isSlow: false, paths: ['test/sim'] }, FILES.slice(1)],
    ['a path that is nowhere', { isSlow: true, paths: ['test/nothing'] }, []],
  ];
  for (const [name, suite, expected] of suites) {
    it(name, async () => {
      const { chooseFiles } = (await import(SCRIPT)) as { chooseFiles: ChooseFiles };
      assert.deepEqual(chooseFiles(FILES, suite), expected);
    });
  }
});
