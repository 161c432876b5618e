import type { PlainDate } from '../../kernel/dates.ts';
import type { MirrorDb } from '../../sync/tables/database.ts';

/** Raised when the rows that are kept say more, or other things, of the same entries. */
const ROWS_VERSION = 1;

/**
 * What books would be made from now; the same as before means that they would be the same. Asked before they are made:
 * what changes meanwhile is found by the next look.
 */
export async function basisOf(
  db: MirrorDb,
  { connection, policyHash, today }: { connection: string; policyHash: string; today: PlainDate },
): Promise<{ seq: number; basis: string }> {
  const head = await db.selectFrom('feed_heads').select('seq').where('connection', '=', connection).executeTakeFirst();
  const payouts = await db
    .selectFrom('payouts')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.max('matched_at').as('matched_at'),
      eb.fn.max('undone_at').as('undone_at'),
    ])
    .where('connection', '=', connection)
    .executeTakeFirst();
  const log = await db
    .selectFrom('export_period_log')
    .select((eb) => eb.fn.max('log_id').as('last'))
    .where('connection', '=', connection)
    .executeTakeFirst();
  const seq = head?.seq ?? 0;
  const { count, matched_at, undone_at } = payouts ?? {};
  const parts = [ROWS_VERSION, policyHash, today, seq, Number(count ?? 0), matched_at, undone_at, log?.last];
  return { seq, basis: parts.map((part) => part ?? '').join(' ') };
}
