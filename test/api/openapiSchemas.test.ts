import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openApiDocument, operationObject } from '../../src/api/openapi.ts';
import { NamedSchemas } from '../../src/api/openapi/namedSchemas.ts';
import { SCHEMA_TEXTS } from '../../src/api/openapi/schemaTexts.ts';
import { eventKinds } from '../../src/contract/events.ts';
import { operationIds, operations } from '../../src/contract/index.ts';
import { resolved } from '../support/openapi.ts';

type Json = Record<string, any>;

const document = openApiDocument() as {
  paths: Record<string, Record<string, Json>>;
  webhooks: Record<string, Json>;
  components: { schemas: Record<string, Json> };
};
const { schemas } = document.components;
const described = new Map(
  Object.values(document.paths).flatMap((methods) => Object.values(methods).map((one) => [one['operationId'], one])),
);
const upperFirst = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Every schema within a value, with its place. */
function* within(value: unknown, place: string): Generator<[place: string, schema: Json]> {
  if (typeof value !== 'object' || value === null) return;
  yield [place, value];
  for (const [key, inner] of Object.entries(value)) yield* within(inner, `${place}/${key}`);
}

describe('the schemas of /openapi.json', () => {
  for (const id of operationIds) {
    it(`${id}: says with names what it says without`, () => {
      const { requestBody, responses } = resolved(document, described.get(id)) as Json;
      const alone = operationObject(id);
      assert.deepEqual(requestBody, alone.requestBody);
      assert.deepEqual(responses[200], alone.responses[200]);
    });
  }

  it('names the body and the answer of each operation after it, and each event', () => {
    for (const id of operationIds) {
      const { requestBody, responses } = described.get(id) as Json;
      const { anyOf } = responses[200].content['application/json'].schema;
      assert.deepEqual(anyOf, [to(`${upperFirst(id)}Answer`), to('Failure')]);
      if (operations[id].body) {
        assert.deepEqual(requestBody.content['application/json'].schema, to(`${upperFirst(id)}Body`));
      }
    }
    assert.deepEqual(
      document.webhooks['reservation_updated']?.['post'].requestBody.content['application/json'].schema,
      {
        ...to('ReservationUpdatedEvent'),
      },
    );
    assert.equal(Object.keys(schemas).filter((name) => name.endsWith('Event')).length, eventKinds.length);
  });

  it('names the resources as people do, and refers to each wherever it occurs', () => {
    const rows = Object.entries({
      listReservations: ['reservations', 'Reservation'],
      listProperties: ['properties', 'Property'],
      listTransactions: ['transactions', 'Transaction'],
      listReviews: ['reviews', 'Review'],
      listTasks: ['tasks', 'Task'],
      listListings: ['listings', 'Listing'],
      listConversations: ['conversations', 'ConversationEntry'],
      listAutomationActions: ['actions', 'AutomationAction'],
    });
    for (const [id, [list = '', name = '']] of rows) {
      assert.deepEqual(schemas[`${upperFirst(id)}AnswerData`]?.['properties'][list].items, to(name));
    }
    assert.deepEqual(schemas['GetConversationAnswer']?.['properties'].data, to('Conversation'));
    assert.deepEqual(schemas['Conversation']?.['properties'].messages.items, to('Message'));
    assert.deepEqual(schemas['ListingCalendar']?.['properties'].calendar.items, to('CalendarDay'));
    assert.deepEqual(schemas['UpdateWebhookAnswer']?.['properties'].data, to('Webhook'));
    assert.deepEqual(schemas['UpdateCheckInDetailsBody']?.['properties'].arrival_at.anyOf[0], to('ClockTime'));
  });

  it('leaves no object without a name that a generator would have to invent', () => {
    const places = [...within(document.paths, 'paths'), ...within(document.webhooks, 'webhooks')];
    const inside = Object.entries(schemas).flatMap(([name, schema]) => [...within(schema, name)].slice(1));
    const anonymous = [...places, ...inside]
      .filter(([, schema]) => schema['type'] === 'object' && schema['properties'])
      .map(([place]) => `${place}: give this part a schemaName in src/contract`);
    assert.deepEqual(anonymous, []);
    for (const name of Object.keys(schemas)) assert.match(name, /^[A-Z][a-z]*([A-Z][a-z]*)*$/, name);
  });

  it('says of every date and moment what it is', () => {
    const fields = Object.entries(schemas).flatMap(([part, schema]) =>
      Object.entries((schema['properties'] ?? {}) as Record<string, Json>).map(([name, field]) => {
        const { $ref, format } = field['anyOf']?.[0] ?? field;
        return { place: `${part}.${name}`, name, $ref, format };
      }),
    );
    const formatsOf = (names: RegExp) => fields.filter(({ name, $ref }) => names.test(name) && !$ref);
    for (const { place, format } of formatsOf(/^(\w+_)?date$/)) assert.equal(format, 'date', place);
    for (const { place, format } of formatsOf(/_at$|^timestamp$|^(create|update|expire)_time$/)) {
      assert.equal(format, 'date-time', place);
    }
    assert.ok(formatsOf(/_date$/).length > 30 && formatsOf(/_at$/).length > 15);
  });

  it('says of every integer that it may be larger than 32 bits', () => {
    const integers = [...within(document, '')].filter(([, { type, maximum }]) => type === 'integer' && maximum);
    assert.ok(integers.length > 100);
    for (const [place, { maximum, format }] of integers) {
      assert.equal(format, maximum > 2_147_483_647 ? 'int64' : undefined, place);
    }
  });

  it('keeps no schema that nothing refers to, and refers to none that is missing', () => {
    const used = new Set([...within(document, '')].map(([, { $ref }]) => String($ref)));
    for (const name of Object.keys(schemas)) assert.ok(used.has(to(name).$ref), `${name} is not used`);
  });

  it('says of each schema in a sentence what it is, and of none that is not there', () => {
    for (const [name, { description }] of Object.entries(schemas)) {
      assert.match(
        String(description),
        /^[A-Z].{10,}\.$/,
        `${name}: say what it is, in src/api/openapi/schemaTexts.ts`,
      );
    }
    for (const name of Object.keys(SCHEMA_TEXTS))
      assert.ok(schemas[name], `${name} is in src/api/openapi/schemaTexts.ts`);
    assert.equal(schemas['Reservation']?.['description'], SCHEMA_TEXTS['Reservation']);
    assert.equal(
      schemas['CreateReservationBody']?.['description'],
      `What \`createReservation\` takes. ${operations.createReservation.summary}`,
    );
  });

  it('refuses two different schemas under one name', () => {
    const named = new NamedSchemas();
    const note = { name: 'Note', text: 'A note.' };
    assert.deepEqual(named.refer({ type: 'string' }, note), to('Note'));
    assert.deepEqual(named.refer({ type: 'string', description: 'Of a guest.' }, note), {
      ...to('Note'),
      description: 'Of a guest.',
    });
    assert.throws(() => named.refer({ type: 'integer' }, note), /two different schemas are called Note/);
    assert.deepEqual(named.all(), { Note: { description: 'A note.', type: 'string' } });
  });
});
