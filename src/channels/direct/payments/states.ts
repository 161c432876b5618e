import { machine, type StateOf } from '../../../kernel/transitions.ts';

/** The states of a payment. It is stored before the provider hears of it, and every step is safe to repeat. */
export const paymentLife = machine({
  name: 'payment',
  is: 'A payment that a guest is asked for.',
  before: 'not asked for',
  states: {
    starting: 'The provider is asked for a page to pay on.',
    open: 'The guest can pay: by the page of the provider, or by a transfer.',
    paid: 'It came, and stands in the ledger.',
    authorised: 'A deposit is reserved on the card; nothing was taken.',
    captured: 'Of a reserved deposit something was taken.',
    released: 'A reserved deposit was let go.',
    late: 'It came after the reservation had ended and its nights were sold. A person decides.',
    mismatch: 'What came is not what was asked for. A person decides.',
    ended: 'Not paid in time, or no longer needed.',
    failed: 'The provider refuses to ask for it.',
    settled: 'A person has dealt with what was not as it should be.',
  },
  final: ['paid', 'captured', 'released', 'failed', 'settled'],
  rows: [
    { from: null, trigger: 'begin', to: 'starting' },
    { from: null, trigger: 'await', to: 'open', note: 'A transfer, which nobody needs to be asked for.' },
    { from: 'starting', trigger: 'open', to: 'open' },
    { from: 'starting', trigger: 'refuse', to: 'failed' },
    { from: ['starting', 'open', 'ended'], trigger: 'pay', to: 'paid' },
    { from: ['starting', 'open', 'ended'], trigger: 'authorise', to: 'authorised' },
    { from: ['starting', 'open', 'ended'], trigger: 'pay_late', to: 'late' },
    { from: ['starting', 'open', 'ended'], trigger: 'differ', to: 'mismatch' },
    { from: ['starting', 'open'], trigger: 'end', to: 'ended' },
    { from: 'authorised', trigger: 'capture', to: 'captured' },
    { from: 'authorised', trigger: 'release', to: 'released' },
    { from: ['late', 'mismatch'], trigger: 'settle', to: 'settled' },
  ],
});

/** The states of a refund. The provider is asked with the same key each time, so that money goes back once. */
export const refundLife = machine({
  name: 'refund',
  is: 'Money that goes back to a guest.',
  before: 'not begun',
  states: {
    sending: 'The provider is asked; after a cut connection again, with the same key.',
    by_hand: 'A person transfers it and notes it here.',
    done: 'It is on its way, and stands in the ledger.',
    refused: 'The provider refuses it. A person decides.',
    unknown: 'Nobody knows if it was made, and it is too late to ask again. A person looks.',
    dropped: 'A person has said that it is not made.',
  },
  final: ['done', 'dropped'],
  rows: [
    { from: null, trigger: 'send', to: 'sending' },
    { from: null, trigger: 'ask_person', to: 'by_hand' },
    { from: 'sending', trigger: 'retry', to: 'sending' },
    { from: ['sending', 'by_hand', 'unknown', 'refused'], trigger: 'finish', to: 'done' },
    { from: 'sending', trigger: 'refuse', to: 'refused' },
    {
      from: 'sending',
      trigger: 'lose',
      to: 'unknown',
      note: 'After a day without an answer, or when the core was restored from a backup.',
    },
    { from: ['by_hand', 'unknown', 'refused'], trigger: 'drop', to: 'dropped' },
  ],
});

export type PaymentState = StateOf<typeof paymentLife>;
export type RefundState = StateOf<typeof refundLife>;
