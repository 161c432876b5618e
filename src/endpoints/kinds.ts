import { derivedNotes } from '../sync/feed/derived/names.ts';
import type { Change } from '../sync/feed/feed.ts';
import { feedWords } from '../sync/feed/asOf/words.ts';

const OPS = ['created', 'updated', 'deleted'] as const;
/** A message of a guest that was not known before. */
const GUEST_MESSAGE = 'guest_message';
/** Sent by hand, to see whether an endpoint hears. */
export const PING = 'ping';

/** Everything that an endpoint can ask to hear of by name. */
export const kinds: readonly string[] = [
  ...feedWords.flatMap((word) => OPS.map((op) => `${word}.${op}`)),
  GUEST_MESSAGE,
  ...Object.keys(derivedNotes),
];
const known = new Set(kinds);
const words = new Set<string>(feedWords);

/** Whether a text is a kind, `*`, or all kinds of a resource: `reservation.*`. */
export function isKind(text: string): boolean {
  return text === '*' || known.has(text) || (text.endsWith('.*') && words.has(text.slice(0, -2)));
}

/** The kinds of a change that an endpoint wants to hear of; each makes a message of its own. */
export function wantedKinds(wanted: readonly string[], change: Pick<Change, NamedBy>): string[] {
  const { resource, op, needs_answer, derived_events } = change;
  const asked = new Set(wanted);
  const itself = `${resource}.${op}`;
  const names = [...(needs_answer === 1 ? [GUEST_MESSAGE] : []), ...new Set(derived_events.map(({ name }) => name))];
  const isAsked = asked.has('*') || asked.has(itself) || asked.has(`${resource}.*`);
  return [...(isAsked ? [itself] : []), ...names.filter((name) => asked.has(name))];
}

type NamedBy = 'resource' | 'op' | 'needs_answer' | 'derived_events';
