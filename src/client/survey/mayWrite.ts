import { dialectOfCaller } from '../../contract/dialect/dialect.ts';
import type { Profile } from '../../contract/dialect/profile.ts';
import { openPool } from '../transport.ts';
import { askOnce, type Asker } from './askOnce.ts';

/** The largest number that any deployment counts to, so no webhook has it. */
const NOBODYS = 2_147_483_647;
/** The codes for a read-only token, and for a subscription that allows no more. */
const NOT_LET_IN: ReadonlySet<number> = new Set([401, 420]);
/** The codes of a deployment that has searched for the webhook. */
const LOOKED_FOR: ReadonlySet<number> = new Set([400, 404, 422]);

/** The result of a test for the right to write. */
export interface Writing {
  /** null if the answer does not show it. */
  readonly allowed: boolean | null;
  /** The text of the refusal. */
  readonly says: string | null;
}

/**
 * Tests if a token that may read may also write. The call deletes a webhook that cannot exist: a read-only token is
 * refused before any search, and nothing changes in either case.
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
