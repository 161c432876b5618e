import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { changeBrand, readBrand } from '../../src/core/brands/brand.ts';
import { ApiError } from '../../src/kernel/errors.ts';
import type { StoreLocation } from '../../src/store/store.ts';
import { PUBLIC_URL, startCore, type TestAccount, type TestCore } from '../support/core.ts';
import { PAYLOADS } from '../support/hostileTexts.ts';
import { chunk, exifWithPlace, jpegWith, pngWith } from '../support/pictures.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';

const NOTHING = { name: null, color: null, logo: null };

function brands(place: () => Promise<StoreLocation | undefined>): void {
  let core: TestCore;
  let other: TestAccount;
  before(async () => {
    core = await startCore(await place());
    other = await core.addAccount('other');
    await core.call('createProperty', { title: 'Beach house' });
    await core.call('createProperty', { title: 'Their house' }, other.token);
  });
  after(() => core.close());

  const as = (account: TestAccount['account']) => ({ account, operator: null });
  const change = (draft: Parameters<typeof changeBrand>[2], { account } = core.own) =>
    changeBrand(core.core, as(account), draft);
  const share = async (token?: string): Promise<string> => {
    const { url } = await core.call('createCalendarShareLink', { scope: 'entire' }, token);
    return url.slice(PUBLIC_URL.length);
  };
  const visit = (url: string, headers = {}) => core.app.inject({ url, headers });

  it('nothing is set at first, and the pages are plain', async () => {
    assert.deepEqual(await readBrand(core.core.store.db, core.own.account.account_id), NOTHING);
    const { body, headers } = await visit(await share());
    assert.doesNotMatch(body, /<img|class="masthead"|class="branded"|--brand:/);
    assert.doesNotMatch(String(headers['content-security-policy']), /img-src/);
  });

  it('name, colour and logo are kept, shown by a shared calendar, and written to the record', async () => {
    const logo = pngWith({ width: 320, height: 96 }, chunk('tEXt', 'Comment\0made at home'));
    const brand = await change({ name: ' Sea & Sons ', color: '#0B57A8', logo });
    assert.deepEqual(
      [brand.name, brand.color, brand.logo?.width, brand.logo?.type],
      ['Sea & Sons', '#0b57a8', 320, 'image/png'],
    );
    const { body, headers } = await visit(await share());
    assert.match(body, /<body class="branded">/);
    assert.match(body, /<header class="masthead">[\s\S]*<p>Sea &amp; Sons<\/p>/);
    assert.ok(body.includes(`<img src="${brand.logo?.address}" alt="" width="160" height="48"`));
    const policy = String(headers['content-security-policy']);
    const sheets = [...body.matchAll(/<style>([^]*?)<\/style>/g)].map(([, text = '']) => text);
    assert.equal(sheets.length, 2);
    for (const sheet of sheets) {
      assert.ok(policy.includes(`'sha256-${createHash('sha256').update(sheet).digest('base64')}'`), policy);
    }
    assert.match(policy, /img-src 'self'/);
    assert.doesNotMatch(policy, /unsafe/);
    const rows = await core.core.store.db
      .selectFrom('audit')
      .where('action', '=', 'change brand')
      .selectAll()
      .orderBy('id')
      .execute();
    const last = rows.at(-1);
    assert.deepEqual(JSON.parse(last?.old_values ?? ''), NOTHING);
    const recorded = JSON.parse(last?.new_values ?? '');
    assert.deepEqual(recorded, { name: 'Sea & Sons', color: '#0b57a8', logo: brand.logo?.sha256 });
  });

  it('a logo is served for good by its own address, as nothing but a picture', async () => {
    const { logo } = await readBrand(core.core.store.db, core.own.account.account_id);
    const { statusCode, headers, rawPayload } = await visit(String(logo?.address));
    assert.deepEqual([statusCode, headers['content-type']], [200, 'image/png']);
    assert.ok(rawPayload.equals(pngWith({ width: 320, height: 96 })), 'without its comment');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['content-security-policy'], "default-src 'none'; sandbox");
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(headers['etag'], `"${logo?.sha256}"`);
    const again = await visit(String(logo?.address), { 'if-none-match': headers['etag'] });
    assert.deepEqual([again.statusCode, again.body], [304, '']);
  });

  it('nobody learns of a logo without the link to its account, not even who knows the picture', async () => {
    const picture = pngWith({ width: 320, height: 96 });
    const theirs = await change({ logo: picture }, other);
    const { logo: ours } = await readBrand(core.core.store.db, core.own.account.account_id);
    assert.equal(theirs.logo?.sha256, ours?.sha256);
    assert.notEqual(theirs.logo?.address, ours?.address, 'the same picture, another address');
    const { body } = await visit(await share(other.token));
    assert.ok(body.includes(String(theirs.logo?.address)));
    assert.ok(!body.includes(String(ours?.address)));
    assert.match(body, /<p>other<\/p>/, 'without a name, that of the account');
    for (const key of [
      String(ours?.sha256),
      String(ours?.sha256).slice(0, 32),
      'x'.repeat(32),
      core.own.account.account_id,
    ]) {
      const guess = await visit(`/brand/${key}`);
      assert.deepEqual([guess.statusCode, guess.headers['cache-control']], [404, 'no-store']);
    }
    const invalid = await visit(`/share/${'x'.repeat(32)}`);
    assert.doesNotMatch(invalid.body, /class="masthead"|<img/);
  });

  it('a new logo ends the address of the old one; what is left out stays, and null takes away', async () => {
    const before = await readBrand(core.core.store.db, core.own.account.account_id);
    const jpeg = await change({ logo: jpegWith(exifWithPlace()) });
    assert.deepEqual([jpeg.name, jpeg.color, jpeg.logo?.type], ['Sea & Sons', '#0b57a8', 'image/jpeg']);
    assert.equal((await visit(String(before.logo?.address))).statusCode, 404);
    const { rawPayload } = await visit(String(jpeg.logo?.address));
    assert.ok(rawPayload.equals(jpegWith()), 'without place and device');
    assert.deepEqual(await change({ logo: null, color: null }), { ...NOTHING, name: 'Sea & Sons' });
    assert.equal((await visit(String(jpeg.logo?.address))).statusCode, 404);
    assert.deepEqual(await change({ name: null }), NOTHING);
    const rows = await core.core.store.db.selectFrom('brands').select('account_id').execute();
    assert.deepEqual(rows, [{ account_id: other.account.account_id }]);
    assert.doesNotMatch((await visit(await share())).body, /class="masthead"|<img/);
  });

  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
  const heavy = pngWith({}, chunk('tEXt', Buffer.alloc(262_144, 65)));
  for (const [what, draft, problem] of [
    ['a name of 81 characters', { name: 'x'.repeat(81) }, 'name: must have at most 80'],
    ['a name that nobody sees', { name: '\u202e\u2066 ' }, 'name: must have letters'],
    ['a colour by its name', { color: 'red' }, 'color: must be # and six'],
    ['a colour with more behind it', { color: '#0b57a8;}' }, 'color: must be # and six'],
    ['SVG', { logo: svg }, 'logo: must be a whole JPEG or PNG'],
    ['a page', { logo: Buffer.from('<script>alert(1)</script>') }, 'logo: must be a whole JPEG or PNG'],
    ['more than 256 kB', { logo: heavy }, 'logo: must have at most 256 kB'],
    ['more than 2,000 pixels', { logo: pngWith({ width: 2_001, height: 1 }) }, 'logo: must be at most 2,000 pixels'],
  ] as const) {
    it(`${what} is refused in words, and nothing is stored`, async () => {
      const before = await readBrand(core.core.store.db, core.own.account.account_id);
      await assert.rejects(
        async () => change(draft),
        (error) => error instanceof ApiError && error.code === 422 && error.message.startsWith(problem),
      );
      assert.deepEqual(await readBrand(core.core.store.db, core.own.account.account_id), before);
    });
  }

  it('S28: a name that would run something is shown as text', async () => {
    const link = await share();
    for (const payload of PAYLOADS) {
      await change({ name: payload.slice(0, 80) });
      const { body } = await visit(link);
      assert.doesNotMatch(body, /<(?:script|img|svg|iframe|object|base|link|a href="javascript)/i, payload);
      assert.equal([...body.matchAll(/<style>/g)].length, 1);
    }
    await change({ name: null });
  });
}

describe('the look of an account, on SQLite', () => brands(async () => undefined));

describeOnPostgres('the look of an account, on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());
  brands(async () => ({ kind: 'postgres', url: await server.freshDatabase(), schema: 'core' }));
});
