import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { noFaults } from '../foreign/upstream/faults.ts';
import { type Neighbours, openNeighbours } from './support/neighbours.ts';

const SECOND = 1_000;
const ANSWER =
  'Thank you for your message! The network is called "Sea View", and the card on the fridge tells the rest.\n\n' +
  'There is a lift, and breakfast is served from 8 to 10. Anything else? Just write.';
const RULE = `
name: thanks
state: live
when: message from guest
max_turns: 20
do:
  message: { text: ${JSON.stringify(ANSWER)} }
`;
const footed = (text: string) => `${text}\n\n--\nSent through the marketplace. Please do not reply to this e-mail.`;
const cut = (text: string) => `${text.slice(0, 120)}…`;
const written = (text: string) => text.replaceAll('"', '&quot;').replaceAll('\n', '<br>');

describe('our own text that comes back', () => {
  let world: Neighbours;
  before(async () => {
    world = await openNeighbours({ rules: [RULE] });
  });
  after(() => world.close());
  afterEach(() => void (world.upstream.faults.said = noFaults().said));

  for (const [what, echo] of Object.entries({ footed, cut, written })) {
    for (const offMs of [0, 400 * SECOND]) {
      it(`as if a guest had written it, ${what}, ${offMs / SECOND} s off, is not answered`, async () => {
        world.upstream.faults.said = { ...noFaults().said, echo, offMs };
        const conversation = world.conversation();
        world.write(conversation, 'Is there a lift?');
        await world.pass(30 * SECOND);
        assert.deepEqual(world.said(conversation), [ANSWER]);
      });
    }
  }

  for (const [what, as] of Object.entries({ footed, cut })) {
    it(`as a host’s, ${what} and dated later, is no answer to what a guest writes then`, async () => {
      world.upstream.faults.said = { ...noFaults().said, as, offMs: 400 * SECOND };
      const conversation = world.conversation();
      world.write(conversation, 'Is there a lift?');
      await world.pass(30 * SECOND);
      world.write(conversation, 'And a garden?');
      await world.pass(30 * SECOND);
      assert.equal(world.said(conversation).length, 2);
    });
  }

  it('a guest who quotes a part of it, or writes "yes", is answered', async () => {
    const conversation = world.conversation();
    const words = ['Is there a lift?', 'yes', '"the card on the fridge tells the rest" - which fridge?'];
    for (const [number, text] of words.entries()) {
      world.write(conversation, text);
      await world.pass(20 * SECOND);
      assert.equal(world.said(conversation).length, number + 1, text);
    }
  });
});
