import { parentPort, workerData } from 'node:worker_threads';
import { checkIntegrity } from '../sqlite/integrity.ts';

parentPort?.postMessage(checkIntegrity(workerData as string));
