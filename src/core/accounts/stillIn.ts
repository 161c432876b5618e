import { texts } from '../../contract/errors.ts';
import { instantOf } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { Change } from '../context.ts';
import { holdLiveOAuthToken, holdLiveToken } from './table.ts';

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
