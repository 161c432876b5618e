import type { AccountId } from '../../kernel/ids.ts';
import type { CoreDb } from '../database.ts';
import { placesOf } from './scope.ts';
import { chunksMatching, type FoundChunk } from './table.ts';

const DEFAULT_LIMIT = 5;

/** A question to the knowledge base. */
export interface KnowledgeQuestion {
  accountId: AccountId;
  /** In anybody's words; pieces that hold more of them, and rarer ones, come first. */
  words: string;
  /** Only what holds for this property; left out: for any. */
  propertyId?: number | undefined;
  /** Only what holds on this channel; left out: on any. */
  channelType?: string | undefined;
  limit?: number | undefined;
}

/** Pieces of the knowledge base that may answer a question, of entries that are switched on and processed, the best first. */
export async function searchKnowledge(db: CoreDb, question: KnowledgeQuestion): Promise<FoundChunk[]> {
  const { accountId, words, propertyId, channelType, limit = DEFAULT_LIMIT } = question;
  const places = propertyId === undefined ? undefined : await placesOf(db, accountId, [propertyId]);
  return chunksMatching(db, { accountId, words, places, channelType, limit });
}
