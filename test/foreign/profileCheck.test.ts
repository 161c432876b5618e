import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkProfile } from '../../src/compose/profiles/profileCheck.ts';
import { loadConfig } from '../../src/config.ts';
import { manualClock } from '../support/clock.ts';
import { diceOf } from './upstream/dice.ts';
import { seed as seedTruth, smallSize } from './upstream/seed.ts';
import { startUpstream } from './upstream/upstream.ts';

/** Of single things that service knows few, and answers lists in place of the others. */
const isList = ({ operation }: { operation: string }) => operation.startsWith('list');

describe('stayd profile check, of a service that shares no code with ours', () => {
  for (const dialect of ['described', 'hostex'] as const) {
    it(`finds that it speaks ${dialect}, asks each operation once, and changes nothing`, async () => {
      const clock = manualClock();
      const upstream = await startUpstream({ dialect, now: () => clock.now(), after() {} });
      try {
        seedTruth(upstream.truth, diceOf(1), clock.now(), smallSize);
        const report = await checkProfile({
          config: loadConfig({}),
          url: upstream.url,
          token: upstream.token,
          profile: undefined,
          clock,
          signal: new AbortController().signal,
        });
        assert.equal(report.profile, dialect);
        // A channel and a colour that no document knows are met there, and nothing else.
        assert.deepEqual(report.unknown_words, ['#FFA416', 'agoda']);
        assert.deepEqual(
          report.operations.filter(isList).flatMap(({ unknown_fields: fields }) => fields),
          [],
        );
        const routes = upstream.asked.filter(({ code }) => code === 200).map(({ route }) => route);
        assert.equal(routes.length, new Set(routes).size, routes.join(', '));
        const changing = upstream.asked.filter(
          ({ method, route }) => method !== 'GET' && route !== '/listings/calendar',
        );
        assert.deepEqual(changing, []);
        if (process.env['TEST_LOG']) console.log(JSON.stringify(report.operations, null, 1), report.proposal);
      } finally {
        await upstream.close();
      }
    });
  }
});
