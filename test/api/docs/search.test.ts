import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startCore, type TestCore } from '../../support/core.ts';

describe('search of the reference', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore();
  });
  after(() => core.close());

  const find = async (question: string) =>
    (await core.app.inject({ url: '/docs/search.json', query: { q: question } })).json().found;

  for (const [question, kind, address] of [
    ['list reservations', 'Operation', '/docs/reservations#listReservations'],
    ['createReservation', 'Operation', '/docs/reservations#createReservation'],
    ['POST /v3/reviews', 'Operation', '/docs/reviews#createReview'],
    ['lock_code_visible_after', 'Field', '/docs/reservations#updateCheckInDetails.lock_code_visible_after'],
    ['message_created', 'Event', '/docs/events#message_created'],
    ['429', 'Error', '/docs/errors#error-429'],
    ['rate_limited', 'Error', '/docs/errors#error-429'],
    ['verify signature', 'Event', '/docs/events#verify'],
    ['month-end', 'Guide', '/docs/guides/month-end'],
  ] as const) {
    it(`${question}: the ${kind.toLowerCase()} comes first`, async () => {
      const [first] = await find(question);
      assert.deepEqual([first.kind, first.address], [kind, address]);
    });
  }

  it('a fragment of a word from its beginning is enough, every word counts, an unknown one finds nothing', async () => {
    assert.ok((await find('knowl')).some((one: any) => one.address.startsWith('/docs/knowledge-bases')));
    assert.deepEqual(await find('reservation zebra'), []);
    assert.deepEqual(await find('   '), []);
    assert.deepEqual(await find('"<_>'), []);
  });

  it('works by a form alone: the page has the results as links, and the question as text', async () => {
    const { body, headers } = await core.app.inject({ url: '/docs/search', query: { q: 'room types' } });
    assert.match(body, /<a href="\/docs\/room-types#listRoomTypes">List room types<\/a>/);
    assert.match(body, /value="room types"/);
    assert.equal(headers['cache-control'], 'no-store');
    const hostile = await core.app.inject({ url: '/docs/search', query: { q: '"><script>alert(1)</script>' } });
    assert.match(hostile.body, /value="&quot;&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt;"/);
    const long = await core.app.inject({ url: `/docs/search?q=${'a'.repeat(5_000)}&q=b` });
    assert.deepEqual([long.statusCode, long.body.includes('value="b"')], [200, true]);
  });

  it('answers quickly, whatever is asked', async () => {
    await find('a');
    const begun = performance.now();
    for (const question of ['a', 'e', 'reservation code', 'x'.repeat(100)]) await find(question);
    assert.ok(performance.now() - begun < 1_000);
  });
});
