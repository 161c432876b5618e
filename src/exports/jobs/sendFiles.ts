import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportPorts, SentResult } from '../ports.ts';

/** Most bytes of a file that fit into memory to be signed and sent. */
const MOST_BYTES = 64 * 1_048_576;

/** The files of a batch on their way to an address. */
interface Sending {
  readonly url: string;
  readonly secret: string;
  readonly folder: string;
  readonly batch: string;
  readonly files: readonly { name: string }[];
  /** Number of files that the address accepted earlier. */
  readonly sent: number;
  /** Records the number of accepted files before the next file leaves. */
  onSent(count: number): Promise<void>;
}

/**
 * Posts the files of a batch one after the other, the manifest last, so a receiver with the manifest has everything.
 * Stops at the first file that is not accepted. A file has the same id in every attempt and is never sent again once
 * accepted.
 */
export async function sendFiles(ports: Pick<ExportPorts, 'send'>, batch: Sending): Promise<SentResult> {
  let { sent } = batch;
  for (const { name } of batch.files.slice(sent)) {
    const file = join(batch.folder, name);
    const { size } = await stat(file);
    if (size > MOST_BYTES) {
      return stopped(sent, { state: 'refused', detail: `${name} has ${size} bytes, and ${MOST_BYTES} can be sent` });
    }
    const result = await ports.send({
      url: batch.url,
      secret: batch.secret,
      id: `${batch.batch}-${sent + 1}`,
      name,
      batch: batch.batch,
      body: await readFile(file),
    });
    if (result.state !== 'delivered') return stopped(sent, { ...result, detail: `${name}: ${result.detail}` });
    sent += 1;
    await batch.onSent(sent);
  }
  return { state: 'delivered', detail: '' };
}

/**
 * Returns the result of a stopped batch. It is unknown if earlier files arrived, because the address then has part of
 * the batch.
 */
function stopped(sent: number, { state, detail }: SentResult): SentResult {
  return sent > 0 ? { state: 'unknown', detail: `${detail}; files before it arrived` } : { state, detail };
}
