import type { Transaction } from 'kysely';
import type { Reseal, Sealer } from '../kernel/seal.ts';
import { resealProofs, sealClear, type WithSealings } from '../store/sealing/sealClear.ts';
import type { Store } from '../store/store.ts';
import { resealShareLinks } from './calendarShareLinks/handlers.ts';
import type { CoreDatabase } from './database.ts';
import { clearLockCodes, resealLockCodes } from './reservations/lockCode.ts';
import { clearWebhookUrls, resealWebhooks } from './webhooks/register.ts';

/** Seals everything anew that the core keeps sealed, all of it or nothing. @returns how many of each */
export function resealCore(
  store: Store<CoreDatabase>,
  reseal: Reseal,
): Promise<{ webhooks: number; shareLinks: number; lockCodes: number }> {
  return store.transaction(async (trx) => {
    await resealProofs(trx as unknown as Transaction<WithSealings>, reseal);
    return {
      webhooks: await resealWebhooks(trx, reseal),
      shareLinks: await resealShareLinks(trx, reseal),
      lockCodes: await resealLockCodes(trx, reseal),
    };
  });
}

/**
 * Seals what a version of before has kept in clear, see {@link sealClear}.
 * @param forgetBytes leaves no old bytes in the database, of which these tables were written
 */
export function sealCore(
  store: Store<CoreDatabase>,
  sealer: Sealer,
  forgetBytes: (tables: readonly string[]) => Promise<boolean>,
): Promise<boolean> {
  const all = [clearLockCodes, clearWebhookUrls];
  return sealClear(store, sealer, { all, forgetBytes: () => forgetBytes(all.map(({ table }) => table)) });
}
