import type { Automating } from '../context.ts';
import type { PropertyFacts, StayFacts } from '../facts/facts.ts';
import type { Reason } from '../reasons.ts';
import { type DraftTerms, faultOf, isNoAnswer } from './checkDraft.ts';
import { type Redactions, redactionsFor } from './redactions.ts';
import type { Knowledge, Source } from './knowledge.ts';
import { promptOf, type Spoken } from './prompt.ts';
import { beginAsking, endAsking } from './requests.ts';
import type { AiSettings } from './settings.ts';
import { languageOf } from './languages.ts';
import { topicOf } from './topics.ts';

/** The message to answer, and its context. */
interface Wanted {
  /** Id of the question: the plan's, or an id of its own in a dry run. */
  request_id: string;
  rule: string;
  spec: { instructions: string; pieces: number; longest: number };
  property: PropertyFacts | null;
  channel_type: string | null;
  stay: StayFacts | null;
  /** Names that may appear in this conversation. */
  names: readonly string[];
  /** Oldest first; the last message is the guest's message to answer. */
  conversation: readonly Spoken[];
  /** The language for this guest if the message does not reveal one. */
  language: string | undefined;
}

/** The result: a draft or the reason against one, and the pieces of the knowledge base involved. */
export type Written =
  | { text: string; sources: readonly Source[] }
  | { reason: Reason; detail: string | null; sources: readonly Source[] };

/** The model to ask; null to prepare everything without a question. */
type Asked = (Pick<AiSettings, 'ask'> & { onAsk(): Promise<void> }) | null;

/**
 * Writes a draft, or returns the reason why a person must. Asks the model last, once, and only if nothing forbids it.
 * Code judges the answer. Throws CallError if the knowledge base cannot be read.
 */
export async function writeDraft(
  context: Automating,
  ai: AiSettings,
  knowledge: Knowledge,
  wanted: Wanted,
  asked: Asked,
): Promise<Written> {
  const none = (reason: Reason, detail: string | null = null, sources: readonly Source[] = []): Written => ({
    reason,
    detail,
    sources,
  });
  const { property, conversation, spec } = wanted;
  const unanswered = unansweredOf(conversation);
  const topic = topicOf(unanswered, ai.neverAbout, ai.neverWords);
  if (topic !== undefined) return none('ai_topic', topic);
  if (!property) return none('ai_no_source', 'the property is not known');
  const redactions = await redactionsFor(context, {
    stays: wanted.stay ? [wanted.stay.stay_code] : [],
    names: wanted.names,
  });
  const secret = redactions.foundIn(redactions.withoutCodes(unanswered));
  if (secret !== undefined) return none('ai_topic', secret);
  const where = { property_id: property.id, channel_type: wanted.channel_type };
  const found = await knowledge.find({ words: unanswered, ...where, most: spec.pieces });
  const sources = found.filter((one) => mayBeShown(one, redactions)).map((one) => withoutCodes(one, redactions));
  if (sources.length === 0) return none('ai_no_source');
  if (asked === null) return { text: '', sources };
  return askFor(context, { ai, wanted, sources, redactions, asked, property, unanswered });
}

/** Returns the guest's messages since the last answer. */
function unansweredOf(conversation: readonly Spoken[]): string {
  const answered = conversation.findLastIndex((one) => !one.isGuest);
  return conversation
    .slice(answered + 1)
    .map((one) => one.content)
    .join('\n');
}

/**
 * Returns true if a piece may be given to a model. A piece that names a person or quotes a private statement may not;
 * its codes are removed.
 */
function mayBeShown({ title, sub_title, text }: Source, redactions: Redactions): boolean {
  return redactions.foundIn(redactions.withoutCodes(`${title}\n${sub_title}\n${text}`)) === undefined;
}

function withoutCodes({ knowledge_base_id, title, sub_title, text }: Source, redactions: Redactions): Source {
  const clean = redactions.withoutCodes;
  return { knowledge_base_id, title: clean(title), sub_title: clean(sub_title), text: clean(text) };
}

interface Asking {
  ai: AiSettings;
  wanted: Wanted;
  sources: readonly Source[];
  redactions: Redactions;
  asked: NonNullable<Asked>;
  property: PropertyFacts;
  unanswered: string;
}

async function askFor(context: Automating, asking: Asking): Promise<Written> {
  const { ai, wanted, sources, redactions, asked, property, unanswered } = asking;
  const { request_id, rule, spec } = wanted;
  const stay = stayInPrompt(wanted.stay);
  const language = languageOf(unanswered) ?? wanted.language;
  const messages = promptOf(
    {
      property: property.name ?? '',
      stay,
      conversation: wanted.conversation.filter(
        (one) => redactions.foundIn(redactions.withoutCodes(one.content)) === undefined,
      ),
      sources,
      instructions: spec.instructions,
      language,
      longest: spec.longest,
    },
    (text) => redactions.withoutCodes(text),
  );
  await asked.onAsk();
  const { model, budget } = ai;
  const refused = await beginAsking(context, { request_id, rule, model, budget });
  if (refused === 'budget') return { reason: 'ai_budget', detail: null, sources };
  if (refused) return { reason: 'ai_failed', detail: 'stayd ended while the model was asked', sources };
  const answer = await asked.ask(messages, context.signal);
  if ('problem' in answer) {
    const { problem, tokens } = answer;
    // The outcome is unknown if a stop cut the question off.
    if (!context.signal.aborted) await endAsking(context, request_id, { trigger: 'fail', problem, tokens });
    return { reason: 'ai_failed', detail: problem, sources };
  }
  const terms: DraftTerms = {
    given: JSON.stringify([property.name, property.address, stay, sources]),
    instructions: messages[0]?.content ?? '',
    redactions,
    links: ai.links,
    denied: ai.neverAbout,
    deniedWords: ai.neverWords,
    language,
    longest: spec.longest,
  };
  const text = answer.text.trim();
  const fault = isNoAnswer(text) ? undefined : faultOf(text, terms);
  const trigger = fault === undefined ? 'answer' : 'refuse';
  await endAsking(context, request_id, { trigger, problem: fault ?? null, tokens: answer.tokens });
  if (isNoAnswer(text)) return { reason: 'ai_no_source', detail: 'the model says so', sources };
  return fault === undefined ? { text, sources } : { reason: 'ai_refused', detail: fault, sources };
}

/** Returns the facts of a stay without names and secrets. */
function stayInPrompt(stay: StayFacts | null): Record<string, string | number> {
  if (!stay) return {};
  const { check_in_date, check_out_date, nights, number_of_guests, arrival, departure } = stay;
  return {
    check_in_date,
    check_out_date,
    ...(nights !== null && { nights }),
    ...(number_of_guests !== null && { number_of_guests }),
    ...(arrival !== null && { arrival_time: arrival }),
    ...(departure !== null && { departure_time: departure }),
  };
}
