import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Docs } from '../../../src/api/docs/site.ts';
import { errorCodes } from '../../../src/contract/errors.ts';
import { eventKinds } from '../../../src/contract/events.ts';
import { operationIds, operations } from '../../../src/contract/index.ts';
import { html } from '../../../src/kernel/markup/html.ts';
import { startCore, type TestCore } from '../../support/core.ts';
import { BUILT, GUIDES } from './support/sources.ts';

describe('the reference of v3', () => {
  const docs = new Docs({ files: BUILT, guides: GUIDES, tries: true });
  const pages = new Map(docs.addresses.map((address) => [address, docs.page(address) ?? '']));
  let core: TestCore;
  before(async () => {
    core = await startCore();
  });
  after(() => core.close());

  it('has every operation once, with its fields, requests in three languages, and a form', () => {
    for (const id of operationIds) {
      const found = [...pages.values()].filter((page) => page.includes(`id="${id}"`));
      assert.equal(found.length, 1, id);
      const [page = ''] = found;
      const section = page.slice(page.indexOf(`id="${id}"`)).split('<section')[0] ?? '';
      const { params, query, body, path, method } = operations[id];
      assert.ok(section.includes(`<code>/v3${path}</code>`), id);
      for (const name of Object.keys({ ...params.shape, ...query.shape, ...body?.shape })) {
        assert.ok(section.includes(`id="${id}.${name}"`), `${id} ${name}`);
      }
      for (const language of ['curl', 'typescript', 'python']) {
        assert.ok(section.includes(`data-language="${language}"`), `${id} ${language}`);
      }
      assert.ok(section.includes(`data-method="${method}"`), id);
    }
  });

  it('has every error with its advice, every limit, every event with a body, and every guide', () => {
    const errors = pages.get('/docs/errors') ?? '';
    for (const code of Object.keys(errorCodes)) assert.ok(errors.includes(`id="error-${code}"`), code);
    assert.ok(errors.includes('1,200 in 1m, 6,000 in 10m, 20,000 in 1h, 100,000 in 24h'));
    const events = pages.get('/docs/events') ?? '';
    for (const kind of eventKinds) {
      const section =
        events.slice(events.indexOf(`<section class="operation" id="${kind}"`)).split('</section>')[0] ?? '';
      assert.ok(section.includes(`&quot;event&quot;: &quot;${kind}&quot;`), kind);
    }
    assert.ok(pages.has('/docs/guides/mirror') && !pages.has('/docs/guides/0001-planner-statistics'));
  });

  it('names resources and operations for people', () => {
    const page = pages.get('/docs/room-types') ?? '';
    assert.match(page, /<h1>Room types<\/h1>/);
    assert.match(page, />List room types<\/a>/);
    assert.match(pages.get('/docs/listings') ?? '', />Update marketplace A rules<\/a>/);
    assert.match(pages.get('/docs/reservations') ?? '', />Update check-in details<\/a>/);
    assert.doesNotMatch(pages.get('/docs') ?? '', /<h2>More<\/h2>/, 'a resource without a name');
  });

  it('every link leads to a page, and to a place on it', () => {
    const broken: string[] = [];
    for (const [address, page] of pages) {
      const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
      assert.equal(new Set(ids).size, ids.length, `${address}: an anchor stands twice`);
      for (const [, target = ''] of page.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
        const [path = '', anchor] = target.split('#', 2);
        if (target.startsWith('https://') || target === '/openapi.json') continue;
        const where = pages.get(path === '' ? address : path);
        const isThere = where !== undefined && (anchor === undefined || where.includes(` id="${anchor}"`));
        if (!isThere) broken.push(`${address}: ${target}`);
      }
    }
    assert.deepEqual(broken, []);
  });

  it('runs its own scripts alone, by their hashes, and takes nothing from elsewhere', async () => {
    for (const address of ['/docs', '/docs/reservations', '/docs/guides/portal', '/docs/search?q=x', '/docs/none']) {
      const { headers, body } = await core.app.inject({ url: address });
      const policy = String(headers['content-security-policy']);
      const scripts = [...body.matchAll(/<script(?: type="module")?>([^]*?)<\/script>/g)].map(([, text = '']) => text);
      const hashes = scripts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
      assert.equal(scripts.length, 4);
      assert.ok(policy.includes(`script-src ${hashes.join(' ')};`), address);
      assert.doesNotMatch(policy, /unsafe|\*|http/);
      assert.match(policy, /default-src 'none'.*require-trusted-types-for 'script'; trusted-types 'none'/);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.doesNotMatch(body, /<script [^t]|<img|<iframe|\son\w+=|\sstyle=|\ssrc=/, address);
    }
  });

  it('the style and the scripts of a page are small', () => {
    const { style, first, modules } = docs.files;
    assert.ok([style, first, ...modules].join('').length < 30_000);
  });

  it('a browser keeps a page for an hour, and asks by its mark if it is still the same', async () => {
    const { headers, body } = await core.app.inject({ url: '/docs/reservations' });
    assert.equal(headers['cache-control'], 'public, max-age=3600');
    const asked = { 'if-none-match': String(headers.etag) };
    const again = await core.app.inject({ url: '/docs/reservations', headers: asked });
    assert.deepEqual([again.statusCode, again.body], [304, '']);
    const other = await core.app.inject({ url: '/docs/reviews', headers: asked });
    assert.equal(other.statusCode, 200);
    const [, style = ''] = /<link rel="stylesheet" href="([^"]*)"/.exec(body) ?? [];
    const sheet = await core.app.inject({ url: style });
    assert.match(String(sheet.headers['cache-control']), /immutable/);
    assert.match(sheet.body, /prefers-color-scheme: dark/);
    assert.equal((await core.app.inject({ url: style.replace(/\w{16}/, '0123456789abcdef') })).statusCode, 404);
  });

  it('a bad address is answered 404 with a page that leads on, and nothing of it is kept', async () => {
    for (const url of ['/docs/nothing', '/docs/guides/none', '/docs/guides/..%2f..%2fpackage', '/docs/<b>']) {
      const { statusCode, headers, body } = await core.app.inject({ url });
      assert.deepEqual([statusCode, headers['cache-control']], [404, 'no-store'], url);
      assert.match(body, /There is no such page[^]*href="\/docs"/);
    }
    assert.equal((await core.app.inject({ url: '/docs/reservations/?x=1' })).statusCode, 200);
  });

  it('an identity is not asked for, and none is shown', async () => {
    const { account, token } = core.own;
    for (const page of pages.values()) assert.ok(!page.includes(token) && !page.includes(account.account_id));
    const response = await core.app.inject({ url: '/docs', remoteAddress: '203.0.113.7' });
    assert.equal(response.statusCode, 403, 'plain HTTP from elsewhere');
  });

  it('sends no requests where v3 speaks another dialect, and has no guides where none are installed', () => {
    const empty = mkdtempSync(join(tmpdir(), 'stayd-docs-'));
    try {
      const bare = new Docs({ files: BUILT, guides: join(empty, 'none'), tries: false });
      assert.doesNotMatch(bare.page('/docs/reservations') ?? '', /data-try|id="token"/);
      assert.match(bare.page('/docs/guides') ?? '', /not installed/);
    } finally {
      rmSync(empty, { recursive: true });
    }
  });

  it('what is put into markup is text', () => {
    const bad = `<img src=x onerror="alert('1')">&`;
    assert.equal(html`<p>${bad}${[bad, 7]}</p>`.text.match(/</g)?.length, 2);
    assert.equal(html`${html`<b>${'<'}</b>`}`.text, '<b>&lt;</b>');
  });
});
