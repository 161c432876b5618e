import { machine, type StateOf } from '../../../kernel/transitions.ts';

/** The life of an event that a scan has missed. */
export const lossLife = machine({
  name: 'missed event',
  is: 'An event that should have come with a change that a scan has found.',
  before: 'not missed',
  states: {
    waiting: 'It may still be under way.',
    lost: 'It never came.',
    unproven: 'It never came, and there may have been none.',
    late: 'It came after all.',
  },
  final: ['late'],
  rows: [
    { from: null, trigger: 'miss', to: 'waiting' },
    { from: 'waiting', trigger: 'lose', to: 'lost' },
    { from: 'waiting', trigger: 'doubt', to: 'unproven' },
    { from: ['waiting', 'lost', 'unproven'], trigger: 'come_late', to: 'late' },
    { from: ['waiting', 'lost', 'unproven'], trigger: 'withdraw', to: null, note: 'It was only slower than the scan.' },
  ],
});

export type LossState = StateOf<typeof lossLife>;
