import { createWriteStream, openAsBlob, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { S3mini } from 's3mini';
import type { Config } from '../../../config.ts';
import { messageOf, OperatorError, UsageError } from '../../../kernel/errors.ts';
import { OWNER_ONLY_FILE } from '../../../store/sealing/privateFile.ts';
import type { BackupPlace } from './place.ts';

type Storage = Config['backup']['s3'];

/** Stretches of a file that travel one by one; the storage puts them together when all are there. */
const PART_BYTES = 8 * 1024 * 1024;
const REQUEST_LIMIT_MS = 120_000;

/**
 * Backups in a bucket of a storage that speaks S3.
 * @param to `s3://bucket/folder`
 * @throws UsageError with the setting that is missing
 */
export function s3Place(to: string, { endpoint, region, access_key, secret_key }: Storage): BackupPlace {
  if (endpoint === null || access_key === null || secret_key === null) {
    const missing = endpoint === null ? 'endpoint' : access_key === null ? 'access_key' : 'secret_key';
    throw new UsageError(
      `backup.s3.${missing} is missing, and backup.to is ${to}`,
      'set endpoint, access_key and secret_key; STAYD_BACKUP_S3_SECRET_KEY_FILE names a file with the last',
    );
  }
  const { host: bucket, pathname } = new URL(to);
  const folder = pathname
    .replace(/^\/+/, '')
    .replace(/(?<!\/)\/*$/, '/')
    .replace(/^\/$/, '');
  const storage = new S3mini({
    accessKeyId: access_key,
    secretAccessKey: secret_key,
    endpoint: `${endpoint.replace(/\/$/, '')}/${bucket}`,
    region,
    requestSizeInBytes: PART_BYTES,
    minPartSize: PART_BYTES,
    requestAbortTimeout: REQUEST_LIMIT_MS,
  });
  /** Says which storage did not answer, since its client says only that something failed. */
  const asked = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      const { cause } = Object(error) as { cause?: unknown };
      if (!(error instanceof TypeError) || cause === undefined) throw error;
      throw new OperatorError(`the storage at ${endpoint} does not answer: ${messageOf(cause)}`, undefined, error);
    }
  };
  return {
    name: to,
    async list() {
      const objects = await asked(() => storage.listObjects('/', folder));
      if (objects === null) throw new OperatorError(`there is no bucket ${bucket} at ${endpoint}`, 'create it');
      return objects.map(({ Key }) => Key.slice(folder.length));
    },
    async store(file, name) {
      const content = await openAsBlob(file);
      await asked(() => storage.putAnyObject(folder + name, content, 'application/octet-stream'));
      rmSync(file);
    },
    async fetch(name, file) {
      const response = await asked(() => storage.getObjectResponse(folder + name));
      if (!response?.body) throw new OperatorError(`there is no ${name} in ${to}`, './stayd backups list shows them');
      // The type of the web and that of Node describe the same stream.
      const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
      await pipeline(body, createWriteStream(file, { mode: OWNER_ONLY_FILE, flush: true }));
    },
    async remove(name) {
      await asked(() => storage.deleteObject(folder + name));
    },
  };
}
