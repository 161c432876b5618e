import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { z } from 'zod';
import { codesOf } from '../../src/contract/errors.ts';
import { eventKinds } from '../../src/contract/events.ts';
import { operationIds, operations } from '../../src/contract/index.ts';
import { type Operation, takesIdempotencyKey } from '../../src/contract/operation.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { resolved } from '../support/openapi.ts';

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: object;
  example?: unknown;
  'x-addition'?: boolean;
}
interface OperationObject {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json': { schema: ObjectSchema; example: unknown } } };
  responses: {
    200: { headers: object; content: { 'application/json': { schema: { anyOf: [ObjectSchema, object] } } } };
  };
  'x-scope': string;
  'x-error-codes': number[];
}
type JsonSchema = Parameters<typeof z.fromJSONSchema>[0];
interface ObjectSchema {
  properties: Record<string, any>;
  required?: string[];
}

const PAGED = operationIds.filter((id) => 'offset' in operations[id].query.shape).length;

describe('/openapi.json', () => {
  let core: TestCore;
  let text: string;
  let served: typeof document;
  /** What is served, with every schema in its places. */
  let document: {
    openapi: string;
    paths: Record<string, Record<string, OperationObject>>;
    webhooks: Record<string, unknown>;
    tags: { name: string; description?: string }[];
    components: {
      parameters: Record<string, { name: string; 'x-addition'?: boolean }>;
      schemas: Record<string, object>;
    };
  };
  before(async () => {
    core = await startCore();
    const response = await core.app.inject({ method: 'GET', url: '/openapi.json' });
    text = response.body;
    served = response.json();
    document = resolved(served, served);
  });
  after(() => core.close());

  const described = (id: (typeof operationIds)[number]): OperationObject => {
    const { method } = operations[id];
    const found = Object.values(document.paths).find((path) => path[method.toLowerCase()]?.operationId === id);
    assert.ok(found, `${id} is not in the document`);
    return found[method.toLowerCase()] as OperationObject;
  };
  const bodyOf = (id: (typeof operationIds)[number]) => described(id).requestBody?.content['application/json'].schema;
  const dataOf = (id: (typeof operationIds)[number]) =>
    described(id).responses[200].content['application/json'].schema.anyOf[0].properties['data'];

  const formOf = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');
  const isShared = (path: string) =>
    operationIds.some((id) => operations[id].path !== path && formOf(operations[id].path) === formOf(path));

  it('no two paths differ only in the names of their fields, and each names the fields of its operations', () => {
    const paths = Object.keys(document.paths);
    assert.equal(new Set(paths.map(formOf)).size, paths.length);
    for (const [path, methods] of Object.entries(document.paths)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const { parameters = [], operationId } of Object.values(methods)) {
        const inPath = parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name);
        assert.deepEqual(inPath, names, operationId);
      }
    }
    for (const id of operationIds) assert.equal(formOf(pathOf(id)), formOf(operations[id].path));
  });

  const pathOf = (id: (typeof operationIds)[number]): string => {
    const found = Object.entries(document.paths).find(([, methods]) =>
      Object.values(methods).some((one) => one.operationId === id),
    );
    return found?.[0] ?? '';
  };

  it('every example fits the schema it stands beside, and every required field has one', () => {
    let examples = 0;
    const fits = (what: string, schema: object, example: unknown) => {
      examples += 1;
      const result = z.fromJSONSchema(schema as JsonSchema).safeParse(example);
      assert.ok(result.success, `${what}: ${result.error?.message}`);
    };
    for (const id of operationIds) {
      const { parameters = [] } = described(id);
      const body = described(id).requestBody?.content['application/json'];
      if (body) fits(id, body.schema, body.example);
      for (const { name, schema, required, example } of parameters) {
        if (example !== undefined) fits(`${id} ${name}`, schema, example);
        else assert.ok(!required, `${id} ${name} has no example`);
      }
    }
    assert.ok(examples > operationIds.length);
  });

  it('names every code an operation answers, and the headers of a limit', () => {
    for (const id of operationIds) {
      assert.deepEqual(described(id)['x-error-codes'], codesOf(operations[id]), id);
      assert.deepEqual(Object.keys(described(id).responses[200].headers), [
        'Retry-After',
        'X-RateLimit-Scope',
        'X-RateLimit-Window',
        'X-RateLimit-Reason',
      ]);
    }
  });

  it('marks what the description of v3 does not have: cursors, the search of the knowledge base and two headers, and nothing else', () => {
    for (const id of operationIds) {
      const { parameters = [] } = described(id);
      const isPaged = 'offset' in operations[id].query.shape;
      const marked = parameters
        .filter((parameter) => parameter['x-addition'] && parameter.in !== 'header')
        .map(({ name }) => name);
      const paging = isPaged ? ['cursor'] : [];
      assert.deepEqual(marked, id === 'listKnowledgeBases' ? [...paging, 'search'] : paging, id);
      assert.equal(dataOf(id)?.properties?.['next_cursor']?.['x-addition'], isPaged || undefined, id);
    }
    const headers = Object.values(document.components.parameters).filter((one) => one['x-addition']);
    assert.deepEqual(
      headers.map(({ name }) => name),
      ['Prefer', 'Idempotency-Key'],
    );
    assert.equal(text.split('"x-addition":true').length - 1, 2 * PAGED + 1 + headers.length);
  });

  it('says of every parameter what it is, and of each change that it takes a key only if it would run twice', () => {
    for (const id of operationIds) {
      for (const { name, description } of described(id).parameters ?? []) assert.ok(description, `${id} ${name}`);
    }
    const takers = operationIds.filter((id) =>
      described(id).parameters?.some(({ name }) => name === 'Idempotency-Key'),
    );
    assert.ok(takers.includes('createReservation') && takers.includes('sendMessage'));
    for (const id of [
      'listCalendars',
      'createAuthorization',
      'updateReservation',
      'deleteTask',
      'listTasks',
    ] as const) {
      assert.ok(!takers.includes(id), id);
    }
  });

  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(served));
    assert.deepEqual([result.valid, result.errors], [true, undefined]);
    assert.equal(validator.version, '3.1');
  });

  it('holds each operation once with its fields, scope and answer, and nothing else', () => {
    const entries = Object.values(document.paths).flatMap((path) => Object.values(path));
    assert.deepEqual(entries.map((entry) => entry.operationId).toSorted(), [...operationIds].toSorted());
    for (const id of operationIds) {
      const operation: Operation = operations[id];
      const entry = described(id);
      assert.equal(entry['x-scope'], operation.scope);
      assert.deepEqual(
        (entry.parameters ?? []).map((parameter) => `${parameter.in} ${parameter.name}`),
        [
          ...Object.keys(operation.params.shape).map((name) => `path ${isShared(operation.path) ? 'code' : name}`),
          ...Object.keys(operation.query.shape).map((name) => `query ${name}`),
          'header Prefer',
          ...(takesIdempotencyKey(operation) ? ['header Idempotency-Key'] : []),
        ],
        id,
      );
      for (const parameter of entry.parameters ?? [])
        if (parameter.in === 'path') assert.equal(parameter.required, true);
      assert.equal(bodyOf(id) === undefined, operation.body === null, `${id} and its body`);
      for (const name of Object.keys(operation.body?.shape ?? {}))
        assert.ok(name in (bodyOf(id)?.properties ?? {}), `${id} ${name}`);
    }
    assert.equal(dataOf('updateTransaction'), undefined);
    assert.deepEqual(Object.keys(document.webhooks), [...eventKinds]);
    for (const tag of document.tags) assert.ok(tag.description, `${tag.name} has no description`);
    for (const header of ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'service-webhook-secret-token'])
      assert.ok(
        Object.values(document.components.parameters).some(({ name }) => name === header),
        header,
      );
  });

  it('shows both spellings in answers and in bodies, and asks for neither alone', () => {
    const property = dataOf('listProperties').properties.properties.items;
    assert.deepEqual([property.properties.name.type, property.properties.title.type], ['string', 'string']);
    const stay = dataOf('listReservations').properties.reservations.items.properties;
    assert.ok('note' in stay && 'remarks' in stay);
    const body = bodyOf('createProperty');
    assert.deepEqual(Object.keys(body?.properties ?? {}), ['name', 'title']);
    assert.ok(!body?.required?.includes('name'), 'title alone must be valid');
    const booking = bodyOf('createReservation');
    assert.ok('remarks' in (booking?.properties ?? {}));
    for (const name of ['property_id', 'check_in_date', 'guest_name', 'rate_amount'])
      assert.ok(booking?.required?.includes(name), name);
  });

  it('leaks no internal mark', () => {
    const marks = new Set(['family', 'wireId', 'personal', 'secret', 'assumed', 'params', 'refund']);
    const found: string[] = [];
    JSON.parse(text, (key, value: unknown) => {
      if (marks.has(key) && !Array.isArray(value)) found.push(key);
      return value;
    });
    assert.deepEqual(found, []);
  });

  it('what the service answers fits the schema shown', async () => {
    await core.call('createProperty', { name: 'Mill' });
    const { data } = await core.request('GET', '/properties');
    const { properties, required } = dataOf('listProperties').properties.properties.items as ObjectSchema;
    assert.deepEqual(
      Object.keys(data.properties[0]).filter((name) => !(name in properties)),
      [],
    );
    assert.deepEqual(
      (required ?? []).filter((name) => !(name in data.properties[0])),
      [],
    );
  });
});
