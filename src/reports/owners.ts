import { aboutPerson, CURRENCY, day, detail, money, NAMED_PLACE, rate, type Report, text } from './report.ts';

const OWNER = [
  text('owner', 'Owner, as the settings name them.'),
  text('contract', 'Their contract; empty: the property has none now.'),
] as const;

/** Reports of owners' accounts, by the books. */
export const ownerReports: readonly Report[] = [
  {
    name: 'owner-statement',
    view: 'v1_owner_statement',
    title: 'owners’ accounts, month by month',
    notes: [
      'For properties with an agent’s contract, by owner, contract and currency, from the first movement on. `--html FILE` with `--owner` and `--month` writes the statement of a month to be printed.',
      'Amounts are as the owner sees them: above zero they get it, below zero they bear it. closing = opening + everything between.',
      'revenue is before the fee and, where a channel keeps its commission, before that. What a contract leaves to the manager is not in it.',
    ],
    columns: [
      { name: 'month', unit: 'text', is: 'The month.' },
      OWNER[0],
      detail(aboutPerson('name', 'What they are called.')),
      OWNER[1],
      CURRENCY,
      rate('opening', 'Owed to the owner before.'),
      money('revenue', 'Earned, less what was given back to guests.'),
      money('management_fee', 'The manager’s fee.'),
      money('channel_fee', 'Commission of channels, and fees of payments.'),
      money('tax', 'Occupancy tax that is passed on.'),
      money('expense', 'Other costs.'),
      money('payout', 'Paid to the owner.'),
      rate('closing', 'Owed to the owner after.'),
    ],
    filters: { dates: 'month', owner: true },
    order: ['month', 'owner', 'contract', 'currency'],
    books: true,
  },
  {
    name: 'owner-lines',
    view: 'v1_owner_lines',
    title: 'each movement of owners’ accounts',
    notes: [
      'What `owner-statement` is made of: one row an entry of the journal, property and section. The sum of a month is closing − opening.',
    ],
    columns: [
      day('date', 'Day of the entry.'),
      ...OWNER,
      ...NAMED_PLACE,
      text('section', 'revenue, management_fee, channel_fee, tax, expense or payout.'),
      text('class', 'What it is about: accommodation, cleaning, refund, commission, owner_expense, …'),
      detail(text('entry_id', 'The entry.')),
      detail(text('kind', 'Kind of the entry; reversal: takes another one back.')),
      text('reservation_code', 'The booking.'),
      detail(text('channel', 'The operator’s own source, or the channel.')),
      detail(day('check_in_date', 'First night of the booking.')),
      detail(day('check_out_date', 'Day of leaving.')),
      detail(text('status', 'Status of the booking now.')),
      detail(text('description', 'One line.')),
      CURRENCY,
      money('amount', 'Above zero: more is owed to the owner.'),
    ],
    filters: { dates: 'date', property: 'column', owner: true },
    order: ['date', 'entry_id', 'section'],
    books: true,
  },
];
