import type { Dispatcher } from 'undici';

/** Reads a body as text; undefined if it has more bytes, and the connection is cut off then. */
export async function textOf(body: Dispatcher.ResponseData['body'], most: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
