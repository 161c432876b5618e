import type { CoreDb } from '../database.ts';
import { findAttachment } from './table.ts';

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
