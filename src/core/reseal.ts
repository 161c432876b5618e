import type { Transaction } from 'kysely';
import type { Reseal, Sealer } from '../kernel/seal.ts';
import { resealProofs, sealClear, type WithSealings } from '../store/sealing/sealClear.ts';
import type { Store } from '../store/store.ts';
import { resealShareLinks } from './calendarShareLinks/handlers.ts';
import type { CoreDatabase, CoreTransaction } from './database.ts';
import { resealDaemonTokens } from './accounts/daemonTokens.ts';
import { resealFactors } from './people/secondFactor/manage.ts';
import { clearLockCodes, resealLockCodes } from './reservations/lockCode.ts';
import { clearWebhookUrls, resealWebhooks } from './webhooks/register.ts';

/** Seals values again that belong to a room beside the core. @returns their number */
export type ResealOther = (trx: CoreTransaction, reseal: Reseal) => Promise<number>;

/** Seals all sealed values of the core again, all or none. @returns the number of each kind */
export function resealCore(
  store: Store<CoreDatabase>,
  reseal: Reseal,
  others: readonly ResealOther[],
): Promise<{
  webhooks: number;
  shareLinks: number;
  lockCodes: number;
  daemonTokens: number;
  secondFactors: number;
  others: number;
}> {
  return store.transaction(async (trx) => {
    await resealProofs(trx as unknown as Transaction<WithSealings>, reseal);
    return {
      webhooks: await resealWebhooks(trx, reseal),
      shareLinks: await resealShareLinks(trx, reseal),
      lockCodes: await resealLockCodes(trx, reseal),
      daemonTokens: await resealDaemonTokens(trx, reseal),
      secondFactors: await resealFactors(trx, reseal),
      others: await resealOthers(trx, reseal, others),
    };
  });
}

async function resealOthers(trx: CoreTransaction, reseal: Reseal, others: readonly ResealOther[]): Promise<number> {
  let count = 0;
  for (const other of others) count += await other(trx, reseal);
  return count;
}

/**
 * Seals values that an earlier version stored in clear, see {@link sealClear}.
 * @param forgetBytes removes old bytes of the written tables from the database
 */
export function sealCore(
  store: Store<CoreDatabase>,
  sealer: Sealer,
  forgetBytes: (tables: readonly string[]) => Promise<boolean>,
): Promise<boolean> {
  const all = [clearLockCodes, clearWebhookUrls];
  return sealClear(store, sealer, { all, forgetBytes: () => forgetBytes(all.map(({ table }) => table)) });
}
