import { createWriteStream, openAsBlob, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { S3mini, S3ServiceError } from 's3mini';
import type { Config } from '../../config.ts';
import { messageOf, OperatorError, UsageError } from '../../kernel/errors.ts';
import { OWNER_ONLY_FILE } from '../../store/sealing/privateFile.ts';

/** A folder in a bucket of a storage that speaks S3. Every method throws OperatorError with what the storage says. */
export interface Bucket {
  /** Where it is, for people: `s3://bucket/folder`. */
  readonly name: string;
  /** Returns the names of all files, those in folders of it too, with `/` between. */
  list(): Promise<string[]>;
  /** Returns the content of a small file; undefined if there is none. */
  read(name: string): Promise<string | undefined>;
  write(name: string, text: string): Promise<void>;
  /** Stores a finished file under a name, completely or not at all, and takes the file away. */
  store(file: string, name: string): Promise<void>;
  /** Fetches a file. @returns false if there is none */
  fetch(name: string, file: string): Promise<boolean>;
  remove(name: string): Promise<void>;
}

/** Stretches of a file that travel one by one; the storage puts them together when all are there. */
const PART_BYTES = 8 * 1024 * 1024;
const REQUEST_LIMIT_MS = 120_000;
const ADDRESS = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w./-]*)?$/;
const [FORBIDDEN, NOT_FOUND] = [403, 404];

/** Returns true for the address of a bucket, and false for a folder of this machine. */
export function isBucket(place: string): boolean {
  return place.startsWith('s3://');
}

/**
 * @param to `s3://bucket/folder`
 * @param named what names it: `backup.to is`
 * @throws UsageError with the setting that is missing
 */
export function openBucket(
  to: string,
  { endpoint, region, access_key, secret_key }: Config['backup']['s3'],
  named: string,
): Bucket {
  if (!ADDRESS.test(to)) throw new UsageError(`${named} ${to}, which is no bucket`, 'write it as s3://rooms/stayd');
  if (endpoint === null || access_key === null || secret_key === null) {
    const missing = endpoint === null ? 'endpoint' : access_key === null ? 'access_key' : 'secret_key';
    throw new UsageError(
      `backup.s3.${missing} is missing, and ${named} ${to}`,
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
  /** Says which storage did not answer or take the key, since its client says only that something failed. */
  const asked = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof S3ServiceError && error.status === FORBIDDEN) {
        throw new OperatorError(
          `the storage at ${endpoint} does not let the access key into the bucket ${bucket}: ${error.serviceCode ?? FORBIDDEN}`,
          'see backup.s3.access_key and secret_key, and what this key may do there',
          error,
        );
      }
      if (error instanceof S3ServiceError && error.status === NOT_FOUND) throw noBucket(error);
      const { cause } = Object(error) as { cause?: unknown };
      if (!(error instanceof TypeError) || cause === undefined) throw error;
      throw new OperatorError(`the storage at ${endpoint} does not answer: ${messageOf(cause)}`, undefined, error);
    }
  };
  const noBucket = (cause?: unknown) =>
    new OperatorError(`there is no bucket ${bucket} at ${endpoint}`, 'create it', cause);
  return {
    name: to,
    async list() {
      const objects = await asked(() => storage.listObjects('/', folder));
      if (objects === null) throw noBucket();
      return objects.map(({ Key }) => Key.slice(folder.length));
    },
    read: async (name) => (await asked(() => storage.getObject(folder + name))) ?? undefined,
    async write(name, text) {
      await asked(() => storage.putObject(folder + name, text, 'application/json'));
    },
    async store(file, name) {
      const content = await openAsBlob(file);
      await asked(() => storage.putAnyObject(folder + name, content, 'application/octet-stream'));
      rmSync(file);
    },
    async fetch(name, file) {
      const response = await asked(() => storage.getObjectResponse(folder + name));
      if (!response?.body) return false;
      // The type of the web and that of Node describe the same stream.
      const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
      await pipeline(body, createWriteStream(file, { mode: OWNER_ONLY_FILE, flush: true }));
      return true;
    },
    async remove(name) {
      await asked(() => storage.deleteObject(folder + name));
    },
  };
}
