import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { changeSubscription, type SubscriptionChange } from '../../src/core/accounts/subscription.ts';
import { instantOf } from '../../src/kernel/dates.ts';
import { PUBLIC_URL, type RequestOptions, startCore, type TestAccount, type TestCore } from '../support/core.ts';

const URL_FORM = /^https:\/\/rooms\.example\/share\/[A-Za-z0-9_-]{32}$/;

describe('calendar share links over v3', () => {
  let core: TestCore;
  let other: TestAccount;
  let [a, b]: [number, number] = [0, 0];

  before(async () => {
    core = await startCore();
    other = await core.addAccount('other');
    [a, b] = [await newProperty('Beach house'), await newProperty('Alm & <b>Hütte</b>')];
  });
  after(() => core.close());

  const newProperty = async (title: string, token?: string): Promise<number> =>
    (await core.call('createProperty', { title }, token)).property_id;
  const share = (input: object, token?: string) => core.call('createCalendarShareLink', { ...input }, token);
  const links = async (query: object = {}, token?: string) =>
    (await core.call('listCalendarShareLinks', { limit: 100, ...query }, token)).calendar_share_links;
  const refused = async (code: number, method: string, path: string, options: RequestOptions = {}) => {
    const before = await core.stored();
    const answer = await core.request(method, path, options);
    assert.equal(answer.error_code, code, answer.error_msg);
    assert.equal(await core.stored(), before, 'a refused request stored something');
    return answer;
  };
  const visit = (url: string, query = '') =>
    core.app.inject({ method: 'GET', url: `${url.slice(PUBLIC_URL.length)}${query}` });

  it('POST answers the link, as an object and field by field; GET reads it back with the same url', async () => {
    const made = await share({ scope: 'partial', property_ids: [b, a, b] });
    const { calendar_share_link: link, ...fields } = made;
    assert.deepEqual(link, {
      id: link.id,
      scope: 'partial',
      property_ids: [a, b],
      url: link.url,
      created_at: '2026-11-20T13:00:00+01:00',
    });
    assert.deepEqual(fields, link);
    assert.match(link.url, URL_FORM);
    assert.deepEqual(await links({ id: link.id }), [link]);
    const again = await share({ scope: 'partial', property_ids: [a, b] });
    assert.notEqual(again.url, link.url, 'each partial link is one of its own');
  });

  it('entire is there once: a repeat answers it; ended and made again it has another url', async () => {
    const first = await share({ scope: 'entire' });
    assert.deepEqual(first.property_ids, []);
    assert.deepEqual(await share({ scope: 'entire', property_ids: [] }), first);
    await core.call('deleteCalendarShareLink', { id: first.id });
    const second = await share({ scope: 'entire' });
    assert.notEqual(second.url, first.url);
    assert.notEqual((await share({ scope: 'entire' }, other.token)).url, second.url);
  });

  it('what a request got wrong', async () => {
    const foreign = await newProperty('Theirs', other.token);
    const wrong: [body: object, code: number, field: string][] = [
      [{ scope: 'entire', property_ids: [a] }, 400, 'property_ids'],
      [{ scope: 'partial' }, 422, 'property_ids'],
      [{ scope: 'partial', property_ids: [] }, 422, 'property_ids'],
      [{ scope: 'some' }, 422, 'scope'],
      [{ property_ids: [a] }, 422, 'scope'],
      [{ scope: 'partial', property_ids: [a, foreign] }, 403, 'property_ids'],
      [{ scope: 'partial', property_ids: [999_999] }, 404, 'property_ids'],
    ];
    for (const [body, code, field] of wrong) {
      const { error_msg } = await refused(code, 'POST', '/calendar_share_links', { body });
      assert.ok(error_msg.startsWith(field), error_msg);
    }
  });

  it('another’s link is a 403, nobody’s a 404, and in no list', async () => {
    const { id } = await share({ scope: 'entire' }, other.token);
    await refused(403, 'DELETE', `/calendar_share_links/${id}`);
    await refused(404, 'DELETE', '/calendar_share_links/999999');
    assert.deepEqual(await links({ id }), []);
  });

  it('a sub-account makes, sees and ends links to its own properties alone', async () => {
    const sub = await core.addSubAccount(core.own.account, [a]);
    const own = await share({ scope: 'partial', property_ids: [a] }, sub);
    const { error_msg } = await refused(401, 'POST', '/calendar_share_links', {
      token: sub,
      body: { scope: 'entire' },
    });
    assert.equal(error_msg, 'Not authorized for this action');
    await refused(404, 'POST', '/calendar_share_links', { token: sub, body: { scope: 'partial', property_ids: [b] } });
    const both = await share({ scope: 'partial', property_ids: [a, b] });
    const entire = await share({ scope: 'entire' });
    const seen = (await links({}, sub)).map((one: { id: number }) => one.id);
    assert.ok(seen.includes(own.id) && !seen.includes(both.id) && !seen.includes(entire.id));
    for (const { id } of [both, entire]) await refused(404, 'DELETE', `/calendar_share_links/${id}`, { token: sub });
    await core.call('deleteCalendarShareLink', { id: own.id }, sub);
  });

  it('no address stands in the database', async () => {
    const { url } = await share({ scope: 'partial', property_ids: [a] });
    const token = url.slice(-32);
    const bytes = Buffer.concat(readdirSync(core.folder).map((name) => readFileSync(join(core.folder, name))));
    assert.ok(!bytes.includes(token));
    assert.ok(!bytes.includes(Buffer.from(token, 'base64url')));
  });

  describe('the public page', () => {
    it('shows free, taken and past days of the month, and of the two after it for one property', async () => {
      await book(a, '2026-11-25', '2026-11-28');
      const { url } = await share({ scope: 'partial', property_ids: [a] });
      const { statusCode, body } = await visit(url);
      assert.equal(statusCode, 200);
      assert.match(body, /<h1>Beach house<\/h1>/);
      assert.deepEqual(captions(body), ['November 2026', 'December 2026', 'January 2027']);
      assert.equal(stateOf(body, '2026-11-19'), 'past');
      assert.equal(stateOf(body, '2026-11-20'), 'free');
      assert.equal(stateOf(body, '2026-11-24'), 'free');
      for (const night of ['2026-11-25', '2026-11-26', '2026-11-27']) assert.equal(stateOf(body, night), 'taken');
      assert.equal(stateOf(body, '2026-11-28'), 'free', 'the day of leaving can be a first night');
      assert.equal(body.match(/<time /g)?.length, 30 + 31 + 31);
    });

    it('changes with the calendar', async () => {
      const { url } = await share({ scope: 'partial', property_ids: [a] });
      const code = await book(a, '2026-12-10', '2026-12-11');
      assert.equal(stateOf((await visit(url)).body, '2026-12-10'), 'taken');
      await core.call('cancelReservation', { reservation_code: code });
      assert.equal(stateOf((await visit(url)).body, '2026-12-10'), 'free');
    });

    it('entire shows every property by name, those that came later too; names are text, not markup', async () => {
      const { token } = await core.addAccount('entire');
      const { url } = await share({ scope: 'entire' }, token);
      assert.match((await visit(url)).body, /There are no properties/);
      for (const title of ['Zoo', `A & <script>alert("1")</script> 'x'`]) await newProperty(title, token);
      const { body } = await visit(url);
      const titles = [...body.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title]) => title);
      assert.deepEqual(titles, ['A &amp; &lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &#39;x&#39;', 'Zoo']);
      assert.ok(!/<script/i.test(body));
      assert.deepEqual(captions(body), ['November 2026', 'November 2026']);
    });

    it('many properties come twenty to a page', async () => {
      const { token } = await core.addAccount('many');
      for (let index = 10; index < 35; index += 1) await newProperty(`House ${index}`, token);
      const { url } = await share({ scope: 'entire' }, token);
      const titles = async (query: string) =>
        [...(await visit(url, query)).body.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title]) => title);
      const first = await titles('');
      const second = await titles('?page=2');
      assert.deepEqual([first.length, second.length, new Set([...first, ...second]).size], [20, 5, 25]);
      assert.match((await visit(url)).body, /href="\?month=2026-11&amp;page=2">More properties/);
      assert.match((await visit(url, '?page=2')).body, /href="\?month=2026-12&amp;page=2"\s*>Later/);
      for (const page of ['3', '99999'])
        assert.deepEqual(await titles(`?page=${page}`), second, 'past the end: the last');
      for (const page of ['0', '-1', 'x', '1.5']) assert.deepEqual(await titles(`?page=${page}`), first);
    });

    it('the month can be chosen, from the present one to two years ahead', async () => {
      const { url } = await share({ scope: 'partial', property_ids: [a] });
      const next = (await visit(url)).body;
      assert.match(next, /<span class="off">Earlier<\/span>/);
      assert.match(next, /<a rel="next" href="\?month=2026-12"\s*>Later/);
      const february = (await visit(url, '?month=2028-02')).body;
      assert.deepEqual(captions(february), ['February 2028', 'March 2028', 'April 2028']);
      assert.match(february, /<a rel="prev" href="\?month=2028-01"\s*>Earlier/);
      assert.match((await visit(url, '?month=2028-11')).body, /<span class="off">Later<\/span>/);
      for (const month of ['2026-10', '2028-12', '2027-13', 'soon', '2027-1'])
        assert.equal(captions((await visit(url, `?month=${month}`)).body)[0], 'November 2026', month);
      assert.equal((await visit(url, '?month=2027-01&month=2027-02')).statusCode, 200);
    });

    it('weeks begin on Monday under their heads, and every week has seven cells', async () => {
      const { url } = await share({ scope: 'partial', property_ids: [b] });
      const { body } = await visit(url, '?month=2027-02');
      const heads = [...body.matchAll(/<abbr title="(\w+)">/g)].map(([, day]) => day);
      assert.deepEqual(heads.slice(0, 2), ['Monday', 'Tuesday']);
      const weeks = [...body.matchAll(/<tr>\s*(<td[^]*?)<\/tr>/g)].map(([, cells = '']) => cells.match(/<td/g)?.length);
      assert.deepEqual(new Set(weeks), new Set([7]));
      assert.match(body, /<tr>\s*<td class="free">\s*<time datetime="2027-02-01">1</, 'a Monday');
      assert.match(body, /<td><\/td><td><\/td><td class="free">\s*<time datetime="2027-04-01">/, 'a Thursday');
    });

    it('can be read by everybody: language, title, captions, a legend, a state in words, a width for phones', async () => {
      const { url } = await share({ scope: 'partial', property_ids: [a] });
      const { body } = await visit(url);
      for (const form of [
        /<html lang="en">/,
        /<title>Beach house<\/title>/,
        /<meta name="viewport" content="width=device-width, initial-scale=1" \/>/,
        /<nav aria-label="Month">/,
        /<ul class="legend" aria-label="Legend">/,
        /<main>/,
        /<th scope="col">/,
        /<time datetime="2026-11-26">26<\/time><span class="unseen"> not available<\/span>/,
      ]) {
        assert.match(body, form);
      }
    });

    it('is found by no search engine, kept by no cache, runs nothing and tells nobody where the visitor was', async () => {
      const { url } = await share({ scope: 'partial', property_ids: [a] });
      for (const { headers, body } of [await visit(url), await visit(`${PUBLIC_URL}/share/${'x'.repeat(32)}`)]) {
        assert.match(body, /<meta name="robots" content="noindex, nofollow" \/>/);
        assert.equal(headers['content-type'], 'text/html; charset=utf-8');
        assert.match(String(headers['x-robots-tag']), /noindex/);
        assert.equal(headers['cache-control'], 'no-store');
        assert.equal(headers['referrer-policy'], 'no-referrer');
        assert.equal(headers['x-content-type-options'], 'nosniff');
        assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-/);
        assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/);
        assert.equal(headers['set-cookie'], undefined);
        assert.ok(!/<script|javascript:|\son\w+=|https?:|<img|<link/i.test(body));
      }
    });

    it('holds nothing of guests, prices, codes or the operator', async () => {
      const { account, token } = await core.addAccount('SENTINEL operator');
      const property = await newProperty('House', token);
      const { stay_code, code } = await bookSentinel(property, token);
      await core.call('addReservationTag', { stay_code, tag_name: 'SENTINEL' }, token);
      const { url } = await share({ scope: 'entire' }, token);
      const { body } = await visit(url);
      assert.equal(stateOf(body, '2026-12-24'), 'taken');
      for (const word of ['SENTINEL', code, '98765', account.account_id]) assert.ok(!body.includes(word), word);
    });

    it('is gone at once after DELETE: share link invalid', async () => {
      const { id, url } = await share({ scope: 'partial', property_ids: [a] });
      assert.equal((await visit(url)).statusCode, 200);
      await core.call('deleteCalendarShareLink', { id });
      const { statusCode, body } = await visit(url);
      assert.equal(statusCode, 404);
      assert.match(body, /<h1>Share link invalid<\/h1>/);
      assert.ok(!body.includes('Beach'));
      assert.deepEqual(await links({ id }), []);
      await refused(404, 'DELETE', `/calendar_share_links/${id}`);
    });

    it('a token that nobody was given, or of another form, opens nothing', async () => {
      for (const token of ['A'.repeat(32), 'x', 'A'.repeat(33), '..%2f..%2fv3', '%00', "' or 1=1--"]) {
        const { statusCode, body } = await core.app.inject({
          method: 'GET',
          url: `/share/${encodeURIComponent(token)}`,
        });
        assert.equal(statusCode, 404, token);
        assert.match(body, /Share link invalid/);
      }
    });

    it('goes dark with the subscription and comes back with it', async () => {
      const { account, token } = await core.addAccount('lapsed');
      const { url } = await share({ scope: 'entire' }, token);
      const become = (change: SubscriptionChange) => changeSubscription(core.core, account, change);
      for (const change of [{ suspended: true }, { suspended: false, expires_at: instantOf(core.clock.now()) }]) {
        await become(change);
        assert.equal((await visit(url)).statusCode, 404, JSON.stringify(change));
      }
      await become({ expires_at: instantOf(core.clock.now() + 1) });
      assert.equal((await visit(url)).statusCode, 200);
      core.clock.jump(1);
      assert.equal((await visit(url)).statusCode, 404, 'its last day is over');
      await become({ expires_at: null });
      assert.equal((await visit(url)).statusCode, 200);
    });

    it('one link is read 300 times a minute at most; others and the API go on', async () => {
      const [busy, calm] = [await share({ scope: 'partial', property_ids: [a] }), await share({ scope: 'entire' })];
      for (let visits = 0; visits < 300; visits += 1) assert.equal((await visit(busy.url)).statusCode, 200);
      const { statusCode, headers } = await visit(busy.url);
      assert.deepEqual([statusCode, headers['retry-after']], [429, '60']);
      assert.equal((await visit(calm.url)).statusCode, 200);
      assert.equal((await core.request('GET', '/accounts/me')).error_code, 200);
      await core.clock.advance(60_000);
      assert.equal((await visit(busy.url)).statusCode, 200);
    });
  });

  async function book(property_id: number, check_in_date: string, check_out_date: string): Promise<string> {
    const money = { rate_amount: 300, commission_amount: 0, received_amount: 0 };
    const booking = { property_id, check_in_date, check_out_date, guest_name: 'A. Guest', ...money };
    return (await core.call('createReservation', booking)).reservation_code;
  }

  async function bookSentinel(property_id: number, token: string) {
    const booking = {
      property_id,
      check_in_date: '2026-12-24',
      check_out_date: '2026-12-27',
      guest_name: 'SENTINEL guest',
      email: 'SENTINEL@guest.example',
      mobile: 'SENTINEL 12',
      note: 'SENTINEL note',
      rate_amount: 98_765,
      commission_amount: 0,
      received_amount: 0,
    };
    const { reservation_code } = await core.call('createReservation', booking, token);
    return { stay_code: reservation_code, code: reservation_code };
  }
});

function captions(body: string): string[] {
  return [...body.matchAll(/<caption>\s*(.*?)\s*<\/caption>/g)].map(([, caption = '']) => caption);
}

function stateOf(body: string, date: string): string | undefined {
  return new RegExp(`<td class="(\\w+)">\\s*<time datetime="${date}">`).exec(body)?.[1];
}
