import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { importTable } from './scripts/architecture/rooms.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = 'docs/architecture.md';

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

describe('docs/architecture.md', () => {
  const page = read(PAGE);

  it('names paths that exist', () => {
    const paths = pathsIn(page);
    assert.ok(paths.length > 100);
    assert.deepEqual(
      paths.filter((path) => !existsSync(join(ROOT, path))),
      [],
    );
  });

  for (const parent of ['src', 'src/sync']) {
    it(`names every folder of ${parent}`, () => {
      const folders = readdirSync(join(ROOT, parent), { withFileTypes: true }).filter((one) => one.isDirectory());
      assert.ok(folders.length > 5);
      const unnamed = folders.map(({ name }) => `${parent}/${name}/`).filter((path) => !page.includes(`\`${path}\``));
      assert.deepEqual(unnamed, []);
    });
  }
});

describe('the table of imports', () => {
  it('is the one that the test of the architecture reads', () => {
    const page = read(PAGE);
    const text = page.replace(/\| folder \| may import \|\n(\|.*\n)+/, () => `${importTable()}\n`);
    if (process.env['UPDATE_DOCS']) writeFileSync(join(ROOT, PAGE), text);
    assert.equal(read(PAGE), text, 'run this test with UPDATE_DOCS=1 and commit the file');
    assert.ok(text.includes(importTable()));
  });
});

describe('links between pages', () => {
  const own = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
  const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...own.map((name) => `docs/${name}`)];

  for (const file of pages) {
    it(`${file}: every relative link leads somewhere`, () => {
      const problems = linksIn(read(file)).map((link) => problemWith(file, link));
      assert.deepEqual(
        problems.filter((problem) => problem !== undefined),
        [],
      );
    });
  }
});

/** Paths of this repository in backticks. */
function pathsIn(text: string): string[] {
  const spans = [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  return spans.filter((span) => /^(src|test|migrations|config|bench|docs|scripts)\//.test(span));
}

/** Targets of links that are neither addresses with a scheme nor code. */
function linksIn(text: string): string[] {
  const prose = withoutBlocks(text).replaceAll(/`[^`\n]*`/g, '');
  const inline = [...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)];
  const references = [...prose.matchAll(/^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)/gm)];
  const targets = [...inline, ...references].map(([, target = '']) => target);
  return targets.filter((target) => !/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(target));
}

function problemWith(file: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#', 2);
  const target = path === '' ? file : normalize(join(path.startsWith('/') ? '' : dirname(file), decodeURI(path)));
  if (target.startsWith('..')) return `${link} leads out of the repository`;
  if (!existsSync(join(ROOT, target))) return `${link}: there is no ${target}`;
  if (anchor === undefined || anchorsIn(read(target)).has(decodeURIComponent(anchor))) return undefined;
  return `${link}: ${target} has no heading #${anchor}`;
}

/** The anchors that GitHub gives to the headings of a page; a repeated one is numbered. */
function anchorsIn(text: string): Set<string> {
  const anchors = new Set<string>();
  const counts = new Map<string, number>();
  for (const [, heading = ''] of withoutBlocks(text).matchAll(/^ {0,3}#{1,6}[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$/gm)) {
    const anchor = slugOf(heading);
    const earlier = counts.get(anchor) ?? 0;
    counts.set(anchor, earlier + 1);
    anchors.add(earlier === 0 ? anchor : `${anchor}-${earlier}`);
  }
  return anchors;
}

function slugOf(heading: string): string {
  const shown = heading.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1');
  return shown
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** The page without its fenced blocks, whose lines are neither headings nor links. */
function withoutBlocks(text: string): string {
  return text.replaceAll(/^ *(```+|~~~+)[^\n]*\n[^]*?^ *\1[^\n]*$/gm, '');
}

describe('the reading of pages', () => {
  const page = [
    '# One & two: `x_y`',
    '```sh',
    '# no heading, [no](link.md), `src/none.ts`',
    '```',
    '## [Twice](a.md "title")',
    '## Twice',
    'See [it](b.md#c) and `[not](this.md)` and <https://example.org> and [there](https://example.org/d).',
    '[own]: <e.md>',
    'A path `src/main.ts`, a word `srcs/x`.',
  ].join('\n');

  it('finds links, outside of code and without addresses', () => {
    assert.deepEqual(linksIn(page), ['a.md', 'b.md#c', 'e.md']);
  });
  it('makes anchors as GitHub does', () => {
    assert.deepEqual([...anchorsIn(page)], ['one--two-x_y', 'twice', 'twice-1']);
  });
  it('finds paths in backticks', () => assert.deepEqual(pathsIn(page), ['src/main.ts']));
  it('finds a missing file, a missing heading and a way out', () => {
    assert.match(problemWith('README.md', 'docs/none.md') ?? '', /there is no docs\/none\.md/);
    assert.match(problemWith('README.md', 'docs/testing.md#none') ?? '', /has no heading #none/);
    assert.match(problemWith('docs/testing.md', '../../x') ?? '', /out of the repository/);
    assert.equal(problemWith('docs/testing.md', '../README.md#two-commands'), undefined);
  });
});

describe('decisions', () => {
  it('are numbered from 1 without gaps, and each heading begins with its number', () => {
    const names = readdirSync(join(ROOT, 'docs/decisions')).toSorted();
    names.forEach((name, index) => {
      const number = String(index + 1).padStart(4, '0');
      assert.ok(name.startsWith(`${number}-`), `${name} should be number ${number}`);
      assert.match(readFileSync(join(ROOT, 'docs/decisions', name), 'utf8'), new RegExp(`^# ${number}: \\S`), name);
    });
  });
});
