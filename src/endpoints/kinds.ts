import { derivedNotes } from '../sync/feed/derived/names.ts';
import type { Change } from '../sync/feed/feed.ts';
import { feedWords } from '../sync/feed/asOf/words.ts';

const OPS = ['created', 'updated', 'deleted'] as const;
/** The kind of a new message of a guest. */
const GUEST_MESSAGE = 'guest_message';
/** The kind of a test message, sent on request. */
export const PING = 'ping';

/** Every kind that an endpoint can name. */
export const kinds: readonly string[] = [
  ...feedWords.flatMap((word) => OPS.map((op) => `${word}.${op}`)),
  GUEST_MESSAGE,
  ...Object.keys(derivedNotes),
];
const known = new Set(kinds);
const words = new Set<string>(feedWords);

/** Returns true for a kind, `*`, or all kinds of a resource such as `reservation.*`. */
export function isKind(text: string): boolean {
  return text === '*' || known.has(text) || (text.endsWith('.*') && words.has(text.slice(0, -2)));
}

/** Returns the kinds of a change that an endpoint wants. Each becomes a message of its own. */
export function wantedKinds(wanted: readonly string[], change: Pick<Change, NamedBy>): string[] {
  const { resource, op, needs_answer, derived_events } = change;
  const asked = new Set(wanted);
  const itself = `${resource}.${op}`;
  const names = [...(needs_answer === 1 ? [GUEST_MESSAGE] : []), ...new Set(derived_events.map(({ name }) => name))];
  const isAsked = asked.has('*') || asked.has(itself) || asked.has(`${resource}.*`);
  return [...(isAsked ? [itself] : []), ...names.filter((name) => asked.has(name))];
}

type NamedBy = 'resource' | 'op' | 'needs_answer' | 'derived_events';
