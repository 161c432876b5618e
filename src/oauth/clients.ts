import { type AccountRow, type OAuthClientRow, runChange } from '../core/accounts/ground.ts';
import { hashToken, freshToken } from '../core/accounts/tokens.ts';
import { instantOf } from '../kernel/dates.ts';
import { ApiError, invalid } from '../kernel/errors.ts';
import type { AccountId } from '../kernel/ids.ts';
import { sameSecret } from '../kernel/signature.ts';
import { OAuthFailure } from './failure.ts';
import { countFailure, requireOpen, secretsOf } from './guard.ts';
import { redirectProblem } from './redirects.ts';
import type { Scope } from './scopes.ts';
import type { OAuth } from './server.ts';
import { clientsFor, findClient, saveClient } from './table.ts';

const ID_BYTES = 12;
const MOST_REDIRECTS = 20;

/** An application as the rest of the server sees it. */
export interface Client extends Pick<OAuthClientRow, 'account_id' | 'client_id' | 'name' | 'kind' | 'origin'> {
  readonly redirectUris: readonly string[];
  readonly scope: Scope;
}

export interface ClientDraft {
  name: string;
  kind: OAuthClientRow['kind'];
  redirectUris: readonly string[];
  scope: Scope;
}

/** The people that an application is for: those of one account, or (null) everyone. */
type Owner = { account: AccountRow; operator: Parameters<typeof runChange>[1]['operator'] } | null;

/** Registers an application. The secret of a confidential one is shown only this once. @throws ApiError 422 */
export async function addClient(
  { core }: OAuth,
  owner: Owner,
  draft: ClientDraft,
  origin: 'registered' | 'dynamic' = 'registered',
): Promise<{ client_id: string; client_secret?: string }> {
  requireRedirects(draft.redirectUris);
  const secret = draft.kind === 'confidential' ? freshToken(core.random, 'clientSecret') : undefined;
  const row: OAuthClientRow = {
    account_id: owner?.account.account_id ?? '',
    client_id: `app_${core.random.bytes(ID_BYTES).toString('hex')}`,
    name: draft.name,
    kind: draft.kind,
    origin,
    secret_hash: secret?.hash ?? null,
    secret_hint: secret?.hint ?? null,
    redirect_uris: JSON.stringify(draft.redirectUris),
    scope: draft.scope,
    created_at: instantOf(core.clock.now()),
    stale_at: null,
  };
  if (owner === null) await core.store.transaction((trx) => saveClient(trx, row));
  else {
    await runChange(core, owner, async ({ trx, audit }) => {
      await saveClient(trx, row);
      audit('add oauth client', row.client_id);
    });
  }
  return { client_id: row.client_id, ...(secret && { client_secret: secret.token }) };
}

/** @throws ApiError 422 naming the address that is not allowed */
export function requireRedirects(uris: readonly string[]): void {
  if (uris.length === 0) throw invalid('redirect_uris', 'at least one is needed');
  if (uris.length > MOST_REDIRECTS) throw invalid('redirect_uris', `${MOST_REDIRECTS} at the most`);
  for (const uri of uris) {
    const problem = redirectProblem(uri);
    if (problem !== undefined) throw invalid('redirect_uris', `${uri.slice(0, 200)} ${problem}`);
  }
}

/** Lists the applications that the people of an account may meet, without secrets; null: all applications. */
export async function listClients({ core }: OAuth, accountId: AccountId | null) {
  const rows = await clientsFor(core.store.db, accountId);
  return rows.map(({ secret_hash: _, redirect_uris, account_id, ...row }) => ({
    ...row,
    account_id: account_id === '' ? null : account_id,
    redirect_uris: JSON.parse(redirect_uris) as string[],
  }));
}

/** Returns a stored application. */
export async function knownClient({ core }: OAuth, clientId: string): Promise<Client | undefined> {
  const row = await findClient(core.store.db, clientId);
  return row && readClient(row);
}

export function readClient(row: OAuthClientRow): Client {
  const { account_id, client_id, name, kind, origin, scope } = row;
  const redirectUris = JSON.parse(row.redirect_uris) as string[];
  return { account_id, client_id, name, kind, origin, redirectUris, scope };
}

/**
 * Returns the calling application by its credentials: its secret, or none where it cannot hold one.
 * @throws OAuthFailure invalid_client; 429 after too many wrong secrets
 */
export async function authenticateClient(
  { core }: OAuth,
  { clientId, secret }: { clientId: string | undefined; secret: string | undefined },
): Promise<Client> {
  if (clientId === undefined || clientId === '') throw new OAuthFailure('invalid_request', 'client_id: is required');
  const row = await findClient(core.store.db, clientId);
  if (!row) throw unknownClient();
  const now = core.clock.now();
  await requireOpen(core.store.db, secretsOf(clientId), now);
  if (row.secret_hash === null) {
    // Not counted: the client_id is not secret, so anyone who knows it could lock the application out.
    if (secret !== undefined) throw new OAuthFailure('invalid_client', 'This application is public: it has no secret.');
    return readClient(row);
  }
  if (secret === undefined || secret === '') {
    throw new OAuthFailure('invalid_client', 'client_secret: is required, this application is confidential');
  }
  if (!sameSecret(hashToken(secret), row.secret_hash)) {
    await countFailure(core.store.db, secretsOf(clientId), now);
    throw unknownClient();
  }
  return readClient(row);
}

function unknownClient(): OAuthFailure {
  return new OAuthFailure('invalid_client', 'client_id or client_secret is wrong.');
}

/** Returns a stored application. @throws ApiError 404 */
export async function requireClient(oauth: OAuth, clientId: string): Promise<Client> {
  const client = await knownClient(oauth, clientId);
  if (!client) throw new ApiError(404, `client_id: there is no application ${clientId}`, { field: 'client_id' });
  return client;
}
