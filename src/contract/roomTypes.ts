import { z } from 'zod';
import { MOST_MEMBERS, id, listOf, none, openEnum, paging } from './fields.ts';
import { operation } from './operation.ts';
import { listingLink } from './properties.ts';
import { colors } from './propertyTags.ts';

/** A type of room with its properties. */
export const roomType = z
  .object({
    id: z.int(),
    name: z.string(),
    properties: z
      .array(z.object({ id: z.int(), name: z.string() }).meta({ family: 'property', schemaName: 'RoomTypeProperty' }))
      .describe('Its rooms; their number bounds the inventory.'),
    channels: z.array(listingLink),
    tags: z.array(
      z.object({ id: z.int(), name: z.string(), color: openEnum(colors) }).meta({ schemaName: 'TagOfRoomType' }),
    ),
  })
  .meta({ family: 'room_type', schemaName: 'RoomType' });

/** Lists room types with their properties, newest first. */
export const listRoomTypes = operation({
  method: 'GET',
  path: '/room_types',
  params: none,
  query: z.object({
    ...paging,
    id: id('One room type.').optional(),
    tag_id: id('Carriers of one tag.').optional(),
  }),
  body: null,
  data: listOf('room_types', roomType),
  scope: 'read',
  rate: 'default',
  tool: { name: 'search_room_types', category: 'property' },
  since: '3.2.0',
  summary: 'Room types with their properties, newest first.',
  example: { limit: 50 },
  errors: [],
  emits: [],
});

/**
 * Adds a room type, at most as many as the subscription has properties. A property belongs to one room type at most.
 * The Basic edition has no room types.
 */
export const createRoomType = operation({
  method: 'POST',
  path: '/room_types',
  params: none,
  query: none,
  body: z
    .object({
      name: z.string().trim().min(1).max(100),
      property_ids: z.array(id('A property of no room type yet.')).max(MOST_MEMBERS).optional(),
    })
    .meta({ family: 'room_type' }),
  data: z.object({ room_type_id: z.int() }),
  scope: 'confirm',
  rate: 'default',
  tool: { name: 'create_room_type', category: 'property' },
  since: '3.5.0',
  summary: 'Adds a room type, at most as many as the subscription has properties.',
  notes: 'A property belongs to one room type at most. Not on the Basic edition.',
  example: { name: 'Double room', property_ids: [12] },
  errors: [403, 404, 409, 420],
  emits: [],
});
