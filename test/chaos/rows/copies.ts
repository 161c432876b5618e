import { reservationEvent } from '../../support/events.ts';
import { makeStay } from '../../support/rows.ts';
import { startMirrored } from '../mirrored.ts';
import { promise, type Scenario } from '../scenario.ts';

const EVENTS = 20;
const COPIES = 100;

/** Each event comes a hundred times at once. */
export const copies: Scenario = {
  name: 'copies',
  rows: ['R13'],
  what: '100 parallel copies of each of 20 events',
  async run(course) {
    const mirrored = await startMirrored(course);
    const { truth, send } = mirrored;
    let accepted = 0;
    for (let id = 1; id <= EVENTS; id += 1) {
      const stay = makeStay(id);
      truth.put(stay);
      const event = reservationEvent(stay);
      const statuses = await Promise.all(Array.from({ length: COPIES }, () => send(event)));
      accepted += statuses.filter((status) => status === 200).length;
    }
    await mirrored.quiet();
    const [inbox] = await mirrored.rows('select count(*) as n from mirror.inbox');
    const [told] = await mirrored.rows("select count(*) as n from mirror.changes where resource = 'reservation'");
    const [events, effects] = [Number(inbox?.['n']), Number(told?.['n'])];
    return [
      promise(`${events} rows in the inbox for ${accepted} acknowledged copies`, String(EVENTS), events === EVENTS),
      promise(`${effects} changes of bookings in the feed`, String(EVENTS), effects === EVENTS),
    ];
  },
};
