import { z } from 'zod';
import { date, none } from './fields.ts';
import { operation } from './operation.ts';

/** How far GET /availabilities reaches. Nights further back cannot be read any more. */
export const AVAILABILITY_YEARS = { back: 1, ahead: 3 } as const;
export const AVAILABILITY_PROPERTIES = 100;

export const availabilityDay = z.object({ date: z.string(), available: z.boolean(), remarks: z.string().nullable() });
export const propertyAvailability = z.object({ id: z.int(), availabilities: z.array(availabilityDay) });

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
        }),
      start_date: date,
      end_date: date,
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
