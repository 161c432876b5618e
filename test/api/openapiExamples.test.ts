import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openApiDocument } from '../../src/api/openapi.ts';
import { codesOf } from '../../src/contract/errors.ts';
import { eventKinds, events } from '../../src/contract/events.ts';
import { operationIds, operations } from '../../src/contract/index.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { useFirstSpellings } from '../../src/contract/spell.ts';
import { spellings } from '../../src/contract/spellings.ts';
import { judges } from '../support/openapi.ts';

type Json = Record<string, any>;

const document = openApiDocument() as {
  paths: Record<string, Record<string, Json>>;
  webhooks: Record<string, Json>;
  components: Json;
};
const described = new Map(
  Object.values(document.paths).flatMap((methods) => Object.values(methods).map((one) => [one['operationId'], one])),
);
const json = 'application/json';

describe('the examples of /openapi.json', () => {
  const judgeBy = judges(document);
  const fits = (what: string, schema: object, value: unknown) =>
    assert.equal(judgeBy(schema)(value), undefined, `${what}: ${JSON.stringify(value)}`);
  const isParsed = (what: string, part: Operation['data'], value: unknown) => {
    const own = structuredClone(value);
    useFirstSpellings(part)(own);
    const result = part.safeParse(own);
    assert.ok(result.success, `${what}: ${result.error?.message}`);
  };

  for (const id of operationIds) {
    const operation: Operation = operations[id];
    const { requestBody, responses, parameters = [] } = described.get(id) as Json;

    it(`${id}: the request fits its schema and the contract`, () => {
      for (const { name, schema, example } of parameters) if (example !== undefined) fits(name, schema, example);
      assert.equal(requestBody === undefined, operation.body === null);
      if (!operation.body) return;
      const { schema, example } = requestBody.content[json];
      fits(id, schema, example);
      isParsed(id, operation.body, example);
    });

    it(`${id}: a success and a failure fit their schemas and the contract`, () => {
      const { schema, examples } = responses[200].content[json];
      const { success, failure } = examples;
      fits(id, schema.anyOf[0], success.value);
      isParsed(id, operation.data, success.value.data);
      fits(id, schema.anyOf[1], failure.value);
      assert.ok(codesOf(operation).includes(failure.value.error_code), `${id} never answers this code`);
      assert.ok(failure.value.error_msg);
    });
  }

  for (const kind of eventKinds) {
    it(`${kind}: the event fits its schema and the contract`, () => {
      const { schema, example } = (document.webhooks[kind] as Json)['post'].requestBody.content[json];
      fits(kind, schema, example);
      isParsed(kind, events[kind].fields, example);
    });
  }

  it('shows both spellings, as answers do, and values of people', () => {
    const answers = operationIds.map(
      (id) => described.get(id)?.['responses'][200].content[json].examples.success.value,
    );
    const texts: string[] = [];
    JSON.parse(JSON.stringify(answers), (key, value: unknown) => {
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        const { name, title } = value as Json;
        if (name === 'Sea View' && 'channels' in value) assert.equal(title, name);
      }
      if (typeof value === 'string') texts.push(`${key}: ${value}`);
      return value;
    });
    assert.deepEqual(
      texts.filter((text) => /\b(string|foo|bar|lorem|test)\b/i.test(text)),
      [],
    );
    const all = JSON.stringify(answers);
    for (const { second } of spellings) assert.ok(all.includes(`"${second}":`), `${second} is never shown`);
  });
});
