import { texts } from '../../contract/errors.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { AccountRow } from '../database.ts';

/**
 * Whether an account that has `count` room types may have one more.
 * @throws ApiError 420 on the Basic edition, and when there are as many as the subscription has properties
 */
export function requireRoom(account: Pick<AccountRow, 'edition' | 'property_quota'>, count: number): void {
  if (account.edition === 'basic') throw new ApiError(420, texts.basicEdition);
  if (count >= account.property_quota) throw new ApiError(420, texts.propertyQuota);
}
