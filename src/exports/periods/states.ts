import { machine, type StateOf } from '../../kernel/transitions.ts';

/** The states of a month of the books. Its log uses the same words. */
export const periodLife = machine({
  name: 'month',
  is: 'A month of the books.',
  before: 'open',
  states: {
    open: 'It was closed once, and is not any more.',
    soft: 'Changes are asked about.',
    locked: 'Sealed: what changes later is booked in a later month.',
  },
  final: [],
  rows: [
    { from: [null, 'open', 'soft'], trigger: 'soft_close', to: 'soft' },
    { from: [null, 'open', 'soft'], trigger: 'lock', to: 'locked' },
    { from: ['soft', 'locked'], trigger: 'reopen', to: 'open', note: 'Of what is locked, the newest month alone.' },
    { from: 'soft', trigger: 'override', to: 'soft', note: 'A person has said why it may change.' },
  ],
});

/** A state of a month of the books. */
export type PeriodState = StateOf<typeof periodLife>;
