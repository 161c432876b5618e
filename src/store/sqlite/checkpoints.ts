import { Worker } from 'node:worker_threads';
import { threadFile } from '../../kernel/program/threadFile.ts';

/** Bounds of its heap; SQLite's own memory is small. */
const HEAP = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 };

export interface Checkpoints {
  /** Resolves when the files are closed. */
  stop(): Promise<void>;
}

/**
 * Copies the contents of the -wal files into their databases in a worker thread. A commit then writes and syncs its own
 * pages only; with the copy after it, every third commit of an import would stop the service for 10 ms and more. If the
 * thread falls behind or ends, the connection copies itself (`wal_autocheckpoint`).
 */
export function checkpointInBackground(files: readonly string[]): Checkpoints {
  const worker = new Worker(threadFile('store/threads/checkpointWorker'), { workerData: files, resourceLimits: HEAP });
  worker.unref();
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  // Losing the thread costs speed, not data: every commit is complete without it.
  worker.on('error', () => {});
  return {
    async stop() {
      worker.ref();
      worker.postMessage('stop');
      await ended;
    },
  };
}
