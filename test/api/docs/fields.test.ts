import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describedOperation, exampleOf } from '../../../src/api/docs/resources/described.ts';
import { fieldRows } from '../../../src/api/docs/resources/fields.ts';
import { resolved } from '../../../src/api/docs/resources/schema.ts';

const said = (...given: Parameters<typeof fieldRows>) =>
  fieldRows(...given).map(({ name, type, required }) => [name, type, required]);

describe('rows of fields', () => {
  it('fields of objects and lists stand in it with what is around them', () => {
    const inner = { type: 'object', properties: { day: { type: 'string', format: 'date' } }, required: ['day'] };
    assert.deepEqual(
      said({
        properties: {
          list: { anyOf: [{ items: inner }, { type: 'null' }] },
          more: { additionalProperties: { type: 'string' } },
          each: { additionalProperties: inner },
        },
      }),
      [
        ['list', 'list of object or null', false],
        ['list[].day', 'date, YYYY-MM-DD', true],
        ['more', 'map to string', false],
        ['each', 'map to object', false],
        ['each.*.day', 'date, YYYY-MM-DD', true],
      ],
    );
  });

  it('references to named schemas are followed, also within others, and one that contains itself ends', () => {
    const named = {
      Guest: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      Stay: {
        type: 'object',
        properties: { guests: { type: 'array', items: { $ref: '#/components/schemas/Guest' } } },
      },
      Part: { type: 'object', properties: { parts: { items: { $ref: '#/components/schemas/Part' } } } },
    };
    assert.deepEqual(said({ properties: { stay: { $ref: '#/components/schemas/Stay' } } }, named), [
      ['stay', 'object', false],
      ['stay.guests', 'list of object', false],
      ['stay.guests[].name', 'string', true],
    ]);
    assert.deepEqual(said({ properties: { part: { $ref: '#/components/schemas/Part' } } }, named), [
      ['part', 'object', false],
      ['part.parts', 'list of object', false],
    ]);
  });

  it('a schema that is put together has the fields of all its parts', () => {
    const named = { Base: { properties: { id: { type: 'integer' } }, required: ['id'] } };
    const both = { allOf: [{ $ref: '#/components/schemas/Base' }, { properties: { data: { type: 'string' } } }] };
    assert.deepEqual(said(both, named), [
      ['id', 'integer', true],
      ['data', 'string', false],
    ]);
    assert.equal(resolved({ $ref: '#/components/schemas/Base', description: 'Mine.' }, named).description, 'Mine.');
  });

  it('values, defaults and bounds are told', () => {
    const [state, size] = fieldRows({
      properties: {
        state: { anyOf: [{ type: 'string', enum: ['on', 'off'] }, { type: 'null' }], description: 'Of the lamp.' },
        size: { type: 'integer', minimum: 1, maximum: 9_007_199_254_740_991, default: 20, 'x-addition': true },
      },
    });
    assert.deepEqual([state?.values, state?.notes, state?.isAddition], [['on', 'off'], 'Of the lamp.', false]);
    assert.deepEqual([size?.values, size?.notes, size?.isAddition], [[], 'Default 20. At least 1.', true]);
  });

  it('fields of paths have the names of the contract, though the document has one name for some', () => {
    for (const [id, name] of [
      ['updateReservation', 'stay_code'],
      ['cancelReservation', 'reservation_code'],
      ['withdrawSpecialOffer', 'conversation_id'],
    ] as const) {
      assert.deepEqual([describedOperation(id).path[0]?.name, describedOperation(id).path[0]?.required], [name, true]);
    }
  });

  it('the example of an answer is the only one, or the first of those with names', () => {
    assert.equal(exampleOf({}), undefined);
    assert.equal(exampleOf({ example: 1 }), 1);
    assert.equal(exampleOf({ examples: { success: { value: 2 }, failure: { value: 3 } } }), 2);
  });
});
