import type { Reseal } from '../kernel/seal.ts';
import type { Store } from '../store/store.ts';
import { resealShareLinks } from './calendarShareLinks/handlers.ts';
import type { CoreDatabase } from './database.ts';
import { resealWebhooks } from './webhooks/register.ts';

/** Seals everything anew that the core keeps sealed, all of it or nothing. @returns how many of each */
export function resealCore(
  store: Store<CoreDatabase>,
  reseal: Reseal,
): Promise<{ webhooks: number; shareLinks: number }> {
  return store.transaction(async (trx) => ({
    webhooks: await resealWebhooks(trx, reseal),
    shareLinks: await resealShareLinks(trx, reseal),
  }));
}
