import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportPorts, SentResult } from '../ports.ts';

/** What is held in memory to be signed and sent. */
const MOST_BYTES = 64 * 1_048_576;

/** Files of a batch on their way to an address. */
export interface Sending {
  readonly url: string;
  readonly secret: string;
  readonly folder: string;
  readonly batch: string;
  readonly files: readonly { name: string }[];
  /** How many of them have been accepted before. */
  readonly sent: number;
  /** Notes that so many have been accepted, before the next one goes out. */
  onSent(count: number): Promise<void>;
}

/**
 * Posts the files of a batch one after the other, the manifest last: a receiver that has that has everything. Stops
 * at the first that is not accepted. The id of a file is the same in every attempt, and one that was accepted is never
 * sent again.
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

/** Where files before it have arrived, a part of the batch lies there now. */
function stopped(sent: number, { state, detail }: SentResult): SentResult {
  return sent > 0 ? { state: 'unknown', detail: `${detail}; files before it arrived` } : { state, detail };
}
