import { NOTE_LENGTH } from '../../contract/conversations.ts';
import { Stopped } from '../perform/stopped.ts';
import { renderTemplate } from '../../kernel/markup/templates.ts';
import type { Action } from './action.ts';

/** Adds a line to the private note of a conversation. */
export const note: Action<'note'> = {
  isRepeatable: () => true,
  speaks: false,
  prepare({ conversation, spec, scope, context }) {
    if (!conversation) throw new Stopped('waiting', 'no_conversation');
    const line = renderTemplate(spec.add, scope);
    const before = conversation.note ?? '';
    if (before.includes(line)) throw new Stopped('skipped', 'nothing_to_do');
    const after = before === '' ? line : `${before.trimEnd()}\n${line}`;
    if (after.length > NOTE_LENGTH) throw new Stopped('failed', 'out_of_bounds', { detail: 'the note is full' });
    return {
      text: line,
      async run(guard) {
        await context.client.call(
          'updateConversationNote',
          { conversation_id: conversation.conversation_id, note: after },
          guard,
        );
      },
    };
  },
};
