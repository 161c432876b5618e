import { z } from 'zod';
import { id, listOf, MOST_MEMBERS, none, nothing, openEnum, paging } from './fields.ts';
import { operation } from './operation.ts';

/** The only colours of tags. */
export const colors = ['#FD587B', '#1BBFA4', '#FFA410', '#F3D432', '#2CBCFD', '#7175FA', '#EF7EDE'] as const;
/** One of {@link colors}. */
export type Color = (typeof colors)[number];
/** Most tags that an operator can create, counted separately for property tags and reservation tags. */
export const MOST_TAGS = 500;

/** A tag of properties and room types. */
export const propertyTag = z
  .object({
    id: z.int(),
    name: z.string(),
    color: openEnum(colors),
    property_ids: z.array(z.int()),
    room_type_ids: z.array(z.int()),
  })
  .meta({ family: 'property_tag', schemaName: 'PropertyTag' });

const name = z.string().trim().min(1).max(15);
const carriers = {
  property_ids: z.array(id('A property.')).max(MOST_MEMBERS).optional(),
  room_type_ids: z.array(id('A room type.')).max(MOST_MEMBERS).optional(),
};

/** Lists tags of properties and room types, newest first. */
export const listPropertyTags = operation({
  method: 'GET',
  path: '/tags',
  params: none,
  query: z.object({ ...paging, id: id('One tag.').optional() }),
  body: null,
  data: listOf('tags', propertyTag),
  scope: 'read',
  rate: 'default',
  tool: { name: 'search_tags', category: 'meta' },
  since: '3.5.0',
  summary: 'Tags of properties and room types, newest first.',
  example: { limit: 50 },
  errors: [],
  emits: [],
});

/**
 * Adds a tag, {@link MOST_TAGS} at most. Its name is unique in the account, in any case of letters. A deleted tag of
 * that name returns with its id.
 */
export const createPropertyTag = operation({
  method: 'POST',
  path: '/tags',
  params: none,
  query: none,
  body: z.object({ name, color: z.enum(colors).optional().describe('Left out: assigned.'), ...carriers }),
  data: z.object({ tag: propertyTag, ...propertyTag.shape }),
  scope: 'write',
  rate: 'default',
  tool: { name: 'create_property_tag', category: 'property' },
  since: '3.5.0',
  summary: 'Adds a tag for properties and room types.',
  notes: `Names are unique in the account, in any case of letters. A deleted tag of that name comes back with its id. At most ${MOST_TAGS}.`,
  example: { name: 'Sea view', color: '#2CBCFD', property_ids: [12] },
  errors: [403, 404, 409],
  emits: [],
});

/**
 * Changes a tag's name, colour or carriers. A list replaces the whole one, and an empty list detaches all. The list of
 * a sub-account does not affect carriers that it cannot see.
 */
export const updatePropertyTag = operation({
  method: 'PATCH',
  path: '/tags/{id}',
  params: z.object({ id: id('The tag.') }),
  query: none,
  body: z.object({ name: name.optional(), color: z.enum(colors).optional(), ...carriers }),
  data: nothing,
  scope: 'write',
  rate: 'default',
  tool: { name: 'update_property_tag', category: 'property' },
  since: '3.5.0',
  summary: 'Changes a tag’s name, colour or carriers.',
  notes:
    'Each list takes the place of the whole one; an empty one detaches all. A sub-account’s leaves what it cannot see.',
  example: { id: 12, name: 'Lake view' },
  errors: [403, 404, 409],
  emits: [],
});

/** Deletes a tag. Its carriers remain. */
export const deletePropertyTag = operation({
  method: 'DELETE',
  path: '/tags/{id}',
  params: z.object({ id: id('The tag.') }),
  query: none,
  body: null,
  data: nothing,
  scope: 'write',
  rate: 'default',
  tool: { name: 'delete_property_tag', category: 'property' },
  since: '3.5.0',
  summary: 'Deletes a tag; what carried it stays.',
  example: { id: 12 },
  errors: [403, 404],
  emits: [],
});
