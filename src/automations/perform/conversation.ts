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

/** Largest page that upstream allows. */
const MESSAGES = 100;

/** A message in the form that the guards need. */
export interface Said extends Seen {
  message_id: string;
  isGuest: boolean;
  content: string;
  atMs: number;
  /** True if an automation of upstream wrote it. */
  isAutomatic: boolean;
}

/** A reservation, or dates that the guest asks about. Null means unknown. */
export interface Activity {
  isInquiry: boolean;
  listing_id: string | null;
  property_id: number | null;
  check_in_date: PlainDate | null;
  check_out_date: PlainDate | null;
}

/** A conversation as upstream has it now. */
export interface FreshConversation {
  conversation_id: string;
  channel_type: string | null;
  guest: Known<z.output<typeof conversationGuest>> | null;
  note: string | null;
  /** Its reservations, newest first. */
  reservationCodes: readonly string[];
  propertyIds: readonly number[];
  /** Its reservations and inquiries, newest first. */
  activities: readonly Activity[];
  /** Newest first. */
  messages: readonly Said[];
}

/** Reads a conversation from upstream; undefined if it does not exist. Throws CallError. */
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

/**
 * Returns the message, or nothing if it lacks an id or a time. Such a message can neither be answered nor found again.
 */
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
