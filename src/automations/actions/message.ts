import { MESSAGE_LENGTH } from '../../contract/conversations.ts';
import { foundIn } from '../guards/conversation.ts';
import { Stopped } from '../perform/stopped.ts';
import { newestSend, ownSend, ownSends } from '../perform/ledger.ts';
import { readConversation } from '../perform/conversation.ts';
import { textFor } from '../language.ts';
import { renderTemplate } from '../../kernel/markup/templates.ts';
import type { Texts } from '../rules/actions.ts';
import type { Action, ActionContext } from './action.ts';

/** Sends a message to a guest. */
export const message: Action<'message'> & Action<'draft'> = {
  isRepeatable: () => false,
  speaks: true,
  prepare(actionContext) {
    const { plan, conversation, context, approvedText } = actionContext;
    if (!conversation) throw new Stopped('waiting', 'no_conversation');
    const text = approvedText ?? rendered(actionContext, textsOf(actionContext));
    if (text.length > MESSAGE_LENGTH)
      throw new Stopped('failed', 'refused', { detail: `longer than ${MESSAGE_LENGTH} signs` });
    const conversation_id = plan.conversation_id ?? conversation.conversation_id;
    return {
      text,
      async run(guard) {
        await context.client.call('sendMessage', { conversation_id, message: text }, guard);
      },
    };
  },
  async find(context, plan) {
    const send = await newestSend(context, plan);
    const conversation =
      plan.conversation_id === null ? undefined : await readConversation(context, plan.conversation_id);
    if (!send || !conversation) return undefined;
    const others = (await ownSends(context.store.db, context, conversation.conversation_id)).filter(
      ({ plan_id }) => plan_id !== plan.plan_id,
    );
    const said = foundIn(conversation, ownSend(context, send), others);
    return said && { message_id: said.message_id };
  },
};

type Speaking = Omit<ActionContext, 'spec'> & { spec: { text: Texts } };

/** Returns the texts of the rule, or its texts for late reservations. */
function textsOf({ plan, rule, spec }: Speaking): Texts {
  const isLastMinute = (JSON.parse(plan.basis) as { last_minute?: true }).last_minute === true;
  return (isLastMinute ? rule.if_past?.text : null) ?? spec.text;
}

function rendered({ scope, language, context }: Speaking, texts: Texts): string {
  return renderTemplate(textFor(texts, language, context.settings.language).text, scope);
}
