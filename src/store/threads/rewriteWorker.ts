import { parentPort, workerData } from 'node:worker_threads';
import { rewriteFile, type Rewriting } from '../sqlite/rewriteFile.ts';

parentPort?.postMessage(rewriteFile(workerData as Rewriting));
