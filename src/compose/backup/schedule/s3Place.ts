import type { Config } from '../../../config.ts';
import { OperatorError } from '../../../kernel/errors.ts';
import { openBucket } from '../../bucket/bucket.ts';
import type { BackupPlace } from './place.ts';

/**
 * Backups in a bucket of a storage that speaks S3.
 * @param to `s3://bucket/folder`
 * @throws UsageError with the setting that is missing
 */
export function s3Place(to: string, storage: Config['backup']['s3']): BackupPlace {
  const bucket = openBucket(to, storage, 'backup.to is');
  return {
    ...bucket,
    async fetch(name, file) {
      if (await bucket.fetch(name, file)) return;
      throw new OperatorError(`there is no ${name} in ${to}`, './stayd backups list shows them');
    },
  };
}
