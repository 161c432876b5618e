import { instantOf } from '../../kernel/dates.ts';
import { runChange } from '../change.ts';
import type { Core, Principal } from '../context.ts';
import type { AccountRow } from '../database.ts';
import { endWebhooksOfToken } from '../webhooks/register.ts';
import { revokeToken, subAccountToken } from './table.ts';

/**
 * Ends an access token at once, and with a sub-account's what it has registered: else its holder would go on being told
 * of everything that happens. What the main account has registered stays, whichever of its tokens it took.
 * @param operatorId whose tokens alone may be ended; left out: everybody's
 * @returns false when there was none that could be ended
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
