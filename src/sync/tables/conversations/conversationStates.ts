import { sql } from 'kysely';
import { GUEST } from '../../../contract/conversations.ts';
import { inList } from '../../../store/queries/inList.ts';
import { insertMany } from '../../../store/queries/insertMany.ts';
import { prepared } from '../../../store/queries/prepared.ts';
import type { Mirror, MirrorDb, MirrorTrx } from '../database.ts';
import type { SideTables } from '../rows/resource.ts';

type State = Mirror['conversation_states'];

interface Asked {
  connection: string;
  conversation: string;
}

// Ids of our core count up: of two messages of one second the longer id, then the higher one, is the later one.
const lastMessage = prepared((db: MirrorDb, { connection, conversation }: Asked) =>
  db
    .selectFrom('messages')
    .where('connection', '=', connection)
    .where('conversation_id', '=', conversation)
    .where('deleted_at', 'is', null)
    .select(['message', 'sender_role', 'sent_at'])
    .orderBy(sql`coalesce(sent_at, '')`, 'desc')
    .orderBy(sql`length(message)`, 'desc')
    .orderBy('message', 'desc')
    .limit(1),
);

interface Several {
  connection: string;
  conversations: readonly string[];
}

const existing = prepared((db: MirrorDb, { connection, conversations }: Several) =>
  db
    .selectFrom('conversations')
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('conversation_id'), conversations))
    .where('deleted_at', 'is', null)
    .select('conversation_id'),
);

const drop = prepared((db: MirrorDb, { connection, conversations }: Several) =>
  db
    .deleteFrom('conversation_states')
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('conversation_id'), conversations)),
);

const stored = prepared((db: MirrorDb, { connection, conversations }: Several) =>
  db
    .selectFrom('conversation_states')
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('conversation_id'), conversations))
    .selectAll(),
);

/** Notes who wrote last in these conversations, from the messages that are stored. */
const sum: SideTables['sum'] = async (trx, connection, keys) => {
  const rows = await computed(trx, connection, keys);
  await drop(trx, { connection, conversations: keys });
  await insertMany(trx, 'conversation_states', rows);
};

/** Finds conversations whose note does not follow from their messages; each is named at one of its rows. */
const compare: SideTables['compare'] = async (trx, connection, rows) => {
  const rowOf = new Map(rows.map(({ key, rowKey }) => [key, String(rowKey)]));
  const conversations = [...rowOf.keys()];
  const noted = new Map((await stored(trx, { connection, conversations })).map((one) => [one.conversation_id, one]));
  const wrong = (await computed(trx, connection, conversations)).filter(({ conversation_id, ...right }) => {
    const one = noted.get(conversation_id);
    return one?.last_message !== right.last_message || one.unanswered !== right.unanswered;
  });
  return new Map(wrong.map(({ conversation_id: id }) => [rowOf.get(id) ?? id, ['conversation_states']]));
};

async function computed(trx: MirrorTrx, connection: string, conversations: readonly string[]): Promise<State[]> {
  const there = new Set((await existing(trx, { connection, conversations })).map((row) => row.conversation_id));
  const states: State[] = [];
  for (const conversation_id of there) {
    const [last] = await lastMessage(trx, { connection, conversation: conversation_id });
    states.push({
      connection,
      conversation_id,
      unanswered: last?.sender_role === GUEST ? 1 : 0,
      last_at: last?.sent_at ?? '',
      last_message: last?.message ?? null,
      last_role: last?.sender_role ?? null,
    });
  }
  return states;
}

/** Who wrote last in a conversation, noted again whenever it or one of its messages is written. */
export const conversationStates: SideTables = {
  clear: async () => {},
  write: async () => {},
  sum,
  compare,
};
