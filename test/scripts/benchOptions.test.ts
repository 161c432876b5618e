import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

type ArgumentsOf = (names: string[], given: { size: string[]; options: string[] }) => Record<string, string[]>;

const SCRIPT = new URL('../../scripts/benchOptions.mjs', import.meta.url).href;
const { argumentsOf, OPTIONS } = (await import(SCRIPT)) as {
  argumentsOf: ArgumentsOf;
  OPTIONS: Record<string, string[]>;
};
const BENCHES = new URL('../../bench/', import.meta.url);

const ALL = ['console', 'core', 'full'];
const rows: [names: string[], line: string, expected: Record<string, string>][] = [
  [ALL, '--use /x --only lists', { console: '--use /x', core: '', full: '--use /x --only lists' }],
  [ALL, '--data ../d --keep=/k', { console: '--data ../d', core: '', full: '--data ../d --keep=/k' }],
  [ALL, '1000 --use /x', { console: '--use /x', core: '1000', full: '--use /x' }],
  [['core', 'growth'], '500', { core: '500', growth: '500' }],
  [['full'], '', { full: '' }],
];

describe('what npm run bench gives to each bench', () => {
  for (const [names, line, expected] of rows) {
    it(`${names.join(' ')} ${line}`, () => {
      const parts = line.split(' ').filter((part) => part !== '');
      const from = parts.findIndex((part) => part.startsWith('--'));
      const [size, options] = from < 0 ? [parts, []] : [parts.slice(0, from), parts.slice(from)];
      const given = Object.entries(argumentsOf(names, { size, options }));
      assert.deepEqual(Object.fromEntries(given.map(([name, args]) => [name, args.join(' ')])), expected);
    });
  }

  it('an option that no named bench knows is refused', () => {
    const giving = (names: string[], options: string[]) => () => argumentsOf(names, { size: [], options });
    assert.throws(
      giving(['console'], ['--only', 'lists']),
      /console: there is no option --only; there is --data, --use/,
    );
    assert.throws(giving(['core'], ['--use', '/x']), /core: there is no option --use; there is none/);
    assert.throws(giving(ALL, ['--onyl', 'lists']), /there is no option --onyl/);
  });

  it('knows the options that each bench reads', () => {
    for (const file of readdirSync(BENCHES).filter((name) => name.endsWith('.ts') && name !== 'prove.ts')) {
      const parsed = /parseArgs\(\{\s*options: \{([^]*?)\},?\s*\}\)/.exec(readFileSync(new URL(file, BENCHES), 'utf8'));
      const read = [...(parsed?.[1]?.matchAll(/(\w+): \{ type/g) ?? [])].map(([, option]) => option);
      assert.deepEqual(read, OPTIONS[file.replace('.ts', '')] ?? [], file);
    }
  });
});
