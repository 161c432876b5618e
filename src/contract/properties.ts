import { z } from 'zod';
import { channelType, id, listOf, none, openEnum, paging } from './fields.ts';
import { operation } from './operation.ts';

/** A listing through which a channel sells. */
export const listingLink = z
  .object({ channel_type: channelType, listing_id: z.string(), currency: z.string().optional() })
  .meta({ schemaName: 'ListingLink' });

/** A property of the account. */
export const property = z
  .object({
    id: z.int(),
    name: z.string(),
    status: openEnum(['active', 'inactive']),
    address: z.string(),
    longitude: z.string(),
    latitude: z.string(),
    channels: z.array(listingLink),
    groups: z.array(z.object({ id: z.int(), name: z.string() }).meta({ schemaName: 'GroupOfProperty' })),
    tags: z.array(z.object({ id: z.int(), name: z.string(), color: z.string() }).meta({ schemaName: 'TagOfProperty' })),
    time_zone: z.string().optional().describe('IANA zone in which its nights and check-in times are meant.'),
    check_in_time: z.string().nullable().optional().describe('Time of day from which guests may come, such as 15:00.'),
    check_out_time: z.string().nullable().optional().describe('Time of day until which guests go.'),
  })
  .meta({ family: 'property', schemaName: 'Property' });

/** Lists properties, newest first. */
export const listProperties = operation({
  method: 'GET',
  path: '/properties',
  params: none,
  query: z.object({
    ...paging,
    id: id('One property.').optional(),
    group_id: id('Members of one group.').optional(),
    tag_id: id('Carriers of one tag.').optional(),
  }),
  body: null,
  data: listOf('properties', property),
  scope: 'read',
  rate: 'default',
  tool: { name: 'search_properties', category: 'property' },
  since: '3.2.0',
  summary: 'Properties, newest first.',
  errors: [],
  emits: [],
  example: { limit: 50 },
});

/** Adds a property. It uses one of the subscription's properties and takes the account's currency and time zone. */
export const createProperty = operation({
  method: 'POST',
  path: '/properties',
  params: none,
  query: none,
  body: z.object({ name: z.string().trim().min(1).max(100) }).meta({ family: 'property' }),
  data: z.object({ property_id: z.int() }),
  scope: 'confirm',
  rate: 'default',
  tool: { name: 'create_property', category: 'property' },
  since: '3.5.0',
  summary: 'Adds a property; uses up one of the subscription.',
  notes: 'Takes the account’s currency and time zone.',
  errors: [409, 420],
  emits: [],
  example: { title: 'Sea View' },
});
