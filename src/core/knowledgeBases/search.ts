import type { AccountId } from '../../kernel/ids.ts';
import type { CoreDb } from '../database.ts';
import { placesOf } from './scope.ts';
import { chunksMatching, type FoundChunk } from './table.ts';

const DEFAULT_LIMIT = 5;

/** A question to the knowledge base. */
export interface KnowledgeQuestion {
  accountId: AccountId;
  /** Words of the question. Chunks with more of them, and rarer ones, come first. */
  words: string;
  /** Property to which an entry must apply; left out: any. */
  propertyId?: number | undefined;
  /** Channel on which an entry must apply; left out: any. */
  channelType?: string | undefined;
  limit?: number | undefined;
}

/** Returns the chunks that may answer a question, the best first, from entries that are enabled and processed. */
export async function searchKnowledge(db: CoreDb, question: KnowledgeQuestion): Promise<FoundChunk[]> {
  const { accountId, words, propertyId, channelType, limit = DEFAULT_LIMIT } = question;
  const places = propertyId === undefined ? undefined : await placesOf(db, accountId, [propertyId]);
  return chunksMatching(db, { accountId, words, places, channelType, limit });
}
