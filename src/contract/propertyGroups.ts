import { z } from 'zod';
import { id, listOf, MOST_MEMBERS, none, nothing, paging } from './fields.ts';
import { operation } from './operation.ts';

/** A named group of properties. */
export const propertyGroup = z
  .object({ id: z.int(), name: z.string(), property_ids: z.array(z.int()) })
  .meta({ family: 'property_group', schemaName: 'PropertyGroup' });

const name = z.string().trim().min(1).max(50);
const members = z.array(id('A property.')).max(MOST_MEMBERS);

/** Lists groups with their properties, newest first. */
export const listPropertyGroups = operation({
  method: 'GET',
  path: '/groups',
  params: none,
  query: z.object({ ...paging, id: id('One group.').optional() }),
  body: null,
  data: listOf('groups', propertyGroup),
  scope: 'read',
  rate: 'default',
  tool: { name: 'search_property_groups', category: 'property' },
  since: '3.5.0',
  summary: 'Groups with their properties, newest first.',
  example: { limit: 50 },
  errors: [],
  emits: [],
});

/** Adds a group. Its name is unique in the account, in any case of letters. */
export const createPropertyGroup = operation({
  method: 'POST',
  path: '/groups',
  params: none,
  query: none,
  body: z.object({ name, property_ids: members.optional() }),
  data: z.object({ group: propertyGroup, ...propertyGroup.shape }),
  scope: 'write',
  rate: 'default',
  tool: { name: 'create_property_group', category: 'property' },
  since: '3.5.0',
  summary: 'Adds a group of properties.',
  notes: 'Names are unique in the account, in any case of letters.',
  example: { name: 'North coast', property_ids: [12] },
  errors: [403, 404, 409],
  emits: [],
});

/** Renames a group or replaces its properties. A sub-account replaces only the properties that it sees. */
export const updatePropertyGroup = operation({
  method: 'PATCH',
  path: '/groups/{id}',
  params: z.object({ id: id('The group.') }),
  query: none,
  body: z.object({
    name: name.optional(),
    property_ids: members.optional().describe('Takes the place of the whole list; an empty one detaches all.'),
  }),
  data: nothing,
  scope: 'write',
  rate: 'default',
  tool: { name: 'update_property_group', category: 'property' },
  since: '3.5.0',
  summary: 'Renames a group or gives it other properties.',
  notes: 'A sub-account’s list takes the place of the properties it sees; the others stay.',
  example: { id: 12, property_ids: [] },
  errors: [403, 404, 409],
  emits: [],
});

/** Deletes a group. Its properties remain. */
export const deletePropertyGroup = operation({
  method: 'DELETE',
  path: '/groups/{id}',
  params: z.object({ id: id('The group.') }),
  query: none,
  body: null,
  data: nothing,
  scope: 'write',
  rate: 'default',
  tool: { name: 'delete_property_group', category: 'property' },
  since: '3.5.0',
  summary: 'Deletes a group; its properties stay.',
  example: { id: 12 },
  errors: [403, 404],
  emits: [],
});
