import type { Kysely } from 'kysely';
import { createTable } from '../../mirror/tables.ts';

// Why: automations keep their rules, plans, what was sent and why not where the feed is, so that an effect and its
// cursor are one commit.

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await rules(db);
  await plans(db);
  await sends(db);
  await createTable(db, {
    name: 'automation_log',
    columns: {
      entry_id: 'text!',
      at: 'text!',
      rule: 'text!',
      plan_id: 'text',
      stay_code: 'text',
      what: 'text!',
      reason: 'text',
      detail: 'text',
    },
    key: ['entry_id'],
    narrow: true,
  });
  await createTable(db, {
    name: 'automation_cursors',
    columns: { name: 'text!', seq: 'bigint!' },
    key: ['name'],
    narrow: true,
  });
}

async function rules(db: Db): Promise<void> {
  await createTable(db, {
    name: 'automation_rules',
    columns: {
      rule: 'text!',
      version: 'bigint!',
      state: 'text!',
      file: 'text!',
      fingerprint: 'text!',
      armed_seq: 'bigint!',
      armed_at: 'text!',
      paused_at: 'text',
      paused_because: 'text',
      removed_at: 'text',
      changed_at: 'text!',
    },
    key: ['rule'],
    narrow: true,
  });
  await createTable(db, {
    name: 'automation_versions',
    columns: { rule: 'text!', version: 'bigint!', source: 'text!', since: 'text!' },
    key: ['rule', 'version'],
  });
}

async function plans(db: Db): Promise<void> {
  await createTable(db, {
    name: 'automation_plans',
    columns: {
      plan_id: 'text!',
      rule: 'text!',
      version: 'bigint!',
      subject: 'text!',
      occurrence: 'text!',
      action: 'text!',
      stay_code: 'text',
      reservation_code: 'text',
      conversation_id: 'text',
      message_id: 'text',
      basis: 'text!',
      due_at: 'text!',
      send_at: 'text!',
      not_after: 'text!',
      next_at: 'text!',
      state: 'text!',
      reason: 'text',
      approved: 'bigint!',
      undo: 'bigint!',
      result: 'text',
      attempts: 'bigint!',
      claimed_by: 'text',
      claimed_until: 'text',
      created_at: 'text!',
      changed_at: 'text!',
    },
    key: ['plan_id'],
  });
  await db.schema
    .createIndex('automation_plans_once')
    .on('automation_plans')
    .columns(['connection', 'rule', 'subject', 'occurrence'])
    .unique()
    .execute();
  for (const [name, columns] of [
    ['due', ['connection', 'state', 'next_at']],
    ['stay', ['connection', 'stay_code']],
    ['thread', ['connection', 'conversation_id']],
  ] as const) {
    await db.schema
      .createIndex(`automation_plans_by_${name}`)
      .on('automation_plans')
      .columns([...columns])
      .execute();
  }
  await createTable(db, {
    name: 'automation_drafts',
    columns: { plan_id: 'text!', text: 'text!', made_at: 'text!' },
    key: ['plan_id'],
  });
}

async function sends(db: Db): Promise<void> {
  await createTable(db, {
    name: 'automation_sends',
    columns: {
      plan_id: 'text!',
      attempt: 'bigint!',
      rule: 'text!',
      action: 'text!',
      stay_code: 'text',
      conversation_id: 'text',
      message_id: 'text',
      fingerprint: 'text!',
      started_at: 'text!',
      ended_at: 'text',
      outcome: 'text!',
      problem: 'text',
    },
    key: ['plan_id', 'attempt'],
    narrow: true,
  });
  for (const of of ['conversation_id', 'rule'] as const) {
    await db.schema
      .createIndex(`automation_sends_by_${of === 'rule' ? 'rule' : 'thread'}`)
      .on('automation_sends')
      .columns(['connection', of, 'started_at'])
      .execute();
  }
  await createTable(db, {
    name: 'automation_answers',
    columns: { conversation_id: 'text!', message_id: 'text!', plan_id: 'text!' },
    key: ['conversation_id', 'message_id'],
    narrow: true,
  });
}
