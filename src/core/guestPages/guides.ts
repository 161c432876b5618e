import { instantOf, withOffset } from '../../kernel/dates.ts';
import { invalid } from '../../kernel/errors.ts';
import { runChange } from '../change.ts';
import type { Core } from '../context.ts';
import type { AccountRow } from '../database.ts';
import { requireProperty } from '../ownership.ts';
import type { Who } from './link.ts';
import { isCountry } from './registration/countries.ts';
import type { GuestGuideRow } from './rows.ts';
import { guidesOf, saveGuide } from './table.ts';

export const LONGEST_GUIDE = 20_000;
export const LONGEST_PHONE = 40;

/** What a property tells its guests. */
export interface GuestGuide {
  readonly property_id: number;
  /** Plain text; empty: none. */
  readonly guide: string;
  /** Decides what guests register; null: nothing is asked. */
  readonly country: string | null;
  readonly phone: string | null;
  readonly updated_at: string | null;
}

/** Changes of a guide: what is left out stays, null takes away. */
export interface GuideDraft {
  readonly guide?: string | null | undefined;
  readonly country?: string | null | undefined;
  readonly phone?: string | null | undefined;
}

/** Returns what the properties that the caller sees tell their guests; those that tell nothing are left out. */
export async function listGuides(
  core: Core,
  { account, visible }: Pick<Who, 'account' | 'visible'>,
): Promise<GuestGuide[]> {
  const rows = await guidesOf(core.store.db, account.account_id, visible);
  return rows.map((row) => shown(row, account));
}

/** Returns what one property tells its guests. @throws ApiError 403 or 404 for a property that is not the caller's */
export async function readGuide(core: Core, who: Pick<Who, 'account' | 'visible'>, id: number): Promise<GuestGuide> {
  const { db } = core.store;
  await requireProperty(db, who.account, who, id);
  const [row] = await guidesOf(db, who.account.account_id, [id]);
  return row ? shown(row, who.account) : { property_id: id, guide: '', country: null, phone: null, updated_at: null };
}

/** Changes what a property tells its guests. @throws ApiError 403, 404, or 422 with the wrong field */
export async function changeGuide(core: Core, who: Who, id: number, draft: GuideDraft): Promise<GuestGuide> {
  const { account } = who;
  const { account_id } = account;
  const country = draft.country?.trim().toUpperCase();
  if (country !== undefined && !isCountry(country)) {
    throw invalid('country', 'must be the two letters of a country, such as DE, or null to ask nothing of guests');
  }
  return runChange(core, who, async ({ trx, now, audit }) => {
    await requireProperty(trx, account, who, id);
    const [before] = await guidesOf(trx, account_id, [id]);
    const row: GuestGuideRow = {
      account_id,
      property_id: id,
      guide: draft.guide === undefined ? (before?.guide ?? '') : plain(draft.guide ?? ''),
      country: draft.country === undefined ? (before?.country ?? null) : (country ?? null),
      phone: draft.phone === undefined ? (before?.phone ?? null) : plain(draft.phone ?? '') || null,
      updated_at: instantOf(now),
    };
    await saveGuide(trx, row);
    audit('change guest guide', `property:${id}`, { before: recorded(before), after: recorded(row) });
    return shown(row, account);
  });
}

/** Takes out characters that nobody sees, but for the ends of lines. */
function plain(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .trim();
}

/** A guide can hold secrets of a house, so that the record has its length alone. */
function recorded(row: GuestGuideRow | undefined): object {
  return { characters: row?.guide.length ?? 0, country: row?.country ?? null, phone: row?.phone ?? null };
}

function shown({ account_id: _, updated_at, ...row }: GuestGuideRow, { time_zone }: Pick<AccountRow, 'time_zone'>) {
  return { ...row, updated_at: withOffset(updated_at, time_zone) };
}
