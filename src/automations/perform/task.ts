import { plainDateFrom } from '../../sync/tables/wireValues.ts';
import type { Automating } from '../context.ts';
import type { TaskFacts } from '../facts/facts.ts';

/** Reads a task from upstream; null if it does not exist. Throws CallError. */
export async function readTask({ client, signal }: Automating, id: number): Promise<TaskFacts | null> {
  const { data } = await client.call('listTasks', { id, offset: 0, limit: 1 }, { purpose: 'reply', signal });
  const one = data.tasks.find((task) => task.id === id);
  if (!one) return null;
  const { type, status, property_id, staff_name, expected_date, expected_time, note } = one;
  return {
    id,
    type,
    status,
    property_id,
    staff_name,
    expected_date: plainDateFrom(expected_date),
    expected_time,
    note,
  };
}
