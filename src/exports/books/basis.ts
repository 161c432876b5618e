import type { Instant, PlainDate } from '../../kernel/dates.ts';
import type { Ask } from '../journal/ask.ts';
import type { Policy } from '../journal/policy.ts';

/** Version of the stored rows. Raise it when the same entries give more or other rows. */
const ROWS_VERSION = 2;

/** The inputs of the books that do not come from changes of single reservations and ledger entries. */
export interface Basis {
  /** A text that differs if everything must be booked again: settings, zone, a month that was opened. */
  readonly whole: string;
  /** A text that differs if payouts were matched or undone. */
  readonly payouts: string;
  /** A text that differs if old versions were deleted, from which states of deposits are read. */
  readonly bounds: string;
}

/** Reads the basis of the books at one moment. */
export async function basisOf(
  ask: Ask,
  connection: string,
  { policy, zone }: { policy: Policy; zone: string },
): Promise<Basis> {
  const [row] = await ask<
    Record<'payouts' | 'undone' | 'matched_at' | 'undone_at' | 'opened' | 'bounds', string | number | null>
  >(BASIS, [connection]);
  const { payouts, undone, matched_at, undone_at, opened, bounds } = row ?? {};
  const text = (...parts: readonly (string | number | null | undefined)[]) => parts.map((part) => part ?? '').join(' ');
  return {
    whole: text(ROWS_VERSION, policy.hash, zone, opened),
    payouts: text(payouts, undone, matched_at, undone_at),
    bounds: text(bounds),
  };
}

/** Closing a month changes no entry; opening it moves those that had to leave it. */
const BASIS = `
select
  (select count(*) from payouts where connection = $1) as payouts,
  (select count(undone_at) from payouts where connection = $1) as undone,
  (select max(matched_at) from payouts where connection = $1) as matched_at,
  (select max(undone_at) from payouts where connection = $1) as undone_at,
  (select max(log_id) from export_period_log where connection = $1 and action = 'reopen') as opened,
  (select max(since) from history_bounds where connection = $1 and kept in ('versions', 'changes')) as bounds`;

/** Returns the basis as one text. */
export function basisText(basis: Basis): string {
  return JSON.stringify(basis);
}

/** Reads a text of {@link basisText}; undefined for a text of an earlier version. */
export function basisFrom(text: string): Basis | undefined {
  return text.startsWith('{') ? (JSON.parse(text) as Basis) : undefined;
}

/** The state of the stored books. */
export interface KeptBooks {
  readonly through: PlainDate;
  /** The newest change of the feed that they include. */
  readonly seq: number;
  readonly basis: string;
  readonly entries: number;
  readonly changed_at: Instant | null;
}

/** Reads the state of the stored books; undefined if none are stored. */
export async function keptBooks(ask: Ask, connection: string): Promise<KeptBooks | undefined> {
  const [row] = await ask<KeptBooks>(
    'select through, seq, basis, entries, changed_at from books where connection = $1',
    [connection],
  );
  return row && { ...row, seq: Number(row.seq), entries: Number(row.entries) };
}

/** Returns the newest place of the feed. */
export async function headOf(ask: Ask, connection: string): Promise<number> {
  const [row] = await ask<{ seq: number }>('select seq from feed_heads where connection = $1', [connection]);
  return Number(row?.seq ?? 0);
}
