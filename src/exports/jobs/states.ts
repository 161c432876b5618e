import { machine, sourcesOf, type StateOf } from '../../kernel/transitions.ts';

/** The states of an export run. A run writes all its files under names of its own before it delivers them. */
export const runLife = machine({
  name: 'export run',
  is: 'One run of an export job.',
  before: 'not begun',
  states: {
    running: 'It is being written.',
    prepared: 'All is written, and nothing went out.',
    delivered: 'It is where it belongs.',
    acknowledged: 'Whom it is for has said that it arrived.',
    unknown: 'Nobody knows whether it arrived.',
    failed: 'Nothing went out.',
    rejected: 'A person said that it did not arrive, or was thrown away.',
  },
  final: ['failed', 'rejected'],
  rows: [
    { from: null, trigger: 'begin', to: 'running' },
    { from: 'running', trigger: 'fail', to: 'failed' },
    { from: 'running', trigger: 'discard', to: null, note: 'There was nothing new to deliver.' },
    { from: 'running', trigger: 'prepare', to: 'prepared' },
    { from: ['prepared', 'unknown'], trigger: 'deliver', to: 'delivered', note: 'To a folder.' },
    { from: ['prepared', 'unknown'], trigger: 'be_taken', to: 'acknowledged', note: 'By an address.' },
    { from: ['prepared', 'unknown'], trigger: 'doubt', to: 'unknown' },
    { from: 'prepared', trigger: 'be_refused', to: 'failed' },
    { from: 'unknown', trigger: 'be_refused', to: 'unknown', note: 'Who may have it already can refuse it for that.' },
    { from: ['delivered', 'unknown'], trigger: 'acknowledge', to: 'acknowledged', note: 'By a person.' },
    { from: ['delivered', 'unknown', 'acknowledged'], trigger: 'reject', to: 'rejected', note: 'By a person.' },
  ],
});

/** A state of an export run. */
export type RunState = StateOf<typeof runLife>;

/** States of a run that is written and was cut off before its delivery ended. */
export const onTheirWay: readonly RunState[] = sourcesOf(runLife, 'deliver');
