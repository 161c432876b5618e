import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createHash } from 'node:crypto';
import { html } from '../../src/kernel/markup/html.ts';
import { fieldRows } from '../../src/api/docs/fields.ts';
import { errorCodes } from '../../src/contract/errors.ts';
import { eventKinds } from '../../src/contract/events.ts';
import { operationIds, operations } from '../../src/contract/index.ts';
import { startCore, type TestCore } from '../support/core.ts';

describe('/docs', () => {
  let core: TestCore;
  let page: string;
  let headers: Record<string, unknown>;
  before(async () => {
    core = await startCore();
    const response = await core.app.inject({ method: 'GET', url: '/docs' });
    page = response.body;
    headers = response.headers;
  });
  after(() => core.close());

  it('has every operation with its parameters and an example, every error, every event', () => {
    for (const id of operationIds) {
      const start = page.indexOf(`<section id="${id}">`);
      assert.ok(start > 0, id);
      const section = page.slice(start, page.indexOf('</section>', start));
      const { params, query, body, path } = operations[id];
      assert.ok(section.includes(`/v3${path}</code>`), id);
      for (const name of Object.keys({ ...params.shape, ...query.shape, ...body?.shape })) {
        assert.ok(section.includes(`<code>${name}</code>`), `${id} ${name}`);
      }
      assert.match(section, /<pre>curl .*&quot;\$URL\/v3\//, id);
    }
    for (const code of Object.keys(errorCodes)) assert.ok(page.includes(`id="error-${code}"`), code);
    for (const kind of eventKinds) assert.ok(page.includes(`id="event-${kind}"`), kind);
    assert.ok(page.includes('1,200 in 1m, 6,000 in 10m, 20,000 in 1h, 100,000 in 24h'));
  });

  it('needs nothing from elsewhere and runs no script: its policy allows its one style sheet by hash', () => {
    const [, style = ''] = /<style>([^]*?)<\/style>/.exec(page) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    const policy = String(headers['content-security-policy']);
    assert.equal(
      policy,
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.doesNotMatch(page, /<script|<link|<img|<iframe|\son\w+=|\sstyle=|src=/);
    const targets = [...page.matchAll(/href="([^"]*)"/g)].map(([, target = '']) => target);
    for (const target of new Set(targets)) {
      if (target === '/openapi.json') continue;
      assert.ok(target.startsWith('#') && page.includes(`id="${target.slice(1)}"`), `a link to nowhere: ${target}`);
    }
  });

  it('an identity is not asked for, and none is shown', async () => {
    assert.ok(!page.includes(core.own.token) && !page.includes(core.own.account.account_id));
    const response = await core.app.inject({ url: '/docs', remoteAddress: '203.0.113.7' });
    assert.equal(response.statusCode, 403, 'plain HTTP from elsewhere');
  });

  it('what is put into markup is text', () => {
    const bad = `<img src=x onerror="alert('1')">&`;
    assert.equal(html`<p>${bad}${[bad, 7]}</p>`.text.match(/</g)?.length, 2);
    assert.equal(html`${html`<b>${'<'}</b>`}`.text, '<b>&lt;</b>');
  });

  it('fields of objects and lists stand in it with what is around them', () => {
    const inner = { type: 'object', properties: { day: { type: 'string', format: 'date' } }, required: ['day'] };
    const rows = fieldRows({
      properties: {
        list: { anyOf: [{ items: inner }, { type: 'null' }] },
        more: { additionalProperties: { type: 'string' } },
      },
    });
    assert.deepEqual(
      rows.map(({ name, type, required }) => [name, type, required]),
      [
        ['list', 'list of object or null', false],
        ['list[].day', 'date, YYYY-MM-DD', true],
        ['more', 'map to string', false],
      ],
    );
  });
});
