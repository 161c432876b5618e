import { z } from 'zod';
import { id, listOf, none, nothing, openEnum, paging } from './fields.ts';
import { operation } from './operation.ts';
import { colors, MOST_TAGS } from './propertyTags.ts';

/** A tag of reservations. */
export const reservationTag = z
  .object({
    id: z.int(),
    tag_name: z.string(),
    color: openEnum(colors),
    is_default: z.boolean().describe('Everybody has it; it cannot be deleted.'),
  })
  .meta({ family: 'reservation_tag', schemaName: 'ReservationTag' });

const tagName = z.string().trim().min(1).max(15);
const ofStay = {
  path: '/reservations/{stay_code}/tags',
  params: z.object({ stay_code: z.string().describe('The stay.') }),
  query: none,
  body: z.object({ tag_name: tagName }),
  data: nothing,
  scope: 'write',
  rate: 'default',
  since: '3.5.0',
  emits: ['reservation_updated'],
} as const;

/** Lists tags for reservations, newest first, the default ones last. */
export const listReservationTags = operation({
  method: 'GET',
  path: '/reservation_tags',
  params: none,
  query: z.object({
    ...paging,
    id: id('One tag.').optional(),
    keyword: z.string().max(50).optional().describe('Part of the name, in any case of letters.'),
  }),
  body: null,
  data: listOf('reservation_tags', reservationTag),
  scope: 'read',
  rate: 'default',
  tool: { name: 'search_reservation_tags', category: 'meta' },
  since: '3.5.0',
  summary: 'Tags for reservations, newest first, the default ones last.',
  example: { keyword: 'regular' },
  errors: [],
  emits: [],
});

/**
 * Adds a tag for reservations; its colour is assigned. Its name is unique, default tags included, in any case of
 * letters. A deleted tag of that name returns with its id.
 */
export const createReservationTag = operation({
  method: 'POST',
  path: '/reservation_tags',
  params: none,
  query: none,
  body: z.object({ tag_name: tagName }),
  data: z.object({ reservation_tag: reservationTag, ...reservationTag.shape }),
  scope: 'write',
  rate: 'default',
  tool: { name: 'create_reservation_tag', category: 'reservation' },
  since: '3.5.0',
  summary: 'Adds a tag for reservations; its colour is assigned.',
  notes: `Names are unique, default tags included, in any case of letters. A deleted tag of that name comes back with its id. At most ${MOST_TAGS}.`,
  example: { tag_name: 'Regular guest' },
  errors: [409],
  emits: [],
});

/** Deletes one of the operator's own tags and removes it from every reservation. */
export const deleteReservationTag = operation({
  method: 'DELETE',
  path: '/reservation_tags/{id}',
  params: z.object({ id: id('The tag.') }),
  query: none,
  body: null,
  data: nothing,
  scope: 'write',
  rate: 'default',
  tool: { name: 'delete_reservation_tag', category: 'reservation' },
  since: '3.5.0',
  summary: 'Deletes a tag of the operator’s own and takes it off every reservation.',
  example: { id: 112 },
  errors: [403, 404],
  emits: ['reservation_updated'],
});

/**
 * Puts a tag on one stay and creates the tag if it does not exist. Nothing changes, and no event is sent, when the stay
 * already has it.
 */
export const addReservationTag = operation({
  ...ofStay,
  method: 'POST',
  tool: { name: 'add_reservation_tag', category: 'reservation' },
  summary: 'Puts a tag on one stay; a tag that does not exist is made.',
  notes: 'If the stay has the tag already, nothing changes and no event is sent.',
  example: { stay_code: '0-HM8KQ2-SDUV3F', tag_name: 'Regular guest' },
  errors: [404],
});

/** Removes a tag from one stay. */
export const removeReservationTag = operation({
  ...ofStay,
  method: 'DELETE',
  tool: { name: 'remove_reservation_tag', category: 'reservation' },
  summary: 'Takes a tag off one stay.',
  example: { stay_code: '0-HM8KQ2-SDUV3F', tag_name: 'Regular guest' },
  errors: [404],
});
