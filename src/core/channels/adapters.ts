import { ApiError } from '../../kernel/errors.ts';
import type { Core } from '../context.ts';
import type { CalendarAdapter, ChannelListing } from './adapter.ts';

/**
 * Returns the calendars of a listing's channel.
 * @throws ApiError 502 for a channel without calendars, or without an adapter in this installation
 */
export function calendarsOf(
  { channels }: Core,
  { channel_type }: Pick<ChannelListing, 'channel_type'>,
): CalendarAdapter {
  const calendars = channels.get(channel_type)?.calendars;
  if (!calendars) throw new ApiError(502, `The channel cannot be reached: nothing leads to ${channel_type}.`);
  return calendars;
}
