import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { html } from '../../src/kernel/markup/html.ts';
import { pagesWith } from '../../src/kernel/markup/page.ts';

const BAD = `<b a="1" c='2'>&amp;`;
const SAFE = '&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;';

describe('markup', () => {
  it('has everything put in as text, once, wherever it comes from', () => {
    const inner = html`<i>${BAD}</i>`;
    assert.equal(inner.text, `<i>${SAFE}</i>`);
    assert.equal(html`<p title="${BAD}">${inner}</p>`.text, `<p title="${SAFE}"><i>${SAFE}</i></p>`);
    assert.equal(html`${[inner, [BAD, 7]]}${''}${0}`.text, `<i>${SAFE}</i>${SAFE}70`);
  });

  it('begins no line with the blanks of the program, and leaves those of what is put in', () => {
    const lines = html`<pre>
        ${'  one\n    two'}
      </pre>`;
    assert.equal(lines.text, '<pre>\n  one\n    two\n</pre>');
  });
});

describe('pages', () => {
  it('have a title that is text, and a policy that names their style sheet to the byte', () => {
    const pages = pagesWith('h1 > b { color: var(--dim) }');
    const page = pages.page(BAD, html`<h1>x</h1>`);
    assert.match(page, /^<!doctype html>\n<html lang="en">/);
    assert.ok(page.includes(`<title>${SAFE}</title>`));
    const [, style = ''] = /<style>([^]*)<\/style>/.exec(page) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    assert.ok(pages.policy().startsWith(`default-src 'none'; style-src 'sha256-${hash}'; `));
    assert.match(pages.policy(), /; form-action 'none'; /);
    assert.match(pages.policy("'self'"), /; form-action 'self'; /);
  });

  it('are made in one place: no other file has a document, and only those with scripts of their own another policy', () => {
    const root = fileURLToPath(new URL('../../src', import.meta.url));
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const having = (pattern: RegExp) => files.filter((name) => pattern.test(readFileSync(join(root, name), 'utf8')));
    const here = join('kernel', 'markup', 'page.ts');
    assert.deepEqual(having(/<!doctype html|<style>/i), [here]);
    const scripted = [join('api', 'docs', 'frame', 'files.ts'), join('console', 'frame', 'document.ts')];
    assert.deepEqual(having(/style-src/).toSorted(), [...scripted, here]);
  });
});
