import { z } from 'zod';
import { id, listOf, MOST_MEMBERS, none, nothing, openEnum, paging, timestamp } from './fields.ts';
import { operation } from './operation.ts';

const shareScopes = ['entire', 'partial'] as const;
/** Reach of a link: all properties or a named list. */
export type ShareScope = (typeof shareScopes)[number];

/** A public, read-only calendar. Its address is the only protection. */
export const calendarShareLink = z
  .object({
    id: z.int(),
    scope: openEnum(shareScopes),
    property_ids: z.array(z.int()).describe('Empty for the scope entire.'),
    url: z.string().meta({ secret: true }).describe('A public page; whoever has the address can read it.'),
    created_at: timestamp,
  })
  .meta({ family: 'calendar_share_link', schemaName: 'CalendarShareLink' });

/** Lists the links, newest first. */
export const listCalendarShareLinks = operation({
  method: 'GET',
  path: '/calendar_share_links',
  params: none,
  query: z.object({ ...paging, id: id('One link.').optional() }),
  body: null,
  data: listOf('calendar_share_links', calendarShareLink),
  scope: 'read',
  rate: 'default',
  tool: { name: 'search_calendar_share_links', category: 'calendar' },
  since: '3.5.0',
  summary: 'Addresses under which anybody can see when properties are free, newest first.',
  example: { limit: 50 },
  errors: [],
  emits: [],
});

/** Creates a link. An account has one link of scope entire; a repeat returns it again. */
export const createCalendarShareLink = operation({
  method: 'POST',
  path: '/calendar_share_links',
  params: none,
  query: none,
  body: z
    .object({
      scope: z.enum(shareScopes),
      property_ids: z
        .array(id('A property.'))
        .max(MOST_MEMBERS)
        .optional()
        .describe('For the scope partial: at least one.'),
    })
    .refine((body) => body.scope !== 'entire' || !body.property_ids?.length, {
      path: ['property_ids'],
      error: 'must be left out or empty for the scope entire',
      params: { code: 400 },
    })
    .refine((body) => body.scope !== 'partial' || body.property_ids?.length, {
      path: ['property_ids'],
      error: 'must name at least one property for the scope partial',
    }),
  data: z.object({ calendar_share_link: calendarShareLink, ...calendarShareLink.shape }),
  scope: 'write',
  rate: 'default',
  tool: { name: 'create_calendar_share_link', category: 'calendar' },
  since: '3.5.0',
  summary: 'Makes a public, read-only calendar of all properties or of some.',
  notes: 'There is one link for the scope entire: a repeat answers it again. A sub-account makes partial ones only.',
  example: { scope: 'partial', property_ids: [12] },
  errors: [400, 403, 404],
  emits: [],
});

/** Ends a link. Its page is gone at once. */
export const deleteCalendarShareLink = operation({
  method: 'DELETE',
  path: '/calendar_share_links/{id}',
  params: z.object({ id: id('The link.') }),
  query: none,
  body: null,
  data: nothing,
  scope: 'write',
  rate: 'default',
  tool: { name: 'delete_calendar_share_link', category: 'calendar' },
  since: '3.5.0',
  summary: 'Ends a link; its page is gone at once.',
  example: { id: 12 },
  errors: [403, 404],
  emits: [],
});
