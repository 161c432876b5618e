import type { CoreDb } from '../../core/database.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { waitingForPerson } from './payments/table.ts';

/** Something about money of a direct booking that needs a person. */
export interface DirectTrouble {
  readonly accountId: AccountId;
  readonly code: string;
  readonly says: string;
  readonly remedy: string;
}

const REFUNDS: Readonly<Record<string, string>> = {
  refused: 'was refused by the provider',
  unknown: 'was sent, and nobody knows if it was made',
  by_hand: 'is to be transferred by hand',
};

/** Returns what of payments and refunds waits for a person, of all accounts. */
export async function directTroubles(db: CoreDb): Promise<DirectTrouble[]> {
  const { payments, refunds } = await waitingForPerson(db);
  return [
    ...payments.map(({ account_id: accountId, id, reservation_code: code, problem }) => ({
      accountId,
      code,
      says: `payment ${id} of ${code} is not as it should be: ${problem ?? 'its amount differs'}`,
      remedy: 'on the page of the stay, give it back or note that it is dealt with',
    })),
    ...refunds.map(({ account_id: accountId, id, reservation_code: code, state, problem }) => ({
      accountId,
      code,
      says: `refund ${id} of ${code} ${REFUNDS[state] ?? state}${problem === null ? '' : `: ${problem}`}`,
      remedy: 'look at the provider or the bank, then note on the page of the stay if it was made',
    })),
  ];
}
