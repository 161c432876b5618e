import { instantOf } from '../../kernel/dates.ts';
import type { Change } from '../context.ts';
import type { CoreDb } from '../database.ts';
import type { Picture } from '../pictures/picture.ts';
import type { StoredAttachment } from './present.ts';
import type { ConversationRow } from './rows.ts';
import { addAttachment, findAttachment } from './table.ts';

const TOKEN_BYTES = 32;

/** A picture that was sent in a conversation. */
interface Attachment {
  contentType: string;
  bytes: Buffer;
}

/** Returns the picture at an address that cannot be guessed. Anyone with the address may see it. */
export async function readAttachment(db: CoreDb, token: string): Promise<Attachment | undefined> {
  const row = await findAttachment(db, token);
  return row && { contentType: row.content_type, bytes: Buffer.from(row.base64, 'base64') };
}

/** Stores a picture for a message of a conversation. @returns the attachment that the message names */
export async function keepPicture(
  { trx, core, now }: Change,
  { account_id, conversation_id }: Pick<ConversationRow, 'account_id' | 'conversation_id'>,
  { name, bytes, contentType }: Pick<Picture, 'bytes' | 'contentType'> & { name: string },
): Promise<StoredAttachment & { token: string }> {
  const token = core.random.bytes(TOKEN_BYTES).toString('base64url');
  await addAttachment(trx, {
    account_id,
    token,
    conversation_id,
    content_type: contentType,
    created_at: instantOf(now),
    base64: bytes.toString('base64'),
  });
  return { type: 'image', name, token };
}
