import { texts } from '../../contract/errors.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { AccountRow } from '../database.ts';

/**
 * Refuses a room type to an account that already has as many as it may.
 * @throws ApiError 420 on the Basic edition, and when `count` reaches the number of properties of the subscription
 */
export function requireRoom(account: Pick<AccountRow, 'edition' | 'property_quota'>, count: number): void {
  if (account.edition === 'basic') throw new ApiError(420, texts.basicEdition);
  if (count >= account.property_quota) throw new ApiError(420, texts.propertyQuota);
}
