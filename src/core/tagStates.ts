/**
 * The life of a tag. Deleting takes it off everything but keeps its row, so that a tag of the same name made later
 * is the same tag again.
 */
export const tagTransitions = [
  { from: null, trigger: 'create', to: 'live' },
  { from: 'live', trigger: 'delete', to: 'deleted' },
  { from: 'deleted', trigger: 'create', to: 'live' },
] as const satisfies readonly { from: TagState | null; trigger: string; to: TagState }[];

export type TagState = 'live' | 'deleted';
export type TagTrigger = (typeof tagTransitions)[number]['trigger'];

/** Where a tag stands; null when none of its name was ever made. */
export function tagState(tag: { deleted_at: string | null } | undefined): TagState | null {
  if (!tag) return null;
  return tag.deleted_at === null ? 'live' : 'deleted';
}

/** The state a trigger leads to; undefined when it cannot happen: making what is there, deleting what is not. */
export function tagMoved(from: TagState | null, trigger: TagTrigger): TagState | undefined {
  return tagTransitions.find((row) => row.from === from && row.trigger === trigger)?.to;
}
