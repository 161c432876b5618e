import type { Core } from '../context.ts';
import type { ChannelAdapter } from './adapter.ts';
import { sandboxChannel } from './sandbox/channel.ts';

/** The channel behind a listing. Every account that can be connected so far is one of a sandbox marketplace. */
export function channelOf(core: Core): ChannelAdapter {
  return sandboxChannel(core);
}
