import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Tab } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Widths of windows. */
export const PHONE = 360;
export const DESKTOP = 1_280;
const WIDTHS = [PHONE, DESKTOP];

/** Everything on a page that a machine can tell to be in somebody's way, by axe: on both widths, light and dark. */
export async function obstacles(tab: Tab): Promise<string[]> {
  const found: string[] = [];
  await tab.evaluate(`${AXE}; undefined`);
  for (const width of WIDTHS) {
    for (const dark of [false, true]) {
      await tab.resize(width, 900);
      await tab.prefersDark(dark);
      const violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] = await tab.evaluate(
        `axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations)`,
      );
      found.push(
        ...violations.map(
          ({ id, nodes }) =>
            `${width}${dark ? ' dark' : ''} ${id}: ${nodes.length} x ${nodes[0]?.html} ${nodes[0]?.failureSummary}`,
        ),
      );
    }
  }
  return found;
}
