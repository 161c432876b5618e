import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { disconnect } from '../../../src/oauth/revoke.ts';
import { oauthOf, PUBLIC_URL, startCore, type TestCore } from '../../support/core.ts';
import { callTool, envelopeOf, mcpClient, modernRequest, rawRequest } from '../../support/mcp.ts';
import { Browser, connect, opens, register, signedIn } from '../../oauth/support/flow.ts';

const RESOURCE = `${PUBLIC_URL}/mcp`;
const EVE = { name: 'create_staff', arguments: { name: 'Eve', mobile: '+49 1701234567' } };
const ASKABLE = { elicitation: { form: {} } };

describe('applications at the door of assistants (S18)', () => {
  let core: TestCore;
  let url: string;
  let browser: Browser;
  before(async () => {
    core = await startCore();
    url = await core.app.listen({ port: 0, host: '127.0.0.1' });
    browser = new Browser(core, await signedIn(core, core.own.account, 'ann'));
  });
  after(() => core.close());

  const tokenFor = async (more: { scope?: string; resource?: string }) =>
    (await connect(core, browser, await register(oauthOf(core.core)), more)).access_token;
  const statusOf = async (token: string) => (await modernRequest(url, 'tools/list', {}, { token })).status;

  it('a token for /mcp opens it, under both paths, and nothing else', async () => {
    const token = await tokenFor({ resource: RESOURCE });
    assert.equal(await statusOf(token), 200);
    assert.equal((await modernRequest(url, 'tools/list', {}, { token, path: '/v3/mcp' })).status, 200);
    assert.equal(await opens(core, token), false);
  });

  it('a token for v3, or for another service: 401', async () => {
    assert.equal(await statusOf(await tokenFor({})), 401);
    assert.equal(await statusOf(await tokenFor({ resource: `${PUBLIC_URL}/v3` })), 401);
    const elsewhere = await startCore();
    const there = new Browser(elsewhere, await signedIn(elsewhere, elsewhere.own.account, 'bob'));
    const { access_token } = await connect(elsewhere, there, await register(oauthOf(elsewhere.core)), {
      resource: RESOURCE,
    });
    assert.equal(await statusOf(access_token), 401);
    await elsewhere.close();
  });

  it('the scope read sees and calls the 27', async () => {
    const token = await tokenFor({ resource: RESOURCE, scope: 'read' });
    const client = await mcpClient(url, { token });
    assert.equal((await client.listTools()).tools.length, 27);
    assert.equal(envelopeOf(await callTool(client, 'search_properties')).error_code, 200);
    await client.close();
    assert.equal((await modernRequest(url, 'tools/call', EVE, { token })).status, 403);
  });

  it('what one application was asked, another cannot answer', async () => {
    const [first, second] = [await tokenFor({ resource: RESOURCE }), await tokenFor({ resource: RESOURCE })];
    const ask = (token: string, more: object = {}) =>
      modernRequest(url, 'tools/call', { ...EVE, ...more }, { token, capabilities: ASKABLE });
    const { requestState } = (await ask(first)).body.result;
    const answer = { requestState, inputResponses: { confirm: { action: 'accept', content: {} } } };
    assert.equal((await ask(second, answer)).body.error.code, -32_602);
    assert.equal((await ask(core.own.token, answer)).body.error.code, -32_602);
    assert.equal((await ask(first, answer)).body.result.structuredContent.error_code, 200);
  });

  it('is closed to an application at once when it is disconnected', async () => {
    const client = await register(oauthOf(core.core));
    const { access_token } = await connect(core, browser, client, { resource: RESOURCE });
    assert.equal(await statusOf(access_token), 200);
    await disconnect(oauthOf(core.core), { account: core.own.account, operator: null }, client.client_id);
    assert.equal(await statusOf(access_token), 401);
  });

  it('names, when it refuses, a document that says for what and by whom tokens are given', async () => {
    for (const path of ['/mcp', '/v3/mcp']) {
      const { headers } = await rawRequest(url, {}, { path });
      const [, address = ''] = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '') ?? [];
      const document = (await core.app.inject({ url: new URL(address).pathname })).json();
      assert.equal(document.resource, `${PUBLIC_URL}${path}`);
      assert.deepEqual(document.authorization_servers, [PUBLIC_URL]);
      assert.deepEqual(document.scopes_supported, ['read', 'write']);
    }
  });
});
