import { machine, type StateOf } from '../../kernel/transitions.ts';

/** The life of a received event. A seen event is not done: it ends when its key has been read. */
export const inboxLife = machine({
  name: 'event',
  is: 'An event in the inbox of the daemon.',
  before: 'not received',
  states: {
    pending: 'A read must follow.',
    done: 'What it names was read.',
    unreadable: 'Nobody can read what it names.',
    ignored: 'It names nothing to be read.',
  },
  final: ['ignored'],
  rows: [
    { from: null, trigger: 'receive', to: 'pending' },
    { from: null, trigger: 'receive_nameless', to: 'ignored' },
    { from: 'pending', trigger: 'read', to: 'done' },
    { from: 'pending', trigger: 'give_up', to: 'unreadable' },
    { from: ['pending', 'done', 'unreadable'], trigger: 'replay', to: 'pending' },
  ],
});

/** The life of a key that must be read again. The row exists as long as the key is dirty. */
export const keyLife = machine({
  name: 'dirty key',
  is: 'A key of the mirror that must be read again.',
  before: 'clean',
  states: {
    waiting: 'It is read when its time has come.',
    dead: 'Reading it has failed for too long; a new event or a person revives it.',
  },
  final: [],
  rows: [
    { from: [null, 'waiting', 'dead'], trigger: 'mark', to: 'waiting' },
    { from: 'waiting', trigger: 'postpone', to: 'waiting' },
    { from: 'waiting', trigger: 'give_up', to: 'dead' },
    { from: ['waiting', 'dead'], trigger: 'clean', to: null, note: 'No mark has come since the read was sent.' },
  ],
});

/** The life of a full read. An interrupted scan continues from its position, if it can. */
export const scanLife = machine({
  name: 'scan',
  is: 'A full read of a resource or of a part of it.',
  before: 'not begun',
  states: {
    running: 'Under way, or cut off.',
    done: 'Everything was read.',
    suspect: 'Rows may have slipped past it.',
    failed: 'It came to nothing.',
  },
  final: ['done', 'suspect'],
  rows: [
    { from: null, trigger: 'begin', to: 'running' },
    { from: 'running', trigger: 'finish', to: 'done' },
    { from: 'running', trigger: 'doubt', to: 'suspect' },
    { from: 'running', trigger: 'fail', to: 'failed' },
    { from: ['running', 'failed'], trigger: 'resume', to: 'running' },
    { from: ['done', 'suspect', 'failed'], trigger: 'prune', to: null },
  ],
});

/** The life of a connection: only reading pauses, receiving never does. */
export const connectionLife = machine({
  name: 'connection',
  is: 'One account that the daemon mirrors.',
  before: 'not known',
  states: {
    active: 'It is read.',
    paused: 'Upstream refuses to be read; a slow probe asks again.',
  },
  final: [],
  rows: [
    { from: null, trigger: 'make', to: 'active' },
    { from: ['active', 'paused'], trigger: 'pause', to: 'paused' },
    { from: 'paused', trigger: 'resume', to: 'active' },
  ],
});

export type InboxState = StateOf<typeof inboxLife>;
export type KeyState = StateOf<typeof keyLife>;
export type ScanState = StateOf<typeof scanLife>;
export type ConnectionState = StateOf<typeof connectionLife>;
