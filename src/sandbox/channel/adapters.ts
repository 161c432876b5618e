import type { ChannelAdapter, ChannelAdapters, PostAdapter } from '../../core/channels/adapter.ts';
import type { Core } from '../../core/context.ts';
import { sandboxCalendars } from './calendars.ts';
import { sandboxRequests } from './requests.ts';

/** Channels with listings on which guests request to book. */
export const marketplaces = [
  'marketplace_a',
  'marketplace_b',
  'marketplace_c',
  'regional_marketplace',
  'booking_site',
] as const;

/** The guests of these channels are served by this process: a stored post has reached them. */
const posts: PostAdapter = { post: () => Promise.resolve({}) };

/** Returns the adapters of all channels that this process plays itself. */
export function sandboxChannels(core: Pick<Core, 'store' | 'clock'>): ChannelAdapters {
  const marketplace = { calendars: sandboxCalendars(core), posts, requests: sandboxRequests(core) };
  return new Map<string, ChannelAdapter>([
    ['direct', { posts }],
    ...marketplaces.map((channelType) => [channelType, marketplace] as const),
  ]);
}
