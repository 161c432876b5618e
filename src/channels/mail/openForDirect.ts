import { runChange } from '../../core/change.ts';
import type { Core } from '../../core/context.ts';
import { conversationOfReservation } from '../../core/conversations/ofReservation.ts';
import { findStay } from '../../core/reservations/lookup.ts';
import { addDays, instantOf } from '../../kernel/dates.ts';
import { plainAddress } from './read/plain.ts';
import { accountById, silentStays } from './table.ts';

/** Stays of one round. */
const AT_ONCE = 50;

/**
 * Opens conversations for direct stays whose booker has an address, so that people and rules can write to them as to any
 * other guest. @returns true if more of them wait
 */
export async function openForDirect(core: Core): Promise<boolean> {
  // A day earlier than in any zone.
  const today = addDays(instantOf(core.clock.now()).slice(0, 'YYYY-MM-DD'.length), -1);
  const found = await silentStays(core.store.db, { today, limit: AT_ONCE });
  const reachable = found.filter(({ email }) => plainAddress(email ?? undefined) !== undefined);
  for (const { account_id, stay_code } of reachable) {
    const account = await accountById(core.store.db, account_id);
    await runChange(core, { account, operator: null }, async (change) => {
      const stay = await findStay(change.trx, account_id, stay_code);
      if (!stay) return;
      await conversationOfReservation(change, stay);
      const { reservation_code, property_id } = stay;
      change.emit({ event: 'reservation_updated', reservation_code, stay_code: stay.stay_code, property_id });
    });
  }
  return reachable.length === AT_ONCE;
}
