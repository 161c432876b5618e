import { createHash } from 'node:crypto';
import { instantOf } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { Look } from '../../kernel/markup/look.ts';
import { lockAccount } from '../accounts/lock.ts';
import { runChange } from '../change.ts';
import type { Core, Principal } from '../context.ts';
import type { AccountRow, CoreDb } from '../database.ts';
import type { BrandRow } from './rows.ts';
import { requireColor, requireLogo, requireName } from './rules.ts';
import { brandOf, completeBrandOf, logoByKey, saveBrand, type ShownBrand } from './table.ts';

export { LOGO_BYTES, LONGEST_NAME } from './rules.ts';

/** Address of logos; the key of one follows. */
export const LOGO_PATH = '/brand';
/** Bytes of a key: 192 bits cannot be guessed. */
const KEY_BYTES = 24;
const KEY = /^[A-Za-z0-9_-]{32}$/;

/** What was set of a brand; null: nothing. */
export interface Brand {
  readonly name: string | null;
  readonly color: string | null;
  readonly logo: {
    readonly address: string;
    readonly type: string;
    readonly width: number;
    readonly height: number;
    readonly sha256: string;
  } | null;
}

/** Changes of a brand: what is left out stays, null takes away. */
export interface BrandDraft {
  readonly name?: string | null | undefined;
  readonly color?: string | null | undefined;
  readonly logo?: Buffer | null | undefined;
}

export async function readBrand(db: CoreDb, accountId: AccountId): Promise<Brand> {
  return shown(await brandOf(db, accountId));
}

/** Changes how an account looks on pages for strangers. @throws ApiError 422 with the wrong field */
export function changeBrand(
  core: Core,
  who: { account: AccountRow; operator: Principal['operator'] | null },
  draft: BrandDraft,
): Promise<Brand> {
  const { account_id } = who.account;
  const set = columnsOf(core, draft);
  return runChange(core, who, async ({ trx, now, audit }) => {
    await lockAccount(trx, account_id);
    const before = await completeBrandOf(trx, account_id);
    const after: BrandRow = { ...(before ?? NOTHING), ...set, account_id, updated_at: instantOf(now) };
    await saveBrand(trx, after);
    audit('change brand', `account:${account_id}`, { before: recorded(before), after: recorded(after) });
    return shown(after);
  });
}

/** Returns how an account looks on pages for strangers; undefined while nothing is set. */
export async function lookOf(db: CoreDb, account: Pick<AccountRow, 'account_id' | 'name'>): Promise<Look | undefined> {
  const brand = await brandOf(db, account.account_id);
  return brand && lookWith(brand, account.name, `${LOGO_PATH}/${brand.logo_key}`);
}

/** Returns the look for a page that is kept as a file: the logo is part of it. */
export async function lookInFile(
  db: CoreDb,
  account: Pick<AccountRow, 'account_id' | 'name'>,
): Promise<Look | undefined> {
  const brand = await completeBrandOf(db, account.account_id);
  return brand && lookWith(brand, account.name, `data:${brand.logo_type};base64,${brand.logo_base64}`);
}

/** Returns the logo of a key, with the digest of its bytes. */
export async function readLogo(
  db: CoreDb,
  key: string,
): Promise<{ contentType: string; digest: string; bytes: Buffer } | undefined> {
  const found = KEY.test(key) ? await logoByKey(db, key) : undefined;
  if (!found?.logo_type || !found.logo_digest || !found.logo_base64) return undefined;
  const bytes = Buffer.from(found.logo_base64, 'base64');
  return { contentType: found.logo_type, digest: found.logo_digest, bytes };
}

const NO_LOGO = {
  logo_key: null,
  logo_type: null,
  logo_digest: null,
  logo_width: null,
  logo_height: null,
  logo_base64: null,
} as const;
const NOTHING = { name: null, color: null, ...NO_LOGO } as const;

function columnsOf(core: Core, { name, color, logo }: BrandDraft): Partial<BrandRow> {
  return {
    ...(name !== undefined && { name: name === null ? null : requireName(name) }),
    ...(color !== undefined && { color: color === null ? null : requireColor(color) }),
    ...(logo === null && NO_LOGO),
    ...(logo && logoColumns(core, logo)),
  };
}

function logoColumns(core: Core, source: Buffer): Partial<BrandRow> {
  const { contentType, width, height, bytes } = requireLogo(source);
  return {
    logo_key: core.random.bytes(KEY_BYTES).toString('base64url'),
    logo_type: contentType,
    logo_digest: createHash('sha256').update(bytes).digest('hex'),
    logo_width: width,
    logo_height: height,
    logo_base64: bytes.toString('base64'),
  };
}

function shown(row: ShownBrand | undefined): Brand {
  if (!row) return { name: null, color: null, logo: null };
  const { name, color, logo_key: key, logo_type: type, logo_digest: sha256 } = row;
  const [width, height] = [row.logo_width ?? 0, row.logo_height ?? 0];
  const logo = key && type && sha256 ? { address: `${LOGO_PATH}/${key}`, type, width, height, sha256 } : null;
  return { name, color, logo };
}

/** The audit holds the digest of a logo: its address opens the picture. */
function recorded(row: ShownBrand | undefined): object {
  const { name, color, logo } = shown(row);
  return { name, color, logo: logo?.sha256 ?? null };
}

function lookWith(brand: ShownBrand, accountName: string, address: string): Look {
  const { name, color, logo_width: width, logo_height: height } = brand;
  const logo = brand.logo_key !== null && width !== null && height !== null ? { address, width, height } : null;
  return { name: name ?? accountName, color, logo };
}
