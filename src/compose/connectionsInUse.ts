import type { Config } from '../config.ts';
import { accountConnections } from '../core/accounts/connections.ts';
import { listAccounts } from '../core/accounts/table.ts';
import type { Clock } from '../kernel/clock.ts';
import type { AccountId } from '../kernel/ids.ts';
import type { Logger } from '../kernel/log.ts';
import { Worker } from '../kernel/worker.ts';
import type { Duty } from '../sync/connection/surroundings.ts';
import { endLocalTokens, localAccounts } from './core/localAccounts.ts';
import type { OpenCore } from './core/openCore.ts';
import type { Alarm } from './health/alarms.ts';
import type { LocalCore } from './mirror/connections.ts';
import type { AppliedConnections } from './mirror/applied.ts';
import type { OpenMirror } from './mirror/openMirror.ts';

interface InUse {
  opened: OpenCore;
  mirror: OpenMirror;
  config: Config;
  /** True if the accounts of a core on the same database are mirrored from here. */
  ownAccounts: boolean;
  /** The duties of the daemon here; undefined if it does not run. */
  duties: ReadonlySet<Duty> | undefined;
  clock: Clock;
  log: Logger;
}

/** Milliseconds between two looks for accounts that another process began or ended to mirror. */
const LOOK_MS = 5_000;

const NOTHING_TO_MIRROR =
  'this process mirrors nothing: set inner_url to mirror the accounts of a core on the same database, or connect another deployment';

/** The connections that this process runs: those of its settings, and one for each account of its core to be mirrored. */
export class ConnectionsInUse {
  readonly #inUse: InUse;
  #config: Config;
  #url: string | undefined;
  /** The accounts that were to be mirrored when they were last applied. */
  #known = '';
  #looking: Worker | undefined;

  constructor(inUse: InUse) {
    this.#inUse = inUse;
    this.#config = inUse.config;
  }

  /** The settings that hold now. */
  get config(): Config {
    return this.#config;
  }

  /** Begins all connections. @param url the address at which the daemon reaches the core beside it */
  async start(url: string, machine: (owner: AccountId | null) => Promise<readonly Alarm[]>): Promise<void> {
    this.#url = url;
    const { mirror, duties, ownAccounts, opened, clock, log } = this.#inUse;
    if (!duties) return;
    await mirror.start(await this.#local(url), duties, machine);
    if (!ownAccounts && mirror.isIdle) log.warn({}, NOTHING_TO_MIRROR);
    if (!ownAccounts || opened.core.store.kind === 'sqlite') return;
    this.#looking = new Worker({
      clock,
      log,
      name: 'looking for accounts to mirror',
      firstMs: LOOK_MS,
      everyMs: LOOK_MS,
      round: async () => {
        if ((await this.#wanted()) !== this.#known) await this.apply();
      },
    });
    await this.#looking.start();
  }

  /** Looks no longer for what other processes change. */
  async stop(): Promise<void> {
    await this.#looking?.stop();
  }

  /**
   * Runs the connections of these settings, whose other values are those in use, and those of the accounts that are to be
   * mirrored now; left out: the settings in use. Connections that stay as they are go on undisturbed.
   * @throws OperatorError with the fault of a connection; then nothing has changed
   */
  async apply(next: Config = this.#config): Promise<AppliedConnections> {
    const { mirror, duties, opened, ownAccounts } = this.#inUse;
    const url = this.#url;
    if (!duties || url === undefined) {
      this.#config = next;
      return { added: [], removed: [], changed: [], failed: [] };
    }
    const applied = await mirror.apply(next, () => this.#local(url));
    this.#config = next;
    if (ownAccounts) await endLocalTokens(opened);
    return applied;
  }

  async #local(url: string): Promise<LocalCore> {
    const { opened, config, ownAccounts } = this.#inUse;
    this.#known = await this.#wanted();
    const accounts = await listAccounts(opened.core.store.db);
    return {
      url,
      accounts: ownAccounts ? await localAccounts(opened, config) : [],
      accountNamed: (name) => accounts.find((one) => one.account_id === name || one.name === name)?.account_id,
    };
  }

  /** Returns a text that changes with the accounts that are to be mirrored. */
  async #wanted(): Promise<string> {
    const rows = await accountConnections(this.#inUse.opened.core.store.db);
    return JSON.stringify(rows.map(({ account_id, mirrored }) => [account_id, mirrored]));
  }
}
