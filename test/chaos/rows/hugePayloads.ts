import { setTimeout as wait } from 'node:timers/promises';
import { reservationEvent } from '../../support/events.ts';
import { makeStay, makeTransaction } from '../../support/rows.ts';
import { portal } from '../../support/service.ts';
import { startMirrored } from '../mirrored.ts';
import { goal, promise, type Scenario } from '../scenario.ts';
import { longestStall, peakMb } from '../vitals.ts';

const ROWS = 10_000;
const NOTE_BYTES = 5_000_000;
const EVENT_BYTES = 60_000;
const STALL_MS = 200;

/** Upstream gives pages of 10,000 rows whatever is asked for, notes of 5 MB, and answers that are far too long. */
export const hugePayloads: Scenario = {
  name: 'huge-payloads',
  rows: ['R22'],
  what: 'pages of 10,000 rows, notes of 5 MB, events of 60 kB, an answer of 100 MB',
  async run(course) {
    const mirrored = await startMirrored(course);
    const { truth, proxy, send, daemon } = mirrored;
    await longestStall(daemon.url);
    for (let id = 1; id <= (course.count ?? ROWS); id += 1) truth.transactions.set(id, makeTransaction(id));
    // Upstream does not mind how many rows are asked for.
    truth.before = ({ path, query }) => {
      if (path === '/transactions') query.set('limit', String(ROWS));
    };
    await portal(daemon, 'POST', '/portal/reconcile', { resource: 'transaction' });
    await mirrored.quiet(180_000);
    const pageStall = await longestStall(daemon.url);
    truth.before = () => {};

    for (let id = 1; id <= 5; id += 1) {
      const stay = makeStay(id, { note: 'x'.repeat(NOTE_BYTES) });
      truth.put(stay);
      await send(reservationEvent(stay, { padding: 'x'.repeat(EVENT_BYTES) }));
    }
    await mirrored.quiet(180_000);
    const noteStall = await longestStall(daemon.url);

    const endless = Buffer.alloc(100_000_000, 0x20);
    let told = 0;
    proxy.rule = ({ path }) => {
      if (!path.includes('reservation_code=5-R000001') || told > 1) return undefined;
      told += 1;
      return { kind: 'answer', body: endless };
    };
    truth.put(makeStay(1, { number_of_guests: 7 }));
    await send(reservationEvent(makeStay(1)));
    await wait(2_000);
    await mirrored.quiet(180_000);
    const endlessStall = await longestStall(daemon.url);
    const differences = await mirrored.differences();
    const mb = peakMb(daemon.child.pid);
    const stalls = [pageStall, noteStall, endlessStall].map(Math.round);
    return [
      promise(`${differences.length} differences`, '0', differences.length === 0),
      goal(
        `the loop stood still for ${stalls[0]} ms at pages of ${ROWS} rows, ${stalls[1]} ms at notes of 5 MB, ${stalls[2]} ms at ${told} answers of 100 MB`,
        '200 ms',
        stalls.every((ms) => ms <= STALL_MS),
      ),
      goal(`peak memory ${Math.round(mb)} MB`, '256 MB', mb < 256),
    ];
  },
};
