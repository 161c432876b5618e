import type { AccountId } from '../../kernel/ids.ts';

/** A request to book, with the channel's own ids. */
export interface RequestToBook {
  account_id: AccountId;
  channel_type: string;
  channel_id: string;
}

/**
 * Informs a channel of the answer to a request to book. It is called outside any transaction, before the status moves
 * here. Two concurrent answers may both be sent, so a repeat must do no harm.
 */
export interface ChannelReply {
  /**
   * @throws ApiError 502 or 504 when the channel does not accept the answer, 400 when it has another; the request stays
   * waiting
   */
  approve(request: RequestToBook): Promise<void>;
  /**
   * @throws ApiError 502 or 504 when the channel does not accept the answer, 400 when it has another; the request stays
   * waiting
   */
  decline(request: RequestToBook): Promise<void>;
}

/** Replies by channel_type. A channel without an entry needs no notice. */
export type ChannelReplies = ReadonlyMap<string, ChannelReply>;
