import type { JSONObject } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { channelTypes } from '../../contract/channelAccounts.ts';
import type { ObjectSchema } from '../../contract/operation.ts';
import { type Json, jsonSchema } from '../jsonSchema.ts';
import { partsOf } from '../../contract/schemaParts.ts';

const RESERVATION =
  'Names a whole reservation, all of its rooms: reservation_code of search_reservations. Of a reservation of one room ' +
  'it is the stay_code as well.';
const CHANNELS = `${channelTypes.join(', ')}; the account's own come from search_channel_accounts.`;

/** The tool that supplies the value of an argument, by the argument's name. */
const SOURCES: Readonly<Record<string, string>> = {
  reservation_code: RESERVATION,
  stay_code:
    'Names one room of a reservation: stay_code of search_reservations. A reservation of several rooms has one for each, ' +
    'and one reservation_code.',
  property_id: 'From search_properties.',
  property_ids: 'From search_properties.',
  room_type_id: 'From search_room_types.',
  room_type_ids: 'From search_room_types.',
  group_id: 'From search_property_groups.',
  tag_id: 'From search_tags.',
  listing_id:
    'listing_id, not id, of search_listings or of channels in search_properties; it goes with its channel_type.',
  channel_account_id: 'From search_channel_accounts.',
  channel_id: 'The caller’s own reference of a direct reservation, or the channel’s.',
  channel_type: `The channel: ${CHANNELS}`,
  channel_types: `Channels: ${CHANNELS}`,
  conversation_id: 'From search_conversations; opaque.',
  custom_channel_id: 'From search_custom_channels.',
  income_method_id: 'From search_income_methods.',
  item_id: 'From search_income_items or search_expense_items, by the direction.',
  payment_method_id: 'From search_income_methods or search_expense_methods, by the direction.',
  staff_id: 'From search_staffs.',
  plan_id: 'From search_automation_actions.',
};

/** For tools with an `id` of their own, the search that finds it, by the last word of the tool's name. */
const OWN_IDS: Readonly<Record<string, string>> = {
  transaction: 'search_transactions',
  task: 'search_tasks',
  staff: 'search_staffs',
  knowledge_base: 'search_knowledge_bases',
  property_group: 'search_property_groups',
  property_tag: 'search_tags',
  reservation_tag: 'search_reservation_tags',
  calendar_share_link: 'search_calendar_share_links',
};

/**
 * Describes one part of an operation's input for a tool: lists are lists, even those that an address writes with
 * commas, and every id names its source.
 */
export function argumentsOf(part: ObjectSchema, tool: string): Json & { properties: JSONObject } {
  const schema = jsonSchema(part, 'input');
  const properties = schema['properties'] as Record<string, Json>;
  for (const [name, field] of Object.entries(properties)) {
    const of = commaListOf(part.shape[name] as z.ZodType | undefined);
    const shown = of ? { type: 'array', items: { type: of }, minItems: 1 } : field;
    const description = [field['description'], sourceOf(name, tool, field)].filter(Boolean).join(' ');
    properties[name] = { ...shown, ...(description !== '' && { description }) };
  }
  return { ...schema, properties: properties as JSONObject };
}

function sourceOf(name: string, tool: string, { description }: Json): string | undefined {
  // A deprecated field names its replacement.
  if (String(description).startsWith('Deprecated')) return undefined;
  if (name !== 'id') return SOURCES[name];
  const search = OWN_IDS[tool.slice(tool.indexOf('_') + 1)];
  return search && `From ${search}.`;
}

function commaListOf(field: z.ZodType | undefined): string | undefined {
  if (!field) return undefined;
  const of: unknown = field.meta()?.['commaList'];
  if (typeof of === 'string') return of;
  return commaListOf(partsOf(field).innerType);
}
