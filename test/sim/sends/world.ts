import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { keyedHash } from '../../support/keyedHash.ts';
import type { Database, Statement } from 'better-sqlite3';
import { type Automations, startAutomations } from '../../../src/automations/start.ts';
import { book } from '../../../src/sandbox/book.ts';
import { connectAccount, putOnMarketplace } from '../../../src/sandbox/listing.ts';
import { writeInConversation } from '../../../src/sandbox/write.ts';
import { instantOf } from '../../../src/kernel/dates.ts';
import { ulidMaker } from '../../../src/kernel/ids.ts';
import { silentLogger } from '../../../src/kernel/log.ts';
import { openGate } from '../../../src/sync/budget/gate.ts';
import { disarmAutomations } from '../../../src/sync/tables/connection/facts.ts';
import { diceOf } from '../chance.ts';
import { type CrashPlan, type CrashPoint, noCrash } from '../crash.ts';
import { CONNECTION } from '../daemon.ts';
import { openHalves } from '../halves.ts';
import { FAIR_CONDITIONS, type NetworkFaults } from '../network.ts';
import type { Templates } from '../templates.ts';
import { Trace } from '../trace.ts';
import { countTurns, sealWorld, virtualTime } from '../virtualTime.ts';
import { type Gap, judge } from './oracle.ts';
import { RULES, SETTINGS } from './rules.ts';

const START = Date.parse('2026-11-20T12:00:00.000Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** How much happens in a world. */
export interface WorldSize {
  /** Conversations there are at the beginning; each round brings one more. */
  conversations: number;
  /** In each round a guest writes in every conversation. */
  rounds: number;
  /** The backup of the one round is restored in the other; left out: none is. */
  restore?: { backup: number; restored: number };
}

const FULL: WorldSize = { conversations: 24, rounds: 14 };
/** In one world of three a backup is restored. */
const WORLDS_FOR_A_RESTORE = 3;
const fullSize = (seed: number): WorldSize =>
  seed % WORLDS_FOR_A_RESTORE === 1 ? { ...FULL, restore: { backup: 6, restored: 7 } } : FULL;

/** Between two messages at the most: a conversation has some two minutes of its own. */
const PAUSE_MS = 9 * SECOND;
/** Of a hundred steps of a process at which something is on its way, and of a thousand others, it ends at so many. */
const ENDS_WHILE_SENDING = 0.5;
const ENDS = 0.3;
const LONGEST_DOWN_MS = 20 * SECOND;
const LONGEST_CORE_DOWN_MS = 8 * SECOND;
const CORE_ENDS_PERCENT = 2;
const MOST_CORE_POINTS = 60;
/** So long before a backup something can have come about that the backup does not know. */
const BEFORE_BACKUP_MS = 12 * MINUTE;
/** Everything has its end so long after the last fault: what is looked for is given up after two minutes. */
const UNDER_WAY = `select 1 from automation_plans where connection = 'local' and state = 'sending' limit 1`;
const BOUND_MS = 60 * MINUTE;

const BURST: NetworkFaults = {
  latencyMs: 80,
  slow: 1,
  refused: 1.5,
  cut: 2,
  proxyPage: 1,
  oddCode: 1,
  limited: 0.2,
  stalled: 0.4,
};

/** What is thrown at the way of messages, and has to have happened. */
export const SOMETIMES = [
  'fault refused',
  'fault cut',
  'fault proxy page',
  'fault odd code',
  'fault limited',
  'fault stalled',
  'post answer lost',
  'core ended',
  'restored',
  'ended before commit while sending',
  'ended after commit while sending',
  'ended before request while sending',
  'ended after answer while sending',
  'ended before commit',
  'ended after commit',
  'ended before request',
  'ended after answer',
];

export interface SendsOutcome {
  seed: number;
  problems: readonly string[];
  /** Requests to say something that left the daemon. */
  sends: number;
  /** Messages that guests were to get. */
  intended: number;
  ends: ReadonlyMap<string, number>;
  counts: ReadonlyMap<string, number>;
  digest: string;
}

/**
 * Lets guests of one account write and book while everything on the way of an answer fails, and a backup is restored;
 * then lets a person decide on what nobody knows. The real core and the real daemon with its automations.
 */
export async function runSendsWorld(
  seed: number,
  templates: Templates,
  size: WorldSize = fullSize(seed),
): Promise<SendsOutcome> {
  const folder = join(templates.folder, `sends-${seed}`);
  mkdirSync(folder);
  const uncount = countTurns();
  const trace = new Trace(false);
  const time = virtualTime(START);
  const dice = diceOf(seed, 'guests');
  const ends = diceOf(seed, 'ends');
  let conditions: NetworkFaults = FAIR_CONDITIONS;
  let deaf = 0;
  let sends = 0;
  let automations: Automations | undefined;
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
    conditions: () => conditions,
    deaf: () => deaf,
    onServed() {},
    onAsking(_seq, method, path) {
      if (method === 'POST' && /conversations\/[^/]+$/.test(path)) sends += 1;
    },
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
        keyedHash,
        settings: SETTINGS,
        notify: () => Promise.resolve(undefined),
        post: () => Promise.resolve({ outcome: 'refused', detail: 'nobody' }),
        by: 'simulated',
        readFiles: () => [{ name: 'rules.yaml', text: RULES }],
      });
    },
  });
  let isBursting = false;
  const planned = (): CrashPlan => ({
    ...noCrash,
    reached(point: CrashPoint) {
      if (!isBursting || !daemon.isUp) return false;
      const isSending = isUnderWay();
      const isEnd = isSending ? ends.percent(ENDS_WHILE_SENDING) : ends.percent(ENDS / 10);
      if (isEnd) trace.add(`ended ${point}${isSending ? ' while sending' : ''}`);
      return isEnd;
    },
  });
  let underWay: { database: Database; ask: Statement } | undefined;
  const isUnderWay = () => {
    const { database } = daemon.store;
    if (underWay?.database !== database) underWay = { database, ask: database.prepare(UNDER_WAY) };
    return underWay.ask.get() !== undefined;
  };
  const moment = () => instantOf(START + time.elapsed());

  async function up(): Promise<void> {
    await time.runUntil(() => true, time.elapsed());
    while (!daemon.isUp) await daemon.start(planned());
  }
  let downUntil: number | undefined;
  let coreDownUntil: number | undefined;
  /** Lets time pass; what has ended is started again after a while. */
  async function pass(ms: number): Promise<void> {
    const end = time.elapsed() + ms;
    while (time.elapsed() < end) {
      const next = Math.min(end, downUntil ?? end, coreDownUntil ?? end);
      const isNews = () => (downUntil === undefined && !daemon.isUp) || (coreDownUntil === undefined && !core.isUp);
      if (!(await time.runUntil(isNews, next))) await time.runTo(next);
      if (!daemon.isUp) downUntil ??= time.elapsed() + ends.between(0, LONGEST_DOWN_MS);
      if (!core.isUp) coreDownUntil ??= time.elapsed() + ends.between(0, LONGEST_CORE_DOWN_MS);
      if (downUntil !== undefined && downUntil <= time.elapsed()) {
        downUntil = undefined;
        await up();
      }
      if (coreDownUntil !== undefined && coreDownUntil <= time.elapsed()) {
        coreDownUntil = undefined;
        await core.restart();
      }
    }
  }
  async function bothUp(): Promise<void> {
    while (!core.isUp || !daemon.isUp) await pass(SECOND);
  }

  const listing = await openListing();
  const conversations: string[] = [];
  let asked = 0;
  async function openListing() {
    const made = await core.host('POST', '/properties', { name: 'Sea View' });
    const draft = { channel_type: 'marketplace_a', username: 'host', origin_account_id: 'host', authorize: true };
    const channel_account_id = (await core.change((change) => connectAccount(change, draft))) ?? 0;
    const house = { channel_account_id, property_id: made?.data.property_id, title: 'Sea View', base_price: 90 };
    const opened = await core.change((change) => putOnMarketplace(change, house));
    if (!opened) throw new Error('the core ended before anything had begun');
    return opened;
  }
  async function guestBooks(): Promise<void> {
    await bothUp();
    const number = conversations.length;
    const date = (days: number) => instantOf(START + days * 24 * 60 * MINUTE).slice(0, 10);
    const booked = await core.change((change) =>
      book(change, {
        kind: 'instant',
        channel_type: listing.channel_type,
        channel_id: `HM${number}`,
        rooms: [
          {
            listing_id: listing.listing_id,
            check_in_date: date(10 + 3 * number),
            check_out_date: date(12 + 3 * number),
            number_of_guests: 2,
            overbook: true,
          },
        ],
        guest: { name: `Guest${number} X` },
      }),
    );
    if (booked?.conversation_id) conversations.push(booked.conversation_id);
  }
  async function guestWrites(conversation_id: string): Promise<void> {
    if (!core.isUp) await bothUp();
    asked += 1;
    const content = `Question ${asked}`;
    await core.change((change) => writeInConversation(change, { conversation_id }, { content, from: 'guest' }));
  }

  const gaps: Gap[] = [];
  const problems: string[] = [];
  async function round(number: number): Promise<void> {
    await guestBooks();
    for (const conversation of conversations) {
      await guestWrites(conversation);
      await pass(dice.between(0, PAUSE_MS));
      if (core.isUp && ends.percent(CORE_ENDS_PERCENT)) core.endAfter(ends.between(0, MOST_CORE_POINTS));
    }
    if (number === size.restore?.backup) await backUp();
    if (number === size.restore?.restored) await restore();
  }
  const backup = join(folder, 'backup.db');
  let backedUpAt = 0;
  async function backUp(): Promise<void> {
    await bothUp();
    daemon.backUp(backup);
    backedUpAt = time.elapsed();
  }
  /** What the command does; until a person arms, nothing leaves. */
  async function restore(): Promise<void> {
    await bothUp();
    await daemon.restore(backup, (store) => disarmAutomations(store, [CONNECTION], 'restored', moment()));
    const before = sends;
    for (const conversation of conversations.slice(0, 5)) {
      await guestWrites(conversation);
      await pass(dice.between(0, PAUSE_MS));
    }
    await bothUp();
    if (sends > before) problems.push(`${sends - before} messages left although rules were disarmed`);
    if (!(await automations?.arm())) problems.push('rules were not disarmed after the restore');
    gaps.push({ from: instantOf(START + backedUpAt - BEFORE_BACKUP_MS), to: moment() });
  }

  async function ended(what: string, condition: () => Promise<boolean>): Promise<void> {
    const end = time.elapsed() + BOUND_MS;
    while (!(daemon.isUp && core.isUp && (await condition()))) {
      if (time.elapsed() >= end) return void problems.push(`liveness: ${what} within ${BOUND_MS / MINUTE} minutes`);
      await pass(5 * SECOND);
    }
  }
  const isCalm = async () => {
    const { db } = core.core.store;
    const events = await db.selectFrom('outbox').select('event_id').where('fanned_out', '=', 0).limit(1).execute();
    const open = await daemon.store.db
      .selectFrom('automation_plans')
      .select('plan_id')
      .where('state', 'in', ['planned', 'sending', 'verifying'])
      .limit(1)
      .execute();
    const dirty = await daemon.store.db.selectFrom('dirty_keys').select('key').limit(1).execute();
    return events.length + open.length + dirty.length === 0;
  };

  async function propagation(): Promise<void> {
    isBursting = false;
    conditions = FAIR_CONDITIONS;
    deaf = 0;
    core.spoilDeliveries({ drop: 0, double: 0, reorder: 0, delay_ms: 0 });
    if (core.isUp) core.endAfter(Number.POSITIVE_INFINITY);
    await bothUp();
    core.endAfter(Number.POSITIVE_INFINITY);
    // What no event has told of is found by the reading after a start.
    daemon.kill();
    await up();
    let isRead = false;
    void daemon.daemon.caughtUp(CONNECTION).then(() => (isRead = true));
    await ended('everything was not read again', () => Promise.resolve(isRead));
    await pass(10 * MINUTE);
    await ended('not every plan has ended', isCalm);
  }
  const judged = async () => {
    const waiting = (await automations?.pending({ limit: 10_000 })) as { plan_id: string }[];
    return judge(core.file, daemon.file, gaps, new Set(waiting.map(({ plan_id }) => plan_id)));
  };
  /** Looks into the conversation; says what was not said, and takes off what was. */
  async function personDecides(unknown: Awaited<ReturnType<typeof judged>>['unknown']): Promise<void> {
    for (const { plan_id, said } of unknown) {
      await (said === 0 ? automations?.approve(plan_id) : automations?.cancel(plan_id));
    }
    await ended('not everything that was approved has ended', isCalm);
  }

  const unseal = sealWorld();
  try {
    await up();
    let isRead = false;
    void daemon.daemon.caughtUp(CONNECTION).then(() => (isRead = true));
    await time.runUntil(() => isRead, time.elapsed() + BOUND_MS);
    for (let number = 1; number < size.conversations; number += 1) await guestBooks();
    await pass(SECOND);
    conditions = BURST;
    deaf = 5;
    isBursting = true;
    core.spoilDeliveries({ drop: 0.05, double: 0.3, reorder: 0.3, delay_ms: 2_000 });
    for (let number = 1; number <= size.rounds; number += 1) await round(number);
    await propagation();
    const first = await judged();
    problems.push(...first.problems);
    await personDecides(first.unknown);
    const last = await judged();
    problems.push(...last.problems, ...last.unknown.map(({ text }) => `a person has decided in vain on "${text}"`));
    const intended = [...first.ends.values()].reduce((sum, one) => sum + one, 0);
    return { seed, problems, sends, intended, ends: first.ends, counts: trace.counts, digest: trace.digest() };
  } finally {
    unseal();
    await daemon.close();
    await core.stop();
    uncount();
    rmSync(folder, { recursive: true });
  }
}
