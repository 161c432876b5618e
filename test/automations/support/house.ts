import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyedHash } from '../../support/keyedHash.ts';
import type { AskGuestLink } from '../../../src/client/guestLinks.ts';
import type { AutomationSettings, NotifyPeople, PostToHook } from '../../../src/automations/context.ts';
import { type Automations, startAutomations } from '../../../src/automations/start.ts';
import type { Profile } from '../../../src/contract/dialect/profile.ts';
import type { Change } from '../../../src/core/context.ts';
import { book } from '../../../src/sandbox/book.ts';
import { connectAccount, putOnMarketplace } from '../../../src/sandbox/listing.ts';
import { writeInConversation } from '../../../src/sandbox/write.ts';
import { ulidMaker } from '../../../src/kernel/ids.ts';
import { silentLogger } from '../../../src/kernel/log.ts';
import { openGate } from '../../../src/sync/budget/gate.ts';
import { diceOf } from '../../sim/chance.ts';
import { makeCoreTemplate, openSimCore, type SimCore } from '../../sim/core.ts';
import { asDescribed } from './asDescribed.ts';
import { type CrashPlan, type CrashPoint, noCrash } from '../../sim/crash.ts';
import { CONNECTION, HOOK_ADDRESS, makeMirrorTemplate, type SimDaemon, simDaemon } from '../../sim/daemon.ts';
import { FAIR_CONDITIONS, type NetworkFaults } from '../../sim/network.ts';
import { postOffice, type Receive } from '../../sim/post.ts';
import { Trace } from '../../sim/trace.ts';
import { countTurns, type ProcessClock, type VirtualTime, virtualTime } from '../../sim/virtualTime.ts';

/** A Friday, 13:00 in Berlin. */
export const START = Date.parse('2026-11-20T12:00:00.000Z');
const MINUTE = 60_000;
const EMAIL = 'ada@guest.example';
const PHONE = '+44 20 7946 0000';

export const SETTINGS: AutomationSettings = {
  quiet: null,
  usual: { check_in: '15:00', check_out: '11:00' },
  language: 'en',
  paidByChannel: ['marketplace_a'],
  secretFields: ['door'],
  hooks: {},
  ai: null,
};

export interface HouseOptions {
  /** The one file of rules. */
  rules: string;
  settings?: Partial<AutomationSettings>;
  post?: PostToHook;
  notify?: NotifyPeople;
  guestLinkOf?: AskGuestLink;
  seed?: number;
  /** How the core speaks, and what the daemon knows of it; left out: as described. */
  profile?: Profile;
  /** Where the house is posted; left out: on marketplace A. */
  channel?: string;
  /** A second daemon, of somebody who follows the same account by rules of his own. */
  twin?: { rules: string };
}

interface Stay {
  inDays?: number;
  nights?: number;
  guest?: string;
  guests?: number;
  /** null: the channel tells none. */
  email?: string | null;
  phone?: string | null;
}

export interface Booked {
  reservation_code: string;
  conversation_id: string;
  channel_id: string;
}

/** A real core with a house on a marketplace, and a real daemon with automations, on virtual time. */
export interface House {
  readonly core: SimCore;
  readonly daemon: SimDaemon;
  readonly time: VirtualTime;
  readonly automations: Automations;
  readonly property_id: number;
  readonly listing: { channel_type: string; listing_id: string };
  /** The file of rules, as it will be read next. */
  rules: string;
  conditions: NetworkFaults;
  /** Faults of single requests of the daemon, beside the conditions. */
  spoils: ((method: string, path: string) => Partial<NetworkFaults> | undefined) | undefined;
  /** Ends the process at the n-th commit, request or answer from now on; 0: not. */
  crashIn: number;
  /** A request of the host that must succeed. */
  host(method: string, path: string, body?: object): Promise<{ data: any }>;
  /** What a marketplace does. */
  change<T>(work: (change: Change) => Promise<T>): Promise<T>;
  /** Puts other rules into the file, and has it read. */
  use(rules: string): Promise<void>;
  /** A guest books; days are counted from the day of the booking. */
  book(stay?: Stay): Promise<Booked>;
  /** A guest writes, or the host in the marketplace’s own app. */
  write(conversation_id: string, content: string, from?: 'guest' | 'host'): Promise<void>;
  /** Lets time pass until a plan of a rule has come to this state. */
  reaches(rule: string, state: string, stay?: string): Promise<void>;
  /** Lets time pass; a process that has ended is started again after a while. */
  pass(ms: number): Promise<void>;
  /** Lets time pass until something has ended. */
  ends<T>(work: Promise<T>): Promise<T>;
  /** Lets time pass until it holds, for some minutes at the most. */
  until(condition: () => Promise<boolean>, what: string, minutes?: number): Promise<void>;
  /** What the host’s side has said in a conversation, oldest first. */
  said(conversation_id: string): Promise<string[]>;
  plans(): Promise<{ rule: string; state: string; reason: string | null; stay_code: string | null; plan_id: string }[]>;
  log(): Promise<{ rule: string; what: string; reason: string | null }[]>;
  close(): Promise<void>;
}

/** As its core has it. */
const ACCOUNT = { account_id: CONNECTION, name: 'House', time_zone: 'Europe/Berlin', currency: 'EUR' };

let spokenByAll: Profile | undefined;

/** From now on houses speak so on the way between core and daemon, where nothing else is said. */
export function letAllSpeak(profile: Profile): void {
  spokenByAll = profile;
}

export async function openHouse(options: HouseOptions): Promise<House> {
  const seed = options.seed ?? 1;
  const folder = mkdtempSync(join(tmpdir(), 'stayd-house-'));
  const templates = { core: join(folder, 'core-template.db'), mirror: join(folder, 'mirror-template.db') };
  await makeCoreTemplate(templates.core);
  await makeMirrorTemplate(templates.mirror);
  const inside = join(folder, 'world');
  mkdirSync(inside);
  const profile = options.profile ?? spokenByAll;
  const spoken = profile && { profile };
  const uncount = countTurns();
  const trace = new Trace();
  const time = virtualTime(START);
  const core = await openSimCore({
    seed,
    folder: inside,
    template: templates.core,
    time,
    trace,
    limits: 'off',
    ...spoken,
  });
  let automations: Automations | undefined;
  const speak = profile && asDescribed(profile, core);
  const asHost: House['host'] = async (method, path, body) => {
    const answer = await (speak ?? core.host)(method, path, body);
    if (answer?.error_code !== 200) throw new Error(`${method} ${path}: ${answer?.error_msg}`);
    return answer;
  };
  const byChannel: House['change'] = async (work) => {
    const done: { value: Awaited<ReturnType<typeof work>> }[] = [];
    await core.change(async (change) => void done.push({ value: await work(change) }));
    const [one] = done;
    if (!one) throw new Error('the core ended meanwhile');
    return one.value;
  };
  let spoilt: Partial<NetworkFaults> | undefined;
  const daemonNamed = (instance: string, own: string, rules: () => string, onStart: (one: Automations) => void) =>
    simDaemon({
      seed,
      folder: own,
      template: templates.mirror,
      time,
      trace,
      core,
      ...spoken,
      account: ACCOUNT,
      tiers: [],
      token: core.token,
      gate: openGate,
      onAsking: (_line, method, path) => (spoilt = house.spoils?.(method, path)),
      faults: () => ({ ...house.conditions, ...spoilt }),
      historyFrom: '2026-01-01',
      instance,
      onServed() {},
      onAcknowledged() {},
      async beside(one, { store, clock, random }) {
        const made = await startAutomations({
          store,
          connection: CONNECTION,
          ...one.link(CONNECTION),
          clock,
          random,
          ids: ulidMaker(clock, random),
          log: silentLogger,
          keyedHash,
          settings: { ...SETTINGS, ...options.settings },
          notify: options.notify ?? (() => Promise.resolve(undefined)),
          guestLinkOf: options.guestLinkOf,
          post: options.post ?? (() => Promise.resolve({ outcome: 'refused', detail: 'nobody' })),
          by: instance,
          readFiles: () => [{ name: 'rules.yaml', text: rules() }],
        });
        onStart(made);
      },
    });
  const daemon = daemonNamed(
    'first',
    inside,
    () => house.rules,
    (one) => (automations = one),
  );
  const besides = join(folder, 'twin');
  mkdirSync(besides);
  const { twin: other } = options;
  const twin =
    other &&
    daemonNamed(
      'second',
      besides,
      () => other.rules,
      () => {},
    );
  /** Each knows its own deliveries by their secret. */
  const receive: Receive = async (body, headers) => {
    const first = await daemon.receive(body, headers);
    if (first?.status === 401) return (await twin?.receive(body, headers)) ?? first;
    return first ?? { status: 503 };
  };
  const post = (clock: ProcessClock) =>
    postOffice(
      {
        clock,
        dice: diceOf(seed, 'post'),
        trace,
        faults: () => ({ latencyMs: 50, deaf: 0 }),
        receive,
        onSent() {},
      },
      [HOOK_ADDRESS],
    );
  await core.start(post);
  const { data } = await asHost('POST', '/properties', { name: 'Sea View' });
  const draft = {
    channel_type: options.channel ?? 'marketplace_a',
    username: 'host',
    origin_account_id: 'host',
    authorize: true,
  };
  const channel_account_id = await byChannel((change) => connectAccount(change, draft));
  const listing = await byChannel((change) =>
    putOnMarketplace(change, { channel_account_id, property_id: data.property_id, title: 'Sea View', base_price: 90 }),
  );
  let booked = 0;
  let crash = 0;
  const planned = (): CrashPlan => ({
    ...noCrash,
    reached: (_point: CrashPoint) => crash > 0 && (crash -= 1) === 0,
  });
  async function up(): Promise<void> {
    await time.runUntil(() => true, time.elapsed());
    while (!daemon.isUp) await daemon.start(planned());
  }
  const day = (days: number) => new Date(START + time.elapsed() + days * 24 * 60 * MINUTE).toISOString().slice(0, 10);

  const house: House = {
    core,
    daemon,
    time,
    host: asHost,
    change: byChannel,
    get automations() {
      if (!automations) throw new Error('no automations run');
      return automations;
    },
    property_id: data.property_id,
    listing,
    rules: options.rules,
    conditions: { ...FAIR_CONDITIONS, latencyMs: 5 },
    spoils: undefined,
    get crashIn() {
      return crash;
    },
    set crashIn(points: number) {
      crash = points;
    },
    async use(rules) {
      house.rules = rules;
      await house.automations.reload();
    },
    async book({ inDays = 2, nights = 2, guest = 'Ada Guest', guests = 2, email = EMAIL, phone = PHONE } = {}) {
      booked += 1;
      const room = {
        listing_id: listing.listing_id,
        check_in_date: day(inDays),
        check_out_date: day(inDays + nights),
        number_of_guests: guests,
        overbook: true,
      };
      const { reservation_code, conversation_id, channel_id } = await byChannel((change) =>
        book(change, {
          kind: 'instant',
          channel_type: listing.channel_type,
          channel_id: `HM${booked}`,
          rooms: [room],
          guest: { name: guest, email, phone },
        }),
      );
      return { reservation_code, conversation_id: conversation_id ?? '', channel_id };
    },
    async write(conversation_id, content, from = 'guest') {
      await byChannel((change) => writeInConversation(change, { conversation_id }, { content, from }));
    },
    async reaches(rule, state, stay) {
      const isThere = async () =>
        (await house.plans()).some(
          (plan) => plan.rule === rule && plan.state === state && (stay === undefined || plan.stay_code === stay),
        );
      await house.until(isThere, `${rule} to be ${state}`);
    },
    async pass(ms) {
      const end = time.elapsed() + ms;
      while (time.elapsed() < end) {
        if (daemon.isUp) await time.runUntil(() => !daemon.isUp, end);
        if (daemon.isUp) return;
        await time.runTo(Math.min(time.elapsed() + 3_000, end));
        await up();
      }
    },
    async ends(work) {
      let isOver = false;
      const end = () => (isOver = true);
      work.then(end, end);
      await time.runUntil(() => isOver, time.elapsed() + 10 * MINUTE);
      return work;
    },
    async until(condition, what, minutes = 20) {
      const end = time.elapsed() + minutes * MINUTE;
      while (!(daemon.isUp && (await condition()))) {
        if (time.elapsed() >= end) throw new Error(`waited in vain for ${what}: ${JSON.stringify(await house.log())}`);
        await house.pass(1_000);
      }
    },
    async said(conversation_id) {
      const { data: conversation } = await asHost('GET', `/conversations/${conversation_id}?limit=100`);
      const messages = conversation.messages as { sender_role: string; content: string }[];
      return messages
        .filter((one) => one.sender_role !== 'guest')
        .map((one) => one.content)
        .toReversed();
    },
    plans: () =>
      daemon.store.db
        .selectFrom('automation_plans')
        .select(['rule', 'state', 'reason', 'stay_code', 'plan_id'])
        .orderBy('plan_id')
        .execute(),
    log: () =>
      daemon.store.db.selectFrom('automation_log').select(['rule', 'what', 'reason']).orderBy('entry_id').execute(),
    async close() {
      await daemon.close();
      await twin?.close();
      await core.stop();
      uncount();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await up();
  let done = false;
  void daemon.daemon.caughtUp(CONNECTION).then(() => (done = true));
  await time.runUntil(() => done, time.elapsed() + 10 * MINUTE);
  if (twin) {
    await twin.start(noCrash);
    await house.ends(twin.daemon.caughtUp(CONNECTION));
  }
  return house;
}
