import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { instantOf } from '../../../src/kernel/dates.ts';
import { BURST_QUIET_MS } from '../../../src/sync/queue/chooseRead.ts';
import { type Mark, markAll } from '../../../src/sync/queue/dirtyKeys.ts';
import { LoadMonitor } from '../../../src/sync/queue/loadMonitor.ts';
import { openWorld } from '../../support/mirror.ts';

/** Nobody reads for it. */
const CONNECTION = 'other';
const KEYS_A_REQUEST = 50;
const COSTS: Readonly<Record<string, number>> = { reservation: 1_000, availability: 90 };
/** Few enough in five seconds for nothing but their sum to be many. */
const LOOK_UPS_A_SECOND = 15;
const PROPERTIES = 40;

/** Keys of bookings and of the nights of properties, marked each second, and what is chosen to be read of them. */
async function openSky(work: (sky: Awaited<ReturnType<typeof opened>>) => Promise<void>): Promise<void> {
  const world = await openWorld();
  try {
    await work(opened(world));
  } finally {
    await world.close();
  }
}

function opened({ store, clock }: Awaited<ReturnType<typeof openWorld>>) {
  const resources = new Map([
    ['reservation', 1],
    ['availability', KEYS_A_REQUEST],
  ]);
  const cost = async (resource: string) => COSTS[resource] ?? 0;
  const sky = new LoadMonitor({
    db: store.db,
    connection: CONNECTION,
    resources,
    clock,
    scans: { cost, lastBurst: () => undefined },
    atOnce: 8,
  });
  const marked = (resource: string, key: number): Mark => {
    const at = instantOf(clock.now());
    const times = { at, quietAt: at, dueBy: at };
    const hints = { hint: null, hintFrom: null, hintTo: null };
    return {
      connection: CONNECTION,
      resource,
      key: String(key),
      number: 1,
      origin: 'event',
      marks: 1,
      ...times,
      ...hints,
    };
  };
  const keys = (resource: string, count: number) => Array.from({ length: count }, (_, key) => marked(resource, key));
  return {
    clock,
    choose: () => sky.choose(),
    async mark(bookings: number) {
      const marks = [...keys('reservation', bookings), ...keys('availability', PROPERTIES)];
      await store.transaction((trx) => markAll(trx, marks, () => false));
      sky.marked(clock.now());
    },
    /** Seconds of look-ups of nights that are marked again at once; how many there were until they had to wait. */
    async lookUpNights(seconds: number) {
      for (let sent = 0; sent < seconds * LOOK_UPS_A_SECOND; sent += LOOK_UPS_A_SECOND) {
        if ((await sky.choose()).get('availability')?.read !== 'look_up') return sent;
        sky.lookedUp('availability', LOOK_UPS_A_SECOND);
        await clock.advance(1_000);
        sky.marked(clock.now());
      }
      return undefined;
    },
  };
}

describe('what the few nights of many bookings cost', () => {
  it('is looked up for ever while nothing else waits', () =>
    openSky(async (sky) => {
      await sky.mark(0);
      assert.equal(await sky.lookUpNights(60), undefined);
    }));

  it('waits with the bookings, once it has cost as much as a scan in their burst', () =>
    openSky(async (sky) => {
      await sky.mark(1_500);
      const sent = await sky.lookUpNights(60);
      assert.ok(sent !== undefined && sent > 200 && sent <= 200 + LOOK_UPS_A_SECOND, String(sent));
    }));

  it('is looked up again when nothing new comes, while the bookings are scanned', () =>
    openSky(async (sky) => {
      await sky.mark(1_500);
      await sky.lookUpNights(60);
      await sky.clock.advance(BURST_QUIET_MS);
      const choices = await sky.choose();
      assert.equal(choices.get('reservation')?.read, 'scan');
      assert.equal(choices.get('availability')?.read, 'look_up');
    }));
});
