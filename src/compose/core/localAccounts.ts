import { z } from 'zod';
import type { KnownAccount } from '../../client/knowingAccount.ts';
import type { Config } from '../../config.ts';
import { accountConnections, FIRST_CONNECTION, giveFirstConnection } from '../../core/accounts/connections.ts';
import { createToken } from '../../core/accounts/create.ts';
import { listAccounts, revokeToken, tokenHolder } from '../../core/accounts/table.ts';
import { hashToken } from '../../core/accounts/tokens.ts';
import type { Core } from '../../core/context.ts';
import type { AccountRow } from '../../core/database.ts';
import { instantOf } from '../../kernel/dates.ts';
import type { AccountId, ConnectionId } from '../../kernel/ids.ts';
import { readAccountTokens, readLocalToken, writeAccountTokens, writeLocalToken } from '../privacy/privateFiles.ts';
import { firstAccount, type OpenCore } from './openCore.ts';

/** The contexts under which the daemon's own tokens are sealed. */
export const LOCAL_TOKEN_CONTEXT = 'local-token';
export const ACCOUNT_TOKENS_CONTEXT = 'account-tokens';

/** One account of the core of this process as the daemon may know it. */
export interface LocalAccount {
  connection: ConnectionId;
  accountId: AccountId;
  token: string;
  /** Absent if the core supplies it. */
  account?: KnownAccount;
}

/**
 * Returns the accounts to mirror from this process, each with the token by which the daemon reads it. Tokens are stored
 * sealed, and replaced after their end.
 */
export async function localAccounts({ core, dialect }: OpenCore, config: Config): Promise<LocalAccount[]> {
  await nameFirst(core, config);
  const accounts = new Map((await listAccounts(core.store.db)).map((one) => [one.account_id, one]));
  const tokens = new OwnTokens(core, config);
  const found: LocalAccount[] = [];
  for (const { account_id, connection, mirrored } of await accountConnections(core.store.db)) {
    const account = accounts.get(account_id);
    if (!account || mirrored === 0) continue;
    const { name, time_zone, currency } = account;
    found.push({
      connection,
      accountId: account_id,
      token: await tokens.of(connection, account),
      ...(dialect.profile.absent.includes('getAccount') && { account: { account_id, name, time_zone, currency } }),
    });
  }
  return found;
}

/** Revokes the tokens of accounts that are not mirrored any more. Their connections have stopped by then. */
export async function endLocalTokens({ core }: OpenCore, config: Config): Promise<void> {
  const tokens = new OwnTokens(core, config);
  for (const { account_id, connection, mirrored } of await accountConnections(core.store.db)) {
    if (mirrored === 0) await tokens.end(connection, account_id);
  }
}

/** Gives the first connection to the account that has been mirrored by it so far, or to the first one. */
async function nameFirst(core: Core, config: Config): Promise<void> {
  const known = await accountConnections(core.store.db);
  if (known.some(({ connection }) => connection === FIRST_CONNECTION)) return;
  const sealed = readLocalToken(config.data_dir);
  const [holder] =
    sealed === undefined
      ? []
      : await tokenHolder(core.store.db, { hash: hashToken(core.sealer.open(sealed, LOCAL_TOKEN_CONTEXT)) });
  await giveFirstConnection(core, holder ?? (await firstAccount(core, config)));
}

const tokensSchema = z.record(z.string(), z.string());

/** The tokens of the daemon beside, in the data directory. */
class OwnTokens {
  readonly #core: Core;
  readonly #dir: string;
  /** Tokens of all but the first connection, by their accounts. */
  readonly #others: Record<string, string>;

  constructor(core: Core, { data_dir }: Config) {
    this.#core = core;
    this.#dir = data_dir;
    const sealed = readAccountTokens(data_dir);
    this.#others =
      sealed === undefined ? {} : tokensSchema.parse(JSON.parse(core.sealer.open(sealed, ACCOUNT_TOKENS_CONTEXT)));
  }

  async of(connection: ConnectionId, account: AccountRow): Promise<string> {
    const { db } = this.#core.store;
    const known = this.#read(connection, account.account_id);
    if (known !== undefined) {
      const [holder] = await tokenHolder(db, { hash: hashToken(known) });
      const isOwn = holder?.account_id === account.account_id && holder.unlimited === 1;
      if (isOwn && holder.revoked_at === null) return known;
      await this.#revoke(known);
    }
    const { token } = await createToken(this.#core, account, {
      name: 'daemon beside the core',
      scope: 'write',
      unlimited: true,
    });
    this.#write(connection, account, token);
    return token;
  }

  async end(connection: ConnectionId, accountId: AccountId): Promise<void> {
    const known = this.#read(connection, accountId);
    if (known === undefined) return;
    await this.#revoke(known);
    if (connection === FIRST_CONNECTION) return;
    delete this.#others[accountId];
    this.#store();
  }

  #read(connection: ConnectionId, accountId: AccountId): string | undefined {
    if (connection !== FIRST_CONNECTION) return this.#others[accountId];
    const sealed = readLocalToken(this.#dir);
    return sealed === undefined ? undefined : this.#core.sealer.open(sealed, LOCAL_TOKEN_CONTEXT);
  }

  #write(connection: ConnectionId, { account_id }: AccountRow, token: string): void {
    if (connection === FIRST_CONNECTION) {
      writeLocalToken(this.#dir, this.#core.sealer.seal(token, LOCAL_TOKEN_CONTEXT));
      return;
    }
    this.#others[account_id] = token;
    this.#store();
  }

  #store(): void {
    writeAccountTokens(this.#dir, this.#core.sealer.seal(JSON.stringify(this.#others), ACCOUNT_TOKENS_CONTEXT));
  }

  async #revoke(token: string): Promise<void> {
    const { clock, store } = this.#core;
    const [holder] = await tokenHolder(store.db, { hash: hashToken(token) });
    if (!holder) return;
    const { account_id: accountId, token_id: id } = holder;
    await revokeToken(store.db, { accountId, id, at: instantOf(clock.now()) });
  }
}
