import { count, CURRENCY, day, detail, money, PERIOD, type Report, SPAN, SPANS, text } from './report.ts';

/** Reports of the channels' payouts, by the books. */
export const payoutReports: readonly Report[] = [
  {
    name: 'payout-reconciliation',
    view: 'v1_payout_reconciliation',
    title: 'what channels owe, what payouts account for, and what is left',
    notes: [
      'By clearing account and the day of the receipt. Payouts are matched by `./stayd export match`; `paid` is by the day of the payout.',
      'unexplained = expected − matched. What a channel pays once a month is unexplained until then: look at `oldest_unexplained`.',
    ],
    columns: [
      SPAN,
      PERIOD,
      text('account', 'Clearing account.'),
      CURRENCY,
      count('postings', 'Movements that are no payouts.'),
      money('expected', 'Their sum: what is to be paid out.'),
      money('matched', 'Of it paid out by a payout that was matched.'),
      money('unexplained', 'expected − matched.'),
      count('unexplained_postings', 'Movements that no payout accounts for.'),
      day('oldest_unexplained', 'Day of the oldest of them.'),
      money('paid', 'Paid out in the period.'),
    ],
    filters: { dates: 'period', by: SPANS },
    order: ['period', 'account', 'currency'],
    books: true,
  },
  {
    name: 'payouts',
    view: 'v1_payouts',
    title: 'payouts that were matched',
    notes: [
      'As `./stayd export match` has stored them; `--undo` with the id takes one back.',
      'changed: what its postings come to now, less its amount. Anything but zero is for a person to look at.',
    ],
    columns: [
      day('date', 'Day of the payout, by the bank.'),
      text('payout_id', 'Its id.'),
      detail(text('bank', 'To which account.')),
      text('account', 'From which clearing account.'),
      CURRENCY,
      money('amount', 'Amount.'),
      count('bookings', 'Bookings that it pays out.'),
      detail(count('postings', 'Postings that it accounts for.')),
      money('changed', 'Postings now − amount.'),
      text('matched_by', 'named, booking, posting or batch.'),
      detail(text('matched_at', 'When (UTC).')),
    ],
    filters: { dates: 'date' },
    order: ['date', 'payout_id'],
    books: true,
  },
];
