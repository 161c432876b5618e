import { machine, type StateOf } from '../kernel/transitions.ts';

/** The states of a place where people are told. */
export const placeLife = machine({
  name: 'notice place',
  is: 'Where people are told: a mailbox, a chat, a phone.',
  before: 'not added',
  states: {
    active: 'It is told.',
    paused: 'It is told nothing, and what waits for it stays.',
  },
  final: [],
  rows: [
    { from: null, trigger: 'add', to: 'active' },
    { from: 'active', trigger: 'pause', to: 'paused', note: 'By hand.' },
    { from: 'paused', trigger: 'resume', to: 'active' },
    { from: ['active', 'paused'], trigger: 'remove', to: null },
  ],
});

/** The states of a notice. It is told at least once: after a timeout once more, since a lost alarm is worse. */
export const noticeLife = machine({
  name: 'notice',
  is: 'One thing that one place is told.',
  before: 'not made',
  states: {
    waiting: 'It is sent when its time has come and the place is not quiet.',
    sent: 'The place has taken it, alone or together with others.',
    dropped: 'It was over before it was told.',
    dead: 'Given up: it has waited for two days.',
  },
  final: ['sent', 'dropped', 'dead'],
  rows: [
    { from: null, trigger: 'make', to: 'waiting' },
    { from: 'waiting', trigger: 'retry', to: 'waiting' },
    { from: 'waiting', trigger: 'send', to: 'sent' },
    { from: 'waiting', trigger: 'drop', to: 'dropped' },
    { from: 'waiting', trigger: 'give_up', to: 'dead' },
  ],
});

export type PlaceState = StateOf<typeof placeLife>;
export type NoticeState = StateOf<typeof noticeLife>;
