import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { operationIds } from '../../src/contract/index.ts';
import { packageRoot } from '../../src/kernel/program/packageRoot.ts';
import { startTestService, type TestService } from '../support/service.ts';

interface Pair {
  key: string;
  value: string;
  disabled?: boolean;
}
interface Item {
  name: string;
  request: {
    method: string;
    header: Pair[];
    body?: { raw: string };
    url: { raw: string; path: string[]; query?: Pair[]; variable?: Pair[] };
  };
  response: { body: string }[];
}
interface Collection {
  info: { schema: string };
  auth: { apikey: Pair[] };
  variable: Pair[];
  item: { name: string; item: Item[] }[];
}

const FILE = join(packageRoot(), 'integrations', 'postman', 'stayd.postman_collection.json');
/** Reads about a thing that an empty account does not have, and how they are answered. */
const ABOUT_NOTHING: Readonly<Record<string, number>> = {
  getCustomFields: 404,
  getConversation: 404,
  listSpecialOffers: 404,
  listCalendars: 404,
  getPricingRatios: 404,
  getMarketplaceARules: 404,
  getMarketplaceBRules: 404,
  getKnowledgeBase: 404,
};

describe('the Postman collection', () => {
  const collection = JSON.parse(readFileSync(FILE, 'utf8')) as Collection;
  const items = collection.item.flatMap(({ item }) => item);
  let service: TestService;

  before(async () => {
    service = await startTestService();
  });
  after(() => service.remove());

  /** Sends a request as the program of the collection does, with the variables of a user. */
  async function send({ request }: Item): Promise<{ error_code: number; data?: unknown }> {
    const given: Record<string, string> = { baseUrl: service.url, token: service.token };
    const filled = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => given[name] ?? '');
    const path = request.url.path.map((part) => {
      const value = request.url.variable?.find(({ key }) => `:${key}` === part)?.value ?? part;
      return encodeURIComponent(value);
    });
    const query = (request.url.query ?? []).filter(({ disabled }) => !disabled);
    const search = new URLSearchParams(Object.fromEntries(query.map(({ key, value }) => [key, value])));
    const auth = Object.fromEntries(collection.auth.apikey.map(({ key, value }) => [key, filled(value)]));
    const headers = Object.fromEntries(request.header.map(({ key, value }) => [key, value]));
    const response = await fetch(`${filled('{{baseUrl}}')}/${path.join('/')}?${search.toString()}`, {
      method: request.method,
      headers: { ...headers, [auth['key'] ?? '']: auth['value'] ?? '' },
      ...(request.body && { body: request.body.raw }),
    });
    return (await response.json()) as { error_code: number };
  }

  it('has every operation once, with a success and a failure as examples', () => {
    assert.deepEqual(items.map(({ name }) => name).toSorted(), [...operationIds].toSorted());
    for (const { name, response } of items) {
      const codes = response.map(({ body }) => JSON.parse(body).error_code === 200);
      assert.deepEqual(codes, [true, false], name);
    }
  });

  it('names a variable for all that differs between users', () => {
    assert.deepEqual(
      collection.variable.map(({ key }) => key),
      ['baseUrl', 'token'],
    );
    for (const { request } of items) assert.ok(request.url.raw.startsWith('{{baseUrl}}/v3/'), request.url.raw);
  });

  it('reads a running service: every read is understood', async () => {
    const reads = items.filter(({ name, request }) => request.method === 'GET' || name === 'listCalendars');
    assert.ok(reads.length > 30);
    const answers: Record<string, number> = {};
    for (const read of reads) answers[read.name] = (await send(read)).error_code;
    const expected = Object.fromEntries(reads.map(({ name }) => [name, ABOUT_NOTHING[name] ?? 200]));
    assert.deepEqual(answers, expected);
  });

  it('creates by its examples', async () => {
    for (const name of ['createProperty', 'createWebhook']) {
      const item = items.find((one) => one.name === name);
      assert.ok(item);
      assert.equal((await send(item)).error_code, 200, name);
    }
  });
});
