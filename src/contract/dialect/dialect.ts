import { z } from 'zod';
import { type EventKind, eventKinds, events } from '../events.ts';
import { type OperationId, operationIds, operations } from '../index.ts';
import type { Operation } from '../operation.ts';
import { EVENT_FAMILY } from './families.ts';
import { type Fields, isFields, omitter, type Rearrange } from './fieldRules.ts';
import type { Convert } from './forms.ts';
import { described, type Profile } from './profile.ts';
import { translator, type Translating } from './translator.ts';

/** Key of the profile that applies to every kind of event. */
const EVERY_EVENT = 'all';

/**
 * One operation in a dialect. A translator is present only where the dialect differs from the contract; it changes
 * objects in place and returns the value.
 */
export interface OperationDialect {
  /** Path below the base path, with `{name}` for each field of `params`. */
  readonly path: string;
  readonly method: Operation['method'];
  readonly params: Convert | undefined;
  readonly query: Convert | undefined;
  readonly body: Convert | undefined;
  readonly data: Convert | undefined;
}

/** A dialect as one side of the wire speaks it. */
export interface Dialect {
  readonly profile: Profile;
  readonly operations: Readonly<Record<OperationId, OperationDialect>>;
  /** Translates the payload of a thin event in place; undefined where nothing differs. */
  readonly event: ((payload: Fields) => void) | undefined;
}

/** Returns the dialect for a caller: it translates requests into their form, and answers and events from it. */
export function dialectOfCaller(profile: Profile): Dialect {
  const asking = { profile, direction: 'toTheirs', leavesOut: false } as const;
  const hearing = { profile, direction: 'fromTheirs', leavesOut: false } as const;
  return {
    profile,
    operations: eachOperation((id, operation) => ({
      ...request(asking, operation),
      query: inOrder(pager(profile, operation), translator(asking, operation.query)),
      data: translator(hearing, operation.data),
      path: pathOf(profile, operation.path),
      method: profile.methods[id] ?? operation.method,
    })),
    event: eventTranslator(hearing),
  };
}

/** Returns the dialect for a server: it translates requests from their form, and answers and events into it. */
export function dialectOfServer(profile: Profile): Dialect {
  const hearing = { profile, direction: 'fromTheirs', leavesOut: false } as const;
  const answering = { profile, direction: 'toTheirs', leavesOut: true } as const;
  const { no_data: silent, data_without: without } = profile.serving;
  return {
    profile,
    operations: eachOperation((id, operation) => ({
      ...request(hearing, operation),
      query: inOrder(profile.additions ? undefined : additionsDropper(operation), translator(hearing, operation.query)),
      data: silent.includes(id)
        ? () => undefined
        : inOrder(onFields(omitter(without[id])), translator(answering, operation.data)),
      path: pathOf(profile, operation.path),
      method: profile.methods[id] ?? operation.method,
    })),
    event: eventTranslator(answering),
  };
}

/** The dialect of a core that follows the description exactly. */
export const asDescribed = dialectOfServer(described);

function eachOperation(
  make: (id: OperationId, operation: Operation) => OperationDialect,
): Record<OperationId, OperationDialect> {
  const entries = operationIds.map((id) => [id, make(id, operations[id])]);
  return Object.fromEntries(entries) as Record<OperationId, OperationDialect>;
}

function request(how: Translating, { params, body }: Operation) {
  return { params: translator(how, params), body: body ? translator(how, body) : undefined };
}

/** Returns a path in the dialect. Segments that are channels take the channel's name in the dialect. */
function pathOf({ words, path_segments: segments }: Profile, path: string): string {
  const channels = words.channel ?? {};
  const theirs = (segment: string) => segments[segment] ?? channels[segment]?.[0] ?? segment;
  return path.split('/').map(theirs).join('/');
}

/** Fills in offset and limit for deployments whose defaults differ from the description. */
function pager({ requests }: Profile, { query }: Operation): Convert | undefined {
  if (!requests.always_paged || !('offset' in query.shape) || !('limit' in query.shape)) return undefined;
  return onFields((fields) => {
    if (fields['cursor'] !== undefined) return;
    fields['offset'] ??= 0;
    fields['limit'] ??= requests.most_rows;
  });
}

/**
 * Drops query fields that only this service has. A deployment that does not know them behaves as if they were absent.
 */
function additionsDropper({ query }: Operation): Convert | undefined {
  const isAddition = (field: z.ZodType) => field.meta()?.addition === true;
  const names = Object.entries(query.shape as Record<string, z.ZodType>).filter(([, field]) => isAddition(field));
  return onFields(omitter(names.map(([name]) => name)));
}

function eventTranslator(how: Translating): Dialect['event'] {
  const { profile, leavesOut } = how;
  const without = leavesOut ? profile.serving.events_without : {};
  const byKind = new Map<string, Convert>();
  for (const kind of eventKinds) {
    const omitted = [...(without[EVERY_EVENT] ?? []), ...(without[kind] ?? [])];
    const convert = inOrder(onFields(omitter(omitted)), translator(how, eventFields(kind), EVENT_FAMILY));
    if (convert) byKind.set(kind, convert);
  }
  if (byKind.size === 0) return undefined;
  return (payload) => void byKind.get(String(payload['event']))?.(payload);
}

function eventFields(kind: EventKind): z.ZodObject {
  return events[kind].fields;
}

function inOrder(first: Convert | undefined, second: Convert | undefined): Convert | undefined {
  return first && second ? (value) => second(first(value)) : (first ?? second);
}

function onFields(step: Rearrange | undefined): Convert | undefined {
  if (!step) return undefined;
  return (value) => {
    if (isFields(value)) step(value);
    return value;
  };
}
