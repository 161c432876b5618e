import { machine, sourcesOf, type StateOf, statesOf, type TriggerOf } from '../../kernel/transitions.ts';

/**
 * The states of a plan. A plan is done at most once: it is `sending` before the call leaves. A call with an unknown
 * outcome is looked for and repeated only on a person's word. An object made for a stay may follow the stay afterwards.
 */
export const planLife = machine({
  name: 'plan',
  is: 'One thing that a rule of the daemon does for one stay, message or change.',
  before: 'not made',
  states: {
    planned: 'It will be looked at when its time has come.',
    awaiting_approval: 'It waits for a person.',
    sending: 'The call is under way, or was cut off.',
    verifying: 'Nobody knows if it went out; the other side is asked.',
    sent: 'It was done.',
    tested: 'It would have been done, but its rule is in test.',
    skipped: 'It will not be done: a guard or a condition says no.',
    cancelled: 'It will not be done: a person or the stay says no.',
    failed: 'It was refused.',
    unknown: 'A person must look.',
  },
  final: [],
  rows: [
    { from: null, trigger: 'plan', to: 'planned' },
    {
      from: ['planned', 'awaiting_approval'],
      trigger: 'replan',
      to: 'planned',
      note: 'The stay or the rule has changed.',
    },
    { from: 'cancelled', trigger: 'revive', to: 'planned', note: 'The stay is again as it was.' },
    { from: 'sent', trigger: 'follow', to: 'planned', note: 'What was made is changed with its stay.' },
    { from: 'sent', trigger: 'take_back', to: 'planned', note: 'What was made is to be undone.' },
    { from: 'skipped', trigger: 'reconsider', to: 'planned', note: 'More is known of the review.' },
    { from: 'planned', trigger: 'wait', to: 'planned' },
    { from: 'planned', trigger: 'ask', to: 'awaiting_approval' },
    { from: 'planned', trigger: 'skip', to: 'skipped' },
    { from: 'planned', trigger: 'fail', to: 'failed', note: 'Before anything left.' },
    { from: 'planned', trigger: 'find_done', to: 'sent', note: 'It is as it was made before.' },
    { from: 'planned', trigger: 'test', to: 'tested' },
    { from: 'planned', trigger: 'send', to: 'sending' },
    { from: ['sending', 'verifying'], trigger: 'finish', to: 'sent' },
    { from: ['sending', 'verifying'], trigger: 'finish_taking_back', to: 'cancelled' },
    { from: 'sending', trigger: 'retry', to: 'planned', note: 'It certainly did nothing, or may be done twice.' },
    { from: 'sending', trigger: 'refuse', to: 'failed' },
    { from: 'sending', trigger: 'doubt', to: 'verifying' },
    { from: 'verifying', trigger: 'look_again', to: 'verifying' },
    { from: 'verifying', trigger: 'stop_looking', to: 'unknown' },
    { from: 'awaiting_approval', trigger: 'supersede', to: 'skipped', note: 'A newer draft answers it, too.' },
    { from: 'awaiting_approval', trigger: 'expire', to: 'skipped' },
    {
      from: ['planned', 'awaiting_approval'],
      trigger: 'disarm',
      to: 'skipped',
      note: 'It came due while rules were disarmed.',
    },
    {
      from: ['planned', 'awaiting_approval'],
      trigger: 'withdraw',
      to: 'cancelled',
      note: 'The stay or its rule is gone.',
    },
    { from: ['awaiting_approval', 'planned', 'unknown', 'failed'], trigger: 'approve', to: 'planned' },
    { from: ['awaiting_approval', 'planned', 'unknown', 'failed', 'tested'], trigger: 'cancel', to: 'cancelled' },
    { from: ['sent', 'tested', 'skipped', 'cancelled', 'failed'], trigger: 'prune', to: null },
  ],
});

export type PlanState = StateOf<typeof planLife>;
/** A trigger that moves an existing plan, or leaves its state. */
export type PlanTrigger = Exclude<TriggerOf<typeof planLife>, 'plan' | 'prune'>;

/** States of plans that can still lead to something. */
export const openStates: readonly PlanState[] = sourcesOf(planLife, 'withdraw');
/** States of plans that can lead to nothing more. */
export const finishedStates: readonly PlanState[] = sourcesOf(planLife, 'prune');
/** States of plans that may still send something, or that a person must decide. */
export const pendingStates: readonly PlanState[] = statesOf(planLife).filter(
  (state) => !finishedStates.includes(state),
);

/** The states of one attempt. It is recorded before the call leaves, and stays if its outcome is unknown. */
export const sendLife = machine({
  name: 'send',
  is: 'One attempt to carry a plan out, as the ledger keeps it.',
  before: 'not begun',
  states: {
    sending: 'Under way.',
    sent: 'It went out.',
    not_sent: 'It certainly did not.',
    unknown: 'Perhaps.',
  },
  final: ['sent', 'not_sent'],
  rows: [
    { from: null, trigger: 'begin', to: 'sending' },
    { from: ['sending', 'unknown'], trigger: 'finish', to: 'sent' },
    { from: ['sending', 'unknown'], trigger: 'fail', to: 'not_sent' },
    { from: ['sending', 'unknown'], trigger: 'doubt', to: 'unknown' },
  ],
});

export type SendOutcome = StateOf<typeof sendLife>;
