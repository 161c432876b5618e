import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { contentPolicy } from '../../src/api/oauth/page.ts';
import { addClient } from '../../src/oauth/clients.ts';
import { redirectProblem } from '../../src/oauth/redirects.ts';
import { oauthOf, startCore, type TestCore } from '../support/core.ts';
import { Browser, connect, formText, pkcePair, REDIRECT, register, signedIn } from './support/flow.ts';

describe('links to the service do not lead on', () => {
  let core: TestCore;
  let browser: Browser;
  before(async () => {
    core = await startCore();
    browser = new Browser(core, await signedIn(core, core.own.account, 'ann'));
  });
  after(() => core.close());

  const WRONG = [
    { response_type: 'token' },
    { response_type: 'code', scope: 'admin' },
    { response_type: 'code', code_challenge: undefined },
    { response_type: 'code', resource: 'https://elsewhere.example' },
    { response_type: 'code', request: 'x' },
  ];
  const ask = (client_id: string, more: object) =>
    `/oauth/authorize?${formText({ client_id, redirect_uri: REDIRECT, code_challenge: pkcePair().challenge, code_challenge_method: 'S256', ...more })}`;

  it('before somebody has signed in nothing is sent to an application, whatever is wrong', async () => {
    const { account } = await core.addAccount('foreign');
    const draft = { name: 'Theirs', kind: 'public', redirectUris: [REDIRECT], scope: 'write' } as const;
    const operator = { id: 1, name: 'x', kind: 'master' } as const;
    const theirs = await addClient(oauthOf(core.core), { account, operator }, draft);
    const dynamic = await addClient(oauthOf(core.core), null, draft, 'dynamic');
    const known = await register(oauthOf(core.core));
    for (const { client_id } of [theirs, dynamic, known]) {
      for (const wrong of WRONG) {
        const { statusCode, headers, body } = await new Browser(core).get(ask(client_id, wrong));
        assert.deepEqual([statusCode, headers.location], [200, undefined], JSON.stringify(wrong));
        assert.match(body, /<h1>Sign in<\/h1>/);
        assert.ok(!body.includes('href='));
      }
    }
    for (const wrong of WRONG) {
      const foreign = await browser.get(ask(theirs.client_id, wrong));
      assert.deepEqual(
        [foreign.statusCode, foreign.headers.location],
        [400, undefined],
        'nor to another account’s then',
      );
      assert.match(foreign.body, /registered for another account/);
      const own = await browser.get(ask(known.client_id, wrong));
      assert.equal(own.statusCode, 303, 'to one of its own it is');
      assert.ok(String(own.headers.location).startsWith(`${REDIRECT}?error=`));
    }
  });

  it('no character of a redirect URI begins another rule of the policy', () => {
    for (const uri of [
      'https://a;script-src.example/x',
      "https://a'b.example/",
      'https://a,b.example/',
      'https://a$b.example/',
      'https://a!b.example',
    ]) {
      assert.match(String(redirectProblem(uri)), /host with characters|must be written/, uri);
      assert.ok(!/a[;',$!]/.test(contentPolicy(uri)), contentPolicy(uri));
      assert.match(contentPolicy(uri), /form-action 'self';/);
    }
    assert.equal(redirectProblem('https://app.example/x;y=1?a;b'), undefined);
    assert.match(contentPolicy('https://app.example:8443/x;y'), /form-action 'self' https:\/\/app\.example:8443;/);
    assert.match(contentPolicy('http://[::1]:80/cb'), /form-action 'self' http:\/\/\[::1\];/);
  });

  it('PKCE: required of public applications and for /mcp; a confidential one may leave it out for v3', async () => {
    const confidential = await register(oauthOf(core.core), { kind: 'confidential' });
    const open = await register(oauthOf(core.core));
    const without = { response_type: 'code', code_challenge: undefined, code_challenge_method: undefined };
    const page = await browser.get(ask(confidential.client_id, without));
    assert.equal(page.statusCode, 200, page.body);
    const rows = [
      [open.client_id, {}],
      [confidential.client_id, { resource: 'https://rooms.example/mcp' }],
    ] as const;
    for (const [client_id, more] of rows) {
      const refused = await browser.get(ask(client_id, { ...without, ...more }));
      const said = new URL(String(refused.headers.location)).searchParams.get('error_description');
      assert.equal(
        said,
        'code_challenge: is required of a public application, and of any for /mcp (code_challenge_method S256)',
      );
    }
    assert.ok((await connect(core, browser, confidential)).access_token, 'one that was sent is kept');
  });
});
