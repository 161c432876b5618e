import type { ChannelAdapter } from '../../core/channels/adapter.ts';
import { mailPosts, type PostMeans } from './post.ts';
import { forgetInMail } from './table.ts';
import { openForStay } from './threads.ts';

/** Returns the channel of direct guests: mail where a conversation is by mail, else what served it before. */
export function mailChannel(means: PostMeans, before: ChannelAdapter | undefined): ChannelAdapter {
  return {
    ...before,
    posts: mailPosts(means),
    conversations: { open: openForStay },
    privacy: { forget: forgetInMail },
  };
}
