import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { guideTarget, readGuides } from '../../../src/api/docs/guides/guides.ts';
import { markdownHtml, sectionsOf } from '../../../src/api/docs/guides/markdown.ts';
import { GUIDES } from './support/sources.ts';

const guides = readGuides(GUIDES).flatMap((chapter) => chapter.guides);
const names = new Set(guides.map(({ name }) => name));
const rendered = (text: string) =>
  markdownHtml(text, (target) => guideTarget(target, names))
    .text.replaceAll(/\n+/g, '')
    .replaceAll(/<a class="anchor".*?<\/a>/g, '');

/** Without code, in which signs are themselves. */
const proseOf = (html: string) => html.replaceAll(/<(pre|code)[^>]*>[^]*?<\/\1>/g, '').replaceAll(/<[^>]*>/g, '');

describe('guides', () => {
  for (const [what, text, expected] of [
    ['emphasis', 'a **b `c` d** and *e f*', '<p>a <b>b <code>c</code> d</b> and <em>e f</em></p>'],
    ['signs that mean nothing', '3 * 4 * 5, a_b_c, 2*3', '<p>3 * 4 * 5, a_b_c, 2*3</p>'],
    ['code', '`a *b* <c>` and ``d ` e``', '<p><code>a *b* &lt;c&gt;</code> and <code>d ` e</code></p>'],
    ['markup', '<script>alert(1)</script> & "x"', '<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;x&quot;</p>'],
    ['a link to a guide', '[`m`](mirror.md#tables)', '<p><a href="/docs/guides/mirror#tables"><code>m</code></a></p>'],
    ['a link to the place', '[x](#here)', '<p><a href="#here">x</a></p>'],
    ['a link to a file', '[x](../src/a.ts)', '<p><span title="../src/a.ts">x</span></p>'],
    ['a link that runs', '[x](javascript:alert(1))', '<p><span title="javascript:alert(1">x</span>)</p>'],
    [
      'an address',
      '<https://a.example/>',
      '<p><a href="https://a.example/" rel="noreferrer">https://a.example/</a></p>',
    ],
    [
      'lists in lists',
      '- a\n  b\n  - c\n- d\n\n1. e',
      '<ul><li>ab<ul><li>c</li></ul></li><li>d</li></ul><ol><li>e</li></ol>',
    ],
    ['comments', 'a\n\n<!-- b\nc -->\n\nd', '<p>a</p><p>d</p>'],
  ] as const) {
    it(`${what}`, () => assert.equal(rendered(text), expected));
  }

  it('a table, with a bar within a cell', () => {
    const html = rendered('| a | b |\n|---|---|\n| `x \\| y` | **z** |\n\nafter');
    assert.match(html, /<th scope="row"><code>x \| y<\/code><\/th><td data-label="b"><b>z<\/b><\/td>/);
    assert.match(html, /<\/table><p>after<\/p>$/);
  });

  it('code keeps its lines, within a list as well, and headings in it are none', () => {
    const html = markdownHtml('- a\n\n  ```sh\n  # no heading\n    b\n  ```\n- c', () => undefined).text;
    assert.match(html, /<code># no heading\n  b<\/code>[^]*<li>c<\/li>/);
  });

  it('anchors are those of the links to them, a repeated one with a number', () => {
    const sections = sectionsOf('# A\n\n## `npm run` & more\n\nx\n\n## B\n\n## B');
    assert.deepEqual(
      sections.map(({ anchor }) => anchor),
      ['a', 'npm-run--more', 'b', 'b-1'],
    );
  });

  it('all pages of docs/ are there, each in a chapter, and no sign of Markdown is left in their prose', () => {
    assert.ok(guides.length >= 30);
    assert.ok(!readGuides(GUIDES).some(({ title }) => title === 'Guides: more'), 'a guide without a chapter');
    for (const { name, text, title } of guides) {
      assert.notEqual(title, name);
      const prose = proseOf(markdownHtml(text, (target) => guideTarget(target, names)).text);
      assert.doesNotMatch(prose, /\*\*|`|\]\(|^#+ |^\|/m, name);
    }
  });

  it('every word of a guide is on its page', () => {
    for (const { name, text } of guides) {
      const wordsOf = (from: string) => new Set(from.match(/[\p{L}\p{N}]{4,}/gu));
      const shown = wordsOf(markdownHtml(text, (target) => guideTarget(target, names)).text);
      const prose = text
        .replaceAll(/<!--[^]*?-->/g, '')
        .replaceAll(/^ *```\w+( elsewhere)?$/gm, '')
        .replaceAll(/\]\([^)]*\)/g, '');
      const lost = [...wordsOf(prose)].filter((word) => !shown.has(word));
      assert.deepEqual(lost, [], name);
    }
  });
});
