import { z } from 'zod';
import {
  amount,
  currency,
  date,
  id,
  listOf,
  none,
  nothing,
  openEnum,
  paging,
  rateAmount,
  shownDate,
  timestamp,
} from './fields.ts';
import { operation } from './operation.ts';

/** Kinds of tasks. */
export const taskTypes = ['cleaning', 'maintenance', 'reception', 'room_service', 'other'] as const;
/** One of {@link taskTypes}. */
export type TaskType = (typeof taskTypes)[number];
/** States of a task. */
export const taskStatuses = ['pending', 'in_progress', 'completed', 'cancelled'] as const;
/** State of a task. */
export type TaskStatus = (typeof taskStatuses)[number];
/** Levels of a task. */
export const taskLevels = ['standard', 'simple', 'advanced'] as const;
/** One of {@link taskLevels}. */
export type TaskLevel = (typeof taskLevels)[number];
/** Most characters of a task's note. */
export const TASK_NOTE_LENGTH = 500;

/** A staff task. */
export const task = z
  .object({
    id: z.int(),
    type: openEnum(taskTypes, 'task_type'),
    status: openEnum(taskStatuses, 'task_status'),
    property_id: z.int().nullable(),
    property_title: z.string().nullable(),
    stay_code: z.string().nullable(),
    staff_id: z.int().nullable(),
    staff_name: z.string().nullable(),
    expected_date: shownDate,
    expected_time: z.string().nullable().describe('HH:mm:ss, where the property is.'),
    expected: timestamp
      .describe('Date and time as one moment, in the property’s zone; without a time the start of the day.')
      .meta({ assumed: true }),
    level: openEnum(taskLevels).nullable(),
    currency: z.string(),
    fee: amount.nullable(),
    note: z.string(),
    create_time: timestamp,
    update_time: timestamp,
  })
  .meta({ family: 'task', schemaName: 'Task' });

const givenType = z.enum(taskTypes).meta({ vocabulary: 'task_type' });
const givenStatus = z.enum(taskStatuses).meta({ vocabulary: 'task_status' });
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, { error: 'must be a time such as 14:30:00' });

/** Fields that a new or an existing task can be given. */
const details = {
  stay_code: z.string().min(1).nullable().optional(),
  property_id: id('Left out: that of the stay. 0: none.').optional(),
  staff_id: id('Who does it. 0: nobody yet.').optional(),
  expected_time: time.nullable().optional(),
  level: z.enum(taskLevels).nullable().optional(),
  fee: rateAmount.nullable().optional(),
  note: z.string().max(TASK_NOTE_LENGTH).optional(),
};

/** Lists tasks, newest first. The dates are those on which tasks are expected, both included. */
export const listTasks = operation({
  method: 'GET',
  path: '/tasks',
  params: none,
  query: z
    .object({
      ...paging,
      id: id('One task.').optional(),
      start_date: date.optional().describe('Expected on this day or later.'),
      end_date: date.optional().describe('Expected on this day or earlier.'),
      staff_id: id('Tasks of one member of staff.').optional(),
      property_id: id('Tasks in one property.').optional(),
      type: givenType.optional().describe('Tasks of one kind.'),
      status: givenStatus.optional().describe('Tasks in one state.'),
    })
    .refine((query) => (query.start_date === undefined) === (query.end_date === undefined), {
      path: ['start_date'],
      error: 'and end_date go together',
      params: { code: 400 },
    })
    .refine((query) => !query.start_date || !query.end_date || query.start_date <= query.end_date, {
      path: ['start_date'],
      error: 'must not be after end_date',
    }),
  body: null,
  data: listOf('tasks', task),
  scope: 'read',
  rate: 'default',
  tool: { name: 'search_tasks', category: 'task' },
  since: '3.3.0',
  summary: 'Tasks, newest first; the dates are those they are expected on, both included.',
  example: { start_date: '2027-03-01', end_date: '2027-03-31', status: 'pending' },
  errors: [400],
  emits: [],
});

/**
 * Adds a task for a stay, a property or neither. A stay without a property sets the property; with both, they must
 * belong together.
 */
export const createTask = operation({
  method: 'POST',
  path: '/tasks',
  params: none,
  query: none,
  body: z.object({ type: givenType, expected_date: date, currency, ...details }),
  data: z.object({ task_id: z.int() }),
  scope: 'confirm',
  rate: 'default',
  tool: { name: 'create_task', category: 'task' },
  since: '3.3.0',
  summary: 'Adds a task, for a stay, a property or neither.',
  notes: 'With a stay and no property it is the stay’s property; with both they must belong together.',
  example: { type: 'cleaning', expected_date: '2027-03-05', currency: 'EUR', property_id: 12, fee: 45 },
  errors: [400, 403, 404],
  emits: [],
});

/**
 * Changes a task. Fields that are left out stay. property_id 0 detaches it from its property and its stay, staff_id 0
 * from its member of staff.
 */
export const updateTask = operation({
  method: 'PATCH',
  path: '/tasks/{id}',
  params: z.object({ id: id('The task.') }),
  query: none,
  body: z.object({
    type: givenType.optional(),
    status: givenStatus.optional(),
    expected_date: date.optional(),
    currency: currency.optional(),
    ...details,
  }),
  data: nothing,
  scope: 'confirm',
  rate: 'default',
  tool: { name: 'update_task', category: 'task' },
  since: '3.3.0',
  summary: 'Changes a task; what is left out stays.',
  notes: 'property_id 0 takes it off its property and its stay, staff_id 0 takes it from whoever has it.',
  example: { id: 12, status: 'completed' },
  errors: [400, 403, 404],
  emits: [],
});

/** Deletes a task for good. */
export const deleteTask = operation({
  method: 'DELETE',
  path: '/tasks/{id}',
  params: z.object({ id: id('The task.') }),
  query: none,
  body: null,
  data: nothing,
  scope: 'confirm',
  rate: 'default',
  tool: { name: 'delete_task', category: 'task' },
  since: '3.3.0',
  summary: 'Deletes a task for good.',
  example: { id: 12 },
  errors: [403, 404],
  emits: [],
});
