import { instantOf } from '../../../kernel/dates.ts';
import type { AccountId } from '../../../kernel/ids.ts';
import type { Change } from '../../context.ts';
import type { ChannelPost } from '../adapter.ts';
import { addPost } from './table.ts';

interface PostDraft {
  account_id: AccountId;
  channel_type: string;
  /** Posts of one lane reach the channel in order. */
  lane: string;
  payload: ChannelPost;
}

/** Queues a post for a channel. It is sent once the change has committed. */
export function postToChannel({ trx, now }: Change, draft: PostDraft): Promise<void> {
  return addPost(trx, { ...draft, payload: JSON.stringify(draft.payload), created_at: instantOf(now) });
}
