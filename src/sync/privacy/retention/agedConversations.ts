import type { Kysely } from 'kysely';
import type { Instant } from '../../../kernel/dates.ts';
import { inList } from '../../../store/queries/inList.ts';
import { insertMany } from '../../../store/queries/insertMany.ts';
import { prepared } from '../../../store/queries/prepared.ts';
import type { Mirror, MirrorDb, MirrorTrx } from '../../tables/database.ts';

const among = prepared((db: Kysely<Mirror>, arg: { connection: string; conversations: readonly string[] }) =>
  db
    .selectFrom('aged_conversations')
    .select(['conversation_id', 'since'])
    .where('connection', '=', arg.connection)
    .where((eb) => inList(eb.ref('conversation_id'), arg.conversations)),
);

/** Returns the moment since which these conversations are complete; those with nothing deleted are left out. */
export async function agedConversations(
  db: MirrorDb,
  connection: string,
  conversations: readonly string[],
): Promise<ReadonlyMap<string, Instant>> {
  const rows = await among(db, { connection, conversations });
  return new Map(rows.map((row) => [row.conversation_id, row.since]));
}

/** Stores, in the transaction that deletes texts, that earlier ones must not be read in again. */
export async function rememberAged(
  trx: MirrorTrx,
  connection: string,
  conversations: Iterable<string>,
  since: Instant,
): Promise<void> {
  const rows = [...conversations].map((conversation_id) => ({ connection, conversation_id, since }));
  await insertMany(trx, 'aged_conversations', rows, { columns: ['connection', 'conversation_id'], update: ['since'] });
}
