import { type Kysely, sql } from 'kysely';
import { createTable } from './tables.ts';

// Why: the inbox shows first what guests wrote and nobody answered, and says on every page how many wait. Who wrote last
// follows from all messages of a conversation, which are too many to be read each time.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, {
    name: 'conversation_states',
    columns: {
      conversation_id: 'text!',
      unanswered: 'bigint!',
      last_at: 'text!',
      last_message: 'text',
      last_role: 'text',
    },
    key: ['conversation_id'],
    narrow: true,
    indexes: [
      {
        name: 'conversation_states_newest',
        columns: ['connection', 'unanswered', 'last_at', 'conversation_id'],
      },
    ],
  });
  await sql`insert into conversation_states
    select conversations.connection, conversations.conversation_id,
      case when last.sender_role = 'guest' then 1 else 0 end, coalesce(last.sent_at, ''), last.message, last.sender_role
    from conversations
    left join (
      select connection, conversation_id, message, sender_role, sent_at,
        row_number() over (
          partition by connection, conversation_id
          order by coalesce(sent_at, '') desc, length(message) desc, message desc
        ) as place
      from messages where deleted_at is null
    ) as last
      on last.connection = conversations.connection
      and last.conversation_id = conversations.conversation_id and last.place = 1
    where conversations.deleted_at is null`.execute(db);
}
