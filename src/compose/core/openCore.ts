import { networkInterfaces } from 'node:os';
import { coreMigrations } from '../../../migrations/core/index.ts';
import type { Config } from '../../config.ts';
import { createAccount } from '../../core/accounts/create.ts';
import { automationWorker } from '../../core/automation/worker.ts';
import { findAccount, listAccounts } from '../../core/accounts/table.ts';
import { postWorker } from '../../core/channels/posts/poster.ts';
import type { ChannelAdapters } from '../../core/channels/adapter.ts';
import type { Core } from '../../core/context.ts';
import { taskRetention } from '../../core/channels/tasks/retention.ts';
import { calendarWorker } from '../../core/channels/tasks/worker.ts';
import type { AccountRow, CoreDatabase } from '../../core/database.ts';
import { automationPorts } from '../../core/effects.ts';
import { registrationRetention } from '../../core/guestPages/registration/retention.ts';
import { knowledgeWorker } from '../../core/knowledgeBases/worker.ts';
import { RequestCounters } from '../../core/limits/counters.ts';
import { limitPolicy } from '../../core/limits/policy.ts';
import { firstInvite } from '../../core/people/signIn.ts';
import { Delivery } from '../../core/outbox/delivery.ts';
import type { OwnDoor } from '../../core/outbox/lane.ts';
import { outboxRetention } from '../../core/outbox/retention.ts';
import { sealCore } from '../../core/reseal.ts';
import { requireSecretsOpen } from '../../core/webhooks/targets.ts';
import { timeoutWorker } from '../../core/reservations/times/timeouts.ts';
import { type Logger, loggerOf } from '../../kernel/log.ts';
import { Worker } from '../../kernel/worker.ts';
import { paymentAddress } from '../../channels/direct/bookings/address.ts';
import { directWorker } from '../../channels/direct/worker.ts';
import type { DirectWork } from '../../channels/direct/work.ts';
import { feedWorker } from '../../channels/feeds/worker.ts';
import { ServiceCaller } from '../../outbound/callService.ts';
import { mailChannel } from '../../channels/mail/adapter.ts';
import type { MailServices } from '../../channels/mail/manage.ts';
import { MAIL_CHANNEL } from '../../channels/mail/threads.ts';
import { mailRetention } from '../../channels/mail/retention.ts';
import { mailWorker } from '../../channels/mail/worker.ts';
import { type CalendarReader, calendarReader } from '../../outbound/fetchCalendar.ts';
import { type Reader, documentReader } from '../../outbound/readDocument.ts';
import { type Sender, webhookSender } from '../../outbound/deliver.ts';
import type { TargetPolicy } from '../../outbound/policy.ts';
import { type Dialect, dialectOfServer } from '../../contract/dialect/dialect.ts';
import { bareHost, portOf } from '../../outbound/target.ts';
import { retire } from '../../oauth/retention.ts';
import type { OAuth } from '../../oauth/server.ts';
import { sandboxChannels } from '../../sandbox/channel/adapters.ts';
import { migrate } from '../../store/migrate.ts';
import type { Store } from '../../store/store.ts';
import { loadProfile } from '../profiles/profiles.ts';
import { LOOPBACK } from '../openListener.ts';
import { forgetClear } from '../privacy/forgetClear.ts';
import type { Ports } from '../ports.ts';
import { PasswordHasher } from '../../core/people/passwordHash.ts';

/** Milliseconds that the provider of payments has for an answer. */
const PAYMENT_LIMIT_MS = 20_000;
const RETIRE_EVERY_MS = 3_600_000;

/** The core with its workers, not yet started. */
export interface OpenCore {
  core: Core;
  counters: RequestCounters;
  /** The dialect of v3 that the core speaks. */
  dialect: Dialect;
  delivery: Delivery;
  oauth: OAuth;
  /** Reads calendars outside, once the core has started. */
  feeds: CalendarReader;
  /** What bookings by guests work with, once the core has started. */
  direct: DirectWork;
  /** Reads mailboxes and tries their servers. */
  mail: MailServices;
  /** Sets the address of the listener. The core publishes it unless the configuration names another. */
  reachedAt(url: string): void;
  /**
   * Starts the workers. `own`: the addresses of this service; deliveries may reach the daemon behind the inner one
   * although it is this machine. `receives`: a daemon in this process takes them in.
   */
  start(own: Addresses & { receives: boolean }): Promise<void>;
  stop(): Promise<void>;
}

interface OpenCoreOptions {
  store: Store<CoreDatabase>;
  config: Config;
  ports: Ports;
  log: Logger;
  userAgent: string;
}

export async function openCore({ store, config, ports, log, userAgent }: OpenCoreOptions): Promise<OpenCore> {
  await migrate(store, coreMigrations);
  const { clock, random, ids, sealer, tracer } = ports;
  let url = config.public_url ?? '';
  const core: Core = {
    store,
    clock,
    random,
    ids,
    ...(tracer && { tracer }),
    sealer,
    passwords: new PasswordHasher(random),
    onQueued() {
      delivery.wake();
      poster.wake();
    },
    onCalendarTask: () => calendars.wake(),
    channels: channelsOf({ store, clock, sealer }, config),
    guestPages: {
      openDays: config.guest_pages.open_days,
      registrationDays: config.guest_pages.registration_days,
      paymentLinkOf: (reservation) => paymentAddress(core, reservation),
    },
    publicUrl: () => url.replace(/(?<!\/)\/+$/, ''),
  };
  // This check comes before anything is sealed, because the key may have changed.
  await requireSecretsOpen(core);
  await sealCore(store, sealer, (tables) => forgetClear({ store, config, half: 'core', tables, log }));
  const channels = loggerOf(log, 'channels');
  const poster = postWorker({ core, log: channels, alone: store.kind === 'sqlite' });
  const { answers: _, ...faults } = config.faults;
  const dialect = dialectOfServer(loadProfile(config, config.core.dialect));
  const delivery = new Delivery({
    core,
    dialect,
    log: loggerOf(log, 'outbox'),
    faults,
    alone: store.kind === 'sqlite',
  });
  const calendars = calendarWorker({ core, log: channels, alone: store.kind === 'sqlite' });
  const counters = new RequestCounters(store, clock, limitPolicy(config.limits), log);
  const timeouts = timeoutWorker(core, log);
  let sender: Sender | undefined;
  let reader: Reader | undefined;
  let calendarsOutside: CalendarReader | undefined;
  const feeds: CalendarReader = {
    read: async (url, known) => (calendarsOutside ? calendarsOutside.read(url, known) : { problem: 'not started' }),
    close: async () => calendarsOutside?.close(),
  };
  let payments: ServiceCaller | undefined;
  const direct: DirectWork = {
    core,
    reader: feeds,
    caller: {
      stripeUrl: config.payments.stripe_url.replace(/\/$/, ''),
      call: async (request) => (payments ? payments.call(request) : { problem: 'not started', unsent: true }),
    },
    wake: () => payer.wake(),
  };
  const payer = directWorker(direct, channels);
  const oauth = oauthOf(core, config, async (url) => (reader ? reader.read(url) : { problem: 'not started' }));
  const mailMeans = { core, policy: { allow: config.outbound.allow }, logDays: config.mail.log_days };
  const workers = [
    poster,
    calendars,
    timeouts,
    feedWorker({ core, log: channels, reader: feeds }),
    payer,
    mailWorker({ ...mailMeans, log: channels }),
    mailRetention({ core, log: channels, days: mailMeans.logDays }),
    ...upkeep(oauth, config, log),
  ];
  return {
    core,
    counters,
    dialect,
    delivery,
    oauth,
    feeds,
    direct,
    mail: { ...mailMeans, server: letterServer(config) },
    reachedAt(door) {
      url = config.public_url ?? door;
    },
    async start(own) {
      sender = webhookSender({ clock, userAgent, policy: deliveryPolicy(config, own) });
      calendarsOutside = calendarReader({ clock, userAgent, policy: calendarPolicy(config, own) });
      payments = new ServiceCaller({
        clock,
        userAgent,
        limitMs: PAYMENT_LIMIT_MS,
        policy: { allow: config.outbound.allow },
      });
      reader = documentReader({ clock, userAgent, policy: { allow: config.outbound.allow } });
      await counters.start();
      await delivery.start(sender, own.receives ? doorOf(own.innerUrl) : undefined);
      for (const worker of workers) await worker.start();
      // What ran out during a stop has ended before anybody asks.
      await timeouts.settled();
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
      await delivery.stop();
      await sender?.close();
      await reader?.close();
      await feeds.close();
      await payments?.close();
      await counters.stop();
    },
  };
}

/** Returns every channel of this installation: those that it plays itself, and mail to direct guests. */
function channelsOf(means: Pick<Core, 'store' | 'clock' | 'sealer'>, config: Config): ChannelAdapters {
  const played = sandboxChannels(means);
  const before = played.get(MAIL_CHANNEL);
  const otherwise = before?.posts ?? { post: () => Promise.reject(new Error('nothing leads to direct guests')) };
  const policy = { allow: config.outbound.allow };
  const mail = mailChannel({ core: means, policy, server: letterServer(config), otherwise }, before);
  return new Map([...played, [MAIL_CHANNEL, mail]]);
}

/** Returns the server that sends for mailboxes without one of their own; null if none is set. */
function letterServer({ mail: { smtp } }: Config): MailServices['server'] {
  return smtp.host === null ? null : { ...smtp, host: smtp.host };
}

function oauthOf(core: Core, { oauth }: Config, readDocument: OAuth['readDocument']): OAuth {
  const settings = {
    dynamicRegistration: oauth.dynamic_registration,
    metadataDocuments: oauth.metadata_documents,
    grantDays: oauth.grant_days,
  };
  return { core, settings, readDocument };
}

/** The workers that nothing wakes: they look for work by the clock. */
function upkeep(oauth: OAuth, config: Config, log: Logger): Worker[] {
  const { core } = oauth;
  const days = config.core.outbox_days;
  return [
    automationWorker({ core, log, ports: automationPorts }),
    knowledgeWorker(core, log),
    outboxRetention({ core, log, days }),
    taskRetention({ core, log, days }),
    registrationRetention(core, log),
    new Worker({
      clock: core.clock,
      log,
      name: 'deleting what applications hold no longer',
      everyMs: RETIRE_EVERY_MS,
      round: (signal) => retire(oauth, { days: config.oauth.kept_days, signal }),
    }),
  ];
}

/** Creates the account of a first start. @returns true if it was created now */
export async function ensureAccount(core: Core, config: Config, log: Logger): Promise<boolean> {
  const accounts = await listAccounts(core.store.db);
  if (accounts.length > 0) return false;
  const account = await createAccount(core, config.account);
  log.info(
    { account: account.name, time_zone: account.time_zone, currency: account.currency },
    'made the first account',
  );
  return true;
}

/** The only paths of this service's own port that deliveries may reach, whatever else is permitted. */
const RECEIVERS = /^\/hooks\/[a-z0-9_-]{1,40}(?:\/[A-Za-z0-9_-]{1,64})?$/;

/** The calendars of this service, which a feed may name whatever else is permitted. */
const OWN_CALENDARS = /^\/feeds\/[A-Za-z0-9_-]{32}\.ics$/;

/** Returns where feeds may be read: in the public internet, and where the configuration permits. */
function calendarPolicy({ outbound }: Config, own: Addresses): TargetPolicy {
  return { allow: outbound.allow, self: { ...ownPlaces(own), path: OWN_CALENDARS } };
}

interface Addresses {
  url: string;
  innerUrl: string;
}

/**
 * Returns what leads an event for the daemon beside the core into this process, if it is registered with a process of this
 * machine: another process on the same database may have ended since.
 */
function doorOf(innerUrl: string): OwnDoor {
  return (registered) => {
    const { hostname, pathname, search } = new URL(registered);
    return hostname === LOOPBACK ? `${innerUrl}${pathname}${search}` : registered;
  };
}

function ownPlaces({ url, innerUrl }: Addresses) {
  const ports = [url, innerUrl].map((one) => portOf(new URL(one)));
  const addresses = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
  return { ports, addresses };
}

function deliveryPolicy({ outbound, inner_url }: Config, own: Addresses): TargetPolicy {
  const doors = [own.innerUrl, ...(inner_url === null ? [] : [inner_url])].map((one) => new URL(one));
  const { ports, addresses } = ownPlaces(own);
  return {
    // `host` omits the default port.
    allow: [...outbound.allow, ...doors.map((door) => `${door.hostname}:${portOf(door)}`)],
    self: {
      ports: [...ports, ...doors.map(portOf)],
      addresses: [...addresses, ...doors.map(({ hostname }) => bareHost(hostname))],
      path: RECEIVERS,
    },
  };
}

/**
 * Returns the one-time secret for the first sign-in while no person can sign in and none was invited. It is created
 * once and shown once.
 */
export async function secretForFirstSignIn(core: Core, config: Config): Promise<string | undefined> {
  return firstInvite(core, await firstAccount(core, config));
}

/** Returns the account that the settings name, else the oldest one. */
export async function firstAccount(core: Core, config: Config): Promise<AccountRow> {
  const account = (await findAccount(core.store.db, config.account.name)) ?? (await listAccounts(core.store.db))[0];
  if (!account) throw new Error('there is no account to mirror');
  return account;
}
