import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fastify from 'fastify';
import { Answers } from '../../src/console/answer.ts';
import { languageFor } from '../../src/console/texts/choose.ts';
import { html } from '../../src/kernel/markup/html.ts';
import { systemRandom } from '../../src/kernel/random.ts';

describe('a page of which a part takes a while', () => {
  const app = fastify();
  const errors: unknown[] = [];
  const log = { info() {}, warn() {}, error: (fields: unknown) => errors.push(fields), debug() {} };
  let release: () => void = () => {};
  let url = '';

  before(async () => {
    const answers = new Answers({
      random: systemRandom,
      logOf: () => log as never,
      headers: (policy) => ({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }),
      assets: { style: '/style.css', scripts: [], modules: [] },
    });
    const page = { title: 'Numbers', texts: languageFor('en').texts, nonce: 'n' };
    const body = (content: ReturnType<typeof html>) =>
      html`<main>${content}</main>
        <footer>end</footer>`;
    const first = html`<h1>Numbers</h1>`;
    app.get('/late', (_request, reply) => {
      const ready = new Promise<void>((resolve) => (release = resolve));
      const rest = () =>
        ready.then(
          () =>
            html`<table>
              ${'<1>'}
            </table>`,
        );
      return answers.sendEarly(reply, 200, page, { content: { first, rest }, body });
    });
    app.get('/broken', (_request, reply) => {
      const rest = () => Promise.reject(new Error('no such table: secret'));
      return answers.sendEarly(reply, 200, page, { content: { first, rest }, body });
    });
    url = await app.listen({ host: '127.0.0.1', port: 0 });
  });
  after(() => app.close());

  it('begins before that part is made, and is whole in the end', async () => {
    const answer = await fetch(`${url}/late`);
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('</h1>')) text += (await reader?.read())?.value ?? '';
    assert.match(text, /^<!doctype html>[\s\S]*<main>\s*<h1>Numbers<\/h1>$/);
    release();
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) text += part.value;
    assert.match(
      text,
      /<\/h1>\s*<table>\s*&lt;1&gt;\s*<\/table>\s*<\/main>\s*<footer>end<\/footer>[\s\S]*<\/html>\s*$/,
    );
    assert.doesNotMatch(text, /<!--/);
  });

  it('says in its place that it could not be made, and not why', async () => {
    const text = await (await fetch(`${url}/broken`)).text();
    assert.match(text, /<\/h1>\s*<p class="bad" role="alert">[^<]+<\/p>\s*<\/main>\s*<footer>end<\/footer>/);
    assert.doesNotMatch(text, /secret/);
    assert.equal(errors.length, 1);
  });
});
