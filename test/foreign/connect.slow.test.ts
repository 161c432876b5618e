import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { firstContact } from '../../src/compose/connect/firstContact.ts';
import { foresee } from '../../src/compose/connect/foresee.ts';
import { loadConfig } from '../../src/config.ts';
import { manualClock } from '../support/clock.ts';
import { diceOf } from './upstream/dice.ts';
import { seed as seedTruth, smallSize } from './upstream/seed.ts';
import { startUpstream } from './upstream/upstream.ts';

const config = loadConfig({});

describe('the first contact with a service that shares no code with ours', () => {
  for (const dialect of ['described', 'hostex'] as const) {
    it(`that speaks ${dialect}: what it has is counted, whether its lists say how long they are or not`, async () => {
      const clock = manualClock();
      const upstream = await startUpstream({ dialect, now: () => clock.now(), after() {} });
      try {
        seedTruth(upstream.truth, diceOf(1), clock.now(), smallSize);
        const { url, token, truth } = upstream;
        const signal = new AbortController().signal;
        const contact = await firstContact({ config, url, token, profile: undefined, clock, signal });
        assert.equal(contact.profile, dialect);
        assert.equal(contact.writing.allowed, true);
        assert.deepEqual(
          contact.refused.map(({ operation }) => operation),
          ['getPricingRatios'],
        );
        const connection = { url, token, profile: contact.profile };
        const foresight = await foresee(config, { name: 'foreign', connection, clock });
        assert.ok('first_read' in foresight, JSON.stringify(foresight));
        const { counts } = foresight.first_read;
        for (const [resource, there] of [
          ['property', truth.properties.shown().length],
          ['listing', truth.listings.shown().length],
          ['reservation', truth.stays.shown().length],
          ['conversation', truth.fullConversations.shown().length],
        ] as const) {
          const counted = counts[resource] ?? 0;
          assert.ok(counted >= there && counted <= there + 200, `${resource}: ${counted} counted, ${there} there`);
        }
        const changing = upstream.asked.filter(
          ({ method, route }) => method !== 'GET' && route !== '/listings/calendar',
        );
        assert.deepEqual(
          changing.map(({ method, code }) => [method, code]),
          [['DELETE', 404]],
          'nothing is changed there',
        );
      } finally {
        await upstream.close();
      }
    });
  }
});
