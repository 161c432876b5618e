import assert from 'node:assert/strict';
import test from 'node:test';
import { turn } from '../../src/kernel/clock.ts';
import { turns } from '../../src/outbound/turns.ts';

test('as many as allowed at once per key, the others in order', async () => {
  const lanes = turns(2);
  const entered: string[] = [];
  const arrive = (key: string, name: string) => void lanes.enter(key).then(() => entered.push(name));
  for (const name of ['a1', 'a2', 'a3', 'a4']) arrive('a', name);
  arrive('b', 'b1');
  await turn();
  assert.deepEqual(entered, ['a1', 'a2', 'b1']);
  lanes.release('a');
  await turn();
  assert.deepEqual(entered.slice(3), ['a3']);
  lanes.release('a');
  await turn();
  lanes.release('a');
  lanes.release('a');
  arrive('a', 'a5');
  arrive('a', 'a6');
  arrive('a', 'a7');
  await turn();
  assert.deepEqual(entered.slice(4), ['a4', 'a5', 'a6']);
});
