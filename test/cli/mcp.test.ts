import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { mcpClients, TOKEN_VARIABLE } from '../../src/cli/mcpClients.ts';
import { mcpClient } from '../support/mcp.ts';
import { startTestService, type TestService } from '../support/service.ts';
import type { Outcome } from './support/manyCommands.ts';
import { runEach } from './support/runMany.ts';

const NAMES = Object.keys(mcpClients);

describe('mcp config', () => {
  let service: TestService;
  let outcomes: Record<string, Outcome>;
  const runs: Record<string, [args: string[], environment?: Record<string, string>]> = {
    all: [[]],
    json: [['--json']],
    oauth: [['--json', '--oauth']],
    cursor: [['cursor']],
    unknown: [['emacs']],
    prototype: [['constructor']],
    named: [['--json', 'codex'], { STAYD_PUBLIC_URL: 'https://rooms.example/' }],
    everywhere: [
      ['--json', 'codex'],
      { STAYD_PORT: '8600', STAYD_HOST: '0.0.0.0', STAYD_TLS_CERT: 'a', STAYD_TLS_KEY: 'b' },
    ],
    sixth: [['--json', 'codex'], { STAYD_PORT: '8600', STAYD_HOST: '::1' }],
    given: [['--json', 'codex', '--url', 'https://other.example/mcp']],
    mirror: [['codex'], { STAYD_UPSTREAM_URL: 'https://other.example', STAYD_UPSTREAM_TOKEN: 'x' }],
  };
  before(async () => {
    service = await startTestService();
    const environment = { STAYD_DATA_DIR: service.dataDir, STAYD_PORT: '0' };
    const list = await runEach(
      Object.values(runs).map(([args, more]) => ({
        args: ['mcp', 'config', ...args],
        environment: { ...environment, ...more },
      })),
    );
    outcomes = Object.fromEntries(Object.keys(runs).map((name, index) => [name, list[index] as Outcome]));
  });
  after(() => service.remove());

  const said = (name: string) => outcomes[name]?.stdout ?? '';
  const setups = (name: string): { client: string; file: string; config: string }[] => JSON.parse(said(name));

  it('prints one for each client, with the address of the service and without a token', () => {
    assert.deepEqual(
      setups('json').map(({ client }) => client),
      NAMES,
    );
    for (const { client, file, config } of setups('json')) {
      assert.ok(said('all').includes(file) && said('all').includes(config), client);
      assert.ok(config.includes(`${service.url}/mcp`), client);
      if (client !== 'codex') assert.doesNotThrow(() => JSON.parse(config), client);
      assert.doesNotMatch(config, /stayd_pat_/);
      assert.doesNotMatch(config, /"STAYD_/, 'such a variable would be taken for a setting');
    }
  });

  it('alone it can be written into its file as it is', () => {
    const { mcpServers } = JSON.parse(said('cursor'));
    assert.equal(mcpServers.stayd.headers.Authorization, `Bearer \${env:${TOKEN_VARIABLE}}`);
    assert.match(outcomes['cursor']?.stderr ?? '', /^for ~\/\.cursor\/mcp\.json:/);
  });

  it('what it prints lets a client in', async () => {
    const { mcpServers } = JSON.parse(said('cursor'));
    const client = await mcpClient(mcpServers.stayd.url, { token: service.token });
    assert.equal((await client.listTools()).tools.length, 72);
    await client.close();
  });

  it('with --oauth no client is given a token', () => {
    for (const { client, config } of setups('oauth')) assert.doesNotMatch(config, /uthorization|bearer|oken/, client);
  });

  it('knows the address by which others reach the service', () => {
    assert.match(setups('named')[0]?.config ?? '', /^url = "https:\/\/rooms\.example\/mcp"$/m);
    assert.match(setups('everywhere')[0]?.config ?? '', /"https:\/\/localhost:8600\/mcp"/);
    assert.match(setups('sixth')[0]?.config ?? '', /"http:\/\/\[::1\]:8600\/mcp"/);
    assert.match(setups('given')[0]?.config ?? '', /"https:\/\/other\.example\/mcp"/);
  });

  it('an unknown client is named with those that are known; where no core runs there are no tools', () => {
    for (const name of ['unknown', 'prototype']) {
      assert.equal(outcomes[name]?.code, 2);
      assert.match(
        outcomes[name]?.stderr ?? '',
        /is no client that is known here\n.*claude-code, claude-desktop, cursor/,
      );
    }
    assert.equal(outcomes['mirror']?.code, 1);
    assert.match(outcomes['mirror']?.stderr ?? '', /no core runs here, so there are no tools/);
  });
});
