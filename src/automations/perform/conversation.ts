import type { z } from 'zod';
import { CallError } from '../../client/callError.ts';
import type { Known } from '../../client/known.ts';
import type { message, conversationGuest } from '../../contract/conversations.ts';
import { GUEST, INQUIRY } from '../../contract/conversations.ts';
import { msOf, type PlainDate } from '../../kernel/dates.ts';
import { instantFrom, plainDateFrom } from '../../sync/tables/wireValues.ts';
import type { Automating } from '../context.ts';
import { sha256Hex } from '../../kernel/signature.ts';
import { normalised, type Seen } from '../fingerprint.ts';

/** The largest page there is. */
const MESSAGES = 100;

/** A message as the guards look at it. */
export interface Said extends Seen {
  message_id: string;
  isGuest: boolean;
  content: string;
  atMs: number;
  /** Some automation of the other side has written it. */
  isAutomatic: boolean;
}

/** A booking, or dates that the guest has asked for. null: nobody says. */
export interface Activity {
  isInquiry: boolean;
  listing_id: string | null;
  property_id: number | null;
  check_in_date: PlainDate | null;
  check_out_date: PlainDate | null;
}

/** A conversation as the other side tells it now. */
export interface FreshConversation {
  conversation_id: string;
  channel_type: string | null;
  guest: Known<z.output<typeof conversationGuest>> | null;
  note: string | null;
  /** Bookings it is about, newest first. */
  reservationCodes: readonly string[];
  propertyIds: readonly number[];
  /** What it is about, newest first. */
  activities: readonly Activity[];
  /** Newest first. */
  messages: readonly Said[];
}

/** Asks for a conversation; undefined when it is not there. Throws CallError. */
export async function readConversation(
  { client, signal, zone }: Pick<Automating, 'client' | 'signal' | 'zone'>,
  conversation_id: string,
): Promise<FreshConversation | undefined> {
  try {
    const input = { conversation_id, limit: MESSAGES };
    const { data } = await client.call('getConversation', input, { purpose: 'reply', signal });
    return {
      conversation_id,
      channel_type: data.channel_type,
      guest: data.guest,
      note: data.note,
      reservationCodes: [...new Set((data.activities ?? []).flatMap((one) => one.reservation_code ?? []))],
      propertyIds: [...new Set((data.activities ?? []).flatMap((one) => one.property?.id ?? []))],
      activities: (data.activities ?? []).map((one) => ({
        isInquiry: one.activity_type === INQUIRY,
        listing_id: one.listing_id,
        property_id: one.property?.id ?? null,
        check_in_date: plainDateFrom(one.check_in_date),
        check_out_date: plainDateFrom(one.check_out_date),
      })),
      messages: (data.messages ?? []).flatMap((one) => saidIn(one, zone())),
    };
  } catch (error) {
    if (error instanceof CallError && error.code === 404) return undefined;
    throw error;
  }
}

/** A message that nothing names, or of which nobody says when it was sent, is none to be answered or found again. */
function saidIn(one: Known<z.output<typeof message>>, zone: string): Said[] {
  const at = instantFrom(one.timestamp, zone);
  if (one.message_id === null || at === null) return [];
  const content = one.content ?? '';
  const letters = normalised(content);
  return [
    {
      message_id: one.message_id,
      isGuest: one.sender_role === GUEST,
      content,
      letters,
      fingerprint: sha256Hex(letters),
      atMs: msOf(at),
      isAutomatic: (one.sources ?? []).length > 0,
    },
  ];
}
