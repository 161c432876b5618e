import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type OperationId, operationIds, operations } from '../../src/contract/index.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { described } from './described.ts';

const all = [...described.values()].flat();
/** Fields of a path may be called otherwise than the description does; the route is the same. */
const plain = (route: string) => route.replaceAll(/\{\w+\}/g, '{}');
const routeOf = ({ method, path }: Operation) => `${method} ${path}`;
const byRoute = new Map<string, OperationId>(operationIds.map((id) => [plain(routeOf(operations[id])), id]));

describe('the registry against the description', () => {
  it('the description has 87 operations, 72 of them tools', () => {
    assert.equal(new Set(all.map(({ route }) => plain(route))).size, 87);
    assert.equal(new Set(all.flatMap(({ tool }) => tool ?? [])).size, 72);
  });

  it('serves no operation that is not described, and each under its described tool', () => {
    for (const [route, id] of byRoute) {
      const row = all.find((one) => plain(one.route) === route);
      assert.ok(row, `${id} is not described: own additions live outside of /v3`);
      const { tool }: Operation = operations[id];
      assert.equal(tool?.name ?? null, row.tool, id);
    }
  });

  it('docs/coverage.md is up to date', () => {
    const file = new URL('../../docs/coverage.md', import.meta.url);
    const text = render();
    if (process.env['UPDATE_DOCS']) writeFileSync(file, text);
    assert.equal(readFileSync(file, 'utf8'), text, 'run this test with UPDATE_DOCS=1 and commit the file');
  });
});

function render(): string {
  const tools = all.filter(({ route, tool }) => tool !== null && byRoute.has(plain(route))).length;
  const head = [
    '# What of v3 is served',
    '',
    'Made from `src/contract`; do not edit. Every operation of the description is listed, served or not.',
    '',
    `**${byRoute.size} of ${all.length} operations are served**, ${tools} of 72 with the tool that stands for them.`,
  ];
  const parts = [...described].map(([title, rows]) =>
    [
      `## ${title}`,
      '',
      '| route | state | operation | tool | scope | rate class | events |',
      '|---|---|---|---|---|---|---|',
      ...rows.map(({ route, tool }) => line(route, tool)),
    ].join('\n'),
  );
  return `${[head.join('\n'), ...parts].join('\n\n')}\n`;
}

function line(route: string, tool: string | null): string {
  const id = byRoute.get(plain(route));
  if (id === undefined) return `| \`${route}\` | not yet | | ${tool ?? ''} | | | |`;
  const { scope, rate, emits }: Operation = operations[id];
  return `| \`${route}\` | served | ${id} | ${tool ?? ''} | ${scope} | ${rate} | ${emits.join(', ')} |`;
}
