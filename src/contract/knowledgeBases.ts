import { z } from 'zod';
import { channelType, id, listOf, none, nothing, openEnum, paging } from './fields.ts';
import { operation } from './operation.ts';

const propertyScopes = ['all', 'by_property', 'by_group', 'by_room_type'] as const;
/** Properties that an entry applies to: all, or those that a list of properties, groups or room types names. */
export type PropertyScope = (typeof propertyScopes)[number];
const channelScopes = ['all', 'by_channel'] as const;
/** Channels that an entry applies to: all or a list. */
export type ChannelScope = (typeof channelScopes)[number];
/** States of an entry's text on its way into the search index. */
export const processStatuses = ['waiting', 'processing', 'done', 'failed'] as const;
/** One of {@link processStatuses}. */
export type ProcessStatus = (typeof processStatuses)[number];
/** Value for "all" in a scope's list of ids. */
export const ALL_IDS = -1;
/** Value for "all" in a scope's list of channels. */
export const ALL_CHANNELS = 'unlimited';
const TITLE_LENGTH = 200;

const contents = z.array(
  z.object({ text: z.string(), sub_title: z.string() }).meta({ schemaName: 'KnowledgeBasePart' }),
);

/** An entry of the knowledge base without its text. */
export const knowledgeBase = z
  .object({
    id: z.int(),
    title: z.string(),
    scope_property: z
      .object({ type: openEnum(propertyScopes), ids: z.array(z.int()) })
      .meta({ schemaName: 'PropertyScope' }),
    scope_channel: z
      .object({ type: openEnum(channelScopes), channels: z.array(channelType) })
      .meta({ schemaName: 'ChannelScope' }),
    is_enable: z.boolean(),
    process_status: openEnum(processStatuses),
  })
  .meta({ family: 'knowledge_base', schemaName: 'KnowledgeBase' });

/** An entry of the knowledge base with its text. */
export const knowledgeBaseDetail = z
  .object({ ...knowledgeBase.shape, content: z.string(), contents })
  .meta({ family: 'knowledge_base', schemaName: 'KnowledgeBaseDetail' });

const scopeId = z.int().min(ALL_IDS).meta({ wireId: true });
const fields = {
  title: z.string().trim().min(1).max(TITLE_LENGTH).optional(),
  contents: z
    .array(
      z
        .object({ text: z.string().trim().min(1), sub_title: z.string().trim().max(TITLE_LENGTH).default('') })
        .meta({ schemaName: 'GivenKnowledgeBasePart' }),
    )
    .min(1)
    .max(500)
    .optional()
    .describe('The same as content, in parts that may have titles.'),
  scope_property: z
    .object({ type: z.enum(propertyScopes), ids: z.array(scopeId).max(1_000).optional() })
    .meta({ schemaName: 'GivenPropertyScope' })
    .refine((scope) => scope.type === 'all' || (scope.ids?.some((one) => one !== ALL_IDS) ?? false), {
      path: ['ids'],
      error: 'is required for this type',
    })
    .optional(),
  scope_channel: z
    .object({ type: z.enum(channelScopes), channels: z.array(channelType.min(1).max(50)).max(100).optional() })
    .meta({ schemaName: 'GivenChannelScope' })
    .refine((scope) => scope.type === 'all' || (scope.channels?.some((channel) => channel !== ALL_CHANNELS) ?? false), {
      path: ['channels'],
      error: 'is required for this type',
    })
    .optional(),
  is_enable: z.boolean().optional(),
};
const content = z.string().trim().min(1);

/**
 * Lists entries without their text, newest first. Filters also match entries that apply to all properties or channels.
 */
export const listKnowledgeBases = operation({
  method: 'GET',
  path: '/knowledge_bases',
  params: none,
  query: z.object({
    offset: paging.offset,
    limit: z.int().min(1).max(100).default(10).describe('Rows to answer, 100 at most.'),
    cursor: paging.cursor,
    property_ids: z
      .string()
      .regex(/^\d{1,15}(,\d{1,15}){0,99}$/, { error: 'must be property ids separated by commas, 100 at most' })
      .meta({ commaList: 'integer' })
      .optional()
      .describe('Entries that hold for one of these properties.'),
    channel_types: z
      .string()
      .regex(/^[\w-]{1,50}(,[\w-]{1,50}){0,99}$/, { error: 'must be names separated by commas' })
      .meta({ commaList: 'string', vocabulary: 'channel' })
      .optional()
      .describe('Entries that hold for one of these channels.'),
    search: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe('An addition of this service: only processed entries whose text holds all of these words.')
      .meta({ addition: true }),
  }),
  body: null,
  data: listOf('knowledge_bases', knowledgeBase),
  scope: 'read',
  rate: 'default',
  tool: { name: 'search_knowledge_bases', category: 'knowledge_base' },
  since: '3.4.0',
  summary: 'Entries of the knowledge base without their text, newest first.',
  notes: 'Filters find every entry that holds for one of the properties or channels, those for all included.',
  example: { property_ids: '12', channel_types: 'marketplace_a' },
  errors: [],
  emits: [],
});

/** Returns one entry with its text. */
export const getKnowledgeBase = operation({
  method: 'GET',
  path: '/knowledge_bases/{id}',
  params: z.object({ id: id('The entry.') }),
  query: none,
  body: null,
  data: knowledgeBaseDetail,
  scope: 'read',
  rate: 'default',
  tool: { name: 'get_knowledge_base', category: 'knowledge_base' },
  since: '3.4.0',
  summary: 'One entry with its text.',
  example: { id: 12 },
  errors: [404],
  emits: [],
});

/** Adds an entry. Search finds its text once process_status is done. */
export const createKnowledgeBase = operation({
  method: 'POST',
  path: '/knowledge_bases',
  params: none,
  query: none,
  body: z.object({ content, ...fields }).meta({ family: 'knowledge_base' }),
  data: z.object({ id: z.int() }),
  scope: 'confirm',
  rate: 'default',
  tool: { name: 'create_knowledge_base', category: 'knowledge_base' },
  since: '3.4.0',
  summary: 'Adds an entry; its text can be found once process_status is done.',
  notes: 'Without scopes it holds for all properties and channels; without a title it takes its first line.',
  example: { title: 'Parking', content: 'There is a place behind the house.' },
  errors: [400, 401, 403, 404],
  emits: [],
});

/** Changes an entry. A changed text is processed again. */
export const updateKnowledgeBase = operation({
  method: 'PATCH',
  path: '/knowledge_bases/{id}',
  params: z.object({ id: id('The entry.') }),
  query: none,
  body: z.object({ content: content.optional(), ...fields }).meta({ family: 'knowledge_base' }),
  data: nothing,
  scope: 'confirm',
  rate: 'default',
  tool: { name: 'update_knowledge_base', category: 'knowledge_base' },
  since: '3.4.0',
  summary: 'Changes an entry; other text is processed again.',
  example: { id: 12, is_enable: false },
  errors: [400, 401, 403, 404],
  emits: [],
});

/** Deletes an entry for good. */
export const deleteKnowledgeBase = operation({
  method: 'DELETE',
  path: '/knowledge_bases/{id}',
  params: z.object({ id: id('The entry.') }),
  query: none,
  body: null,
  data: nothing,
  scope: 'confirm',
  rate: 'default',
  tool: { name: 'delete_knowledge_base', category: 'knowledge_base' },
  since: '3.4.0',
  summary: 'Deletes an entry for good.',
  example: { id: 12 },
  errors: [401, 404],
  emits: [],
});
