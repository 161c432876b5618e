import { machine, type StateOf } from '../kernel/transitions.ts';

/**
 * The life of a tag. Deletion removes it from all carriers but retains its row, so that a later tag of the same name is
 * the same tag again.
 */
export const tagLife = machine({
  name: 'tag',
  is: 'A tag of properties or reservations.',
  before: 'not made',
  states: {
    live: 'It can be given.',
    deleted: 'It was taken off everything.',
  },
  final: [],
  rows: [
    { from: null, trigger: 'create', to: 'live' },
    { from: 'live', trigger: 'delete', to: 'deleted' },
    { from: 'deleted', trigger: 'create', to: 'live' },
  ],
});

type TagState = StateOf<typeof tagLife>;

/** Returns the state of a tag; null when no tag of its name ever existed. */
export function tagState(tag: { deleted_at: string | null } | undefined): TagState | null {
  if (!tag) return null;
  return tag.deleted_at === null ? 'live' : 'deleted';
}
