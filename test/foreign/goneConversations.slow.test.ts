import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FOREIGN, type ForeignWorld, openForeign } from './world.ts';

const SIZE = { properties: 3, stays: 12, entries: 20, fullConversations: 30, longestConversation: 8 };
const GONE = 20;
/** A handful of questions about each of them. */
const MOST_REFUSED = 160;

/** FullConversations that have just been deleted, while the list still names them and events go on. */
function deleteConversations({ upstream, business }: ForeignWorld): string[] {
  const gone = upstream.truth.fullConversations
    .all()
    .slice(0, GONE)
    .map(({ id }) => id);
  for (const id of gone) {
    business.write(id);
    upstream.faults.goneConversations.add(id);
  }
  return gone;
}

const refused = ({ upstream }: ForeignWorld) => upstream.asked.filter(({ code }) => code === 404).length;

describe('fullConversations that are listed and not there', () => {
  it('are asked for a few times, then left alone for long, and named; the others go on', async () => {
    const world = await openForeign({ dialect: 'described', seed: 5, size: SIZE });
    const { upstream, business } = world;
    try {
      await world.quiet();
      upstream.forget();
      const gone = deleteConversations(world);
      await world.pass(120);
      for (let n = 0; n < 4; n += 1) {
        await world.reconcile();
        await world.pass(5);
      }
      // So many that vanish at once are doubted for some minutes.
      await world.pass(900);
      assert.ok(refused(world) <= MOST_REFUSED, `${refused(world)} requests refused`);
      const fullConversations = await world.rows(
        'select conversation_id from conversations where deleted_at is not null',
      );
      assert.deepEqual(new Set(fullConversations.map((row) => row['conversation_id'])), new Set(gone));
      const { troubles } = await world.daemon.status(FOREIGN);
      assert.match(JSON.stringify(troubles), /20 conversations/);

      const [back] = gone;
      assert.ok(back);
      upstream.faults.goneConversations.delete(back);
      business.write(back);
      await world.quiet();
      const [again] = await world.rows(`select deleted_at from conversations where conversation_id = '${back}'`);
      assert.equal(again?.['deleted_at'], null);
    } finally {
      await world.close();
    }
  });
});
