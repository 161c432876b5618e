/**
 * Something that a channel must be told, by the channel's own names of things: `thread` is its id of a conversation. Posts
 * are stored in this form, so its keys stay as they are.
 */
export type ChannelPost =
  | {
      kind: 'message';
      thread: string;
      /** Ours; a channel that echoes it back lets the echo be recognised. */
      message_id: string;
      content: string;
      /** Tokens of pictures stored here. */
      attachments: readonly string[];
    }
  | {
      kind: 'offer';
      thread: string;
      special_offer_id: string;
      offer_type: string;
      listing_id: string;
      rate_plan_id: string | null;
      check_in_date: string;
      check_out_date: string;
      number_of_adults: number;
      number_of_children: number;
      number_of_infants: number;
      number_of_pets: number;
      /** Minor units of `currency`; null: the standard price. */
      price: number | null;
      currency: string;
    }
  | { kind: 'withdraw_offer'; thread: string; special_offer_id: string }
  | { kind: 'host_review'; reservation: string; score: number | null; ratings: object; content: string }
  | { kind: 'host_reply'; reservation: string; content: string };

export interface Posted {
  /** The channel's own id of a message. */
  channel_message_id?: string;
}

/** The connection to one kind of channel. */
export interface PostAdapter {
  /**
   * Sends a post to the channel. Called at most once for each post.
   * @throws Error when the channel refuses or cannot be reached
   */
  post(post: ChannelPost): Promise<Posted>;
}

/** Adapters by channel_type. */
export type PostAdapters = ReadonlyMap<string, PostAdapter>;
