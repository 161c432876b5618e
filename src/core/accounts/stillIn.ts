import { texts } from '../../contract/errors.ts';
import { instantOf } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { Change, Core } from '../context.ts';
import type { Authenticated } from './authenticate.ts';
import { requireUsable } from './rules.ts';
import { accountById } from './subAccounts.ts';
import { holdLiveOAuthToken, holdLiveToken } from './table.ts';

/**
 * Checks a caller again for work that happens long after authentication, because the caller was asked a question
 * meanwhile.
 * @throws ApiError 401 if the token has ended; 420 if the account may no longer use the service
 */
export async function requireLetInNow(
  { store, clock }: Core,
  { account: before, clientId, token }: Pick<Authenticated, 'account' | 'clientId' | 'token'>,
): Promise<void> {
  await store.transaction(async (trx) => {
    const account = await accountById(trx, before.account_id);
    const now = clock.now();
    requireUsable(account, now);
    await requireStillIn({ trx, account, now }, { clientId, tokenId: token?.id });
  });
}

/**
 * Checks, for a change that outlives a token, that the caller's access was not revoked since authentication. Access
 * cannot be revoked either until the change is over.
 * @throws ApiError 401
 */
export async function requireStillIn(
  { trx, account, now }: Pick<Change, 'trx' | 'account' | 'now'>,
  { clientId, tokenId }: { clientId: string | undefined; tokenId: number | undefined },
): Promise<void> {
  const { account_id: accountId } = account;
  const isIn =
    (clientId === undefined || (await holdLiveOAuthToken(trx, { accountId, clientId }, instantOf(now)))) &&
    (tokenId === undefined || (await holdLiveToken(trx, accountId, tokenId)));
  if (!isIn) throw new ApiError(401, texts.invalidToken);
}
