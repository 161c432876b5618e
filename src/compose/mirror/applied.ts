import type { ConnectionId } from '../../kernel/ids.ts';

/** The connections that a change has concerned. */
export interface AppliedConnections {
  readonly added: ConnectionId[];
  readonly removed: ConnectionId[];
  /** Begun again with other settings. */
  readonly changed: ConnectionId[];
  readonly failed: { connection: ConnectionId; problem: string }[];
}

/** What has changed without a restart. */
export interface Applied extends AppliedConnections {
  /** The levels of the log; absent if they are those of before. */
  readonly logLevel?: string;
}
