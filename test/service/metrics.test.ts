import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { declaredMetrics as declared } from '../monitoring/declared.ts';
import { call, startTestService } from '../support/service.ts';

const byName = (a: readonly (string | undefined)[], b: readonly (string | undefined)[]): number =>
  (a[0] ?? '') < (b[0] ?? '') ? -1 : 1;
const PAGE = new URL('../../docs/metrics.md', import.meta.url);

/** What Node.js and prom-client measure by themselves. */
const OF_THE_PROCESS = /^stayd_(process|nodejs)_/;
const UNIT = /_(seconds|bytes|total|info|requests|events|keys|rows|deliveries|messages|changes|plans|troubles)$/;
/** Figures without a unit: yes or no, a number of things, a place in a sequence. */
const UNITLESS = new Set([
  'stayd_alarm',
  'stayd_database_up',
  'stayd_mirror_failed_export',
  'stayd_ready',
  'stayd_mirror_active',
  'stayd_mirror_automations_armed',
  'stayd_mirror_feed_head',
  'stayd_mirror_holds',
  'stayd_mirror_unread',
]);

describe('metrics', () => {
  it('are declared once, under names that end in their unit', () => {
    assert.equal(new Set(declared.map(({ name }) => name)).size, declared.length);
    for (const { name, type, help } of declared) {
      assert.match(name, /^stayd_[a-z][a-z0-9_]*[a-z]$/);
      assert.ok(UNIT.test(name) || UNITLESS.has(name), name);
      assert.equal(name.endsWith('_total'), type === 'counter', name);
      assert.match(help, /\.$/, name);
    }
  });

  it('are all that /metrics answers, each with its type and its labels', async () => {
    const service = await startTestService();
    try {
      await service.settled();
      const { text } = await call(service, 'GET', '/metrics', { token: null });
      const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].filter(([, name = '']) => !OF_THE_PROCESS.test(name));
      assert.deepEqual(
        types.map(([, name, type]) => [name, type]).toSorted(byName),
        declared.map(({ name, type }) => [name, type]).toSorted(byName),
      );
      assert.match(
        text,
        /^stayd_build_info\{version="[^"]+",node="20\.|^stayd_build_info\{version="[^"]+",node="2\d\./m,
      );
      for (const { name, labels, type } of declared) {
        const [, found] = new RegExp(`^${name}(?:_count)?\\{([^}]*)\\}`, 'm').exec(text) ?? [];
        if (found === undefined) continue;
        const names = [...found.matchAll(/([a-z]+)="/g)].map(([, label]) => label);
        assert.deepEqual(new Set(names), new Set(labels), `${name} (${type})`);
      }
    } finally {
      await service.remove();
    }
  });

  it('docs/metrics.md is up to date', () => {
    const page = render();
    if (process.env['UPDATE_DOCS']) writeFileSync(PAGE, page);
    assert.equal(readFileSync(PAGE, 'utf8'), page, 'run this test once with UPDATE_DOCS=1');
  });
});

function render(): string {
  return [
    '# Metrics',
    '',
    'Made from `src/compose/metrics` and `src/api/metrics.ts`; do not edit. `/metrics` answers them in the format of',
    'Prometheus, to any token, and to this machine without one. Names end in their unit; `_total` only grows. Figures of',
    'the process and of Node.js come beside them, as `stayd_process_…` and `stayd_nodejs_…`.',
    '',
    '| metric | type | labels | meaning |',
    '|---|---|---|---|',
    ...declared.map(
      ({ name, type, labels, help }) =>
        `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
    ),
    '',
  ].join('\n');
}
