import type { z } from 'zod';
import { ALL_CHANNELS, ALL_IDS, type knowledgeBase, type knowledgeBaseDetail } from '../../contract/knowledgeBases.ts';
import { type ContentPart, joined } from './rules.ts';
import type { ScopedEntry } from './table.ts';

/** Returns the public form of an entry in a list. */
export function presentEntry(entry: ScopedEntry): z.output<typeof knowledgeBase> {
  return {
    id: entry.id,
    title: entry.title,
    scope_property: { type: entry.scope_property, ids: entry.scope_property === 'all' ? [ALL_IDS] : entry.ids },
    scope_channel: {
      type: entry.scope_channel,
      channels: entry.scope_channel === 'all' ? [ALL_CHANNELS] : entry.channels,
    },
    is_enable: entry.is_enable === 1,
    process_status: entry.process_status,
  };
}

/** Returns the public form of an entry with its text. */
export function presentWholeEntry(entry: ScopedEntry): z.output<typeof knowledgeBaseDetail> {
  const contents = JSON.parse(entry.contents) as ContentPart[];
  return { ...presentEntry(entry), content: joined(contents), contents };
}
