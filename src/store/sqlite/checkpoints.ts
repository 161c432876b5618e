import { Worker } from 'node:worker_threads';
import { threadFile } from '../threads/threadFile.ts';

/** Bounds of its heap; SQLite's own memory is small. */
const HEAP = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 };

export interface Checkpoints {
  /** Resolves when the files are let go of. */
  stop(): Promise<void>;
}

/**
 * Copies what the -wal files hold into their databases from a thread of its own. A commit then writes and
 * syncs its own pages only; with the copy in its wake, every third one of an import stops the service for
 * 10 ms and more. Should the thread fall behind or end, the connection copies for itself (`wal_autocheckpoint`).
 */
export function checkpointInBackground(files: readonly string[]): Checkpoints {
  const worker = new Worker(threadFile('checkpointWorker'), { workerData: files, resourceLimits: HEAP });
  worker.unref();
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  // Losing it costs speed, not data: every commit is whole without it.
  worker.on('error', () => {});
  return {
    async stop() {
      worker.ref();
      worker.postMessage('stop');
      await ended;
    },
  };
}
