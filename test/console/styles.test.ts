import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sizeClasses } from '../../src/console/calendar/rows.ts';
import { MASTHEAD_STYLE } from '../../src/kernel/markup/look.ts';

const CONSOLE = fileURLToPath(new URL('../../src/console/', import.meta.url));
const MARKUP = fileURLToPath(new URL('../../src/kernel/markup/', import.meta.url));
const STYLES = join(CONSOLE, 'browser', 'style');

const read = (folder: string, ending: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.startsWith('texts/'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');

const views = read(CONSOLE, '.ts') + read(MARKUP, '.ts');
const scripts = read(join(CONSOLE, 'browser'), '.ts');
const written = read(STYLES, '.css').replaceAll(/\/\*[\s\S]*?\*\//g, '');
const sheets = MASTHEAD_STYLE + written;

/** Every class that has a rule. */
const ruled = new Set(
  [...sheets.matchAll(/([^{}]+)\{/g)].flatMap(([, selector = '']) =>
    [...selector.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = '']) => name),
  ),
);

/** Every class that a view names in plain words: in an attribute as it stands, and in the choices of one. */
const named = new Set(
  [...views.matchAll(/(?<!\w)class="((?:\$\{[^}]*\}|[^"$])*)"/g)].flatMap(([, value = '']) => {
    const choices = [...value.matchAll(/[?:]\s*'([^']*)'/g)].map(([, text = '']) => text);
    return [value.replaceAll(/\$\{[^}]*\}\S*|\S*\$\{[^}]*\}/g, ' '), ...choices].join(' ').split(/\s+/);
  }),
);

/** Every word of a literal that could name classes, and every word before the first place of a template. */
const told = new Set(
  [...views.matchAll(/'([a-z][\w-]*(?: [a-z][\w-]*)*)'|= `([a-z][\w-]*) ?[\w -]*\$\{/g)].flatMap(
    ([, text = '', first = '']) => [...text.split(' '), first],
  ),
);

/** The classes that the calendar makes of numbers. */
const sized = new Set(Array.from({ length: 1_000 }, (_none, count) => sizeClasses(count).split(' ')).flat());

describe('the style sheets of the console', () => {
  it('each ends with a rule, since what is left open goes on in the next sheet', () => {
    const open = readdirSync(STYLES).filter(
      (name) => !readFileSync(join(STYLES, name), 'utf8').trimEnd().endsWith('}'),
    );
    assert.deepEqual(open, []);
  });

  it('there are classes on both sides', () => assert.ok(ruled.size > 50 && named.size > 50));

  it('end with a rule each: what is left open would reach into the next, as they are joined', () => {
    for (const name of readdirSync(STYLES)) {
      const text = readFileSync(join(STYLES, name), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
      assert.ok(text.trimEnd().endsWith('}'), name);
      assert.equal(text.split('{').length, text.split('}').length, name);
    }
  });

  it('have a rule for each class of a view, unless a script looks for it', () => {
    const without = [...named].filter((name) => name !== '' && !ruled.has(name) && !scripts.includes(name));
    assert.deepEqual(without, []);
  });

  it('have no rule for the masthead, whose style all pages take from one place', () => {
    assert.match(MASTHEAD_STYLE, /\.masthead/);
    assert.doesNotMatch(written, /masthead/);
  });

  it('have no rule for a class that occurs nowhere', () => {
    const occurs = (name: string) =>
      named.has(name) || told.has(name) || sized.has(name) || views.includes(`${name.replace(/\d+$/, '')}\${`);
    assert.deepEqual(
      [...ruled].filter((name) => !occurs(name)),
      [],
    );
  });
});
