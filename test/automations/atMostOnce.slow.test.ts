import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FAIR_CONDITIONS } from '../sim/network.ts';
import { openHouse } from './support/house.ts';

const MINUTE = 60_000;
const REPLY = `
name: thanks
state: live
when: message from guest
max_turns: 20
do:
  message: { text: "Thank you for: {{ message.text }}" }
`;

describe('at most once', () => {
  it('R29: two daemons on one account answer each message once, and stop by themselves', async () => {
    const rules = REPLY.replace('max_turns: 20', 'max_turns: 3');
    const house = await openHouse({ rules, twin: { rules } });
    try {
      const { conversation_id } = await house.book({ inDays: 20 });
      await house.pass(MINUTE);
      for (let message = 1; message <= 6; message += 1) {
        await house.write(conversation_id, `Message ${message}`);
        await house.pass(2 * MINUTE);
      }
      const said = await house.said(conversation_id);
      assert.equal(new Set(said).size, said.length, said.join(' | '));
      assert.ok(said.length >= 3 && said.length <= 6, `${said.length} answers to 6 messages`);
      await house.pass(5 * MINUTE);
      assert.equal((await house.said(conversation_id)).length, said.length, 'nothing follows by itself');
    } finally {
      await house.close();
    }
  });

  it('R29: two daemons with words of their own stop by themselves, also when each of their answers is answered', async () => {
    const rules = REPLY.replace('max_turns: 20', 'max_turns: 3');
    const house = await openHouse({ rules, twin: { rules: rules.replace('Thank you for', 'We have read') } });
    try {
      const { conversation_id } = await house.book({ inDays: 20 });
      await house.pass(MINUTE);
      let answered = 0;
      let written = 0;
      // The guest’s machine answers whatever comes, at once.
      for (let quiet = 0; quiet < 12 && written < 20; quiet += 1) {
        const said = await house.said(conversation_id);
        if (written === 0 || said.length > answered) {
          written += 1;
          answered = said.length;
          quiet = 0;
          await house.write(conversation_id, `I am away from my service (${written})`);
        }
        await house.pass(10_000);
      }
      const said = await house.said(conversation_id);
      const about = said.map((text) => /\((\d+)\)/.exec(text)?.[1]);
      assert.equal(new Set(about).size, said.length, `at most one answer to a message: ${said.join(' | ')}`);
      assert.ok(said.length >= 1 && said.length <= 5, said.join(' | '));
      const held = (await house.plans()).filter(({ reason }) => reason === 'too_many_turns');
      assert.ok(held.length >= 1, 'the rest waits for a person');
    } finally {
      await house.close();
    }
  });

  it('R13, R28: with time-outs, cut answers, 502s, 429s, doubled and reordered events and ends of the process, no message is said twice', async () => {
    const house = await openHouse({ rules: REPLY, seed: 11 });
    try {
      const conversations: string[] = [];
      for (let guest = 0; guest < 6; guest += 1) {
        conversations.push((await house.book({ inDays: 10 + 4 * guest, guest: `Guest${guest} X` })).conversation_id);
      }
      await house.pass(MINUTE);
      house.conditions = {
        ...FAIR_CONDITIONS,
        latencyMs: 400,
        slow: 5,
        refused: 8,
        cut: 12,
        proxyPage: 6,
        oddCode: 6,
        limited: 3,
      };
      house.core.spoilDeliveries({ drop: 0, double: 0.5, reorder: 0.4, delay_ms: 1_000 });
      let wanted = 0;
      for (let round = 0; round < 5; round += 1) {
        for (const [at, conversation] of conversations.entries()) {
          wanted += 1;
          await house.write(conversation, `Question ${wanted}`);
          await house.pass(4_000);
          if ((wanted + at) % 9 === 0) house.crashIn = 1 + (wanted % 7);
        }
        await house.pass(40_000);
      }
      house.crashIn = 0;
      house.conditions = { ...FAIR_CONDITIONS };
      house.core.spoilDeliveries({ drop: 0, double: 0, reorder: 0, delay_ms: 0 });
      const isOver = async () =>
        (await house.plans()).every(({ state }) => !['planned', 'sending', 'verifying'].includes(state));
      await house.until(isOver, 'every plan to end', 30);
      const said = (await Promise.all(conversations.map((one) => house.said(one)))).flat();
      const answers = said.filter((text) => text.startsWith('Thank you for'));
      assert.equal(new Set(answers).size, answers.length, 'no text twice');
      const counts = new Map<string, number>();
      for (const { state } of await house.plans()) counts.set(state, (counts.get(state) ?? 0) + 1);
      const [sent = 0, unknown = 0] = [counts.get('sent'), counts.get('unknown')];
      assert.ok(
        answers.length >= sent && answers.length <= sent + unknown,
        JSON.stringify([...counts, answers.length]),
      );
      assert.ok(sent >= wanted / 2, JSON.stringify([...counts]));
      const explained = (await house.plans())
        .filter(({ state }) => state !== 'sent')
        .every(({ reason }) => reason !== null);
      assert.ok(explained, 'whatever was not sent says why');
    } finally {
      await house.close();
    }
  });
});
