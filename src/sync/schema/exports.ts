import type { TableNote } from './table.ts';

/** The books: what was closed, and what was handed on. */
export const exportNotes: readonly TableNote[] = [
  {
    table: 'export_periods',
    is: 'One month of the books that was closed; one without a row is open.',
    columns: {
      period: 'The month: `2027-03`.',
      state: 'soft (changes are asked about), locked (sealed), or open again.',
      seal: 'Name of its sealed entries; null while it is not locked.',
      digest: 'SHA-256: of a locked month the end of the hash chain of its entries, of a soft one that of what it had.',
      policy_hash: 'SHA-256 of the settings it was booked by.',
      entries: 'How many it has.',
      totals: 'JSON list: debit and credit of each currency, in minor units as text.',
      at: 'When its state last changed (UTC).',
    },
  },
  {
    table: 'export_period_log',
    is: 'One thing done to a month of the books. Nothing is ever taken away.',
    columns: {
      log_id: 'Sorts by time.',
      period: 'The month.',
      action: 'soft_close, lock, reopen or override.',
      at: 'When (UTC).',
      reason: 'Why, as somebody gave it.',
      digest: 'That of the month then.',
    },
  },
  {
    table: 'export_entries',
    is: 'One journal entry that stands in a locked month, or that a target has had. All others follow from the rows of the mirror.',
    columns: {
      entry_id: 'Its id, `t12-1`.',
      group_code: 'Booking it belongs to; null for others.',
      group_number: 'Ledger entry it belongs to, where that has no booking.',
      base: 'What it is an entry of: `t12`.',
      suffix: 'Which one: empty, `rec`, `n3`.',
      seal: 'Under which it was sealed; null: only handed on.',
      position: 'Its place in the sealed month, from 1.',
      chain: 'SHA-256 of the chain before it and its body.',
      body: 'The entry, JSON; amounts in minor units.',
    },
  },
  {
    table: 'export_runs',
    is: 'One run of an export job.',
    columns: {
      run_id: 'Sorts by time.',
      job: 'The job.',
      mode: 'full or incremental.',
      from_date: 'First day.',
      to_date: 'Last day.',
      state: 'running, prepared, delivered, acknowledged, unknown (it may have arrived), failed or rejected.',
      batch: 'Name of what was written; the same content has the same name.',
      target: 'Folder or address.',
      started_at: 'When it began (UTC).',
      finished_at: 'When it ended (UTC).',
      entries: 'How many entries were written.',
      manifest: 'Its manifest, JSON.',
      manifest_hash: 'SHA-256 of the manifest.',
      problem: 'What went wrong.',
    },
  },
  {
    table: 'export_deliveries',
    is: 'One entry that an incremental job has handed on: it is never handed on again.',
    columns: { job: 'The job.', entry_id: 'The entry.', run_id: 'In which run.' },
  },
  {
    table: 'payouts',
    is: 'One payout of a bank statement or a channel’s report that postings of a clearing account account for. What else the file says is not kept.',
    columns: {
      payout_id: 'Its id: of the bank account, the day, the amount and the bank’s own reference.',
      group_code: '`payout:` and the id.',
      date: 'Day of booking, as the bank writes it.',
      bank: 'Account it came to, `Assets:Bank`.',
      account: 'Clearing account it came from.',
      amount_minor: 'Amount in minor units; below zero the channel took it back.',
      currency: 'Currency of the amount.',
      matched_by:
        'named (the line names the bookings), booking (what one has left), posting (a single one), batch (what several have left).',
      matched_at: 'When it was matched (UTC).',
    },
  },
  {
    table: 'payout_postings',
    is: 'One posting of a clearing account that a payout accounts for; each stands here once at most.',
    columns: {
      entry_id: 'The journal entry.',
      posting: 'Place of the posting in it, from 1.',
      payout_id: 'The payout.',
      reservation_code: 'Booking of the entry; null where it has none.',
      amount_minor: 'Its amount when it was matched, in minor units.',
    },
  },
];
