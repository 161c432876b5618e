import { framed } from '../actions/aiDraft.ts';
import type { Automating } from '../context.ts';
import type { Facts } from '../facts/facts.ts';
import { contentsOf } from '../facts/mirrorMessages.ts';
import { reasonText } from '../reasons.ts';
import type { ActionOf } from '../rules/actions.ts';
import type { LoadedRule } from '../rules/ruleBook.ts';
import { MissingValue, type Scope } from '../../kernel/markup/templates.ts';
import { openKnowledge, type Source } from './knowledge.ts';
import type { Spoken } from './prompt.ts';
import type { AiSettings } from './settings.ts';
import { languageOf } from './languages.ts';
import { topicNames } from './topics.ts';
import { writeDraft, type Written } from './writeDraft.ts';

/** Number of messages of a conversation to read. */
const EARLIER = 20;

interface DryDraft {
  rule: LoadedRule;
  spec: ActionOf<'ai_draft'>['with'];
  facts: Facts;
  conversation_id: string;
  scope: Scope;
  language: string | undefined;
}

/** The outcome that a draft would have had. */
interface DryWords {
  would: 'act' | 'not act';
  because: string;
  text: string | null;
}

/** The drafts of a dry run. */
export interface DryDrafts {
  words(draft: DryDraft): Promise<DryWords>;
}

/**
 * Prepares the drafts of a dry run. Reads the knowledge base, and asks a model only on request.
 * @param isShown false if the next line is only counted; nothing is read or asked for it then
 */
export function dryDrafts(context: Automating, ask: boolean, isShown: () => boolean): DryDrafts {
  const knowledge = openKnowledge(context);
  const { ai, language: usual } = context.settings;
  return {
    async words({ rule, spec, facts, conversation_id, scope, language }) {
      if (!isShown()) return { would: 'act', because: 'ai_draft', text: null };
      if (!ai && ask) return { would: 'not act', because: reasonText('ai_off'), text: null };
      const around = frameOrNone();
      if (typeof around === 'string') return { would: 'not act', because: reasonText('missing', around), text: null };
      const names = typeof scope['guest'] === 'object' ? Object.values(Object(scope['guest'])).map(String) : [];
      const written = await writeDraft(
        context,
        ai ?? NO_MODEL,
        knowledge,
        {
          request_id: context.ids(),
          rule: rule.name,
          spec,
          property: facts.property,
          channel_type: facts.channel_type,
          stay: facts.stay,
          names,
          conversation: await conversationUpTo(context, conversation_id, facts),
          language: language ?? usual,
        },
        ask && ai ? { ask: ai.ask, onAsk: () => Promise.resolve() } : null,
      );
      return shown(written, ask, around);

      function frameOrNone(): ReturnType<typeof framed> | string {
        try {
          const written = languageOf(facts.message?.content ?? '') ?? language;
          return framed(spec, scope, { language: written, usual });
        } catch (error) {
          if (error instanceof MissingValue) return error.field;
          throw error;
        }
      }
    },
  };
}

/** Serves a configuration without a model, so a dry run still shows the sources. */
const NO_MODEL: AiSettings = {
  model: '',
  budget: { requestsPerDay: 0, tokensPerDay: 0 },
  neverAbout: topicNames,
  neverWords: [],
  links: [],
  ask: () => Promise.resolve({ problem: 'there is no model' }),
};

function shown(written: Written, asked: boolean, around: (words: string) => string): DryWords {
  const from = `from ${titles(written.sources)}`;
  if ('reason' in written) {
    const because = reasonText(written.reason, written.detail);
    return { would: 'not act', because: `a person: ${because}`, text: null };
  }
  if (asked) return { would: 'act', because: `ai_draft ${from}`, text: around(written.text) };
  const pieces = written.sources.map(({ title, text }) => `${title}: ${text}`).join('\n');
  return { would: 'act', because: `ai_draft ${from}`, text: around(`[what the model makes of]\n${pieces}`) };
}

function titles(sources: readonly Source[]): string {
  return [...new Set(sources.map((one) => `${one.title} (${one.knowledge_base_id})`))].join(', ');
}

async function conversationUpTo(
  context: Automating,
  conversation_id: string,
  { message }: Facts,
): Promise<readonly Spoken[]> {
  const { store, connection } = context;
  if (!message) return [];
  const rows = await store.db
    .selectFrom('messages')
    .select(['message', 'message_id', 'sender_role', 'sent_at'])
    .where('connection', '=', connection)
    .where('conversation_id', '=', conversation_id)
    .where('sent_at', '<', message.sent_at)
    .where('deleted_at', 'is', null)
    .orderBy('sent_at', 'desc')
    .limit(EARLIER)
    .execute();
  const texts = await contentsOf(
    context,
    rows.map((row) => row.message),
  );
  const earlier = rows.map((row) => ({ isGuest: row.sender_role === 'guest', content: texts.get(row.message) ?? '' }));
  return [...earlier.toReversed(), { isGuest: true, content: message.content }];
}
