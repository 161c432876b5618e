import type { PlainDate } from '../../kernel/dates.ts';
import type { Ask } from '../journal/ask.ts';

const BASIS = `
select coalesce((select seq from feed_heads where connection = $1), 0) as seq,
  (select count(*) from payouts where connection = $1) as payouts,
  (select max(matched_at) from payouts where connection = $1) as matched_at,
  (select max(undone_at) from payouts where connection = $1) as undone_at,
  (select max(log_id) from export_period_log where connection = $1) as closed`;

interface BasisRow {
  seq: number;
  payouts: number;
  matched_at: string | null;
  undone_at: string | null;
  closed: string | null;
}

/** What books would be made from now; the same as before means that they would be the same. */
export async function basisOf(
  ask: Ask,
  { connection, policyHash, today }: { connection: string; policyHash: string; today: PlainDate },
): Promise<{ seq: number; basis: string }> {
  const [row] = await ask<BasisRow>(BASIS, [connection]);
  const seq = Number(row?.seq ?? 0);
  const basis = [
    ROWS_VERSION,
    policyHash,
    today,
    seq,
    Number(row?.payouts ?? 0),
    row?.matched_at,
    row?.undone_at,
    row?.closed,
  ];
  return { seq, basis: basis.map((one) => one ?? '').join(' ') };
}

/** Raised when the rows that are kept say more, or other things, of the same entries. */
const ROWS_VERSION = 1;
