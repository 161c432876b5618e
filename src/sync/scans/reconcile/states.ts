import { machine, type StateOf } from '../../../kernel/transitions.ts';

/** The life of a tier, which is read again and again. */
export const tierLife = machine({
  name: 'tier',
  is: 'A part of a resource that is reconciled as a whole, by its latest reconciliation.',
  before: 'not known',
  states: {
    waiting: 'It was never reconciled.',
    running: 'Under way, or cut off.',
    done: 'Everything was read.',
    suspect: 'Rows may have slipped past it.',
    failed: 'It came to nothing.',
  },
  final: [],
  rows: [
    { from: null, trigger: 'add', to: 'waiting' },
    { from: ['waiting', 'running', 'done', 'suspect', 'failed'], trigger: 'begin', to: 'running' },
    { from: 'running', trigger: 'finish', to: 'done' },
    { from: 'running', trigger: 'doubt', to: 'suspect' },
    { from: 'running', trigger: 'fail', to: 'failed' },
  ],
});

export type TierState = StateOf<typeof tierLife>;
