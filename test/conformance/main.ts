import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startCore } from '../support/core.ts';
import { addApplication, allow, signIn } from '../support/consent.ts';
import { freePort } from '../support/port.ts';
import { startTestService } from '../support/service.ts';
import { bearerProxy } from './bearer.ts';
import { fixtureServer } from './fixture.ts';
import { fuzz } from './fuzz.ts';
import { n8n } from './n8n.ts';
import { nodeRed } from './nodeRed.ts';
import { nodes } from './nodes.ts';
import { openApi } from './openapi.ts';
import { NoPackages } from './packages.ts';
import { postman } from './postman.ts';
import { fetchSuite, type Suite } from './suite.ts';

/**
 * `npm run conformance [-- --only PART]`: the official suite against a whole service (wire: what concerns its wire),
 * against its door with the suite's own fixtures behind it (fixtures: all that the two revisions require), and against
 * its authorization server (authorization); then a real Node-RED that hears an endpoint (node-red), linters and client
 * generators over the OpenAPI document (openapi), the nodes for n8n with its linter (n8n), the Postman collection in newman (postman), the npm package under other versions of Node.js (nodes), and random
 * requests to every operation by that document alone (fuzz,
 * `--count` of them, drawn from `--seed`). Exit codes: 1 something failed, 2 wrong use, 69 the suite or a tool cannot be
 * had.
 */
const PARTS: Readonly<Record<string, (suite: Suite) => Promise<string[]>>> = {
  wire: serviceItself,
  fixtures,
  authorization,
};
/** Need nothing of the suite. */
const OTHERS: Readonly<Record<string, (asked: Asked) => Promise<string[]>>> = {
  'node-red': () => nodeRed(say),
  n8n: () => n8n(say),
  postman: () => postman(say),
  openapi: () => openApi(say),
  nodes: () => nodes(say),
  fuzz: ({ count, seed }) => fuzz(say, count, seed),
};
const FUZZED_REQUESTS = '10000';
const WRONG_USE = 2;
const UNAVAILABLE = 69;

/** What a server without prompts, resources and the suite's tools cannot show. */
const WITHOUT_FIXTURES = [
  'server-stateless:sep-2575-server-rejects-undeclared-capability',
  'server-stateless:sep-2575-missing-capability-http-400',
  'server-stateless:sep-2575-http-server-no-independent-requests-on-stream',
  'server-stateless:sep-2575-server-no-log-without-loglevel',
  'caching:sep-2549-prompts-list-caching-hints',
  'caching:sep-2549-resources-list-caching-hints',
  'caching:sep-2549-resources-templates-list-caching-hints',
];

const WIRE: Readonly<Record<string, readonly string[]>> = {
  '2025-11-25': ['server-initialize', 'ping', 'server-session-lifecycle', 'tools-list', 'dns-rebinding-protection'],
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'dns-rebinding-protection',
    'http-header-validation',
    'server-sse-multiple-streams',
    'caching',
  ],
};

const REVISIONS = Object.keys(WIRE);

process.exit(await main(askedOf(process.argv.slice(2))));

interface Asked {
  parts: readonly string[];
  /** Requests of the fuzz, and what they are drawn from. */
  count: number;
  seed: number;
}

async function main(asked: Asked | undefined): Promise<number> {
  if (!asked) return WRONG_USE;
  const { parts } = asked;
  try {
    const failed: string[] = [];
    const suite = parts.some((part) => part in PARTS) ? await fetchSuite(say) : undefined;
    for (const part of parts) {
      failed.push(...((await OTHERS[part]?.(asked)) ?? []));
      if (suite) failed.push(...((await PARTS[part]?.(suite)) ?? []));
    }
    say(failed.length === 0 ? '\nall passed' : `\nFAILED: ${failed.join(', ')}`);
    return failed.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof NoPackages)) throw error;
    process.stderr.write(`conformance: ${error.message}\n`);
    return UNAVAILABLE;
  }
}

/** What is to be run; undefined: what was asked for is nothing that there is. */
function askedOf(args: string[]): Asked | undefined {
  try {
    const { values } = parseArgs({
      args,
      options: {
        only: { type: 'string' },
        count: { type: 'string', default: FUZZED_REQUESTS },
        seed: { type: 'string', default: '1' },
      },
    });
    const names = [...Object.keys(PARTS), ...Object.keys(OTHERS)];
    const more = { count: Number(values.count), seed: Number(values.seed) };
    if (values.only === undefined) return { parts: names, ...more };
    if (names.includes(values.only)) return { parts: [values.only], ...more };
    process.stderr.write(`conformance: --only ${values.only}: parts are ${names.join(', ')}\n`);
  } catch (error) {
    process.stderr.write(`conformance: ${error instanceof Error ? error.message : String(error)}\n`);
  }
  return undefined;
}

async function serviceItself(suite: Suite): Promise<string[]> {
  const service = await startTestService();
  const proxy = await bearerProxy(service.url, service.token);
  const folder = mkdtempSync(join(tmpdir(), 'stayd-conformance-'));
  try {
    // Both at once: each scenario is a process, which mostly starts.
    const runs = REVISIONS.map((revision) => wireScenarios(suite, { url: `${proxy.url}/mcp`, revision, folder }));
    const failed: string[] = [];
    for (const [index, revision] of REVISIONS.entries()) {
      const results = (await runs[index]) ?? [];
      say(`\nthe service itself, ${revision}`);
      for (const { line } of results) say(line);
      failed.push(...results.filter(({ isGood }) => !isGood).map(({ scenario }) => `${scenario} (${revision})`));
    }
    return failed;
  } finally {
    proxy.close();
    await service.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface ScenarioResult {
  scenario: string;
  isGood: boolean;
  /** What is said of it: one line, and all that the suite printed where it failed. */
  line: string;
}

/** One after the other, the scenarios that concern the wire of a revision. */
async function wireScenarios(
  suite: Suite,
  { url, revision, folder }: { url: string; revision: string; folder: string },
): Promise<ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  for (const scenario of WIRE[revision] ?? []) {
    const known = WITHOUT_FIXTURES.filter((check) => check.startsWith(`${scenario}:`));
    const file = join(folder, `${revision}-${scenario}.yaml`);
    writeFileSync(file, known.length > 0 ? `server:\n${known.map((check) => `  - ${check}\n`).join('')}` : '{}\n');
    const of = ['--scenario', scenario, '--spec-version', revision, '--expected-failures', file];
    const { code, output } = await suite.run(['server', '--url', url, ...of]);
    const [, passed = '?', wrong = '?'] = /Passed: (\d+)\/\d+, (\d+) failed/.exec(output) ?? [];
    const absent = known.length > 0 && wrong !== '0' ? `, of which ${known.length} for want of a fixture` : '';
    const isGood = code === 0;
    const line = `${isGood ? 'ok  ' : 'FAIL'}  ${scenario}: ${passed} passed, ${wrong} failed${absent}`;
    results.push({ scenario, isGood, line: isGood ? line : `${line}\n${output}` });
  }
  return results;
}

async function fixtures(suite: Suite): Promise<string[]> {
  const core = await startCore(
    undefined,
    undefined,
    'off',
    {},
    { makeServer: fixtureServer, needsSession: () => true },
  );
  const proxy = await bearerProxy(await core.app.listen({ port: 0, host: '127.0.0.1' }), core.own.token);
  const failed: string[] = [];
  try {
    for (const revision of REVISIONS) {
      say(`\nall that ${revision} requires, with fixtures`);
      const { code, output } = await suite.run(['server', '--url', `${proxy.url}/mcp`, '--requirements', revision]);
      const unscored = new Set(
        output
          .split('Not scored for')
          .slice(1)
          .join('')
          .match(/(?<=[✓✗] )[\w-]+/g),
      );
      const lines = [...output.matchAll(/^([✓✗]) ([\w-]+): (\d+ passed, \d+ failed)$/gm)];
      for (const [, mark, scenario = '', counts] of lines.filter(([, , name = '']) => !unscored.has(name))) {
        say(`${mark === '✓' ? 'ok  ' : 'FAIL'}  ${scenario}: ${counts}`);
        if (mark !== '✓') failed.push(`${scenario} (${revision})`);
      }
      const required = lines.length - unscored.size;
      say(`${required} scenarios required; run for information only: ${[...unscored].join(', ')}`);
      if (code === 0 && required > 0) continue;
      if (!failed.some((name) => name.endsWith(`(${revision})`))) failed.push(`the run of ${revision}`);
      say(output);
    }
  } finally {
    proxy.close();
    await core.close();
  }
  return failed;
}

/** A person lets the suite in as an application, by the pages and addresses of the authorization server. */
async function authorization(suite: Suite): Promise<string[]> {
  say('\nthe authorization server');
  const service = await startTestService();
  try {
    const cookie = await signIn(service);
    const port = await freePort();
    const client = await addApplication(service, `http://127.0.0.1:${port}/callback`);
    let isOpened = false;
    const open = (output: string) => {
      const [address] = /^http\S+\/oauth\/authorize\?\S+$/m.exec(output) ?? [];
      if (isOpened || address === undefined) return;
      isOpened = true;
      void allow(service, cookie, address).then((callback) => fetch(callback));
    };
    const args = ['authorization', '--url', service.url, '--client-id', client, '--port', String(port)];
    const { code, output } = await suite.run([...args, '--resource', `${service.url}/mcp`], open);
    const scenarios = [...output.matchAll(/^([✓✗]) ([\w-]+): (\d+ passed, \d+ failed)/gm)];
    for (const [, mark, scenario, counts] of scenarios)
      say(`${mark === '✓' ? 'ok  ' : 'FAIL'}  ${scenario}: ${counts}`);
    if (code === 0) return [];
    say(output);
    return ['authorization'];
  } finally {
    await service.remove();
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
