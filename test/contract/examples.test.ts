import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseInput } from '../../src/api/http/parse.ts';
import { exampleRequest } from '../../src/contract/example.ts';
import { operationIds, operations } from '../../src/contract/index.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { spellings } from '../../src/contract/spellings.ts';

describe('the example of an operation', () => {
  for (const id of operationIds) {
    it(`${id}: is there, and is what the operation takes`, () => {
      const operation: Operation = operations[id];
      const { params, query, body, example } = operation;
      assert.ok(
        example,
        `${id} has no example. Add to its declaration in src/contract one valid input, path, query and body fields ` +
          `together: example: { ${Object.keys({ ...params.shape, ...query.shape, ...body?.shape }).join(': …, ')}: … }`,
      );
      const known = { ...params.shape, ...query.shape, ...body?.shape };
      const names = [
        ...Object.keys(known),
        ...spellings.filter((pair) => pair.name in known).map((pair) => pair.second),
      ];
      for (const name of Object.keys(example)) assert.ok(names.includes(name), `${name} is no field of ${id}`);
      for (const name of Object.keys(params.shape)) assert.ok(name in example, `the example lacks the path’s ${name}`);
      const request = exampleRequest(operation);
      const [path = '', text = ''] = request.path.split('?');
      assert.equal(path.split('/').length, operation.path.split('/').length);
      assert.doesNotThrow(() =>
        parseInput(id, {
          params: Object.fromEntries(Object.keys(params.shape).map((name) => [name, String(example[name])])),
          query: Object.fromEntries(new URLSearchParams(text)),
          body: request.body === null ? undefined : Buffer.from(JSON.stringify(request.body)),
          contentType: 'application/json',
        }),
      );
    });
  }
});
