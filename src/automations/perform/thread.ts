import type { z } from 'zod';
import { CallError } from '../../client/callError.ts';
import type { thread } from '../../contract/conversations.ts';
import { GUEST } from '../../contract/conversations.ts';
import { msOf } from '../../kernel/dates.ts';
import { instantFrom } from '../../sync/mirror/wireValues.ts';
import type { Automating } from '../context.ts';
import { fingerprintOf } from '../fingerprint.ts';

/** The largest page there is. */
const MESSAGES = 100;

/** A message as the guards look at it. */
export interface Said {
  message_id: string;
  isGuest: boolean;
  content: string;
  fingerprint: string;
  atMs: number;
  /** Some automation of the other side has written it. */
  isAutomatic: boolean;
}

/** A conversation as the other side tells it now. */
export interface FreshThread {
  conversation_id: string;
  channel_type: string;
  guest: z.output<typeof thread>['guest'];
  note: string | null;
  /** Bookings it is about, newest first. */
  reservationCodes: readonly string[];
  propertyIds: readonly number[];
  /** Newest first. */
  messages: readonly Said[];
}

/** Asks for a conversation; undefined when it is not there. Throws CallError. */
export async function readThread(
  { client, signal, zone }: Pick<Automating, 'client' | 'signal' | 'zone'>,
  conversation_id: string,
): Promise<FreshThread | undefined> {
  try {
    const input = { conversation_id, limit: MESSAGES };
    const { data } = await client.call('getConversation', input, { purpose: 'reply', signal });
    return {
      conversation_id,
      channel_type: data.channel_type,
      guest: data.guest,
      note: data.note,
      reservationCodes: [...new Set(data.activities.flatMap((one) => one.reservation_code ?? []))],
      propertyIds: [...new Set(data.activities.flatMap((one) => one.property?.id ?? []))],
      messages: data.messages.map((one): Said => ({
        message_id: one.message_id,
        isGuest: one.sender_role === GUEST,
        content: one.content,
        fingerprint: fingerprintOf(one.content),
        atMs: msOf(instantFrom(one.timestamp, zone()) ?? ''),
        isAutomatic: one.sources.length > 0,
      })),
    };
  } catch (error) {
    if (error instanceof CallError && error.code === 404) return undefined;
    throw error;
  }
}
