import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// A storage that others wrote.
// @ts-expect-error it has no types
import S3rver from 's3rver';

export interface Storage {
  url: string;
  accessKey: string;
  secretKey: string;
  /** What lies in the bucket, by the files of the storage itself. */
  names(): Promise<string[]>;
  /** The content of a file of the bucket, as the storage itself keeps it. */
  content(name: string): Buffer;
  stop(): Promise<void>;
}

const CONTENT = '._S3rver_object';

/** Starts a storage that speaks S3, with one bucket. */
export async function startStorage(bucket: string): Promise<Storage> {
  const directory = mkdtempSync(join(tmpdir(), 'stayd-storage-'));
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: bucket }],
  });
  const { port } = (await server.run()) as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    accessKey: 'S3RVER',
    secretKey: 'S3RVER',
    names: async () =>
      readdirSync(join(directory, bucket), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith(CONTENT))
        .map((name) => name.slice(0, -CONTENT.length)),
    content: (name) => readFileSync(join(directory, bucket, `${name}${CONTENT}`)),
    async stop() {
      await server.close();
      rmSync(directory, { recursive: true });
    },
  };
}
