import { instantOf } from '../kernel/dates.ts';
import type { Store } from '../store/store.ts';
import { holdAutomations, markRestored } from './accounts/table.ts';
import { LATEST_MS, MAY_BE_DONE } from './automation/rules.ts';
import { doubtPlans } from './automation/table.ts';
import { forgetOpen } from './channels/posts/table.ts';
import type { CoreDatabase } from './database.ts';

/**
 * Has a core that was brought back from a backup do nothing a second time: what was sent after the backup is not known
 * any more. Planned actions wait until a person arms them; what guests may have been told already is left to a person
 * altogether, also when it is armed, and given up after a day.
 * @param why what people are told
 */
export async function settleRestored(
  store: Store<CoreDatabase>,
  { why, now }: { why: string; now: number },
): Promise<void> {
  const at = instantOf(now);
  await store.transaction(async (trx) => {
    await holdAutomations(trx, why);
    await markRestored(trx, at);
    await doubtPlans(trx, { before: at, why: MAY_BE_DONE, until: instantOf(now + LATEST_MS) });
    await forgetOpen(trx, at);
  });
}
