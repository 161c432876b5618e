import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../kernel/errors.ts';
import type { ExportPorts, SentResult } from './ports.ts';

/** What is held in memory to be signed and sent. */
const MOST_BYTES = 64 * 1_048_576;

/**
 * Posts the files of a batch one after the other, the manifest last: a receiver that has that has everything. Stops
 * at the first that is not accepted. @throws OperatorError for a file that is too large to be sent
 */
export async function sendFiles(
  ports: ExportPorts,
  batch: { url: string; secret: string; folder: string; batch: string; files: readonly { name: string }[] },
): Promise<SentResult> {
  let sent = 0;
  for (const { name } of batch.files) {
    const file = join(batch.folder, name);
    const { size } = statSync(file);
    if (size > MOST_BYTES) {
      throw new OperatorError(`${file} is too large to be sent`, 'choose fewer days, or give the job a folder');
    }
    const result = await ports.send({
      url: batch.url,
      secret: batch.secret,
      id: `${batch.batch}-${sent + 1}`,
      name,
      batch: batch.batch,
      body: readFileSync(file),
    });
    if (result.state !== 'delivered') {
      // A part of it lies there now.
      return sent > 0 ? { state: 'unknown', detail: `${name}: ${result.detail}; files before it arrived` } : result;
    }
    sent += 1;
  }
  return { state: 'delivered', detail: '' };
}
