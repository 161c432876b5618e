import type { Instant } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { Color } from '../../kernel/markup/colors.ts';

/** How an account looks on pages for strangers. What is null was not set. */
export interface BrandRow {
  account_id: AccountId;
  name: string | null;
  color: Color | null;
  /** The secret part of the logo's address; a new logo has a new one. */
  logo_key: string | null;
  logo_type: 'image/jpeg' | 'image/png' | null;
  /** SHA-256 of the bytes. */
  logo_digest: string | null;
  logo_width: number | null;
  logo_height: number | null;
  logo_base64: string | null;
  updated_at: Instant;
}

export interface BrandTables {
  brands: BrandRow;
}
