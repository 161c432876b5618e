import { machine } from '../../kernel/transitions.ts';

/** The life of a request with an idempotency key. The record of a change commits with the change. */
export const requestLife = machine({
  name: 'request with a key',
  is: 'A request that is carried out once within a day, however often it comes.',
  before: 'not known',
  states: {
    begun: 'It is under way, or died with its process.',
    committed: 'It has changed something; its answer is not kept yet.',
    answered: 'It is answered again as it was.',
  },
  final: ['answered'],
  rows: [
    { from: null, trigger: 'take', to: 'begun' },
    { from: 'begun', trigger: 'commit', to: 'committed', note: 'In the transaction of the change.' },
    { from: 'begun', trigger: 'refuse', to: null, note: 'Nothing was changed.' },
    { from: ['begun', 'committed'], trigger: 'answer', to: 'answered' },
    { from: ['begun', 'committed', 'answered'], trigger: 'forget', to: null, note: 'After a day.' },
  ],
});
