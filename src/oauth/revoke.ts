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
 * Ends a token that an application gives back. One that is unknown, over, or another application's: nothing happens,
 * and the application is not told the difference (RFC 7009).
 * @param cascades whether with a refresh token everything ends that descends from the same grant; else it alone
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

/** Ends everything an application has in an account. @returns whether there was something */
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

/** Ends an application: disconnects it wherever it is connected, and forgets it. @returns from how many accounts */
export async function removeClient(
  oauth: OAuth,
  operator: Parameters<typeof runChange>[1]['operator'],
  clientId: string,
): Promise<number> {
  const { core } = oauth;
  // First, so that nothing new is allowed meanwhile.
  await core.store.transaction((trx) => deleteClient(trx, clientId));
  let disconnected = 0;
  for (const accountId of await accountsOf(core.store.db, clientId)) {
    const account = await accountById(core.store.db, accountId);
    if (await disconnect(oauth, { account, operator }, clientId)) disconnected += 1;
  }
  return disconnected;
}
