import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { it } from 'node:test';
import { makeTemplates } from './templates.ts';
import { runSendsWorld } from './sends/world.ts';

/** A small form of `npm run sim -- --sends 100000`. */
const SMALL = { conversations: 8, rounds: 5, restore: { backup: 3, restored: 4 } };

it('R13, R28: messages that leave while everything on their way fails, and a restore, are said once or stand before a person', async () => {
  const templates = await makeTemplates();
  try {
    const { problems, sends, ends, counts } = await runSendsWorld(1, templates, SMALL);
    assert.deepEqual(problems, []);
    assert.ok(sends >= 40, `${sends} messages left`);
    assert.ok((ends.get('sent, said') ?? 0) >= 30, JSON.stringify([...ends]));
    for (const kind of ['restored', 'killed', 'fault cut', 'fault refused']) assert.ok(counts.has(kind), kind);
  } finally {
    rmSync(templates.folder, { recursive: true });
  }
});
