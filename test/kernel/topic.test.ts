import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Topic } from '../../src/kernel/topic.ts';

test('each listener hears each later value, in the order of subscription', () => {
  const topic = new Topic<number>();
  const heard: string[] = [];
  topic.publish(0);
  topic.subscribe((value) => heard.push(`first ${value}`));
  topic.publish(1);
  topic.subscribe((value) => heard.push(`second ${value}`));
  topic.publish(2);
  assert.deepEqual(heard, ['first 1', 'first 2', 'second 2']);
});
