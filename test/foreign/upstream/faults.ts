import type { ResourceName } from './show.ts';

/** How one field of some rows is spoilt. */
export interface FieldFault {
  resource: ResourceName;
  /** A path such as `rates.tax`. */
  field: string;
  as: 'missing' | 'null' | 'other type' | 'text' | 'unknown word';
  /** Of so many rows one; left out: of all. */
  each?: number;
}

/**
 * How much is left untold: `usual`, as the pages on the public service say; `little`, only what they never tell;
 * `nothing`; `own`, as the dialect does it.
 */
export type Withheld = 'own' | 'usual' | 'little' | 'nothing';

/** How a message that was sent by the API shows. */
export interface Said {
  /** After so long. */
  lagMs: number;
  /** Dated so much later than it was sent; negative: earlier. */
  offMs: number;
  /** In these words. */
  as(text: string): string;
  /** It comes a second time as if the guest had written it: in these words; null: it does not. */
  echo: ((text: string) => string) | null;
}

/** How the upstream misbehaves. Each field is a switch of its own. */
export interface Faults {
  fields: FieldFault[];
  withheld: Withheld;
  total: 'right' | 'absent' | 'page' | 'too high' | 'too low';
  /** The largest page that is answered, whatever is asked for. */
  pageCap: number | null;
  ignoresOffset: boolean | ResourceName;
  order: 'right' | 'random';
  /** Percent of pages between which a row moves to the front. */
  shifting: number;
  /** Listings, as `<listing>`, that the calendars refuse, with the code: the whole request. */
  refusedListings: Map<string, number>;
  /** An unknown property id refuses availabilities as a whole. */
  refusesUnknownProperty: boolean;
  /** Keys such as `reservation R-1` whose next reads are answered so, once each. */
  blinks: { key: string; answer: 'empty' | 'not found' }[];
  /** How long a change takes until answers show it. */
  lagMs: number;
  /** Of events, percent. */
  events: { dropped: number; doubled: number; reordered: number; late: number; lateMs: number };
  /** Every request is refused until then. */
  unauthorizedUntil: number;
  /** Every request is answered 429 until then, with so many seconds in Retry-After. */
  limited: { until: number; retryAfterS: number } | null;
  /** The code with which the next registration of a webhook is refused. */
  registration: number | null;
  /** What deliveries carry. */
  proof: 'both' | 'token' | 'signature';
  /** Registering does not tell the secret. */
  withoutSecret: boolean;
  /** FullConversations that are listed, and not there. */
  goneConversations: Set<string>;
  /** What becomes of a message that was sent by the API. */
  said: Said;
  /** How far its clock is ahead of the world's. */
  clockMs: number;
  /** Messages of these fullConversations: without id, with content null, an attachment that is an object. */
  oddMessages: Map<string, 'without id' | 'content null' | 'attachment object' | 'no object'>;
}

export function noFaults(): Faults {
  return {
    fields: [],
    withheld: 'own',
    total: 'right',
    pageCap: null,
    ignoresOffset: false,
    order: 'right',
    shifting: 0,
    refusedListings: new Map(),
    refusesUnknownProperty: false,
    blinks: [],
    lagMs: 0,
    events: { dropped: 0, doubled: 0, reordered: 0, late: 0, lateMs: 60_000 },
    unauthorizedUntil: 0,
    limited: null,
    registration: null,
    proof: 'both',
    withoutSecret: false,
    goneConversations: new Set(),
    said: { lagMs: 0, offMs: 0, as: (text) => text, echo: null },
    clockMs: 0,
    oddMessages: new Map(),
  };
}
