import { createHash } from 'node:crypto';

/** Characters of an address; RFC 5321 allows 254. */
const LONGEST_ADDRESS = 254;
/** One address without comments, quotes or white space, as nearly all are. */
const ADDRESS = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\]+$/u;

/** Returns an address in lower case; undefined for what cannot be written to. */
export function plainAddress(text: string | undefined): string | undefined {
  const address = text?.trim().toLowerCase() ?? '';
  return address.length <= LONGEST_ADDRESS && ADDRESS.test(address) ? address : undefined;
}

/** Returns the digest by which a Message-ID is found again. */
export function messageKey(messageId: string): string {
  return createHash('sha256').update(`id ${messageId}`).digest('hex');
}

/** Returns the digest of a mail without a Message-ID: of all its bytes. */
export function contentKey(raw: Buffer): string {
  return createHash('sha256').update('content ').update(raw).digest('hex');
}

/** Returns the Message-IDs in a header, in their order. */
export function messageIds(text: string, most: number): string[] {
  const ids = text.match(/<[^<>\s]{1,500}>/g) ?? [];
  return [...new Set(ids)].slice(-most);
}
