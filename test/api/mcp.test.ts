import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startCore, type TestCore } from '../support/core.ts';

describe('the official client', () => {
  let core: TestCore;
  let url: URL;
  before(async () => {
    core = await startCore();
    url = new URL(`${await core.app.listen({ port: 0, host: '127.0.0.1' })}/mcp`);
  });
  after(() => core.close());

  for (const [mode, version] of [
    ['legacy', '2025-11-25'],
    ['auto', '2026-07-28'],
  ] as const) {
    it(`in ${version} lists all tools and calls one`, async () => {
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
      await client.connect(
        new StreamableHTTPClientTransport(url, {
          requestInit: { headers: { authorization: `Bearer ${core.own.token}` } },
        }),
      );
      assert.equal(client.getNegotiatedProtocolVersion(), version);
      assert.equal((await client.listTools()).tools.length, 72);
      const { structuredContent } = await client.callTool({ name: 'search_properties', arguments: {} });
      assert.deepEqual((structuredContent as { data: unknown }).data, { properties: [], total: 0 });
      await client.close();
    });
  }
});
