import { type Kysely, sql } from 'kysely';
import { createFullText } from '../../../src/store/queries/fullText.ts';
import { createSequences } from '../../../src/store/leases/sequences.ts';

// Why: tasks and the people who do them, rules that plan messages and reviews, and the knowledge base with its words.

type Db = Kysely<unknown>;

const sequences = ['tasks', 'staffs', 'automation_rules', 'knowledge_bases', 'knowledge_chunks'];

export async function up(db: Db): Promise<void> {
  await createSequences(db, sequences);
  await tasks(db);
  await staffs(db);
  await automation(db);
  await knowledge(db);
}

async function tasks(db: Db): Promise<void> {
  await db.schema
    .createTable('tasks')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull().unique())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('property_id', 'bigint')
    .addColumn('stay_code', 'text')
    .addColumn('staff_id', 'bigint')
    .addColumn('expected_date', 'text', (column) => column.notNull())
    .addColumn('expected_time', 'text')
    .addColumn('level', 'text')
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('fee', 'bigint')
    .addColumn('note', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('tasks_key', ['account_id', 'id'])
    .execute();
  const filters = ['type', 'status', 'property_id', 'staff_id'];
  await db.schema
    .createIndex('tasks_by_id')
    .on('tasks')
    .columns(['account_id', 'id', 'expected_date', ...filters])
    .execute();
  await db.schema
    .createIndex('tasks_by_date')
    .on('tasks')
    .columns(['account_id', 'expected_date', 'id', ...filters])
    .execute();
  await db.schema.createIndex('tasks_of_stay').on('tasks').columns(['account_id', 'stay_code', 'id']).execute();
  await db.schema.createIndex('tasks_of_staff').on('tasks').columns(['account_id', 'staff_id', 'id']).execute();
  await db.schema.createIndex('tasks_of_property').on('tasks').columns(['account_id', 'property_id', 'id']).execute();
}

async function staffs(db: Db): Promise<void> {
  await db.schema
    .createTable('staffs')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('mobile', 'text', (column) => column.notNull())
    .addColumn('email', 'text')
    .addColumn('note', 'text', (column) => column.notNull())
    .addColumn('is_active', 'bigint', (column) => column.notNull())
    .addColumn('everywhere', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('deleted_at', 'text')
    .addPrimaryKeyConstraint('staffs_key', ['account_id', 'id'])
    .execute();
  await db.schema
    .createIndex('staffs_by_id')
    .on('staffs')
    .columns(['account_id', 'id', 'deleted_at', 'is_active', 'everywhere'])
    .execute();
  await db.schema
    .createTable('staff_properties')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('staff_id', 'bigint', (column) => column.notNull())
    .addColumn('property_id', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('staff_properties_key', ['account_id', 'staff_id', 'property_id'])
    .execute();
}

async function automation(db: Db): Promise<void> {
  await db.schema
    .createTable('automation_rules')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull().unique())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('hours', 'bigint', (column) => column.notNull())
    .addColumn('property_ids', 'text')
    .addColumn('channel_types', 'text')
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('is_enabled', 'bigint', (column) => column.notNull())
    .addColumn('active_since', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('deleted_at', 'text')
    // The last stay that was planned anew after a change of the rule; null when all were.
    .addColumn('planned_to', 'bigint')
    .addPrimaryKeyConstraint('automation_rules_key', ['account_id', 'id'])
    .execute();
  await db.schema
    .createIndex('automation_rules_unplanned')
    .on('automation_rules')
    .columns(['account_id', 'id'])
    .where(sql.ref('planned_to'), 'is not', null)
    .execute();
  await db.schema
    .createTable('automation_plans')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('plan_id', 'text', (column) => column.notNull().unique())
    .addColumn('rule_id', 'bigint', (column) => column.notNull())
    .addColumn('stay_id', 'bigint', (column) => column.notNull())
    .addColumn('stay_code', 'text', (column) => column.notNull())
    .addColumn('property_id', 'bigint', (column) => column.notNull())
    .addColumn('channel_type', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('moment', 'text', (column) => column.notNull())
    .addColumn('scheduled_at', 'text', (column) => column.notNull())
    .addColumn('due_at', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempts', 'bigint', (column) => column.notNull())
    .addColumn('problem', 'text')
    .addColumn('ended_at', 'text')
    .addPrimaryKeyConstraint('automation_plans_key', ['account_id', 'plan_id'])
    .execute();
  const filters = ['type', 'property_id', 'channel_type', 'event', 'stay_code', 'name'];
  await db.schema
    .createIndex('automation_plans_by_schedule')
    .on('automation_plans')
    .columns(['account_id', 'state', 'scheduled_at', 'plan_id', ...filters])
    .execute();
  await db.schema
    .createIndex('automation_plans_of_stay')
    .on('automation_plans')
    .columns(['account_id', 'stay_id', 'plan_id'])
    .execute();
  await db.schema
    .createIndex('automation_plans_of_rule')
    .on('automation_plans')
    .columns(['account_id', 'rule_id', 'state', 'stay_id'])
    .execute();
  await db.schema
    .createIndex('automation_plans_due')
    .on('automation_plans')
    .columns(['due_at', 'plan_id'])
    .where(sql.ref('state'), '=', sql.lit('waiting'))
    .execute();
}

async function knowledge(db: Db): Promise<void> {
  await db.schema
    .createTable('knowledge_bases')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull().unique())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('contents', 'text', (column) => column.notNull())
    .addColumn('scope_property', 'text', (column) => column.notNull())
    .addColumn('scope_channel', 'text', (column) => column.notNull())
    .addColumn('is_enable', 'bigint', (column) => column.notNull())
    .addColumn('process_status', 'text', (column) => column.notNull())
    // Grows with each other text, so that a worker that read an older one notices.
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('attempts', 'bigint', (column) => column.notNull())
    .addColumn('claimed_until', 'text')
    .addColumn('problem', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('knowledge_bases_key', ['account_id', 'id'])
    .execute();
  await db.schema
    .createIndex('knowledge_bases_by_id')
    .on('knowledge_bases')
    .columns(['account_id', 'id', 'scope_property', 'scope_channel'])
    .execute();
  await db.schema
    .createIndex('knowledge_bases_unprocessed')
    .on('knowledge_bases')
    .columns(['id'])
    .where(sql.ref('process_status'), 'in', sql`('waiting', 'processing')`)
    .execute();
  await db.schema
    .createTable('knowledge_scope_ids')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('knowledge_base_id', 'bigint', (column) => column.notNull())
    .addColumn('scope_id', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('knowledge_scope_ids_key', ['account_id', 'knowledge_base_id', 'scope_id'])
    .execute();
  await db.schema
    .createTable('knowledge_scope_channels')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('knowledge_base_id', 'bigint', (column) => column.notNull())
    .addColumn('channel_type', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('knowledge_scope_channels_key', ['account_id', 'knowledge_base_id', 'channel_type'])
    .execute();
  await db.schema
    .createTable('knowledge_chunks')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('knowledge_base_id', 'bigint', (column) => column.notNull())
    .addColumn('position', 'bigint', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull().unique())
    .addColumn('sub_title', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('knowledge_chunks_key', ['account_id', 'knowledge_base_id', 'position'])
    .execute();
  await createFullText(db, { table: 'knowledge_chunks', column: 'text', key: 'id' });
}
