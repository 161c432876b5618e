import { finished, FOREIGN, type ForeignWorld, HISTORY_FROM, openForeign } from '../../foreign/world.ts';
import { compareRequests, leastRequests } from '../../foreign/least.ts';
import type { Faults } from '../../foreign/upstream/faults.ts';
import type { Size } from '../../foreign/upstream/seed.ts';
import type { Dialect } from '../../foreign/upstream/show.ts';
import { goal, promise, type Scenario, type Verdict } from '../scenario.ts';

const SIZE: Size = { properties: 12, stays: 60, entries: 700, fullConversations: 120, longestConversation: 260 };
const ROUNDS = 40;

interface Misbehaviour {
  name: string;
  begin(faults: Faults): void;
  end(faults: Faults): void;
}

/** What is done to the daemon while life goes on; afterwards all is as it should be. */
const misbehaviours: readonly Misbehaviour[] = [
  {
    name: 'events lost, doubled, reordered, late',
    begin: ({ events }) => void Object.assign(events, { dropped: 30, doubled: 20, reordered: 20, late: 20 }),
    end: ({ events }) => void Object.assign(events, { dropped: 0, doubled: 0, reordered: 0, late: 0 }),
  },
  {
    name: 'changes shown 20 s late',
    begin: (faults) => void (faults.lagMs = 20_000),
    end: (faults) => void (faults.lagMs = 0),
  },
  {
    name: 'totals too high',
    begin: (faults) => void (faults.total = 'too high'),
    end: (faults) => void (faults.total = 'right'),
  },
  {
    name: 'pages of 20 rows',
    begin: (faults) => void (faults.pageCap = 20),
    end: (faults) => void (faults.pageCap = null),
  },
];

/** A service that shares no code with ours, with the truth in hand, in each dialect. */
export const foreign: Scenario = {
  name: 'foreign',
  rows: [],
  what: 'an upstream of another hand: lost and late events, lagging reads, wrong totals, small pages, silent changes',
  async run(course) {
    const verdicts: Verdict[] = [];
    for (const dialect of ['described', 'hostex'] as const) {
      for (const one of misbehaviours) {
        course.say(`${dialect}: ${one.name}`);
        verdicts.push(...(await lived(dialect, one, course.count ?? ROUNDS)));
      }
    }
    return verdicts;
  },
};

async function lived(dialect: Dialect, { name, begin, end }: Misbehaviour, rounds: number): Promise<Verdict[]> {
  const world = await openForeign({ dialect, size: SIZE });
  const { upstream, business } = world;
  try {
    begin(upstream.faults);
    for (let n = 0; n < rounds; n += 1) {
      business.goOn(4);
      await world.pass(3);
    }
    changeSilently(world);
    await world.pass(90);
    await world.reconcile();
    await world.quiet();
    const aside = await world.quarantined();
    const wrong = await world.differences();
    end(upstream.faults);
    upstream.forget();
    await finished(world.clock, world.daemon.reconcile(FOREIGN));
    const { ratio, more } = compareRequests(upstream, leastRequests(upstream, HISTORY_FROM));
    const where = `${dialect}, ${name}`;
    return [
      promise(`${where}: ${aside.length} rows aside that have their keys`, '0', aside.length === 0),
      promise(`${where}: ${wrong.length} differences ${wrong.slice(0, 3).join('; ')}`, '0', wrong.length === 0),
      goal(
        `${where}: ${ratio.toFixed(3)} of the least requests; ${more.slice(0, 4).join(', ')}`,
        '1.02',
        ratio <= 1.02,
      ),
    ];
  } finally {
    await world.close();
  }
}

/** What no event tells of. */
function changeSilently({ upstream: { truth }, business: { silently }, dice }: ForeignWorld): void {
  const stays = truth.stays.all().filter(({ channel }) => channel === 'A');
  for (let n = 0; n < 10; n += 1) {
    silently.payDeposit(dice.pick(stays));
    silently.tellPolicy(dice.pick(stays));
    silently.price(dice.pick(truth.listings.all()).listing, dice.between(100, 900) * 100);
    silently.finishTask();
  }
  silently.endOffer();
}
