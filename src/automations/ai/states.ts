import { machine, type StateOf } from '../../kernel/transitions.ts';

/** The life of a question to a model. It is asked once: one that was cut off is not asked again. */
export const questionLife = machine({
  name: 'question',
  is: 'What a model was asked on behalf of a rule.',
  before: 'not asked',
  states: {
    asking: 'Under way, or cut off.',
    answered: 'What came can be used.',
    refused: 'What came did not pass.',
    failed: 'Nothing of use came.',
  },
  final: ['answered', 'refused', 'failed'],
  rows: [
    { from: null, trigger: 'ask', to: 'asking' },
    { from: 'asking', trigger: 'answer', to: 'answered' },
    { from: 'asking', trigger: 'refuse', to: 'refused' },
    { from: 'asking', trigger: 'fail', to: 'failed' },
  ],
});

export type AiOutcome = StateOf<typeof questionLife>;
