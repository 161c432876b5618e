import { texts } from '../../contract/errors.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { Principal } from '../context.ts';
import type { CoreDb } from '../database.ts';
import type { RequesterToken } from '../limits/counters.ts';
import { requireUsable } from './rules.ts';
import { hashToken } from './tokens.ts';
import { propertiesOf, tokenHolder } from './table.ts';

export interface Authenticated extends Principal {
  readonly scope: 'read' | 'write';
  readonly token: RequesterToken | null;
}

/**
 * The principal behind an access token.
 * @throws ApiError 401 for a token that is missing, unknown or revoked; 420 for an account that may not
 *   use the API now
 */
export async function authenticate(db: CoreDb, token: string | undefined, nowMs: number): Promise<Authenticated> {
  if (!token) throw new ApiError(401, texts.invalidToken);
  const [holder] = await tokenHolder(db, { hash: hashToken(token) });
  if (!holder || holder.revoked_at !== null) throw new ApiError(401, texts.invalidToken);
  const { scope, operator_id: id, operator_name: name, operator_kind: kind, revoked_at: _, ...rest } = holder;
  const { token_id, per_minute, per_hour, unlimited, ...account } = rest;
  requireUsable(account, nowMs);
  const visible = kind === 'master' ? null : await propertiesOf(db, account.account_id, id);
  const cap = { id: token_id, per_minute, per_hour, unlimited: unlimited === 1 };
  return { account, operator: { id, name, kind }, visible, scope, token: cap };
}
