import { texts } from '../../contract/errors.ts';
import { instantOf, msOf } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import { managesByApi } from '../../kernel/roles.ts';
import type { Principal } from '../context.ts';
import type { CoreDb, OperatorRow } from '../database.ts';
import type { RequesterToken } from '../limits/counters.ts';
import { requireUsable, seesAll } from './rules.ts';
import { hashToken, isOAuthToken } from './tokens.ts';
import { noteTokenUse, oauthTokenHolder, propertiesOf, tokenHolder } from './table.ts';

export interface Authenticated extends Principal {
  readonly scope: 'read' | 'write';
  /** null: a signed-in person, or an application with an OAuth token. */
  readonly token: RequesterToken | null;
}

/**
 * The protected resources that a token can be for. Personal access tokens open all of them. Tokens of an application
 * open only those that it asked for, and never `management`: what it could create there would outlive its disconnection.
 */
export type Audience = 'v3' | 'mcp' | 'management';

const entranceOf = { v3: 'v3', mcp: 'mcp', management: 'portal' } as const;

/**
 * Returns the principal behind an access token, a person's own or an application's.
 * @throws ApiError 401 for a token that is missing, unknown, revoked, expired, or for another protected resource; 420 for
 * an account that may not use the API now
 */
export async function authenticate(
  db: CoreDb,
  token: string | undefined,
  nowMs: number,
  audience: Audience = 'v3',
): Promise<Authenticated> {
  if (!token) throw invalidToken();
  return isOAuthToken(token) ? application(db, token, nowMs, audience) : person(db, token, nowMs, audience);
}

async function person(db: CoreDb, token: string, nowMs: number, audience: Audience): Promise<Authenticated> {
  const [holder] = await tokenHolder(db, { hash: hashToken(token) });
  if (!holder || holder.revoked_at !== null) throw invalidToken();
  const { ends_at, last_used_on, ...found } = holder;
  if (ends_at !== null && msOf(ends_at) <= nowMs) throw invalidToken();
  const { scope, operator_id: id, operator_name: name, operator_kind: kind, revoked_at: _, ...rest } = found;
  const { token_id, per_minute, per_hour, unlimited, all_properties, ...account } = rest;
  requireUsable(account, nowMs);
  const today = instantOf(nowMs).slice(0, 'YYYY-MM-DD'.length);
  if (last_used_on !== today) await noteTokenUse(db, account.account_id, token_id, today);
  const cap = { id: token_id, per_minute, per_hour, unlimited: unlimited === 1 };
  const visible = await visibleTo(db, account, { id, kind, all_properties });
  return { account, operator: { id, name, kind, entrance: entranceOf[audience] }, visible, scope, token: cap };
}

async function application(db: CoreDb, token: string, nowMs: number, audience: Audience): Promise<Authenticated> {
  const [holder] = await oauthTokenHolder(db, { hash: hashToken(token) });
  if (!holder || msOf(holder.ends_at) <= nowMs) throw invalidToken();
  const { ends_at: _, client_id: clientId, scope, audience: audiences, ...rest } = holder;
  if (!audiences.split(' ').includes(audience)) throw invalidToken();
  const { operator_id: id, operator_name: name, operator_kind: kind, all_properties, role, ...account } = rest;
  // A role that was changed since ends what its person has let applications do.
  if (!managesByApi(role)) throw invalidToken();
  requireUsable(account, nowMs);
  const visible = await visibleTo(db, account, { id, kind, all_properties });
  return {
    account,
    operator: { id, name, kind, entrance: entranceOf[audience] },
    visible,
    scope,
    token: null,
    clientId,
  };
}

async function visibleTo(
  db: CoreDb,
  { account_id }: Principal['account'],
  operator: Pick<OperatorRow, 'id' | 'kind' | 'all_properties'>,
): Promise<number[] | null> {
  return seesAll(operator) ? null : propertiesOf(db, account_id, operator.id);
}

function invalidToken(): ApiError {
  return new ApiError(401, texts.invalidToken);
}
