import { type Instant, instantOf } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { runChange } from '../change.ts';
import type { Core, Principal } from '../context.ts';
import type { AccountRow, CoreTransaction } from '../database.ts';
import { endWebhooksOfToken } from '../webhooks/register.ts';
import { revokeToken, revokeTokensOf, subAccountToken } from './table.ts';

/**
 * Revokes an access token at once. For a token of a sub-account it also removes what the token registered, or else its
 * holder would still receive every event. Registrations of the main account remain, whichever of its tokens made them.
 * @param operatorId owner of the tokens that may be revoked; left out: everyone
 * @returns false when there was no such live token
 */
export function endToken(
  core: Core,
  who: { account: AccountRow; operator: Principal['operator'] | null },
  { id, operatorId }: { id: number; operatorId?: number | undefined },
): Promise<boolean> {
  const accountId = who.account.account_id;
  return runChange(core, who, async ({ trx, now, audit }) => {
    const at = instantOf(now);
    if (!(await revokeToken(trx, { accountId, id, at, operatorId }))) return false;
    if (await subAccountToken(trx, accountId, id)) await endWebhooksOfToken(trx, { accountId, tokenId: id, at });
    audit('end token', `token:${id}`);
    return true;
  });
}

/** Revokes every live token of a person, with what these registered. @returns their names */
export async function endTokensOf(
  trx: CoreTransaction,
  { accountId, operatorId, at }: { accountId: AccountId; operatorId: number; at: Instant },
): Promise<string[]> {
  const ended = await revokeTokensOf(trx, { accountId, operatorId, at });
  for (const { id } of ended) await endWebhooksOfToken(trx, { accountId, tokenId: id, at });
  return ended.map(({ name }) => name);
}
