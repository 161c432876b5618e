import type { AccountId } from '../../kernel/ids.ts';
import type { CoreDb, CoreTransaction } from '../database.ts';
import type { BrandRow } from './rows.ts';

/** A brand without the bytes of its logo. */
export type ShownBrand = Omit<BrandRow, 'logo_base64'>;

const SHOWN = [
  'account_id',
  'name',
  'color',
  'logo_key',
  'logo_type',
  'logo_digest',
  'logo_width',
  'logo_height',
  'updated_at',
] as const;

export function brandOf(db: CoreDb | CoreTransaction, accountId: AccountId): Promise<ShownBrand | undefined> {
  return db.selectFrom('brands').where('account_id', '=', accountId).select(SHOWN).executeTakeFirst();
}

export function completeBrandOf(db: CoreDb | CoreTransaction, accountId: AccountId): Promise<BrandRow | undefined> {
  return db.selectFrom('brands').where('account_id', '=', accountId).selectAll().executeTakeFirst();
}

/** Returns the logo of an address. */
export function logoByKey(db: CoreDb, key: string) {
  return db
    .selectFrom('brands')
    .where('logo_key', '=', key)
    .select(['logo_type', 'logo_digest', 'logo_base64'])
    .executeTakeFirst();
}

/** Puts a brand in the place of the one before; one without anything is removed. */
export async function saveBrand(trx: CoreTransaction, row: BrandRow): Promise<void> {
  await trx.deleteFrom('brands').where('account_id', '=', row.account_id).execute();
  if (row.name === null && row.color === null && row.logo_key === null) return;
  await trx.insertInto('brands').values(row).execute();
}
