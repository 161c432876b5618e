import type { ModelCaller } from '../../outbound/askModel.ts';
import type { Topic } from './topics.ts';

/** Limits for 24 hours. */
export interface AiBudget {
  requestsPerDay: number;
  /** As the endpoint of the model counts them; null for no limit. */
  tokensPerDay: number | null;
}

/** A language model for drafts, with the settings of all drafts. */
export interface AiSettings {
  model: string;
  budget: AiBudget;
  /** Topics that the model never receives. */
  neverAbout: readonly Topic[];
  /** Further words that block a question, as beginnings; a full stop marks the end of a word. */
  neverWords: readonly string[];
  /** Hosts that a draft may name in addition to those in its sources. */
  links: readonly string[];
  ask: ModelCaller['ask'];
}
