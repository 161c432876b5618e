import { createHash } from 'node:crypto';
import { decimalText } from '../../kernel/money.ts';
import type { Journal } from '../journal/entry.ts';
import type { DraftFile, BooksReport, Order } from './order.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BATCH_LENGTH = 20;
/** Version of the manifest; raise it when its form changes. */
const MANIFEST_VERSION = 1;

type WriteOrder = Extract<Order, { kind: 'write' }>;

/** Returns the name of a batch: the same for the same content and target. */
export function batchName(order: WriteOrder, { digest, policyHash }: BooksReport): string {
  const parts = [order.connection, order.job, order.format, order.mode, order.corrections, order.from, order.to];
  const options = Object.entries(order.options).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const bytes = createHash('sha256')
    .update(JSON.stringify([...parts, options, digest, policyHash]))
    .digest();
  return [...bytes.subarray(0, BATCH_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/**
 * Returns the manifest: the files, their origin and their totals. It suffices to check the files and to notice a
 * missing one.
 */
export function manifestText(
  order: WriteOrder,
  {
    journal,
    report,
    batch,
    files,
  }: { journal: Journal; report: BooksReport; batch: string; files: readonly DraftFile[] },
): string {
  const { connection, job, format, mode, corrections, from, to } = order;
  const previous = order.previous.find((one) => one.batch !== batch);
  const manifest = {
    manifest: MANIFEST_VERSION,
    batch,
    previous_batch: previous?.batch ?? null,
    previous_manifest_sha256: previous?.hash ?? null,
    connection,
    job,
    format,
    mode,
    corrections,
    from,
    to,
    time_zone: journal.facts.zone,
    policy_sha256: report.policyHash,
    mirror_changed_at: report.changedAt,
    entries: report.entries,
    entries_sha256: report.digest,
    sources: report.states,
    not_posted: report.reasons.map(({ state, reason, count, example }) => ({ state, reason, count, example })),
    exceptions: report.exceptionCount,
    totals: report.control.map(({ currency, debit, credit }) => ({
      currency,
      debit: exactText(BigInt(debit), currency),
      credit: exactText(BigInt(credit), currency),
    })),
    accounts: journal.balances.map(({ account, currency, opening, debit, credit, closing }) => ({
      account,
      currency,
      opening: exactText(opening, currency),
      debit: exactText(debit, currency),
      credit: exactText(credit, currency),
      closing: exactText(closing, currency),
    })),
    files: files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Writes a sum exactly. Sums of a long journal exceed the safe integers of a number. */
function exactText(minor: bigint, currency: string): string {
  const unit = decimalText(0, currency).length - 2;
  const digits = String(minor < 0n ? -minor : minor).padStart(Math.max(1, unit + 1), '0');
  const text = unit > 0 ? `${digits.slice(0, -unit)}.${digits.slice(-unit)}` : digits;
  return minor < 0n ? `-${text}` : text;
}
