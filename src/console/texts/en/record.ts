import { actions } from './recordActions.ts';

/** Texts of record in English. */
export const record = {
  title: 'Record',
  hint: 'Who changed what, from which value to which, and by which way. Values of guests are not kept here.',
  at: 'When',
  who: 'Who',
  service: 'the service',
  entrance: 'By way of',
  entrances: {
    console: 'console',
    v3: 'API',
    mcp: 'assistant',
    portal: 'management API',
    service: '–',
  } as Readonly<Record<string, string>>,
  action: 'Action',
  anyAction: 'every action',
  actions,
  subject: 'On what',
  values: 'From → to',
  since: 'Since',
  nothing: 'Nothing of this kind was done.',
  earlier: 'Earlier entries',
};
