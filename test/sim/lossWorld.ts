import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openGate } from '../../src/sync/budget/gate.ts';
import type { Tier } from '../../src/sync/scans/reconcile/freshness.ts';
import { tiers } from '../../src/sync/scans/reconcile/tiers.ts';
import { diceOf } from './chance.ts';
import { noCrash } from './crash.ts';
import { CONNECTION } from './daemon.ts';
import { openHalves } from './halves.ts';
import type { LossRecords } from './lossTruth.ts';
import { FAIR_CONDITIONS } from './network.ts';
import { ReadLog } from './readLog.ts';
import { Trace } from './trace.ts';
import { countTurns, sealWorld, virtualTime } from './virtualTime.ts';
import { openWorkload } from './workload.ts';
import type { Templates } from './templates.ts';
import { watchedGate } from '../support/watchedGate.ts';

const START = Date.parse('2026-11-20T12:00:00.000Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Of a hundred events so many are held up on their way, for so long; after five minutes a signature counts no more. */
const HELD_UP = { share: 20, least: SECOND, most: 4 * MINUTE };
/** Everything is read so often that scans and events meet. */
const reconciliations: readonly Tier[] = tiers
  .filter(({ scan }) =>
    ['reservation', 'transaction', 'message', 'review', 'availability', 'calendar'].includes(scan.resource),
  )
  .map((tier) => ({ ...tier, maxAgeMs: tier.scan.part === undefined ? 7 * MINUTE : 4 * MINUTE }));

export interface LossRun {
  seed: number;
  changes: number;
  templates: Templates;
}

/** Runs a world in which events are dropped, doubled and held up, and says all that is known of it afterwards. */
export async function runLossWorld({ seed, changes, templates }: LossRun): Promise<LossRecords> {
  const folder = join(templates.folder, `loss-${seed}`);
  mkdirSync(folder);
  const uncount = countTurns();
  const trace = new Trace(false);
  const time = virtualTime(START);
  const reads = new ReadLog();
  const now = () => START + time.elapsed();
  const way = diceOf(seed, 'way');
  let underWay = 0;
  const { core, daemon } = await openHalves({
    seed,
    folder,
    templates,
    time,
    trace,
    limits: 'off',
    gate: (own) => watchedGate(openGate(own), (operation, purpose) => reads.passed(operation, purpose)),
    tiers: reconciliations,
    historyFrom: '2026-01-01',
    conditions: () => ({ ...FAIR_CONDITIONS, latencyMs: 300 }),
    deaf: () => 0,
    onAsking: (seq, method, path) => reads.sent(seq, now(), method, path),
    onServed: (served) => reads.heard(served, now()),
    onAcknowledged() {},
    onSent() {},
    between: (receive, clock) => (body, headers) => {
      if (!way.percent(HELD_UP.share)) return receive(body, headers);
      underWay += 1;
      clock.setTimer(way.between(HELD_UP.least, HELD_UP.most), () => {
        underWay -= 1;
        void receive(body, headers);
      });
      return Promise.resolve({ status: 200 });
    },
  });
  const workload = await openWorkload({ core, dice: diceOf(seed, 'workload'), trace, silent: true });
  const unseal = sealWorld();
  const pause = diceOf(seed, 'pause');
  try {
    await time.runUntil(() => true, time.elapsed());
    await daemon.start(noCrash);
    let isRead = false;
    void daemon.daemon.caughtUp(CONNECTION).then(() => (isRead = true));
    await time.runUntil(() => isRead, time.elapsed() + 10 * MINUTE);
    // A first reconciliation of everything: what is found from now on was missed.
    await time.runTo(time.elapsed() + 8 * MINUTE);
    core.spoilDeliveries({ drop: 0.3, double: 0.2, reorder: 0.2, delay_ms: 2_000 });
    for (let change = 0; change < changes; change += 1) {
      await time.runTo(time.elapsed() + pause.between(0, 6 * SECOND));
      await workload.step();
    }
    await time.runTo(time.elapsed() + 10 * MINUTE);
    await time.runUntil(() => underWay === 0, time.elapsed() + 10 * MINUTE);
    await time.runTo(time.elapsed() + 2 * MINUTE);
    return { reads, ...(await recordsIn(core.file, daemon.file)) };
  } finally {
    unseal();
    await daemon.close();
    await core.stop();
    uncount();
    rmSync(folder, { recursive: true });
  }
}

async function recordsIn(core: string, mirror: string) {
  const database = new Database(':memory:');
  database.prepare('attach ? as core').run(core);
  database.prepare('attach ? as mirror').run(mirror);
  const rows = <Row>(text: string) => database.prepare<[], Row>(text).all();
  const records = {
    emitted: rows<LossRecords['emitted'][number]>(
      `select o.event_id, o.event, o.body, d.outcome from core.outbox o
       join core.deliveries d on d.event_id = o.event_id`,
    ),
    inbox: rows<LossRecords['inbox'][number]>('select event_id, received_at from mirror.inbox'),
    changes: rows<LossRecords['changes'][number]>('select * from mirror.changes order by seq'),
    losses: rows<LossRecords['losses'][number]>('select * from mirror.lost_events order by seq, event, sub_event'),
  };
  database.close();
  return records;
}
