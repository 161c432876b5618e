import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isLoopback, matchesRedirect, redirectProblem, withAnswer } from '../../src/oauth/redirects.ts';

const REGISTERED = 'https://app.example/callback';

/** Each is nearly the registered one, and some reader somewhere takes it for that. */
const NEAR_MISSES = [
  'https://app.example/callback/',
  'https://app.example/callback//',
  'https://app.example//callback',
  'https://app.example/Callback',
  'https://app.example/CALLBACK',
  'https://App.example/callback',
  'https://APP.EXAMPLE/callback',
  'HTTPS://app.example/callback',
  'Https://app.example/callback',
  'http://app.example/callback',
  'https://app.example:443/callback',
  'https://app.example:8443/callback',
  'https://app.example:/callback',
  'https://app.example./callback',
  'https://www.app.example/callback',
  'https://sub.app.example/callback',
  'https://app.example.evil.example/callback',
  'https://evil.example/callback',
  'https://evil.example/https://app.example/callback',
  'https://app.example@evil.example/callback',
  'https://evil.example@app.example/callback',
  'https://user:pass@app.example/callback',
  'https://app.example\\@evil.example/callback',
  'https://app.example%40evil.example/callback',
  'https://app.example/callback?',
  'https://app.example/callback?x=1',
  'https://app.example/callback?code=1',
  'https://app.example/callback#',
  'https://app.example/callback#x',
  'https://app.example/callback%00',
  'https://app.example/callback%20',
  'https://app.example/callback%2F',
  'https://app.example/callbac%6B',
  'https://app.example/%63allback',
  'https://app.example/./callback',
  'https://app.example/x/../callback',
  'https://app.example/callback/..',
  'https://app.example/callback/../evil',
  'https://app.example/callback;x',
  'https://app.example/callback.evil',
  'https://app.example/callbackevil',
  'https://app.example/callback ',
  ' https://app.example/callback',
  'https://app.example/callback\n',
  'https://app.example\t/callback',
  'https:app.example/callback',
  'https:/app.example/callback',
  'https:///app.example/callback',
  '//app.example/callback',
  '/callback',
  'app.example/callback',
  'https://app。example/callback',
  'https://xn--app-.example/callback',
  'https://аpp.example/callback',
  'javascript:alert(1)//https://app.example/callback',
  'https://*.example/callback',
  '*',
  '',
];

describe('S16: redirect URIs', () => {
  it(`${NEAR_MISSES.length} near misses of a registered one: none matches`, () => {
    assert.ok(NEAR_MISSES.length >= 50);
    assert.ok(matchesRedirect(REGISTERED, REGISTERED));
    for (const given of NEAR_MISSES) assert.equal(matchesRedirect(REGISTERED, given), false, given);
  });

  it('only the same text matches, whatever is given, where it is no loopback address', () => {
    const texts = fc.oneof(
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.string(),
      fc.constantFrom(...NEAR_MISSES),
    );
    fc.assert(
      fc.property(fc.webUrl({ validSchemes: ['https'] }), texts, (registered, given) => {
        assert.equal(matchesRedirect(registered, given), registered === given);
      }),
      { numRuns: 1_000 },
    );
  });

  it('one sign more, less or other than registered does not match', () => {
    fc.assert(
      fc.property(fc.nat(REGISTERED.length), fc.constantFrom(...'/.:?#@%a0 '.split('')), fc.nat(2), (at, sign, how) => {
        const given = REGISTERED.slice(0, at) + (how === 0 ? '' : sign) + REGISTERED.slice(how === 1 ? at : at + 1);
        assert.equal(matchesRedirect(REGISTERED, given), given === REGISTERED);
      }),
      { numRuns: 500 },
    );
  });

  const LOCAL = ['http://127.0.0.1/cb', 'http://127.0.0.1:3000/cb', 'http://[::1]:1/cb', 'http://localhost:9/cb?a=b'];
  it('of a loopback address the port may be another one, and nothing else', () => {
    const port = fc.option(fc.integer({ min: 1, max: 65_535 }));
    fc.assert(
      fc.property(fc.constantFrom(...LOCAL), port, (registered, other) => {
        const parts = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d+)?(.*)$/.exec(registered);
        const given = `${parts?.[1]}${other === null || other === 80 ? '' : `:${other}`}${parts?.[2]}`;
        assert.ok(matchesRedirect(registered, given), given);
        assert.equal(matchesRedirect(registered, `${given}x`), false);
        assert.equal(matchesRedirect(registered, given.replace('http:', 'https:')), false);
        assert.equal(matchesRedirect(registered, given.replace(/127\.0\.0\.1|\[::1\]|localhost/, '127.0.0.2')), false);
      }),
    );
    for (const given of [
      'http://127.0.0.1:99999/cb',
      'http://127.0.0.1:3000@evil.example/cb',
      'http://127.0.0.1.evil.example/cb',
      'http://127.1/cb',
      'http://2130706433/cb',
      'http://localhost.:3000/cb',
      'http://localhost.evil.example/cb',
      'http://0.0.0.0:3000/cb',
    ])
      assert.equal(matchesRedirect('http://127.0.0.1:3000/cb', given), false, given);
  });
});

describe('S20: what may be registered', () => {
  it('https anywhere, http on the own machine', () => {
    for (const uri of [REGISTERED, 'https://app.example', 'https://app.example:8443/x?y=z', ...LOCAL_ONES]) {
      assert.equal(redirectProblem(uri), undefined, uri);
    }
  });
  const LOCAL_ONES = ['http://127.0.0.1:1234/', 'http://localhost/x', 'http://[::1]:5/x'];

  for (const uri of [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://app.example/x',
    'com.example.app:/callback',
    'http://app.example/callback',
    'http://192.168.1.4/callback',
    'http://127.0.0.1.evil.example/',
    'https://*.example/callback',
    'https://app.example/*',
    '*',
    'https://app.example/callback#fragment',
    'https://user@app.example/callback',
    'https://app.example/a/../callback',
    'https://APP.example/callback',
    'https://app.example/call back',
    'https://app.example/"><script>',
    '/callback',
    'app.example/callback',
    '',
    `https://app.example/${'x'.repeat(2_048)}`,
  ]) {
    it(`refuses ${uri.slice(0, 60)}`, () => assert.notEqual(redirectProblem(uri), undefined));
  }
});

it('an answer is added to the address as it is, and its own query stays', () => {
  const answered = withAnswer('https://app.example/cb?keep=%20x', { code: 'a b', state: undefined, iss: 'https://x' });
  assert.equal(answered, 'https://app.example/cb?keep=%20x&code=a+b&iss=https%3A%2F%2Fx');
  assert.ok(isLoopback('http://127.0.0.1:3/x') && !isLoopback(REGISTERED));
});
