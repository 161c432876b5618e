import type { Visit } from '../visit.ts';

/** Where a stay or a conversation comes from; null where nobody has told. */
interface Source {
  readonly channel_type: string | null;
  /** The account's own name of a channel that it writes bookings of in by hand. */
  readonly custom_channel?: string | null;
}

/** Returns what a person calls the channel. A type that is not known here is shown as it is written, with spaces. */
export function channelName({ texts }: Pick<Visit, 'texts'>, { channel_type, custom_channel }: Source): string {
  const names: Readonly<Record<string, string>> = texts.channels;
  const type = channel_type ?? '';
  return custom_channel ?? names[type] ?? type.replaceAll('_', ' ');
}
