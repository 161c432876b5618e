import { z } from 'zod';
import { ApiError } from '../../kernel/errors.ts';
import { isPlainDate } from '../../kernel/dates.ts';
import { taskStatuses, taskTypes, TASK_NOTE_LENGTH } from '../../contract/tasks.ts';
import { consoleAction, type ConsoleAction } from '../page.ts';
import type { Visit } from '../visit.ts';
import { type NamedTask, readStaffs, readTask } from './query.ts';

const id = z.coerce.number().int().min(1);
const date = z.string().refine(isPlainDate, 'must be a date such as 2027-03-01');
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, 'must be a time such as 14:30');
/** 0 is nobody, or no property. */
const chosen = z.coerce.number().int().min(0);
const note = z.string().max(TASK_NOTE_LENGTH);
const type = z.enum(taskTypes);
const status = z.enum(taskStatuses);

const create = consoleAction({
  name: 'create',
  right: 'tasks.plan',
  fields: z.object({
    type,
    expected_date: date,
    expected_time: time.optional(),
    property_id: chosen.optional(),
    staff_id: chosen.optional(),
    stay_code: z.string().max(100).optional(),
    note: note.optional(),
  }),
  async run(visit, { property_id: property, staff_id: staff, ...fields }) {
    if (visit.person.properties !== null && !property) {
      throw new ApiError(422, visit.texts.tasks.needsProperty, { field: 'property_id' });
    }
    if (property) requireProperty(visit, property);
    await visit.v3('createTask', {
      ...fields,
      currency: visit.currency,
      ...(property && { property_id: property }),
      ...(staff && { staff_id: staff }),
    });
    const { texts, format } = visit;
    return { said: texts.tasks.created(texts.tasks.types[fields.type], format.day(fields.expected_date)) };
  },
});

const change = consoleAction({
  name: 'change',
  right: 'tasks.plan',
  fields: z.object({
    id,
    type: type.optional(),
    status: status.optional(),
    expected_date: date.optional(),
    expected_time: time.optional(),
    property_id: chosen.optional(),
    staff_id: chosen.optional(),
    note: note.optional(),
  }),
  async run(visit, fields) {
    const task = await requireTask(visit, fields.id);
    if (fields.property_id) requireProperty(visit, fields.property_id);
    if (fields.property_id === 0 && visit.person.properties !== null) {
      throw new ApiError(422, visit.texts.tasks.needsProperty, { field: 'property_id' });
    }
    const { property_id, ...others } = fields;
    // A stay keeps its property: the same one is no change.
    const moved = property_id !== undefined && property_id !== (task.property_id ?? 0);
    await visit.v3('updateTask', {
      ...others,
      ...(moved && { property_id }),
      // A form leaves out what was emptied.
      expected_time: fields.expected_time ?? null,
      note: fields.note ?? '',
    });
    return { said: visit.texts.tasks.changed(nameOf(visit, task)) };
  },
});

const mark = consoleAction({
  name: 'mark',
  right: 'tasks.do',
  fields: z.object({ id, status: status.optional(), note: note.optional() }),
  async run(visit, fields) {
    const task = await requireTask(visit, fields.id);
    await visit.v3('updateTask', fields);
    const { tasks: words } = visit.texts;
    const name = nameOf(visit, task);
    return { said: fields.status ? words.marked(name, words.statuses[fields.status]) : words.changed(name) };
  },
});

const remove = consoleAction({
  name: 'remove',
  right: 'tasks.plan',
  fields: z.object({ id }),
  async run(visit, fields) {
    const task = await requireTask(visit, fields.id);
    await visit.v3('deleteTask', fields);
    const { task: _, ...at } = visit.at;
    return { said: visit.texts.tasks.removed(nameOf(visit, task)), to: visit.address('tasks', at) };
  },
});

const person = {
  name: z.string().trim().min(1).max(128),
  mobile: z.string().trim().max(30),
  email: z.string().trim().max(254).optional(),
  note: note.optional(),
};

const addPerson = consoleAction({
  name: 'add_person',
  right: 'tasks.plan',
  fields: z.object(person),
  async run(visit, fields) {
    await visit.v3('createStaff', fields);
    return { said: visit.texts.tasks.personAdded(fields.name) };
  },
});

const changePerson = consoleAction({
  name: 'change_person',
  right: 'tasks.plan',
  fields: z.object({ id, ...person, is_active: z.literal(['0', '1']) }),
  async run(visit, { is_active, email, note: remarks, ...fields }) {
    await requirePerson(visit, fields.id);
    await visit.v3('updateStaff', {
      ...fields,
      email: email ?? null,
      note: remarks ?? '',
      is_active: is_active === '1' ? 1 : 0,
    });
    return { said: visit.texts.tasks.personChanged(fields.name) };
  },
});

const makeLink = consoleAction({
  name: 'make_link',
  right: 'tasks.plan',
  isQuiet: true,
  fields: z.object({ id }),
  async run(visit, fields) {
    const person = await requirePerson(visit, fields.id);
    const { url } = linkMade.parse(await visit.portal('POST /portal/staff_links', { staff_id: fields.id }));
    return { said: visit.texts.tasks.linkMade(person.name ?? '', url) };
  },
});

const endLink = consoleAction({
  name: 'end_link',
  right: 'tasks.plan',
  isQuiet: true,
  fields: z.object({ id }),
  async run(visit, fields) {
    const person = await requirePerson(visit, fields.id);
    await visit.portal('DELETE /portal/staff_links/:staff_id', { staff_id: fields.id });
    return { said: visit.texts.tasks.linkEnded(person.name ?? '') };
  },
});

const linkMade = z.object({ url: z.string() });

/** All that can be done on the page of tasks. */
export const taskActions: readonly ConsoleAction[] = [
  create,
  change,
  mark,
  remove,
  addPerson,
  changePerson,
  makeLink,
  endLink,
];

/**
 * Reads the task that an action names, and refuses one of a property that the person does not see: elsewhere the
 * token's rights would not.
 */
async function requireTask({ services, connection, person: who, texts }: Visit, task: number): Promise<NamedTask> {
  const properties = who.properties ?? undefined;
  const found = await readTask(services.db, { connection, id: task, properties });
  if (!found) throw new ApiError(404, texts.tasks.gone, { field: 'id' });
  return found;
}

/** Reads a member of staff. @throws ApiError 404 if there is none */
export async function requirePerson(
  { services, connection, texts }: Visit,
  staff: number,
): Promise<{ id: number; name: string | null }> {
  const found = (await readStaffs(services.db, { connection })).find((one) => one.id === staff);
  if (!found) throw new ApiError(404, texts.tasks.noPerson, { field: 'id' });
  return found;
}

function requireProperty({ person: { properties }, texts }: Visit, property: number): void {
  if (properties === null || properties.includes(property)) return;
  throw new ApiError(403, texts.tasks.notYours, { field: 'property_id' });
}

/** Returns a task in a few words: "Cleaning, Sea House, Wed 25 Nov". */
export function nameOf({ texts, format }: Visit, task: Pick<NamedTask, 'type' | 'property' | 'expected_date'>): string {
  const { types } = texts.tasks;
  const kind = types[task.type ?? 'other'] ?? task.type ?? '';
  return [kind, task.property ?? '', task.expected_date === null ? '' : format.day(task.expected_date)]
    .filter((part) => part !== '')
    .join(', ');
}
