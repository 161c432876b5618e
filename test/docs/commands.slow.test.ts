import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { startProcess } from '../service/support/process.ts';
import { settled } from '../support/service.ts';
import { type Fence, pagesWithCommands } from './support/fences.ts';
import { SETTINGS } from './support/settings.ts';
import { runPage } from './support/shell.ts';

/** Blocks that a test cannot run: they want Docker, systemd, other machines, or hours. */
const ELSEWHERE_AT_MOST = 46;

const pages = pagesWithCommands();
const all = [...pages.values()].flat();

const ofTheTest = (text: string): Fence => ({ page: 'the test', line: 1, text, isElsewhere: false });

/** What runs in one shell on one service, with what the page takes for granted. */
function sessionsOf(page: string, fences: readonly Fence[]): Fence[][] {
  const { before = '', apart = [], beforeBlock = {} } = SETTINGS[page] ?? {};
  const prepared = (fence: Fence) => [
    ...Object.entries(beforeBlock).flatMap(([text, commands]) =>
      fence.text.includes(text) ? [ofTheTest(commands)] : [],
    ),
    fence,
  ];
  const isApart = ({ text }: Fence) => apart.some((part) => text.includes(part));
  const [first] = fences;
  return [
    [ofTheTest(before), ...fences.filter((fence) => !isApart(fence)).flatMap(prepared)],
    ...fences.filter(isApart).map((fence) => [...(first ? [first] : []), ofTheTest(before), ...prepared(fence)]),
  ];
}

const READ_LIMIT_MS = 90_000;

describe('the commands of README and docs/', () => {
  const dir = mkdtempSync(join(tmpdir(), 'stayd-docs-'));
  after(() => rmSync(dir, { recursive: true }));

  it('are all commands of a shell', () => {
    for (const { page, line, text } of all) {
      assert.doesNotThrow(() => execFileSync('bash', ['-n'], { input: text, stdio: 'pipe' }), `${page}:${line}`);
    }
  });

  it('are nearly all run', () => {
    const elsewhere = all.filter(({ isElsewhere }) => isElsewhere);
    assert.ok(all.length > 100, `only ${all.length} blocks were found`);
    assert.ok(elsewhere.length <= ELSEWHERE_AT_MOST, `${elsewhere.length} of ${all.length} are only parsed`);
  });

  let sessions = 0;
  for (const [page, fences] of pages) {
    const here = fences.filter(({ isElsewhere }) => !isElsewhere);
    if (here.length === 0) continue;
    for (const session of sessionsOf(page, here)) {
      const { line } = session.at(-1) ?? { line: 0 };
      it(`do what ${page} says, up to line ${line}`, async () => {
        sessions += 1;
        const folder = join(dir, String(sessions));
        const rules = join(folder, 'rules');
        mkdirSync(rules, { recursive: true });
        const service = await startProcess(join(dir, `${sessions}.data`), {
          STAYD_LOG_LEVEL: 'silent',
          STAYD_LIMITS: 'off',
          STAYD_AUTOMATIONS_RULES: rules,
        });
        try {
          // Nobody follows a page faster than an empty house is read.
          await settled(service, READ_LIMIT_MS);
          const expected = SETTINGS[page]?.expected ?? [];
          const { mishaps, said } = await runPage(service, folder, session);
          const unexpected = mishaps.filter(({ what }) => !expected.some(([answer]) => answer.test(what)));
          assert.ok(
            unexpected.length === 0,
            `${unexpected.map(({ where, what }) => `${where}: ${what}`).join('\n')}\nIt said: ${said}`,
          );
        } finally {
          await service.kill('SIGKILL');
        }
      });
    }
  }
});
