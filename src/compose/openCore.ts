import { coreMigrations } from '../../migrations/core/index.ts';
import type { Config } from '../config.ts';
import { createAccount, createToken } from '../core/accounts/create.ts';
import { automationWorker } from '../core/automation/worker.ts';
import { findAccount, listAccounts, tokenHolder } from '../core/accounts/table.ts';
import type { Core } from '../core/context.ts';
import { hashToken } from '../core/accounts/tokens.ts';
import type { CoreDatabase } from '../core/database.ts';
import { automationPorts } from '../core/effects.ts';
import { knowledgeWorker } from '../core/knowledgeBases/worker.ts';
import { RequestCounters } from '../core/limits/counters.ts';
import { Delivery } from '../core/outbox/delivery.ts';
import type { Logger } from '../kernel/log.ts';
import { type Sender, webhookSender } from '../outbound/deliver.ts';
import { migrate } from '../store/migrate.ts';
import type { Store } from '../store/store.ts';
import { readLocalToken, writeLocalToken } from './privateFiles.ts';
import type { Ports } from './ports.ts';

/** The core with its workers, not yet started. */
export interface OpenCore {
  core: Core;
  counters: RequestCounters;
  delivery: Delivery;
  /** `ownAddress`: this service's host:port, where deliveries may go although it is this machine. */
  start(ownAddress: string): Promise<void>;
  stop(): Promise<void>;
}

export interface OpenCoreOptions {
  store: Store<CoreDatabase>;
  config: Config;
  ports: Ports;
  log: Logger;
  userAgent: string;
}

export async function openCore({ store, config, ports, log, userAgent }: OpenCoreOptions): Promise<OpenCore> {
  await migrate(store, coreMigrations);
  const { clock, random, ids, sealer } = ports;
  const core: Core = { store, clock, random, ids, sealer, onQueued: () => delivery.wake() };
  const delivery = new Delivery({ core, log, faults: config.faults, alone: store.kind === 'sqlite' });
  const counters = new RequestCounters(store, clock);
  const workers = [automationWorker({ core, log, ports: automationPorts }), knowledgeWorker(core, log)];
  let sender: Sender | undefined;
  return {
    core,
    counters,
    delivery,
    async start(ownAddress) {
      sender = webhookSender({ clock, userAgent, policy: { allow: [...config.outbound.allow, ownAddress] } });
      await counters.start();
      await delivery.start(sender);
      for (const worker of workers) worker.start();
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
      await delivery.stop();
      await sender?.close();
      await counters.stop();
    },
  };
}

/** The account of a first start. @returns whether it was made now */
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

const LOCAL_TOKEN_CONTEXT = 'local-token';

/** The access token by which the daemon reads the account beside it: kept sealed, made anew when it has ended. */
export async function localToken(core: Core, config: Config): Promise<string> {
  const sealed = readLocalToken(config.data_dir);
  if (sealed !== undefined) {
    const token = core.sealer.open(sealed, LOCAL_TOKEN_CONTEXT);
    const [holder] = await tokenHolder(core.store.db, { hash: hashToken(token) });
    if (holder?.revoked_at === null) return token;
  }
  const account = (await findAccount(core.store.db, config.account.name)) ?? (await listAccounts(core.store.db))[0];
  if (!account) throw new Error('there is no account to mirror');
  const { token } = await createToken(core, account, { name: 'daemon beside the core', scope: 'write' });
  writeLocalToken(config.data_dir, core.sealer.seal(token, LOCAL_TOKEN_CONTEXT));
  return token;
}
