import { task } from '../../../contract/tasks.ts';
import { properties } from '../portfolio/properties.ts';
import { type MirrorResource, named, rowReader } from '../rows/resource.ts';
import { instantFrom, minorFrom, plainDateFrom } from '../wireValues.ts';

export const readTasks = rowReader({
  schema: task,
  keyFields: ['id'],
  rowKey: (one) => one.id,
  key: (one) => String(one.id),
  columns: (one, { zone }) => ({
    id: one.id,
    type: one.type,
    status: one.status,
    property_id: one.property_id,
    stay_code: one.stay_code,
    staff_id: one.staff_id,
    staff_name: one.staff_name,
    expected_date: plainDateFrom(one.expected_date),
    expected_time: one.expected_time,
    level: one.level,
    currency: one.currency,
    fee_minor: minorFrom(one.fee, one.currency),
    note: one.note,
    created_at: instantFrom(one.create_time, zone),
    updated_at: instantFrom(one.update_time, zone),
  }),
});

export const tasks: MirrorResource = {
  name: 'task',
  table: 'tasks',
  keyColumn: 'id',
  groupColumn: 'id',
  async lookUp(client, reading, key, options) {
    const answer = await client.call('listTasks', { id: Number(key), limit: 1 }, options);
    return readTasks(answer.data.tasks, answer, reading);
  },
  names: (raw) => named(properties.name, raw['property_id']),
};
