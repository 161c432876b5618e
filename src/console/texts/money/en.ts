/** Texts of the Money page, in English. */
export const money = {
  title: 'Money',
  balances: 'Open balances',
  allPaid: 'Every reservation is paid in full.',
  arrival: 'Arrival',
  firstOf: (count: number) => `The first ${count} by their arrival.`,
  deposits: 'Deposits to give back',
  noDeposits: 'No deposit waits to be given back.',
  left: 'Left on',
  payouts: 'Payouts of channels',
  payoutsHint: 'By clearing account. Payouts are matched with a file of the bank: ./stayd export match FILE',
  noPayouts: 'No channel owes anything yet, or the books were not made yet.',
  account: 'Account',
  expected: 'Expected',
  matched: 'Matched',
  unexplained: 'Unexplained',
  oldest: 'Oldest unexplained',
  monthEnd: 'Month-end',
  monthEndHint: 'A closed month never changes; later changes are booked in the first open month.',
  month: 'Month',
  check: 'Check the month',
  allMapped: 'Every item, method and deposit has its place in the books.',
  unmapped: (count: number) =>
    count === 1 ? 'One thing has no place in the books yet' : `${count} things have no place in the books yet`,
  howToMap:
    'Copy these lines into your settings file, correct them, and restart or reload stayd. They are guesses by name: check each.',
  name: 'Name',
  kind: 'What it is',
  used: 'Used',
  guess: 'Guess',
  itemOf: (direction: string): string => (direction === 'income' ? 'income item' : 'expense item'),
  methodOf: (direction: string): string => (direction === 'income' ? 'income method' : 'expense method'),
  depositsOf: 'deposits of a channel',
  chargeOrHold: 'charge or hold?',
  isLocked: (month: string) => `${month} is closed for good.`,
  ready: 'Nothing stands in the way.',
  inTheWay: (count: number) => (count === 1 ? 'One thing stands in the way:' : `${count} things stand in the way:`),
  sums: (entries: number, sums: string) =>
    `${entries === 1 ? '1 entry' : `${entries} entries`}, debit = credit = ${sums}`,
  states: ({ posted, ignored, unmapped, pending }: States) =>
    `Sources: ${posted} posted, ${ignored} ignored, ${unmapped} unmapped, ${pending} pending`,
  remarks: (count: number) => (count === 1 ? 'One remark' : `${count} remarks`),
  close: 'Close for good',
  closes: (month: string, entries: number, sums: string) =>
    `${month} and every earlier open month are closed: ${entries} entries${sums === '' ? '' : `, ${sums}`}. They never change afterwards, not by a byte. Only the newest closed month can be opened again, with a reason.`,
  softClose: 'Close softly',
  softCloses: (month: string) =>
    `${month} is closed softly: later changes are still possible, but an export of a changed month asks for a reason.`,
  files: 'Files for the accountant',
  filesHint: 'Choose a format and a month; the files appear below.',
  format: 'Format',
  override: 'Reason why the month may have changed since it was closed softly',
  write: 'Write the files',
  bytes: (count: string) => `${count} bytes`,
  noneClosed: 'No month is closed yet.',
  closedMonths: 'Closed months',
  state: 'State',
  entries: 'Entries',
  runs: 'Files that were written before',
  days: 'Days',
  when: 'When',
  reopen: 'Open again',
  reopens: (month: string) =>
    `${month} is opened again, and its entries can change. The reason is kept with the month.`,
  reason: 'Reason',
  periodStates: { soft: 'closed softly', locked: 'closed for good', open: 'open' } as Readonly<Record<string, string>>,
  runStates: {
    running: 'in progress',
    prepared: 'prepared',
    delivered: 'delivered',
    acknowledged: 'arrived',
    unknown: 'may have arrived',
    failed: 'failed',
    rejected: 'discarded',
  } as Readonly<Record<string, string>>,
  statements: 'Statements of owners',
  statementsHint: 'Each opens as a page to print or to save as PDF.',
  noStatements: 'No owner has a contract in the settings of the books, or the books were not made yet.',
  names: 'Names',
  namesHint:
    'What payments are for, how they come, and your own sources of reservations. Renaming changes past entries, too.',
  lists: {
    income_items: 'Income items',
    income_methods: 'Ways of being paid',
    expense_items: 'Expense items',
    expense_methods: 'Ways of paying',
    custom_channels: 'Own channels',
  },
  emptyList: 'None yet.',
  nameOf: (name: string) => `Name of ${name}`,
  newName: (list: string) => `New name in ${list}`,
  rename: 'Rename',
  add: 'Add',
  bookNow: 'Book now',
  done: {
    locked: (months: string) => `Closed for good: ${months}.`,
    softClosed: (months: string) => `Closed softly: ${months}.`,
    reopened: (month: string) => `${month} is open again.`,
    ran: (job: string, entries: number) => `${job}: ${entries === 1 ? '1 entry' : `${entries} entries`} written.`,
    nothingNew: (job: string) => `${job}: nothing new to write.`,
    booked: 'The books are made from everything known now.',
    added: (name: string) => `${name} is added.`,
    renamed: (name: string) => `It is called ${name} now.`,
  },
};

/** How many sources of the books are in which state. */
interface States {
  readonly posted: number;
  readonly ignored: number;
  readonly unmapped: number;
  readonly pending: number;
}
