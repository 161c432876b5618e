import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keyedHash } from '../../support/keyedHash.ts';
import { readRules } from '../../../src/automations/rules/readRules.ts';
import { type Automations, startAutomations } from '../../../src/automations/start.ts';
import { momentOf } from '../../../src/kernel/quietHours.ts';
import { stageOf } from '../../../src/sandbox/simulation/stage.ts';
import { addDays, dateIn, instantOf, type PlainDate } from '../../../src/kernel/dates.ts';
import { ulidMaker } from '../../../src/kernel/ids.ts';
import { silentLogger } from '../../../src/kernel/log.ts';
import { openGate } from '../../../src/sync/budget/gate.ts';
import { diceOf } from '../chance.ts';
import { noCrash } from '../crash.ts';
import { CONNECTION } from '../daemon.ts';
import { openHalves } from '../halves.ts';
import { FAIR_CONDITIONS } from '../network.ts';
import { makeTemplates } from '../templates.ts';
import { Trace } from '../trace.ts';
import { countTurns, sealWorld, virtualTime } from '../virtualTime.ts';
import { judgeYear, type YearJudgement } from './oracle.ts';
import { openTraffic } from './traffic.ts';

const RECIPES = fileURLToPath(new URL('../../../config/automations/recipes', import.meta.url));
const ZONE = 'Europe/Berlin';
const FIRST_DAY = '2026-11-20';
const START = Date.parse(`${FIRST_DAY}T12:00:00.000Z`);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const QUIET = { from: '21:00', to: '09:00' };
/** What waits for something is looked at again so often; a year has too many minutes. */
const WAITING_MS = 15 * MINUTE;
/** After what happens everything is quiet within so long. */
const CALM_MS = 10 * MINUTE;
/** After a sleep every loop has looked round once. */
const AWAKE_MS = 6 * SECOND;
/** A person looks at what waits for one at noon. */
const NOON = '12:00';
const APPROVED_PERCENT = 70;
const LATENCY_MS = 80;

export interface YearOptions {
  seed: number;
  properties: number;
  days: number;
}

export interface YearOutcome extends YearJudgement {
  happenings: number;
  refused: number;
  posts: number;
  approved: number;
}

/** All recipes as they stand there, but live. */
function liveRecipes(): { name: string; text: string }[] {
  return readdirSync(RECIPES).map((name) => ({
    name,
    text: readFileSync(join(RECIPES, name), 'utf8').replaceAll(/^state: test$/gm, 'state: live'),
  }));
}

/** Lets guests and hosts of an account live for days, with every recipe live, and holds against it what came of it. */
export async function liveWithRecipes(
  { seed, properties, days }: YearOptions,
  onDay: (date: PlainDate) => void = () => {},
): Promise<YearOutcome> {
  const templates = await makeTemplates();
  const folder = join(templates.folder, 'year');
  mkdirSync(folder);
  const uncount = countTurns();
  const time = virtualTime(START);
  const trace = new Trace(false);
  const files = liveRecipes();
  const { rules } = readRules(files, { hooks: ['team'], secretFields: [], ai: false });
  let automations: Automations | undefined;
  let posts = 0;
  const { core, daemon } = await openHalves({
    seed,
    folder,
    templates,
    time,
    trace,
    limits: 'off',
    gate: openGate,
    tiers: [],
    historyFrom: '2026-01-01',
    conditions: () => ({ ...FAIR_CONDITIONS, latencyMs: LATENCY_MS }),
    deaf: () => 0,
    onServed() {},
    onAcknowledged() {},
    onSent() {},
    async beside(one, { store, clock, random }) {
      automations = await startAutomations({
        store,
        connection: CONNECTION,
        ...one.link(CONNECTION),
        clock,
        random,
        ids: ulidMaker(clock, random),
        log: silentLogger,
        notify: () => Promise.resolve(undefined),
        keyedHash,
        settings: {
          quiet: QUIET,
          usual: { check_in: '15:00', check_out: '11:00' },
          language: 'en',
          paidByChannel: ['marketplace_a', 'marketplace_b', 'marketplace_c'],
          secretFields: [],
          hooks: { team: { url: 'https://team.example/', secret: 'whsec_dGVhbQ==' } },
          ai: null,
        },
        post() {
          posts += 1;
          return Promise.resolve({ outcome: 'delivered', detail: 'delivered (200)' });
        },
        by: 'simulated',
        readFiles: () => files,
      });
    },
  });
  const now = () => START + time.elapsed();
  /** Lets time pass until something has ended. */
  async function ends<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const end = () => (isOver = true);
    work.then(end, end);
    if (!(await time.runUntil(() => isOver, time.elapsed() + CALM_MS))) throw new Error('something does not end');
    return work;
  }
  async function isCalm(): Promise<boolean> {
    const { db } = core.core.store;
    const { db: mirror } = daemon.store;
    const waiting = [
      await db.selectFrom('outbox').select('event_id').where('fanned_out', '=', 0).limit(1).execute(),
      await db.selectFrom('deliveries').select('event_id').where('outcome', 'is', null).limit(1).execute(),
      await mirror.selectFrom('dirty_keys').select('key').limit(1).execute(),
      await mirror.selectFrom('inbox').select('event_id').where('state', '=', 'pending').limit(1).execute(),
      await mirror
        .selectFrom('automation_plans')
        .select('plan_id')
        .where('state', 'in', ['planned', 'sending', 'verifying'])
        .where('next_at', '<=', instantOf(now()))
        .limit(1)
        .execute(),
    ];
    const [cursor] = await mirror.selectFrom('automation_cursors').select('seq').execute();
    const [head] = await mirror.selectFrom('feed_heads').select('seq').execute();
    return waiting.every((rows) => rows.length === 0) && cursor?.seq === head?.seq;
  }
  async function calm(): Promise<void> {
    if (await time.runUntil(isCalm, time.elapsed() + CALM_MS)) return;
    throw new Error(`not calm at ${instantOf(now())}`);
  }
  /** When rules have something to do next; epoch milliseconds. */
  async function nextDue(): Promise<number> {
    const rows = await daemon.store.db
      .selectFrom('automation_plans')
      .select((eb) => ['reason', eb.fn.min('next_at').as('next')])
      .where('state', 'in', ['planned', 'verifying'])
      .groupBy('reason')
      .execute();
    const moments = rows.map(({ reason, next }) => {
      const at = Date.parse(next);
      return reason === null ? at : Math.max(at, now() + WAITING_MS);
    });
    return Math.min(...moments, nextStop());
  }
  /** Rounds of rules come at these times of each day, and a person does. */
  const stops = [...new Set([NOON, ...rules.flatMap(({ when }) => (when.kind === 'every' ? [when.at] : []))])];
  function nextStop(): number {
    const today = dateIn(ZONE, now());
    const moments = [today, addDays(today, 1)].flatMap((date) =>
      stops.map((at) => Date.parse(momentOf(date, at, ZONE))),
    );
    return Math.min(...moments.filter((at) => at > now()));
  }
  const person = diceOf(seed, 'person');
  let approved = 0;
  async function personLooks(): Promise<void> {
    const plans = (await automations?.pending({ limit: 1_000 })) as { plan_id: string; state: string }[];
    for (const { plan_id } of plans.filter(({ state }) => state === 'awaiting_approval')) {
      if (!person.percent(APPROVED_PERCENT)) continue;
      approved += 1;
      await automations?.approve(plan_id);
    }
  }
  /** Goes from one moment at which something is due to the next; in between the machine sleeps. */
  async function liveUntil(atMs: number): Promise<void> {
    for (;;) {
      const next = Math.min(atMs, await nextDue());
      if (next > now()) time.skipTo(next - START);
      await time.runTo(time.elapsed() + AWAKE_MS);
      if (next < atMs && withNoon(next)) await personLooks();
      if (next >= atMs) return;
      await calm();
    }
  }
  const withNoon = (atMs: number) => Date.parse(momentOf(dateIn(ZONE, atMs), NOON, ZONE)) === atMs;

  const unseal = sealWorld();
  try {
    const abort = new AbortController();
    const stage = stageOf(core.core, core.owner, abort.signal);
    const from = addDays(FIRST_DAY, 1);
    const dice = diceOf(seed, 'times');
    const traffic = await ends(openTraffic({ stage, dice, seed, properties, from, days }));
    // The recipes tell guests where they are to come to.
    await ends(core.core.store.db.updateTable('properties').set({ address: '1 Sea Road' }).execute());
    await daemon.start(noCrash);
    await ends(daemon.daemon.caughtUp(CONNECTION));
    await calm();
    for (const { atMs, play } of traffic.events) {
      const date = dateIn(ZONE, now());
      await liveUntil(atMs);
      if (dateIn(ZONE, now()) !== date) onDay(dateIn(ZONE, now()));
      await ends(play());
      await calm();
    }
    // What was asked on the last day is answered in the morning after it.
    await liveUntil(now() + 3 * 24 * 60 * MINUTE);
    await calm();
    const awake = rules.filter(({ when, state }) => when.kind === 'message' && state !== 'draft');
    const judgement = judgeYear({
      core: core.file,
      mirror: daemon.file,
      guests: traffic.guests,
      quiet: QUIET,
      answering: awake.map(({ name }) => name),
      atOnce: awake.flatMap(({ name, wait }) => (wait === 0 ? [name] : [])),
      nowMs: now(),
    });
    return { ...judgement, happenings: traffic.events.length, refused: traffic.refused(), posts, approved };
  } finally {
    unseal();
    await daemon.close();
    await core.stop();
    uncount();
    rmSync(templates.folder, { recursive: true });
  }
}
