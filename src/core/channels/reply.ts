import type { AccountId } from '../../kernel/ids.ts';

/** A request to book, by the channel's own names of things. */
export interface RequestToBook {
  account_id: AccountId;
  channel_type: string;
  channel_id: string;
}

/**
 * How a channel is told what becomes of a request to book. Called outside of any transaction, before the status
 * moves here; of two answers at once both may be told, so a repeat must do no harm.
 */
export interface ChannelReply {
  /** @throws ApiError 502 or 504 when the channel does not take it, 400 when it has another; the request goes on waiting */
  approve(request: RequestToBook): Promise<void>;
  /** @throws ApiError 502 or 504 when the channel does not take it, 400 when it has another; the request goes on waiting */
  decline(request: RequestToBook): Promise<void>;
}

/** By channel_type. A channel that is not here has nobody to tell. */
export type ChannelReplies = ReadonlyMap<string, ChannelReply>;
