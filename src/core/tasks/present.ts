import type { z } from 'zod';
import type { task } from '../../contract/tasks.ts';
import { readInstant, startOfDay, withOffset } from '../../kernel/dates.ts';
import { wireAmount } from '../../kernel/money.ts';
import type { NamedTask } from './table.ts';

/** Returns the public form of a task. @param zone time zone of the operator */
export function presentTask(row: NamedTask, zone: string): z.output<typeof task> {
  return {
    id: row.id,
    type: row.type,
    status: row.status,
    property_id: row.property_id,
    property_title: row.property_name,
    stay_code: row.stay_code,
    staff_id: row.staff_id,
    staff_name: row.staff_name,
    expected_date: row.expected_date,
    expected_time: row.expected_time,
    expected: expectedAt(row, row.zone ?? zone),
    level: row.level,
    currency: row.currency,
    fee: row.fee === null ? null : wireAmount(row.fee, row.currency),
    note: row.note,
    create_time: withOffset(row.created_at, zone),
    update_time: withOffset(row.updated_at, zone),
  };
}

function expectedAt({ expected_date, expected_time }: NamedTask, zone: string): string {
  const timed = expected_time === null ? undefined : readInstant(`${expected_date}T${expected_time}`, zone);
  return withOffset(timed ?? startOfDay(expected_date, zone), zone);
}
