import { type AccountRow, runChange } from '../core/accounts/ground.ts';
import { disconnectApplication } from '../core/accounts/disconnect.ts';
import { accountById } from '../core/accounts/subAccounts.ts';
import { hashToken } from '../core/accounts/tokens.ts';
import { instantOf } from '../kernel/dates.ts';
import type { Client } from './clients.ts';
import { disconnectWithLast } from './grants.ts';
import type { OAuth } from './server.ts';
import { accountsOf, deleteClient, endGrant, endGrantsOf, endToken, findToken, hasLiveToken } from './table.ts';

/**
 * Revokes a token for an application. A token that is unknown, ended or another application's has no effect, and the
 * application cannot tell the difference (RFC 7009).
 * @param cascades true: a refresh token ends with everything from the same grant; false: alone
 */
export async function revokeToken(
  { core }: OAuth,
  client: Pick<Client, 'client_id'>,
  { token, cascades }: { token: string; cascades: boolean },
): Promise<void> {
  const found = await findToken(core.store.db, hashToken(token));
  if (!found || found.client_id !== client.client_id) return;
  const { account_id, grant_id, client_id, hash, kind } = found;
  const account = await accountById(core.store.db, account_id);
  await runChange(core, { account, operator: null }, async (change) => {
    const at = instantOf(change.now);
    const ended =
      cascades && kind === 'refresh'
        ? await endGrant(change.trx, { account_id, id: grant_id }, at, 'given back by the application')
        : await endToken(change.trx, account_id, hash, at);
    if (!ended) return;
    change.audit(`revoke ${kind} token`, `oauth client ${client_id}`);
    await disconnectWithLast(change, client_id);
  });
}

/** Ends everything that an application has in an account. @returns false when it had nothing */
export function disconnect(
  { core }: OAuth,
  who: { account: AccountRow; operator: Parameters<typeof runChange>[1]['operator'] },
  clientId: string,
): Promise<boolean> {
  const where = { accountId: who.account.account_id, clientId };
  return runChange(core, who, async (change) => {
    const at = instantOf(change.now);
    const wasConnected = await hasLiveToken(change.trx, where, at);
    await endGrantsOf(change.trx, where, at, 'disconnected');
    if (wasConnected) await disconnectApplication(change, clientId);
    return wasConnected;
  });
}

/** Removes an application: disconnects it from every account and deletes it. @returns the number of accounts */
export async function removeClient(
  oauth: OAuth,
  operator: Parameters<typeof runChange>[1]['operator'],
  clientId: string,
): Promise<number> {
  const { core } = oauth;
  // Deleted first, so that no new grants arise meanwhile.
  await core.store.transaction((trx) => deleteClient(trx, clientId));
  let disconnected = 0;
  for (const accountId of await accountsOf(core.store.db, clientId)) {
    const account = await accountById(core.store.db, accountId);
    if (await disconnect(oauth, { account, operator }, clientId)) disconnected += 1;
  }
  return disconnected;
}
