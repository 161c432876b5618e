import { dialectOfCaller } from '../../contract/dialect/dialect.ts';
import type { Profile } from '../../contract/dialect/profile.ts';
import { openPool } from '../transport.ts';
import { askOnce, type Asker } from './askOnce.ts';

/** The largest number that any deployment counts to: nobody's webhook. */
const NOBODYS = 2_147_483_647;
/** How a token that may only read is refused, and how one whose subscription allows no more. */
const NOT_LET_IN: ReadonlySet<number> = new Set([401, 420]);
/** Said by whoever has looked for it. */
const LOOKED_FOR: ReadonlySet<number> = new Set([400, 404, 422]);

/** What became of asking for more than to read. */
export interface Writing {
  /** null: the answer does not tell. */
  readonly allowed: boolean | null;
  /** How it is refused. */
  readonly says: string | null;
}

/**
 * Whether a token that may read may also write. It asks to delete a webhook that cannot be there: one that may only
 * read is refused before anybody looks for it, and nothing is changed either way.
 */
export async function mayWrite(asker: Asker, profile: Profile): Promise<Writing> {
  const pool = openPool(asker.url);
  try {
    const { failed } = await askOnce(asker, pool, dialectOfCaller(profile), {
      id: 'deleteWebhook',
      input: { id: NOBODYS },
    });
    if (failed === null) return { allowed: true, says: null };
    if (NOT_LET_IN.has(failed.code)) return { allowed: false, says: failed.says };
    return { allowed: LOOKED_FOR.has(failed.code) ? true : null, says: failed.says };
  } finally {
    await pool.destroy();
  }
}
