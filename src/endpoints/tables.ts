import type { EndpointState, MessageState } from './states.ts';
import type { Instant } from '../kernel/dates.ts';
import type { Flag, Json } from '../sync/tables/rowFacts.ts';

/** A program that is told of changes. */
export interface EndpointsTable {
  connection: string;
  endpoint_id: string;
  /** Sealed, see {@link endpointUrlContext}. */
  url: string;
  description: string | null;
  /** What it wants to hear of: kinds of changes and names of derived events. */
  kinds: Json;
  /** Only changes that concern these properties; null: all. */
  property_ids: Json | null;
  /** Whether personal values are sent. */
  persons: Flag;
  /** Sealed. */
  secret: string;
  /** Sealed; signs too until `previous_until`. */
  previous_secret: string | null;
  previous_until: Instant | null;
  state: EndpointState;
  reason: string | null;
  state_at: Instant;
  /** The last change that messages were made of. */
  cursor: number;
  /** The first failure since it last succeeded. */
  failing_since: Instant | null;
  succeeded_at: Instant | null;
  created_at: Instant;
}

/** One change that one endpoint is to be told of. */
export interface EndpointMessagesTable {
  connection: string;
  message_id: string;
  endpoint_id: string;
  seq: number;
  kind: string;
  resource: string;
  key: string;
  state: MessageState;
  attempts: number;
  next_at: Instant;
  claimed_until: Instant | null;
  /** Of the last attempt. */
  outcome: string | null;
  http_status: number | null;
  created_at: Instant;
  ended_at: Instant | null;
}

/** One request that was sent, and what became of it. */
export interface EndpointAttemptsTable {
  connection: string;
  message_id: string;
  attempt: number;
  at: Instant;
  outcome: string;
  http_status: number | null;
  ms: number;
}

export interface EndpointTables {
  endpoints: EndpointsTable;
  endpoint_messages: EndpointMessagesTable;
  endpoint_attempts: EndpointAttemptsTable;
}

/** What the address of an endpoint is sealed for. */
export function endpointUrlContext(connection: string, endpointId: string): string {
  return `address of endpoint ${connection} ${endpointId}`;
}

declare module '../sync/tables/database.ts' {
  interface Mirror extends EndpointTables {}
}
