import type { Tracer } from '../kernel/tracing/tracer.ts';
import type { BookMode, CorrectionPolicy, DepositKind } from '../kernel/books.ts';
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
  /** Null for the only connection. */
  readonly connection: string | null;
  readonly format: string;
  readonly mode: 'full' | 'incremental';
  readonly corrections: CorrectionPolicy;
  readonly period: 'last_month' | 'this_month' | 'last_year' | 'this_year' | 'all';
  /** Five fields of cron, in the operator's zone; null for a job that runs only on request. */
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
  /** The same id in every attempt. */
  readonly id: string;
  readonly name: string;
  readonly batch: string;
  readonly body: Uint8Array;
}

/**
 * The outcome of a request. `refused` means that nothing was received, `unknown` that nothing about the arrival is
 * known.
 */
export interface SentResult {
  readonly state: 'delivered' | 'refused' | 'unknown';
  readonly detail: string;
}

type ByDirection = Readonly<Record<'income' | 'expense', Readonly<Record<string, string>>>>;

/** Places in the books, as the settings of the books spell them. */
export interface PlaceOrder {
  readonly connection: string;
  readonly items: ByDirection;
  readonly methods: ByDirection;
  readonly deposits: Readonly<Record<string, DepositKind>>;
}

/** The surroundings of the exports. */
export interface ExportPorts {
  readonly store: MirrorStore;
  /** Address under which the thread of the books opens the same database. */
  readonly location: StoreLocation;
  /** Opens a reader for long queries. */
  reader(): RowReader;
  readonly clock: Clock;
  readonly ids: IdMaker;
  readonly log: Logger;
  /** Absent for no traces. */
  readonly tracer?: Tracer;
  /** Parent folder for jobs without a folder of their own. */
  readonly folder: string;
  bookOf(connection: string): BookSettings;
  /**
   * Keeps places as settings of the books, from now on.
   * @returns the values before and after
   * @throws ApiError with the field of a value that the books do not know
   */
  place(order: PlaceOrder): object;
  readonly jobs: Readonly<Record<string, JobSetting>>;
  /** Minutes between updates of the stored books; 0 to update only on request. */
  readonly keepMinutes: number;
  send(file: SentFile): Promise<SentResult>;
  /** Books and writes off the main thread. */
  readonly carryOut: CarryOut;
}
