import { texts } from '../../contract/errors.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { Principal } from '../context.ts';
import type { AccountRow, CoreDb } from '../database.ts';
import { hashToken } from './tokens.ts';
import { propertiesOf, tokenHolder } from './table.ts';

export interface Authenticated extends Principal {
  readonly scope: 'read' | 'write';
}

/**
 * The principal behind an access token.
 * @throws ApiError 401 for a token that is missing, unknown or revoked; 420 for an account that may not
 *   use the API now
 */
export async function authenticate(db: CoreDb, token: string | undefined): Promise<Authenticated> {
  if (!token) throw new ApiError(401, texts.invalidToken);
  const [holder] = await tokenHolder(db, { hash: hashToken(token) });
  if (!holder || holder.revoked_at !== null) throw new ApiError(401, texts.invalidToken);
  const { scope, operator_id: id, operator_name: name, operator_kind: kind, revoked_at: _, ...account } = holder;
  requireUsable(account);
  const visible = kind === 'sub' ? await propertiesOf(db, account.account_id, id) : null;
  return { account, operator: { id, name, kind }, visible, scope };
}

function requireUsable(account: AccountRow): void {
  if (account.subscription === 'expired') throw new ApiError(420, texts.subscriptionExpired);
  if (account.subscription === 'suspended') throw new ApiError(420, texts.accountSuspended);
  if (account.edition === 'basic') throw new ApiError(420, texts.basicEdition);
}
