import { knowledgeBase } from '../../../contract/knowledgeBases.ts';
import { type MirrorResource, rowReader } from '../rows/resource.ts';
import { flag, listText } from '../wireValues.ts';

export const readKnowledgeBases = rowReader({
  schema: knowledgeBase,
  keyFields: ['id'],
  rowKey: (one) => one.id,
  key: (one) => String(one.id),
  columns: (one) => ({
    id: one.id,
    title: one.title,
    scope_property: one.scope_property?.type ?? null,
    scope_ids: listText(one.scope_property?.ids),
    scope_channel: one.scope_channel?.type ?? null,
    scope_channels: listText(one.scope_channel?.channels),
    is_enable: flag(one.is_enable),
    process_status: one.process_status,
  }),
});

/** The rows of the list, without their text: that would cost a request for each. */
export const knowledgeBases: MirrorResource = {
  name: 'knowledge_base',
  table: 'knowledge_bases',
  keyColumn: 'id',
  groupColumn: 'id',
};
