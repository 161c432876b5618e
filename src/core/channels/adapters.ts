import type { Core } from '../context.ts';
import type { ChannelAdapter } from './adapter.ts';
import { sandboxChannel } from './sandbox/channel.ts';

/**
 * Returns the channel behind a listing. So far every account that can be connected belongs to a sandbox marketplace.
 */
export function channelOf(core: Core): ChannelAdapter {
  return sandboxChannel(core);
}
