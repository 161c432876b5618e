import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { messageOf, subjectsOf } from '../../src/broker/message.ts';
import type { Change } from '../../src/sync/feed/feed.ts';

const change: Change = {
  connection: 'local',
  seq: 28,
  at: '2026-11-21T11:15:20.337Z',
  resource: 'reservation',
  key: 'R-1',
  part: null,
  op: 'updated',
  derived: null,
  seen_by: 'event',
  event_ids: '[]',
  diff: JSON.stringify([{ path: 'notes', before: null, after: 'late' }]),
  needs_answer: 0,
  derived_events: [],
};
const TEMPLATE = 'stayd.{connection}.{resource}.{op}';

describe('a change as the broker is told of it', () => {
  it('has its subject from the template, in which no word of the change can make another level', () => {
    assert.equal(messageOf(change, TEMPLATE, 1_000).subject, 'stayd.local.reservation.updated');
    assert.equal(messageOf(change, 'all', 1_000).subject, 'all');
    assert.equal(
      messageOf({ ...change, connection: 'a.b >*' }, 'x.{connection}-{op}', 1_000).subject,
      'x.a_b___-updated',
    );
  });

  it('belongs to a stream of the words that the template fixes', () => {
    assert.deepEqual(subjectsOf(TEMPLATE), ['stayd.*.*.*']);
    assert.deepEqual(subjectsOf('all'), ['all']);
    assert.deepEqual(subjectsOf('a.b-{op}.c'), ['a.*.c']);
  });

  it('is the change itself, by an id that a number given again does not share', () => {
    assert.deepEqual(JSON.parse(messageOf(change, TEMPLATE, 1_000).body), change);
    assert.equal(messageOf(change, TEMPLATE, 1_000).id, 'local:28:2026-11-21T11:15:20.337Z');
  });

  it('leaves out a diff that is too long, and says so', () => {
    const long = { ...change, diff: JSON.stringify([{ path: 'notes', before: null, after: 'ü'.repeat(600) }]) };
    assert.deepEqual(JSON.parse(messageOf(long, TEMPLATE, 1_000).body), { ...change, diff: null, diff_left_out: true });
  });

  it('holds no address that opens a door', () => {
    const diff = JSON.stringify([{ path: 'url', before: 'https://a.example/s3cret', after: null }]);
    const { body } = messageOf({ ...change, resource: 'webhook', diff }, TEMPLATE, 1_000);
    assert.equal(body.includes('s3cret'), false);
    assert.deepEqual(JSON.parse(JSON.parse(body).diff), [{ path: 'url', before: '(secret)', after: null }]);
  });
});
