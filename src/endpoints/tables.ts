import type { EndpointState, MessageState } from './states.ts';
import type { Instant } from '../kernel/dates.ts';
import type { Flag, Json } from '../sync/tables/rowFacts.ts';

/** An endpoint that receives changes. */
export interface EndpointsTable {
  connection: string;
  endpoint_id: string;
  /** Sealed, see {@link endpointUrlContext}. */
  url: string;
  description: string | null;
  /** The kinds that it wants: kinds of changes and names of derived events. */
  kinds: Json;
  /** The properties whose changes it receives; null for all. */
  property_ids: Json | null;
  /** 1 to send personal values. */
  persons: Flag;
  /** Sealed. */
  secret: string;
  /** Sealed; signs as well until `previous_until`. */
  previous_secret: string | null;
  previous_until: Instant | null;
  state: EndpointState;
  reason: string | null;
  state_at: Instant;
  /** The last change that became messages. */
  cursor: number;
  /** The first failure since its last success. */
  failing_since: Instant | null;
  succeeded_at: Instant | null;
  created_at: Instant;
}

/** One change for one endpoint. */
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
  /** Outcome of the last attempt. */
  outcome: string | null;
  http_status: number | null;
  created_at: Instant;
  ended_at: Instant | null;
}

/** One request with its outcome. */
export interface EndpointAttemptsTable {
  connection: string;
  message_id: string;
  attempt: number;
  at: Instant;
  outcome: string;
  http_status: number | null;
  ms: number;
}

interface EndpointTables {
  endpoints: EndpointsTable;
  endpoint_messages: EndpointMessagesTable;
  endpoint_attempts: EndpointAttemptsTable;
}

/** Returns the context in which the address of an endpoint is sealed. */
export function endpointUrlContext(connection: string, endpointId: string): string {
  return `address of endpoint ${connection} ${endpointId}`;
}

declare module '../sync/tables/database.ts' {
  interface Mirror extends EndpointTables {}
}
