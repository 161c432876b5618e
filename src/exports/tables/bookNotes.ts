import type { TableNote } from '../../sync/tables/tableNote.ts';

const GROUP = 'What it is booked with: `r` and the booking, or `t` and the ledger entry.';
const CLASS =
  'What it is about: the class of the item of the ledger (accommodation, cleaning, owner_payout, …; unmapped), or commission, occupancy_tax, stay_fee, deposit, damage, payout.';
const SUFFIX = 'Which part of its source: empty, `rec` (earned), `n3` (with the third night), `com`, `tax`, `fee`.';

/** Notes on the tables of the journal, which serve reports. `./stayd export book` derives them all again. */
export const bookNotes: readonly TableNote[] = [
  {
    table: 'books',
    is: 'How far the journal below is kept. Everything in it follows from other rows; it can be thrown away.',
    columns: {
      through: 'The last day that is booked, by the operator’s calendar.',
      booked_at: 'When it was last booked (UTC).',
      seq: 'The newest change of the feed that is in it.',
      basis:
        'Of what it was made from beside the changes of the feed: settings, months, payouts, bounds of the history.',
      entries: 'How many entries it has.',
      changed_at: 'When something that it is made from last changed in the mirror (UTC).',
    },
  },
  {
    table: 'book_groups',
    is: 'What is booked together and has rows, with a hash of them: where that is the same, nothing is written.',
    columns: {
      group_key: GROUP,
      digest: 'SHA-256 of its rows, shortened.',
      due_on: 'From this day on its rows may be others although nothing changed; null: never.',
    },
  },
  {
    table: 'book_outcomes',
    is: 'What became of one source: the books say of each that it is posted, or why it is not.',
    columns: {
      group_key: GROUP,
      number: 'Which one of its group, from 1.',
      source: 'transaction, reservation, deposit or payout, with its id: `transaction/12`.',
      state: 'posted, ignored, unmapped or pending.',
      reason: 'Why; empty for what is simply posted.',
      date: 'The day it belongs to.',
    },
  },
  {
    table: 'book_balances',
    is: 'What moved on an account within a month; the balance of a day begins with the sum of the months before.',
    columns: {
      period: 'The month, `2027-03`.',
      account: 'The account.',
      currency: 'Its currency.',
      amount_minor: 'Debits less credits, in minor units.',
      postings: 'How many lines they come from.',
    },
  },
  {
    table: 'book_entries',
    is: 'One entry of the journal, as a full export with reversals has it.',
    columns: {
      entry_id: 'Its id, `t12-1`.',
      group_key: GROUP,
      date: 'Day of the entry.',
      original_date: 'Its day before it had to move out of a locked month; null: it did not.',
      kind: 'receipt, payment, recognition, commission, deposit, payout or reversal.',
      class: CLASS,
      suffix: SUFFIX,
      source_kind: 'transaction, reservation, deposit or payout.',
      source_id: 'Its id, or code.',
      revision: '1 for what was booked first of its source.',
      corrects: 'The entry that it reverses or replaces.',
      payee: 'A channel, a method; never a guest.',
      description: 'One line.',
      reservation_code: 'Its booking.',
      stay_code: 'Its stay, where one alone is meant.',
      channel: 'The operator’s own source, or the channel.',
    },
  },
  {
    table: 'book_postings',
    is: 'One line of an entry. The lines of an entry come to zero in each currency.',
    columns: {
      entry_id: 'The entry.',
      posting: 'Its place in it, from 1.',
      group_key: GROUP,
      date: 'Day of the entry.',
      account: 'The account.',
      amount_minor: 'Above zero a debit, below zero a credit; in minor units.',
      currency: 'Currency of the amount.',
      property_id: 'Property it belongs to; null: none, or not one alone.',
      owner: 'Owner whom it is about, where the operator is an agent.',
      contract: 'By which contract.',
      memo: 'What is special of the line.',
      class: CLASS,
      suffix: SUFFIX,
      source_kind: 'transaction, reservation, deposit or payout.',
      reservation_code: 'The booking of the entry.',
      channel: 'The channel of the entry.',
    },
  },
  {
    table: 'book_accounts',
    is: 'One account that occurs in the journal.',
    columns: {
      account: 'Its name.',
      type: 'asset, liability, equity, income or expense.',
      role: 'What it is for: a key of `accounts` in the settings (advances, deposits, management, …), owner, clearing, money, or else its type.',
      title: 'What people call it.',
      code: 'Its number in the books of the target.',
      owner: 'Whom it is owed to.',
      owner_name: 'What they are called.',
      trust: '1: what lies there covers what is held for others.',
    },
  },
  {
    table: 'book_properties',
    is: 'What the settings say of a property.',
    columns: {
      property_id: 'The property.',
      code: 'How targets track it.',
      owner: 'Its owner; null: the operator’s own.',
      contract: 'The contract.',
      tax_authority: 'To whom its occupancy tax goes.',
    },
  },
  {
    table: 'book_channels',
    is: 'What the settings say of a channel that bookings came by.',
    columns: {
      channel_type: 'Channel, as upstream names it.',
      channel: 'The operator’s own source, or the channel.',
      clearing: 'Account on which its money gathers.',
      commission: 'netted or billed.',
      occupancy_tax: 'collected (the operator owes it) or remitted (the channel has paid it).',
    },
  },
  {
    table: 'book_deposits',
    is: 'What was known of the deposit of a stay from one day on.',
    columns: {
      stay_code: 'The stay.',
      number: 'Which state, from 1.',
      group_key: GROUP,
      reservation_code: 'Its booking.',
      property_id: 'Its property.',
      channel: 'The operator’s own source, or the channel.',
      kind: 'charge, hold (a card was only authorised), or null: nobody has said.',
      from_date: 'The day on which it was noticed.',
      to_date: 'The day on which the next state was; null: it is the last.',
      ends_on: 'Last day of the stay, or the day on which it was cancelled.',
      due_on: 'By when the rest is to be back with the guest.',
      lapses_on: 'When a hold on a card ends by itself; null for a charge.',
      currency: 'Currency of the amounts.',
      paid_minor: 'Paid, or held, so far.',
      deducted_minor: 'Kept of it.',
      pending_minor: 'What is still owed to the guest.',
    },
  },
  {
    table: 'book_exceptions',
    is: 'Something in the books that a person should look at.',
    columns: {
      group_key: `${GROUP} Empty: the books as a whole.`,
      number: 'Which one, from 1.',
      kind: 'deposit_unexplained, deposits_differ, receipts_differ, advances_held, stay_unpaid, commission_twice, owner_negative, trust_short, source_missing, unmapped or pending.',
      about: 'Booking, stay, transaction, owner or currency.',
      problem: 'What is the matter.',
      date: 'The day it belongs to.',
    },
  },
];
