import { machine, type StateOf } from '../../kernel/transitions.ts';

/** The states of a question to a model. A question is asked once, even if it was cut off. */
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
