import { texts } from '../../contract/errors.ts';
import { instantOf } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { Change, Core } from '../context.ts';
import type { Authenticated } from './authenticate.ts';
import { requireUsable } from './rules.ts';
import { accountById } from './subAccounts.ts';
import { holdLiveOAuthToken, holdLiveToken } from './table.ts';

/**
 * For what is done long after whoever asked was let in, since they were asked something meanwhile.
 * @throws ApiError 401 once their token has ended; 420 once their account may not use the service any more
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
 * For what would outlive a token: that whoever asks has not been shut out since they were let in. Until the change is
 * over nobody can shut them out either.
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
