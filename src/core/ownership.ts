import { texts } from '../contract/errors.ts';
import { ApiError } from '../kernel/errors.ts';
import { inList } from '../store/queries/inList.ts';
import type { Principal } from './context.ts';
import type { AccountRow, CoreDb, CoreTransaction } from './database.ts';

/** Returns true if the caller may see the property. A sub-account sees some; everyone else sees all of the account. */
export function maySee({ visible }: Pick<Principal, 'visible'>, propertyId: number): boolean {
  return visible === null || visible.includes(propertyId);
}

/**
 * Refuses a numeric id of another account: 403 if it exists, 404 if it does not. Codes of reservations never answer
 * 403, so that they cannot be guessed.
 */
export function refuseForeign(
  owner: { account_id: string } | undefined,
  account: Pick<AccountRow, 'account_id'>,
  field: string,
): void {
  if (!owner) throw new ApiError(404, `${field} not found.`, { field });
  if (owner.account_id !== account.account_id) {
    throw new ApiError(403, `${field} belongs to another operator.`, { field });
  }
}

/** Returns the property with an id from a request. @throws ApiError 403 or 404 when the caller may not use it */
export async function requireProperty(
  db: CoreDb | CoreTransaction,
  account: AccountRow,
  principal: Pick<Principal, 'visible'>,
  propertyId: number,
) {
  const property = await db.selectFrom('properties').where('id', '=', propertyId).selectAll().executeTakeFirst();
  refuseForeign(property, account, 'property_id');
  if (!property || !maySee(principal, property.id)) {
    throw new ApiError(404, 'property_id not found.', { field: 'property_id' });
  }
  return property;
}

/**
 * Returns the properties of a list from a request, each once. @throws ApiError 403 or 404 for the first that the caller
 * may not use
 */
export async function requireProperties(
  db: CoreDb | CoreTransaction,
  account: AccountRow,
  principal: Pick<Principal, 'visible'>,
  ids: readonly number[],
  field = 'property_ids',
): Promise<number[]> {
  const asked = [...new Set(ids)];
  if (asked.length === 0) return asked;
  const rows = await db
    .selectFrom('properties')
    .where((where) => inList(where.ref('id'), asked))
    .select(['id', 'account_id'])
    .execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  for (const id of asked) {
    const shown = maySee(principal, id) || known.get(id)?.account_id !== account.account_id;
    refuseForeign(shown ? known.get(id) : undefined, account, field);
  }
  return asked;
}

/** Returns the error for an action that reaches beyond a sub-account's properties. */
export function notAuthorized(): ApiError {
  return new ApiError(401, texts.readOnlyToken);
}

/** Returns the error for a reservation or stay code that the account does not have. */
export function goneResource(): ApiError {
  return new ApiError(404, texts.goneResource);
}
