import type { Kysely } from 'kysely';
import { createTable, rawColumn, rowColumns } from '../../mirror/tables.ts';

// Why: tasks, the people who do them, what automation is going to do, and the entries of the knowledge base.

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await createTable(db, {
    name: 'tasks',
    columns: {
      id: 'bigint!',
      type: 'text!',
      status: 'text!',
      property_id: 'bigint',
      stay_code: 'text',
      staff_id: 'bigint',
      staff_name: 'text',
      expected_date: 'text!',
      expected_time: 'text',
      level: 'text',
      currency: 'text!',
      fee_minor: 'bigint',
      note: 'text!',
      created_at: 'text',
      updated_at: 'text',
      ...rowColumns,
      ...rawColumn,
    },
    key: ['id'],
  });
  await db.schema.createIndex('tasks_by_date').on('tasks').columns(['connection', 'expected_date']).execute();
  await createTable(db, {
    name: 'staffs',
    columns: {
      id: 'bigint!',
      name: 'text!',
      mobile: 'text!',
      email: 'text',
      note: 'text!',
      is_active: 'bigint!',
      ...rowColumns,
      ...rawColumn,
    },
    key: ['id'],
  });
  await createTable(db, {
    name: 'automation_actions',
    columns: {
      plan_id: 'text!',
      type: 'text!',
      status: 'text!',
      name: 'text!',
      send_to: 'text',
      stay_code: 'text',
      property_id: 'bigint',
      channel_type: 'text',
      scheduled_at: 'text',
      ...rowColumns,
      ...rawColumn,
    },
    key: ['plan_id'],
  });
  await createTable(db, {
    name: 'knowledge_bases',
    columns: {
      id: 'bigint!',
      title: 'text!',
      scope_property: 'text!',
      scope_ids: 'text!',
      scope_channel: 'text!',
      scope_channels: 'text!',
      is_enable: 'bigint!',
      process_status: 'text!',
      ...rowColumns,
      ...rawColumn,
    },
    key: ['id'],
  });
}
