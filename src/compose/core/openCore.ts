import { networkInterfaces } from 'node:os';
import { coreMigrations } from '../../../migrations/core/index.ts';
import type { Config } from '../../config.ts';
import { createAccount, createToken } from '../../core/accounts/create.ts';
import { automationWorker } from '../../core/automation/worker.ts';
import { findAccount, listAccounts, revokeToken, tokenHolder } from '../../core/accounts/table.ts';
import { postWorker } from '../../core/channels/posts/poster.ts';
import type { Core } from '../../core/context.ts';
import { taskRetention } from '../../core/channels/tasks/retention.ts';
import { calendarWorker } from '../../core/channels/tasks/worker.ts';
import { hashToken } from '../../core/accounts/tokens.ts';
import type { AccountRow, CoreDatabase } from '../../core/database.ts';
import { automationPorts } from '../../core/effects.ts';
import { knowledgeWorker } from '../../core/knowledgeBases/worker.ts';
import { RequestCounters } from '../../core/limits/counters.ts';
import { limitPolicy } from '../../core/limits/policy.ts';
import { firstInvite } from '../../core/people/signIn.ts';
import { Delivery } from '../../core/outbox/delivery.ts';
import { outboxRetention } from '../../core/outbox/retention.ts';
import { sealCore } from '../../core/reseal.ts';
import { requireSecretsOpen } from '../../core/webhooks/targets.ts';
import { instantOf } from '../../kernel/dates.ts';
import { timeoutWorker } from '../../core/reservations/times/timeouts.ts';
import type { Logger } from '../../kernel/log.ts';
import { Worker } from '../../kernel/worker.ts';
import { type Reader, documentReader } from '../../outbound/readDocument.ts';
import { type Sender, webhookSender } from '../../outbound/deliver.ts';
import type { TargetPolicy } from '../../outbound/policy.ts';
import type { KnownAccount } from '../../client/knowingAccount.ts';
import { type Dialect, dialectOfServer } from '../../contract/dialect/dialect.ts';
import { portOf } from '../../outbound/target.ts';
import { retire } from '../../oauth/retention.ts';
import type { OAuth } from '../../oauth/server.ts';
import { sandboxChannels } from '../../sandbox/channel/adapters.ts';
import { migrate } from '../../store/migrate.ts';
import type { Store } from '../../store/store.ts';
import { loadProfile } from '../profiles/profiles.ts';
import { forgetClear } from '../privacy/forgetClear.ts';
import { readLocalToken, writeLocalToken } from '../privacy/privateFiles.ts';
import type { Ports } from '../ports.ts';
import { PasswordHasher } from '../../core/people/passwordHash.ts';

const RETIRE_EVERY_MS = 3_600_000;

/** The core with its workers, not yet started. */
export interface OpenCore {
  core: Core;
  counters: RequestCounters;
  /** The dialect of v3 that the core speaks. */
  dialect: Dialect;
  delivery: Delivery;
  oauth: OAuth;
  /** Sets the address of the listener. The core publishes it unless the configuration names another. */
  reachedAt(url: string): void;
  /**
   * Starts the workers. `own`: the addresses of this service; deliveries may reach the daemon behind the inner one
   * although it is this machine.
   */
  start(own: { url: string; innerUrl: string }): Promise<void>;
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
  const { clock, random, ids, sealer } = ports;
  let url = config.public_url ?? '';
  const core: Core = {
    store,
    clock,
    random,
    ids,
    sealer,
    passwords: new PasswordHasher(random),
    onQueued() {
      delivery.wake();
      poster.wake();
    },
    onCalendarTask: () => calendars.wake(),
    channels: sandboxChannels({ store, clock }),
    publicUrl: () => url.replace(/(?<!\/)\/+$/, ''),
  };
  // This check comes before anything is sealed, because the key may have changed.
  await requireSecretsOpen(core);
  await sealCore(store, sealer, (tables) => forgetClear({ store, config, half: 'core', tables, log }));
  const poster = postWorker({ core, log, alone: store.kind === 'sqlite' });
  const { answers: _, ...faults } = config.faults;
  const dialect = dialectOfServer(loadProfile(config, config.core.dialect));
  const delivery = new Delivery({ core, dialect, log, faults, alone: store.kind === 'sqlite' });
  const calendars = calendarWorker({ core, log, alone: store.kind === 'sqlite' });
  const counters = new RequestCounters(store, clock, limitPolicy(config.limits), log);
  const timeouts = timeoutWorker(core, log);
  let sender: Sender | undefined;
  let reader: Reader | undefined;
  const oauth = oauthOf(core, config, async (url) => (reader ? reader.read(url) : { problem: 'not started' }));
  const workers = [poster, calendars, timeouts, ...upkeep(oauth, config, log)];
  return {
    core,
    counters,
    dialect,
    delivery,
    oauth,
    reachedAt(door) {
      url = config.public_url ?? door;
    },
    async start(own) {
      sender = webhookSender({ clock, userAgent, policy: deliveryPolicy(config, own) });
      reader = documentReader({ clock, userAgent, policy: { allow: config.outbound.allow } });
      await counters.start();
      await delivery.start(sender);
      for (const worker of workers) await worker.start();
      // What ran out during a stop has ended before anybody asks.
      await timeouts.settled();
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
      await delivery.stop();
      await sender?.close();
      await reader?.close();
      await counters.stop();
    },
  };
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

function deliveryPolicy({ outbound }: Config, { url, innerUrl }: { url: string; innerUrl: string }): TargetPolicy {
  const ports = [url, innerUrl].map((one) => portOf(new URL(one)));
  const addresses = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
  const inner = new URL(innerUrl);
  // `host` omits the default port.
  return {
    allow: [...outbound.allow, `${inner.hostname}:${portOf(inner)}`],
    self: { ports, addresses, path: RECEIVERS },
  };
}

/** The context under which the daemon's own token is sealed. */
export const LOCAL_TOKEN_CONTEXT = 'local-token';

/**
 * Returns the access token with which the daemon reads the core of this process. It is stored sealed, and replaced
 * after its end.
 */
export async function localToken(core: Core, config: Config): Promise<string> {
  const sealed = readLocalToken(config.data_dir);
  if (sealed !== undefined) {
    const token = core.sealer.open(sealed, LOCAL_TOKEN_CONTEXT);
    const [holder] = await tokenHolder(core.store.db, { hash: hashToken(token) });
    if (holder?.revoked_at === null && holder.unlimited === 1) return token;
    if (holder)
      await revokeToken(core.store.db, {
        accountId: holder.account_id,
        id: holder.token_id,
        at: instantOf(core.clock.now()),
      });
  }
  const account = await firstAccount(core, config);
  const { token } = await createToken(core, account, {
    name: 'daemon beside the core',
    scope: 'write',
    unlimited: true,
  });
  writeLocalToken(config.data_dir, core.sealer.seal(token, LOCAL_TOKEN_CONTEXT));
  return token;
}

/** Returns the account that the daemon mirrors from this process, if no operation of the dialect supplies it. */
export async function localAccount({ core, dialect }: OpenCore, config: Config): Promise<KnownAccount | undefined> {
  if (!dialect.profile.absent.includes('getAccount')) return undefined;
  const { account_id, name, time_zone, currency } = await firstAccount(core, config);
  return { account_id, name, time_zone, currency };
}

/**
 * Returns the one-time secret for the first sign-in while no person can sign in and none was invited. It is created
 * once and shown once.
 */
export async function secretForFirstSignIn(core: Core, config: Config): Promise<string | undefined> {
  return firstInvite(core, await firstAccount(core, config));
}

async function firstAccount(core: Core, config: Config): Promise<AccountRow> {
  const account = (await findAccount(core.store.db, config.account.name)) ?? (await listAccounts(core.store.db))[0];
  if (!account) throw new Error('there is no account to mirror');
  return account;
}
