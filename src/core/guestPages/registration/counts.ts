import type { AccountId, ReservationCode } from '../../../kernel/ids.ts';
import type { CoreDb, CoreTransaction } from '../../database.ts';
import { formOf } from './countries.ts';
import { registeringStays } from './table.ts';

/**
 * Returns how many guests of a reservation have registered, of those who are to; null where nothing is asked of them:
 * no property of it has a country, or it does not stand.
 */
export async function countsOf(
  db: CoreDb | CoreTransaction,
  accountId: AccountId,
  code: ReservationCode,
): Promise<{ guests: number; of: number } | null> {
  const stays = (await registeringStays(db, accountId, code)).filter(({ country }) => formOf(country));
  if (stays.length === 0) return null;
  return {
    guests: stays.reduce((sum, { registered }) => sum + Number(registered ?? 0), 0),
    of: stays.reduce((sum, { number_of_guests }) => sum + number_of_guests, 0),
  };
}
