import { z } from 'zod';
import { id, listOf, none, nothing, paging } from './fields.ts';
import { operation } from './operation.ts';

/** A person who does tasks. */
export const staff = z
  .object({
    id: z.int(),
    name: z.string(),
    mobile: z.string().describe('+<country code> <number>.'),
    email: z.string().nullable(),
    note: z.string(),
    is_active: z.boolean(),
  })
  .meta({ family: 'staff', schemaName: 'Staff' });

const name = z.string().trim().min(1).max(128);
const mobile = z
  .string()
  .trim()
  .regex(/^\+[1-9]\d{0,2} \d[\d -]{1,18}\d$/, { error: 'must be written +<country code> <number>' });
const email = z
  .string()
  .trim()
  .max(254)
  .regex(/^(|[^\s@]+@[^\s@]+)$/, { error: 'must be an e-mail address' })
  .nullable();
const note = z.string().max(500);
const properties = z.array(id('A property.')).max(1_000).describe('Where they work; left out: everywhere.');

/** Lists members of staff, newest first. */
export const listStaffs = operation({
  method: 'GET',
  path: '/staffs',
  params: none,
  query: z.object({
    ...paging,
    id: id('One member of staff.').optional(),
    is_active: z.boolean().optional().describe('1: those at work; 0: the others.'),
  }),
  body: null,
  data: listOf('staffs', staff),
  scope: 'read',
  rate: 'default',
  tool: { name: 'search_staffs', category: 'task' },
  since: '3.3.0',
  summary: 'The people who do tasks, newest first.',
  example: { is_active: 1 },
  errors: [],
  emits: [],
});

/** Adds a member of staff. */
export const createStaff = operation({
  method: 'POST',
  path: '/staffs',
  params: none,
  query: none,
  body: z.object({
    name,
    mobile,
    email: email.optional(),
    note: note.optional(),
    property_ids: properties.optional(),
  }),
  data: z.object({ staff_id: z.int() }),
  scope: 'confirm',
  rate: 'default',
  tool: { name: 'create_staff', category: 'task' },
  since: '3.3.0',
  summary: 'Adds a member of staff.',
  example: { name: 'Jonas Petersen', mobile: '+49 1707654321', property_ids: [12] },
  errors: [403, 404],
  emits: [],
});

/** Changes a member of staff. property_ids replaces the whole list. */
export const updateStaff = operation({
  method: 'PATCH',
  path: '/staffs/{id}',
  params: z.object({ id: id('The member of staff.') }),
  query: none,
  body: z.object({
    name: name.optional(),
    mobile: mobile.optional(),
    email: email.optional(),
    note: note.optional(),
    property_ids: properties.optional(),
    is_active: z.union([z.boolean(), z.literal([0, 1])]).optional(),
  }),
  data: nothing,
  scope: 'confirm',
  rate: 'default',
  tool: { name: 'update_staff', category: 'task' },
  since: '3.3.0',
  summary: 'Changes a member of staff; property_ids replaces the whole list.',
  example: { id: 12, is_active: 0 },
  errors: [403, 404],
  emits: [],
});

/** Removes a member of staff. Open tasks become unassigned; completed ones retain the name. */
export const deleteStaff = operation({
  method: 'DELETE',
  path: '/staffs/{id}',
  params: z.object({ id: id('The member of staff.') }),
  query: none,
  body: null,
  data: nothing,
  scope: 'confirm',
  rate: 'default',
  tool: { name: 'delete_staff', category: 'task' },
  since: '3.3.0',
  summary: 'Removes a member of staff; their open tasks are nobody’s then, those they did keep their name.',
  example: { id: 12 },
  errors: [403, 404],
  emits: [],
});
