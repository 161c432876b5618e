import { machine, type StateOf, type TriggerOf } from '../kernel/transitions.ts';

/** The states of an endpoint. It is disabled after days of failure, or when it answers that it is gone. */
export const endpointLife = machine({
  name: 'endpoint',
  is: 'An address that signed messages about changes are sent to.',
  before: 'not added',
  states: {
    active: 'It receives changes.',
    disabled: 'It receives nothing, and its waiting messages stay.',
  },
  final: [],
  rows: [
    { from: null, trigger: 'add', to: 'active' },
    { from: 'active', trigger: 'disable', to: 'disabled', note: 'By hand.' },
    { from: 'active', trigger: 'give_up', to: 'disabled', note: 'It answered 410, or has failed for five days.' },
    { from: 'disabled', trigger: 'enable', to: 'active' },
    { from: ['active', 'disabled'], trigger: 'remove', to: null },
  ],
});

/** The states of a message. It is delivered at least once, and its owner can send it again. */
export const messageLife = machine({
  name: 'endpoint message',
  is: 'One change to be sent to one endpoint.',
  before: 'not made',
  states: {
    waiting: 'It is sent when its time has come.',
    delivered: 'The endpoint has taken it.',
    skipped: 'It concerned another property.',
    dead: 'Given up, or what it was about is no longer kept.',
  },
  final: [],
  rows: [
    { from: null, trigger: 'make', to: 'waiting' },
    { from: 'waiting', trigger: 'release', to: 'waiting', note: 'Its endpoint was disabled.' },
    { from: 'waiting', trigger: 'deliver', to: 'delivered' },
    { from: 'waiting', trigger: 'skip', to: 'skipped' },
    { from: 'waiting', trigger: 'retry', to: 'waiting' },
    { from: 'waiting', trigger: 'give_up', to: 'dead' },
    { from: ['waiting', 'delivered', 'skipped', 'dead'], trigger: 'send_again', to: 'waiting' },
  ],
});

export type EndpointState = StateOf<typeof endpointLife>;
export type MessageState = StateOf<typeof messageLife>;
/** A trigger that ends an attempt to send a message. */
export type MessageTrigger = Exclude<TriggerOf<typeof messageLife>, 'make' | 'send_again'>;
