import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fromJsonSchema, type JSONValue } from '@modelcontextprotocol/server';
import { annotationsOf } from '../../../src/api/mcp/annotations.ts';
import { allTools, PAGE, pageOfTools } from '../../../src/api/mcp/tools.ts';
import { operationIds, operations } from '../../../src/contract/index.ts';
import type { Operation } from '../../../src/contract/operation.ts';

const tools = [...allTools().values()];
const definitions = tools.map(({ definition }) => definition);
const declared = operationIds.map((id): Operation => operations[id]).filter(({ tool }) => tool !== null);
const meta = (name: string) => allTools().get(name)?.definition._meta ?? {};

/** wire.md: tools by class. */
const COUNTS = { read: 27, write: 14, confirm: 31 };
const DESTRUCTIVE = [
  'cancel_reservation',
  'decline_reservation',
  'delete_automation_action',
  'delete_calendar_share_link',
  'delete_knowledge_base',
  'delete_property_group',
  'delete_property_tag',
  'delete_reservation_tag',
  'delete_staff',
  'delete_task',
  'delete_transaction',
];

describe('the tools', () => {
  it('are the 72 of the contract, each with its category and class (S23)', () => {
    assert.deepEqual(
      tools.map(({ definition: { name, _meta } }) => [name, _meta?.['category'], _meta?.['class']]),
      declared
        .map(({ tool, scope }) => [tool?.name ?? '', tool?.category, scope] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
    assert.equal(tools.length, 72);
    for (const [name, count] of Object.entries(COUNTS)) {
      assert.equal(definitions.filter(({ _meta }) => _meta?.['class'] === name).length, count, name);
    }
  });

  it('say which of them need the consent of a person: 31, and nobody else', () => {
    for (const { operation, definition } of tools) {
      assert.equal(definition._meta?.['requires_confirmation'], operation.scope === 'confirm', definition.name);
      assert.equal(/A person must agree/.test(definition.description ?? ''), operation.scope === 'confirm');
    }
  });

  it('have all four hints, written out (S23)', () => {
    const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
    for (const { name, annotations } of definitions) {
      for (const hint of hints) assert.equal(typeof annotations?.[hint], 'boolean', `${name}: ${hint}`);
      assert.ok(!(annotations?.readOnlyHint && annotations.destructiveHint), name);
    }
    const having = (hint: (typeof hints)[number]) =>
      definitions.filter(({ annotations }) => annotations?.[hint]).map(({ name }) => name);
    assert.deepEqual(having('destructiveHint'), DESTRUCTIVE);
    assert.deepEqual(
      having('readOnlyHint'),
      tools.filter(({ operation }) => operation.scope === 'read').map(({ definition }) => definition.name),
    );
    assert.ok(having('idempotentHint').every((name) => !/^(create|send|execute)_/.test(name)));
    assert.ok(having('openWorldHint').includes('send_message'));
    assert.ok(having('openWorldHint').every((name) => !having('readOnlyHint').includes(name)));
  });

  it('a verb without a row is no tool', () => {
    assert.throws(() => annotationsOf(operations.listProperties, 'burn_property'), /begins with a verb/);
  });

  it('are described, and their input takes the example of the operation', async () => {
    for (const { operation, definition } of tools) {
      assert.ok((definition.description ?? '').startsWith(operation.summary), definition.name);
      assert.match(definition.title ?? '', /^[A-Z][a-z ]+$/);
      assert.equal(definition.inputSchema.type, 'object');
      const fields = Object.keys({ ...operation.params.shape, ...operation.query.shape, ...operation.body?.shape });
      const properties = Object.keys(definition.inputSchema.properties ?? {});
      for (const field of fields) assert.ok(properties.includes(field), `${definition.name} lacks ${field}`);
      for (const path of Object.keys(operation.params.shape)) {
        assert.ok(definition.inputSchema.required?.includes(path), `${definition.name}: ${path} is needed`);
      }
      // In an address, where booleans are written 1 and 0, this one is 1.
      const { is_active, ...rest } = operation.example ?? {};
      const whole = is_active === undefined ? rest : { ...rest, is_active: true };
      // And lists are written with commas.
      const example = Object.fromEntries(
        Object.entries(whole).map(([name, value]) => [name, listed(definition.inputSchema.properties?.[name], value)]),
      );
      assert.deepEqual(await check(definition.inputSchema, example), [], definition.name);
    }
  });

  it('a field with two names says that one of them is needed', () => {
    const { properties, required } = allTools().get('create_property')?.definition.inputSchema ?? {};
    assert.equal(required, undefined);
    assert.match(JSON.stringify(properties?.['title']), /The same as name; one of the two is required/);
  });

  it('answer envelopes, of success and of failure, and stay valid when a field is added', async () => {
    for (const { definition } of tools) {
      const failure = { request_id: 'r', error_code: 422, error_msg: 'no' };
      assert.deepEqual(await check(definition.outputSchema ?? {}, failure), [], definition.name);
      assert.notDeepEqual(await check(definition.outputSchema ?? {}, { ...failure, error_code: 'x' }), []);
      assert.doesNotMatch(JSON.stringify(definition.outputSchema), /"additionalProperties":false/);
    }
    const { outputSchema } = allTools().get('delete_task')?.definition ?? {};
    assert.doesNotMatch(JSON.stringify(outputSchema), /"data"/, 'nothing is answered');
  });

  it('name the endpoint that each stands for', () => {
    assert.equal(meta('search_availabilities')['endpoint'], 'GET /v3/availabilities');
    assert.equal(meta('create_review')['endpoint'], 'POST /v3/reviews/{reservation_code}');
  });
});

describe('the list, page by page', () => {
  const SIZE = 50;
  const scan = (scope: 'read' | 'write') => {
    const pages: string[][] = [];
    for (let cursor: string | undefined; ;) {
      const page = pageOfTools(scope, cursor, SIZE);
      assert.ok(page);
      pages.push(page.tools.map(({ name }) => name));
      cursor = page.nextCursor;
      if (cursor === undefined) return pages;
    }
  };

  it('is one page, since many clients ask for no other', () => {
    assert.ok(PAGE >= tools.length);
    assert.equal(pageOfTools('write', undefined)?.nextCursor, undefined);
  });

  it('holds everything once, in one order', () => {
    const pages = scan('write');
    assert.deepEqual(
      pages.map((page) => page.length),
      [SIZE, 22],
    );
    assert.deepEqual(pages.flat(), definitions.map(({ name }) => name).toSorted());
    assert.deepEqual(scan('write'), pages);
  });

  it('of a read-only token holds the 27 that it may call', () => {
    const names = scan('read').flat();
    assert.equal(names.length, 27);
    assert.ok(names.every((name) => allTools().get(name)?.operation.scope === 'read'));
  });

  it('begins at the beginning with an empty cursor, and knows no cursors but its own', () => {
    assert.deepEqual(pageOfTools('write', ''), pageOfTools('write', undefined));
    const { nextCursor = '' } = pageOfTools('write', undefined, SIZE) ?? {};
    for (const cursor of [
      'x',
      '50',
      `${nextCursor}=`,
      `${nextCursor}A`,
      Buffer.from('after nothing').toString('base64url'),
    ])
      assert.equal(pageOfTools('write', cursor), undefined, cursor);
  });
});

/** What is wrong with a value, by the validator of the official packages. */
async function check(schema: object, value: unknown): Promise<readonly string[]> {
  const result = await fromJsonSchema<JSONValue>(schema)['~standard'].validate(value);
  return result.issues?.map(({ message }) => message) ?? [];
}

/** A value of an address as a tool takes it. */
function listed(schema: unknown, value: unknown): unknown {
  const { type, items } = schema as { type?: string; items?: { type: string } };
  if (type !== 'array' || typeof value !== 'string') return value;
  return value.split(',').map((one) => (items?.type === 'integer' ? Number(one) : one));
}
