import { Buffer } from 'node:buffer';
import { unformulated } from '../../../kernel/csvText.ts';
import { cutOff, joined, oneLine } from '../../../kernel/oneLine.ts';

export { cutOff, joined, oneLine };

/** Returns the text in Latin-1: other letters lose their accents, other characters become question marks. */
export function latin1Text(text: string): string {
  return text.replace(/[\u0100-\u{10ffff}]/gu, (sign) => {
    const plain = sign.normalize('NFKD').replace(/\p{M}/gu, '');
    return /^[ -~]+$/.test(plain) ? plain : '?';
  });
}

/**
 * Returns a text for a cell of a Latin-1 table: one line of limited length, and nothing that a spreadsheet would run.
 */
export function latin1Cell(text: string, longest: number): string {
  return cutOff(unformulated(latin1Text(oneLine(text, longest))), longest);
}

/** Encodes text for Windows programs of western Europe. Other characters must be replaced before. */
export async function* latin1Bytes(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const piece of joined(pieces)) yield Buffer.from(piece, 'latin1');
}
