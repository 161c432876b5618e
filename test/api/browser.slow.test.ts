import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { type Browser, describeInBrowser, startBrowser } from '../support/browser.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { PAYLOADS } from '../support/hostileTexts.ts';
import { DESKTOP, obstacles, PHONE } from '../support/obstacles.ts';

/** How much wider than the window a page is. */
const OVERFLOW = 'document.documentElement.scrollWidth - innerWidth';

describeInBrowser('pages in a browser', () => {
  let core: TestCore;
  let browser: Browser;
  let url: string;
  before(async () => {
    core = await startCore();
    await core.core.store.db.updateTable('accounts').set({ property_quota: 1_000 }).execute();
    url = await core.app.listen({ host: '127.0.0.1', port: 0 });
    browser = await startBrowser();
  });
  after(async () => {
    await browser.close();
    await core.close();
  });

  const pathOf = (shared: string) => new URL(shared).pathname;

  it(`S28: ${PAYLOADS.length} scripts in names that a shared calendar shows: none runs, nothing is loaded, no breach of its policy`, async (t) => {
    assert.ok(PAYLOADS.length >= 100);
    for (const [index, payload] of PAYLOADS.entries()) {
      // Names are short and told apart by their case alone; what is cut off at the end is not needed to break out.
      await core.call('createProperty', { title: `${index} ${payload}`.slice(0, 100) });
    }
    const all = await core.call('createCalendarShareLink', { scope: 'entire' });
    const { properties } = await core.call('listProperties', { limit: 1 });
    const one = await core.call('createCalendarShareLink', { scope: 'partial', property_ids: [properties[0].id] });
    const tab = await browser.newTab();
    let shown = 0;
    const pages = Math.ceil(PAYLOADS.length / 20);
    for (let page = 1; page <= pages; page += 1) {
      await tab.open(`${url}${pathOf(all.url)}?page=${page}`);
      const names: string[] = await tab.evaluate("[...document.querySelectorAll('h2')].map((one) => one.textContent)");
      shown += names.filter((name) => /^\d+ /.test(name)).length;
      assert.deepEqual(
        await tab.evaluate(
          "[...document.querySelectorAll('script,img,iframe,object,svg,video,base,link,input,math,[onerror],[onload],[onfocus]')].length",
        ),
        0,
      );
    }
    // A name alone stands in the title too.
    await tab.open(`${url}${pathOf(one.url)}?month=%3Cscript%3Ealert(1)%3C/script%3E&page="><script>alert(1)</script>`);
    await tab.open(`${url}/share/%3Cscript%3Ealert(1)%3C%2Fscript%3E`);
    await tab.open(`${url}/docs?q=<script>alert(1)</script>#<img src=x onerror=alert(1)>`);
    const { executions, violations, requests } = tab.record;
    t.diagnostic(`${PAYLOADS.length} payloads, ${requests.length} requests, ${violations.length} reports`);
    assert.equal(shown, PAYLOADS.length, 'every name is shown, as text');
    assert.deepEqual([executions, violations], [[], []]);
    assert.deepEqual(
      requests.filter((asked) => !asked.startsWith(`${url}/`) && !asked.startsWith('data:')),
      [],
    );
  });

  it('S28: what would run, does, where it may: the test would see it', async () => {
    const tab = await browser.newTab();
    await tab.open('data:text/html,<script>console.log("ran")</script><img src=x onerror="alert(1)">');
    await tab.evaluate('new Promise((resolve) => setTimeout(resolve, 50))');
    assert.ok(tab.record.executions.includes('ran'), tab.record.executions.join());
    assert.ok(tab.record.executions.some((one) => one.startsWith('dialog')));
    const guarded = '<meta http-equiv="content-security-policy" content="default-src \'none\'"><script>1</script>';
    await tab.open(`data:text/html,${encodeURIComponent(guarded)}`);
    assert.ok(tab.record.violations.length > 0, 'a breach of a policy is told');
  });

  it('nobody is in anybody’s way: axe finds nothing, and no page is wider than its window', async () => {
    const property = await core.call('createProperty', {
      title: 'Garden flat with a rather long name by the old harbour',
    });
    await core.call('updateAvailabilities', {
      property_ids: [property.property_id],
      available: false,
      start_date: '2026-12-20',
      end_date: '2027-01-03',
    });
    const partial = { scope: 'partial', property_ids: [property.property_id] };
    const link = await core.call('createCalendarShareLink', partial);
    const all = await core.call('createCalendarShareLink', { scope: 'entire' });
    const tab = await browser.newTab();
    for (const path of [pathOf(link.url), pathOf(all.url), `/share/${'x'.repeat(32)}`, '/docs', '/docs/room-types']) {
      await tab.open(`${url}${path}`);
      assert.deepEqual(await obstacles(tab), [], path);
      for (const width of [320, PHONE, 768, DESKTOP]) {
        await tab.resize(width, 800);
        assert.ok((await tab.evaluate(OVERFLOW)) <= 0, `${path} is wider than ${width}`);
      }
    }
  });
});
