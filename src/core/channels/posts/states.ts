import { machine } from '../../../kernel/transitions.ts';
import type { PostState } from '../../conversations/rows.ts';

/** The life of a post. It is made at most once, because a guest must not read a message twice. */
export const postLife = machine({
  name: 'post',
  is: 'Something that must be sent to a channel.',
  before: 'not made',
  states: {
    waiting: 'Nobody has taken it.',
    sending: 'The channel is being called.',
    sent: 'The channel has it.',
    failed: 'The channel has refused it or could not be reached.',
    unknown: 'Nobody can say if the channel has it.',
  } satisfies Record<PostState, string>,
  final: ['sent', 'failed', 'unknown'],
  rows: [
    { from: null, trigger: 'add', to: 'waiting' },
    { from: 'waiting', trigger: 'claim', to: 'sending' },
    { from: 'sending', trigger: 'succeed', to: 'sent' },
    { from: 'sending', trigger: 'fail', to: 'failed' },
    { from: 'sending', trigger: 'lose', to: 'unknown', note: 'The process ended, or the channel broke off.' },
    { from: ['waiting', 'sending'], trigger: 'restore', to: 'unknown', note: 'A backup from before was restored.' },
  ],
});
