import type { MirrorDb } from '../../tables/database.ts';
import { countGone } from '../../scans/resources/goneConversations.ts';
import type { Trouble } from './trouble.ts';

/** Reports conversations that upstream lists or names, but does not answer. */
export async function goneConversationTroubles(db: MirrorDb, connection: string): Promise<Trouble[]> {
  const gone = await countGone(db, connection);
  if (gone === 0) return [];
  const says = `${gone} conversations that upstream lists or has sent events about are missing when requested (404)`;
  const remedy = 'nothing needs to be done: they were deleted there, and are asked for again after an hour, then daily';
  return [{ about: 'conversations', level: 'note', says, remedy }];
}
