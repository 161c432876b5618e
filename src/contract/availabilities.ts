import { z } from 'zod';
import { date, id, none, nothing, shownDate } from './fields.ts';
import { operation } from './operation.ts';

/** Years that GET /availabilities reaches. Nights further back can no longer be read. */
export const AVAILABILITY_YEARS = { back: 1, ahead: 3 } as const;
/** Properties that one read or one write can name. */
export const AVAILABILITY_PROPERTIES = 100;

/** Texts of `remarks` for a night that is taken. */
export const nightRemarks = { stay: 'Reserved', block: 'Blocked' } as const;

/** One night of a property on the master calendar. */
export const availabilityDay = z
  .object({
    date: shownDate,
    available: z.boolean(),
    remarks: z
      .string()
      .nullable()
      .describe(
        'Reserved: a stay holds the night. Blocked: it was closed by hand, or no channel sells the property any more; in place of it the reason, where one was given, or the name of the calendar feed that closes it.',
      ),
  })
  .meta({ schemaName: 'AvailabilityDay' });
/** Nights of one property. */
export const propertyAvailability = z
  .object({ id: z.int(), availabilities: z.array(availabilityDay) })
  .meta({ family: 'property_availability', schemaName: 'PropertyAvailability' });

/** Lists free and taken nights on the master calendar, both dates included. */
export const listAvailabilities = operation({
  method: 'GET',
  path: '/availabilities',
  params: none,
  query: z
    .object({
      property_ids: z
        .string()
        .regex(/^\d{1,15}(,\d{1,15})*$/, { error: 'must be property ids separated by commas' })
        .refine((ids) => ids.split(',').length <= AVAILABILITY_PROPERTIES, {
          error: `names more than ${AVAILABILITY_PROPERTIES} properties`,
        })
        .meta({ commaList: 'integer' })
        .describe('Properties, by their ids.'),
      start_date: date.describe('The first night.'),
      end_date: date.describe('The last night.'),
    })
    .refine((query) => query.start_date <= query.end_date, {
      path: ['start_date'],
      error: 'must not be after end_date',
    }),
  body: null,
  data: z.object({ properties: z.array(propertyAvailability) }),
  scope: 'read',
  rate: 'default',
  tool: { name: 'search_availabilities', category: 'calendar' },
  since: '3.2.0',
  summary: 'Free and taken nights on the master calendar, both dates included.',
  notes: 'From one year back to three years ahead, in each property’s zone.',
  errors: [],
  emits: [],
  example: { property_ids: '1,2', start_date: '2027-03-01', end_date: '2027-03-31' },
});

/** Opens or blocks nights on the master calendar, from today to three years ahead. Nights of stays remain taken. */
export const updateAvailabilities = operation({
  method: 'POST',
  path: '/availabilities',
  params: none,
  query: none,
  body: z
    .object({
      property_ids: z.array(id('A property.')).min(1).max(AVAILABILITY_PROPERTIES),
      available: z.boolean().describe('true opens the nights, false blocks them.'),
      start_date: date.optional(),
      end_date: date.optional(),
      dates: z.array(date).min(1).max(366).optional().describe('Instead of a range.'),
    })
    .refine((body) => body.dates === undefined || (body.start_date === undefined && body.end_date === undefined), {
      path: ['dates'],
      error: 'excludes start_date and end_date; send one of them',
      params: { code: 400 },
    })
    .refine((body) => body.dates !== undefined || body.start_date !== undefined, {
      path: ['start_date'],
      error: 'is required unless dates is given',
    })
    .refine((body) => body.dates !== undefined || body.end_date !== undefined, {
      path: ['end_date'],
      error: 'is required unless dates is given',
    })
    .refine((body) => !body.start_date || !body.end_date || body.start_date <= body.end_date, {
      path: ['start_date'],
      error: 'must not be after end_date',
    }),
  data: nothing,
  scope: 'confirm',
  rate: 'availability_write',
  tool: { name: 'update_availabilities', category: 'calendar' },
  since: '3.2.0',
  summary: 'Opens or blocks nights on the master calendar.',
  notes:
    'From today to three years ahead, in each property’s zone. Nights of stays stay taken. The inventory of the properties’ listings follows shortly after.',
  example: { property_ids: [12], available: false, start_date: '2027-03-01', end_date: '2027-03-05' },
  errors: [400, 403, 404],
  emits: ['property_availability_updated', 'listing_calendar_updated'],
});
