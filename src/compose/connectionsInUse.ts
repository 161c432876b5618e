import type { Config } from '../config.ts';
import { listAccounts } from '../core/accounts/table.ts';
import type { AccountId } from '../kernel/ids.ts';
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
  servesCore: boolean;
  /** The duties of the daemon here; undefined if it does not run. */
  duties: ReadonlySet<Duty> | undefined;
}

/** The connections that this process runs: those of its settings, and one for each account of its core to be mirrored. */
export class ConnectionsInUse {
  readonly #inUse: InUse;
  #config: Config;
  #url: string | undefined;

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
    const { mirror, duties } = this.#inUse;
    if (duties) await mirror.start(await this.#local(url), duties, machine);
  }

  /**
   * Runs the connections of these settings, whose other values are those in use, and those of the accounts that are to be
   * mirrored now; left out: the settings in use. Connections that stay as they are go on undisturbed.
   * @throws OperatorError with the fault of a connection; then nothing has changed
   */
  async apply(next: Config = this.#config): Promise<AppliedConnections> {
    const { mirror, duties, opened, servesCore, config } = this.#inUse;
    const url = this.#url;
    if (!duties || url === undefined) {
      this.#config = next;
      return { added: [], removed: [], changed: [], failed: [] };
    }
    const applied = await mirror.apply(next, () => this.#local(url));
    this.#config = next;
    if (servesCore) await endLocalTokens(opened, config);
    return applied;
  }

  async #local(url: string): Promise<LocalCore> {
    const { opened, config, servesCore } = this.#inUse;
    const accounts = await listAccounts(opened.core.store.db);
    return {
      url,
      accounts: servesCore ? await localAccounts(opened, config) : [],
      accountNamed: (name) => accounts.find((one) => one.account_id === name || one.name === name)?.account_id,
    };
  }
}
