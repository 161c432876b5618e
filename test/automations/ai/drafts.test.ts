import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Inn, KEY, openInn } from './support/inn.ts';

const RULES = `
name: answers
state: live
when: message from guest
do:
  ai_draft:
    before: { en: "Hello {{ guest.first_name }},", de: "Hallo {{ guest.first_name }}," }
    after: "Your hosts"
    instructions: Be brief.
`;
const ENTRIES = [
  { title: 'Parking', content: 'There is a free parking place behind the house, number 7.' },
  { title: 'Wi-Fi', content: 'The network is called Mill Guests.' },
];

describe('drafts by a language model', () => {
  let inn: Inn;
  before(async () => {
    inn = await openInn(RULES, ENTRIES, {
      obey: ({ data }) => data.knowledge.map((one: { text: string }) => one.text).join(' '),
    });
  });
  after(() => inn.close());

  it('a guest asks, the model is given what the knowledge base says, and its words wait for a person', async () => {
    const { conversation_id } = await inn.book();
    await inn.write(conversation_id, 'Hello, where can we park the car?');
    const plan = await inn.decided(conversation_id);
    assert.deepEqual([plan.state, plan.reason], ['held', 'draft']);
    assert.equal(plan.text, 'Hello Ada,\n\nThere is a free parking place behind the house, number 7.\n\nYour hosts');
    assert.deepEqual(
      plan.sources?.map((one) => one.title),
      ['Parking'],
    );
    assert.deepEqual(await inn.said(conversation_id), []);
    const [asked, ...more] = inn.model.received;
    assert.deepEqual(more, []);
    assert.deepEqual(
      [asked?.method, asked?.path, asked?.authorization],
      ['POST', '/v1/chat/completions', `Bearer ${KEY}`],
    );
    assert.deepEqual(Object.keys(asked?.body).toSorted(), ['max_tokens', 'messages', 'model', 'stream', 'temperature']);
    await inn.service.portal('POST', `/portal/automations/plans/${plan.plan_id}/approve`, {});
    const words = plan.text;
    await waitFor(async () => (await inn.said(conversation_id)).length > 0);
    assert.deepEqual(await inn.said(conversation_id), [words]);
  });
});

async function waitFor(condition: () => Promise<boolean>): Promise<void> {
  const { until } = await import('../../support/service.ts');
  await until(condition, 'it');
}
