import type { ModelCaller } from '../../outbound/askModel.ts';
import type { Topic } from './topics.ts';

/** What may be asked in 24 hours. */
export interface AiBudget {
  requestsPerDay: number;
  /** As the endpoint counts them; null: any number. */
  tokensPerDay: number | null;
}

/** A language model that drafts, and what holds for all of its drafts. */
export interface AiSettings {
  model: string;
  budget: AiBudget;
  /** What it is never asked about. */
  neverAbout: readonly Topic[];
  /** Further words, as beginnings; a full stop ends a word. */
  neverWords: readonly string[];
  /** Hosts that a draft may name, beside those in its sources. */
  links: readonly string[];
  ask: ModelCaller['ask'];
}
