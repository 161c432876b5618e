import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTestService } from '../support/service.ts';

describe('the reference of a running service', () => {
  it('has its style and its guides', async () => {
    const service = await startTestService();
    try {
      const page = await fetch(`${service.url}/docs/guides/running`);
      const text = await page.text();
      assert.deepEqual([page.status, /<h1 id="/.test(text)], [200, true]);
      const [, style = ''] = /<link rel="stylesheet" href="([^"]*)"/.exec(text) ?? [];
      assert.equal((await fetch(`${service.url}${style}`)).status, 200);
    } finally {
      await service.remove();
    }
  });

  it('sends no requests from its pages while v3 speaks the public dialect', async () => {
    const service = await startTestService({ STAYD_CORE_DIALECT: 'hostex' });
    try {
      const text = await (await fetch(`${service.url}/docs/reservations`)).text();
      assert.ok(text.includes('data-language="curl"') && !text.includes('data-try'));
    } finally {
      await service.remove();
    }
  });
});
