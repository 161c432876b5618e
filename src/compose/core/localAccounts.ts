import { z } from 'zod';
import type { KnownAccount } from '../../client/knowingAccount.ts';
import type { Config } from '../../config.ts';
import { accountConnections, FIRST_CONNECTION, giveFirstConnection } from '../../core/accounts/connections.ts';
import { daemonToken, endDaemonToken, keepDaemonToken } from '../../core/accounts/daemonTokens.ts';
import { listAccounts, tokenHolder } from '../../core/accounts/table.ts';
import { hashToken } from '../../core/accounts/tokens.ts';
import type { Core } from '../../core/context.ts';
import type { AccountId, ConnectionId } from '../../kernel/ids.ts';
import { readAccountTokens, readLocalToken, removeTokenFiles } from '../privacy/privateFiles.ts';
import { firstAccount, type OpenCore } from './openCore.ts';

/** The contexts under which an earlier version sealed the tokens in files. */
const LOCAL_TOKEN_CONTEXT = 'local-token';
const ACCOUNT_TOKENS_CONTEXT = 'account-tokens';

/** One account of the core of this installation as the daemon may know it. */
export interface LocalAccount {
  connection: ConnectionId;
  accountId: AccountId;
  token: string;
  /** Absent if the core supplies it. */
  account?: KnownAccount;
}

/** Returns the accounts to mirror from this core, each with the token by which the daemon reads it. */
export async function localAccounts({ core, dialect }: OpenCore, config: Config): Promise<LocalAccount[]> {
  await takeTokenFiles(core, config.data_dir);
  const accounts = new Map((await listAccounts(core.store.db)).map((one) => [one.account_id, one]));
  // The process that serves the core makes the first account, and may start later.
  if (accounts.size === 0) return [];
  await giveFirstConnection(core, await firstAccount(core, config));
  const found: LocalAccount[] = [];
  for (const { account_id, connection, mirrored } of await accountConnections(core.store.db)) {
    const account = accounts.get(account_id);
    if (!account || mirrored === 0) continue;
    const { name, time_zone, currency } = account;
    found.push({
      connection,
      accountId: account_id,
      token: await daemonToken(core, account),
      ...(dialect.profile.absent.includes('getAccount') && { account: { account_id, name, time_zone, currency } }),
    });
  }
  return found;
}

/** Revokes the tokens of accounts that are not mirrored any more. Their connections have stopped by then. */
export async function endLocalTokens({ core }: OpenCore): Promise<void> {
  for (const { account_id, mirrored } of await accountConnections(core.store.db)) {
    if (mirrored === 0) await endDaemonToken(core, account_id);
  }
}

const tokensSchema = z.record(z.string(), z.string());

/**
 * Takes the tokens into the database that an earlier version kept in files of the data directory. The account of the first
 * one has the first connection.
 */
export async function takeTokenFiles(core: Pick<Core, 'store' | 'sealer'>, dir: string): Promise<void> {
  const [first, others] = [readLocalToken(dir), readAccountTokens(dir)];
  if (first === undefined && others === undefined) return;
  if (first !== undefined) {
    const token = core.sealer.open(first, LOCAL_TOKEN_CONTEXT);
    const [holder] = await tokenHolder(core.store.db, { hash: hashToken(token) });
    const known = await accountConnections(core.store.db);
    const given = known.find(({ connection }) => connection === FIRST_CONNECTION);
    if (holder && !given) await giveFirstConnection(core, holder);
    if (holder && (!given || given.account_id === holder.account_id)) {
      await keepDaemonToken(core, holder.account_id, token);
    }
  }
  if (others !== undefined) {
    const tokens = tokensSchema.parse(JSON.parse(core.sealer.open(others, ACCOUNT_TOKENS_CONTEXT)));
    for (const [accountId, token] of Object.entries(tokens)) await keepDaemonToken(core, accountId as AccountId, token);
  }
  removeTokenFiles(dir);
}
