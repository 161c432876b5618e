import { envelope, type EventDeclaration, events } from '../../contract/events.ts';
import { type DateHint, hintOf, hintOfRange } from '../tables/rows/dateHints.ts';

/** A delivery that can be accepted. */
export interface ReadEvent {
  /** null: it has none, so only its content distinguishes it from others. */
  eventId: string | null;
  event: string;
  /** The body exactly as received. */
  body: string;
  /** The key to read again; undefined for kinds that are not mirrored, unknown ones among them. */
  subject: { resource: string; key: string; hint: DateHint | undefined } | undefined;
  /** Set if the contract names this kind. */
  known: boolean;
}

const declarations = new Map<string, EventDeclaration>(Object.entries(events));
const idRule = envelope.shape.event_id;
const kindRule = envelope.shape.event;

/**
 * Reads the body of a delivery; undefined if it is no event at all. Unknown fields are retained.
 * @param understand translates a payload from another dialect, in place
 */
export function readEvent(raw: Buffer, understand?: (payload: Record<string, unknown>) => void): ReadEvent | undefined {
  const body = raw.toString('utf8');
  const fields = parseObject(body);
  if (!fields) return undefined;
  understand?.(fields);
  const { event_id: eventId = null, event } = fields;
  if (typeof event !== 'string' || !kindRule.safeParse(event).success) return undefined;
  if (eventId !== null && (typeof eventId !== 'string' || !idRule.safeParse(eventId).success)) return undefined;
  const declaration = declarations.get(event);
  return { eventId, event, body, known: declaration !== undefined, subject: subjectOf(declaration, fields) };
}

function parseObject(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The length beyond which a key is neither a code nor a number of ours. */
const MAX_KEY = 200;

function subjectOf(declaration: EventDeclaration | undefined, fields: Record<string, unknown>) {
  if (!declaration?.rereads) return undefined;
  const { resource, by } = declaration.rereads;
  const names = [by].flat().map((name) => textOf(fields[name]));
  const key = names.join('/');
  if (names.includes('') || key.length > MAX_KEY) return undefined;
  return { resource, key, hint: hintOf(fields['availabilities']) ?? hintOfRange(fields) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
