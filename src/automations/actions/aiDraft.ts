import { openKnowledge } from '../ai/knowledge.ts';
import { languageOf } from '../ai/languages.ts';
import { writeDraft } from '../ai/writeDraft.ts';
import { textFor } from '../language.ts';
import { checkSwitches } from '../perform/ledger.ts';
import { Stopped } from '../perform/stopped.ts';
import type { Texts } from '../rules/actions.ts';
import { renderTemplate, type Scope } from '../../kernel/markup/templates.ts';
import type { Action, ActionContext } from './action.ts';
import { message } from './message.ts';

/**
 * Lets a model draft an answer, or shows the message to a person without one. An approved draft is sent like any
 * message.
 */
export const aiDraft: Action<'ai_draft'> = {
  isRepeatable: () => false,
  speaks: true,
  async prepare(actionContext) {
    const { approvedText } = actionContext;
    if (actionContext.plan.approved === 0) return held(await write(actionContext));
    if (approvedText === undefined) throw new Stopped('failed', 'missing', { detail: 'the draft' });
    return message.prepare({ ...actionContext, spec: { text: {} } });
  },
  ...(message.find && { find: message.find }),
};

interface Draft {
  text: string;
  sources: readonly object[];
}

/** Stops for approval. A model's text never leaves by itself. */
function held({ text, sources }: Draft): never {
  throw new Stopped('awaiting_approval', 'draft', { draft: text, sources });
}

async function write(actionContext: ActionContext<'ai_draft'>): Promise<Draft> {
  const { context, plan, rule, spec, conversation, fresh, facts, scope, language } = actionContext;
  const { ai } = context.settings;
  if (!ai) throw new Stopped('awaiting_approval', 'ai_off');
  if (!conversation) throw new Stopped('waiting', 'no_conversation');
  // Rendered before the model is asked, because a value may be missing.
  const guestLanguage = languageOf(facts.message?.content ?? '') ?? language;
  const around = framed(spec, scope, { language: guestLanguage, usual: context.settings.language });
  const at = conversation.messages.findIndex(({ message_id }) => message_id === plan.message_id);
  const written = await writeDraft(
    context,
    ai,
    openKnowledge(context),
    {
      request_id: plan.plan_id,
      rule: rule.name,
      spec,
      property: facts.property,
      channel_type: facts.channel_type,
      stay: facts.stay,
      names: namesOf(actionContext),
      conversation: conversation.messages.slice(at).toReversed(),
      language: language ?? context.settings.language,
    },
    { ask: ai.ask, onAsk: () => checkSwitches(context, rule) },
  );
  if ('reason' in written) throw new Stopped('awaiting_approval', written.reason, { detail: written.detail });
  return { text: around(written.text), sources: written.sources };

  function namesOf({ conversation: talk }: Pick<ActionContext, 'conversation'>): string[] {
    const guests = fresh?.wire.guests?.map(({ name }) => name) ?? [];
    return [talk?.guest?.name, fresh?.wire.guest_name, ...guests].filter((one) => typeof one === 'string');
  }
}

/**
 * Returns the texts around a model's words. The model sees nothing of them: names, and codes if the rule may send them.
 */
export function framed(
  { before, after }: { before?: Texts | undefined; after?: Texts | undefined },
  scope: Scope,
  { language, usual }: { language: string | undefined; usual: string },
): (words: string) => string {
  const filled = (texts: Texts | undefined) =>
    texts === undefined ? [] : [renderTemplate(textFor(texts, language, usual).text, scope)];
  const [first, last] = [filled(before), filled(after)];
  return (words) => [...first, words, ...last].join('\n\n');
}
