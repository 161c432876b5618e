import type { BookMode, CorrectionPolicy } from '../kernel/books.ts';
import type { Clock } from '../kernel/clock.ts';
import type { IdMaker } from '../kernel/ids.ts';
import type { Logger } from '../kernel/log.ts';
import type { RowReader } from '../store/sqlite/reading.ts';
import type { StoreLocation } from '../store/store.ts';
import type { MirrorStore } from '../sync/tables/database.ts';
import type { CarryOut } from './run/order.ts';
import type { BookSettings } from './journal/settings.ts';

export type { BookMode };

/** One export job: `exports.jobs.<name>` of the configuration. */
export interface JobSetting {
  /** null: the only one there is. */
  readonly connection: string | null;
  readonly format: string;
  readonly mode: 'full' | 'incremental';
  readonly corrections: CorrectionPolicy;
  readonly period: 'last_month' | 'this_month' | 'last_year' | 'this_year' | 'all';
  /** Five fields of cron, in the operator's zone; null: only when somebody runs it. */
  readonly schedule: string | null;
  readonly folder: string | null;
  readonly url: string | null;
  readonly secret: string | null;
  readonly options: Readonly<Record<string, string>>;
}

/** A file on its way to a signed HTTP target. */
export interface SentFile {
  readonly url: string;
  readonly secret: string;
  /** The same in every attempt. */
  readonly id: string;
  readonly name: string;
  readonly batch: string;
  readonly body: Uint8Array;
}

/** delivered: it was accepted · refused: it was not, and nothing went in · unknown: nobody knows. */
export interface SentResult {
  readonly state: 'delivered' | 'refused' | 'unknown';
  readonly detail: string;
}

/** What the exports work with. */
export interface ExportPorts {
  readonly store: MirrorStore;
  /** Where the thread of the books finds the same database. */
  readonly location: StoreLocation;
  /** Opens a reader for questions that take long. */
  reader(): RowReader;
  readonly clock: Clock;
  readonly ids: IdMaker;
  readonly log: Logger;
  /** Where jobs without a folder write: a folder each. */
  readonly folder: string;
  bookOf(connection: string): BookSettings;
  readonly jobs: Readonly<Record<string, JobSetting>>;
  /** How often books that have changed are kept for reports; 0: only when asked. */
  readonly keepMinutes: number;
  send(file: SentFile): Promise<SentResult>;
  /** Books and writes, off the thread that serves. */
  readonly carryOut: CarryOut;
}
