import type { PlainDate } from '../../kernel/dates.ts';
import type { MirrorDb } from '../../sync/tables/database.ts';

/** Version of the stored rows. Raise it when the same entries give more or other rows. */
const ROWS_VERSION = 1;

/**
 * Returns a text that identifies all inputs of the books; an equal basis means equal books. Ask for it before the books
 * are made: the next comparison then finds changes that happen meanwhile.
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
