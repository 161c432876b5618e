import type { Migration } from 'kysely';
import * as mirror from './0001_mirror.ts';
import * as work from './0006_work.ts';

/** Forward only; a released one is never edited. */
export const mirrorMigrations: Record<string, Migration> = {
  '0001_mirror': { up: mirror.up },
  '0006_work': { up: work.up },
};
