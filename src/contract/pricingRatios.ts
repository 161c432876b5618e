import { z } from 'zod';
import { channelType, id, none, openEnum } from './fields.ts';
import { operation } from './operation.ts';

/** The percentage with which a listing's price follows a base price. */
export const pricingRatio = z
  .object({
    channel_type: channelType,
    listing_id: z.string(),
    listing_title: z.string(),
    ratio: z.number().describe('Percent of the base price; -1 when readonly.'),
    readonly: z.boolean().describe('Prices of the listing cannot be set from here.'),
  })
  .meta({ family: 'pricing_ratio', schemaName: 'PricingRatio' });

/**
 * Lists the pricing ratios of listings. A target price is round(base × ratio / 100); callers skip listings that are
 * readonly.
 */
export const getPricingRatios = operation({
  method: 'GET',
  path: '/pricing_ratios',
  params: none,
  query: z
    .object({
      property_id: id('Listings of a property.').optional(),
      room_type_id: id('Listings of a room type.').optional(),
    })
    .refine((query) => (query.property_id === undefined) !== (query.room_type_id === undefined), {
      path: ['property_id'],
      error: 'give exactly one of property_id and room_type_id',
      params: { code: 400 },
    }),
  body: null,
  data: z.object({
    link_type: openEnum(['property', 'room_type']),
    link_id: z.int(),
    channels: z.array(pricingRatio),
  }),
  scope: 'read',
  rate: 'default',
  tool: { name: 'get_pricing_ratios', category: 'calendar' },
  since: '3.2.0',
  summary: 'By which percentage each listing’s price follows a base price.',
  notes: 'A target price is round(base × ratio / 100); leave out listings that are readonly.',
  example: { property_id: 12 },
  errors: [400, 403, 404],
  emits: [],
});
