import { z } from 'zod';
import { none, completeListOf } from './fields.ts';
import { operation } from './operation.ts';

/** A source of direct reservations that an operator defined. */
export const customChannel = z
  .object({ id: z.int(), name: z.string() })
  .meta({ family: 'custom_channel', schemaName: 'CustomChannel' });

/** Lists the custom channels of the account. */
export const listCustomChannels = operation({
  method: 'GET',
  path: '/custom_channels',
  params: none,
  query: none,
  body: null,
  data: completeListOf('custom_channels', customChannel),
  scope: 'read',
  rate: 'default',
  tool: { name: 'search_custom_channels', category: 'meta' },
  since: '3.2.0',
  summary: 'Sources an operator has defined for direct bookings.',
  errors: [],
  emits: [],
  example: {},
});
