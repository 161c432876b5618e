import type { Kysely } from 'kysely';
import { createTable } from '../../mirror/tables.ts';

// Why: drafts by a language model need the words of the knowledge base, keep what they were made from, and are
// counted before the model is asked, so that a budget holds through a crash.

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await db.schema.alterTable('automation_plans').addColumn('detail', 'text').execute();
  await db.schema.alterTable('automation_drafts').addColumn('sources', 'text').execute();
  await createTable(db, {
    name: 'knowledge_pieces',
    columns: {
      knowledge_base_id: 'bigint!',
      position: 'bigint!',
      title: 'text!',
      sub_title: 'text!',
      text: 'text!',
      words: 'text!',
    },
    key: ['knowledge_base_id', 'position'],
  });
  await createTable(db, {
    name: 'knowledge_readings',
    columns: { knowledge_base_id: 'bigint!', read_at: 'text!' },
    key: ['knowledge_base_id'],
    narrow: true,
  });
  await createTable(db, {
    name: 'ai_requests',
    columns: {
      request_id: 'text!',
      rule: 'text!',
      model: 'text!',
      started_at: 'text!',
      ended_at: 'text',
      outcome: 'text!',
      problem: 'text',
      prompt_tokens: 'bigint',
      answer_tokens: 'bigint',
    },
    key: ['request_id'],
    narrow: true,
  });
  await db.schema.createIndex('ai_requests_by_time').on('ai_requests').columns(['connection', 'started_at']).execute();
}
