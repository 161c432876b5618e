import type { CorrectionPolicy } from '../../kernel/books.ts';
import type { PlainDate } from '../../kernel/dates.ts';
import type { StoreLocation } from '../../store/store.ts';
import type { BookedEntry } from '../journal/book.ts';
import type { Exception } from '../journal/draft.ts';
import type { BookSettings } from '../journal/settings.ts';
import type { BookHead, BookLot } from '../books/lot.ts';
import type { MatchOrder, MatchProposal } from '../payouts/matchFile.ts';
import type { ConfirmedSettings, Unconfirmed } from './unconfirmed.ts';
import type { SoftDigest } from './softDigests.ts';
import type { Reason, StateCounts } from './tally.ts';

/** The books of an order and their moment. */
interface Books {
  readonly location: StoreLocation;
  readonly connection: string;
  readonly settings: BookSettings;
  /** Epoch milliseconds. The operator's zone decides which date this is. */
  readonly now: number;
  readonly from: PlainDate;
  readonly to: PlainDate;
  /** Further months whose digest is wanted, besides the soft-closed ones. */
  readonly digestsOf?: readonly string[];
  /** True to book everything again whatever is stored. */
  readonly fromScratch?: boolean;
  /** Settings that may correct locked months. Default: any settings. */
  readonly confirmed?: ConfirmedSettings | undefined;
}

/** Work for the thread of the books. Everything in it can be cloned into that thread. */
export type Order =
  | (Books & {
      readonly kind: 'write';
      readonly job: string;
      readonly mode: 'full' | 'incremental';
      readonly corrections: CorrectionPolicy;
      readonly format: string;
      readonly options: Readonly<Record<string, string>>;
      /** Folder for the drafts of the files. */
      readonly folder: string;
      /** Earlier batches and the hashes of their manifests, newest first. */
      readonly previous: readonly { readonly batch: string; readonly hash: string }[];
    })
  /** book: emits the entries; check: makes only the report. */
  | (Books & { readonly kind: 'book' | 'check' })
  /** Books up to now what may have changed, or everything, and reports differences from the stored rows. */
  | (Books & { readonly kind: 'keep' })
  /** Compares a bank file with clearing accounts. */
  | (Books & { readonly kind: 'match'; readonly match: MatchOrder });

/** An entry to be stored. */
export interface EmittedEntry extends BookedEntry {
  /** `r<reservation code>` or `t<transaction id>`. */
  readonly group: string;
}

/** The progress of reading the books. */
export interface Progress {
  /** Number of reservations, and of ledger entries without one, read so far. */
  readonly groups: number;
  /** Number of all of them. */
  readonly total: number;
  readonly entries: number;
}

/** A written file that waits for its final name. */
export interface DraftFile {
  /** Its final name. */
  readonly name: string;
  /** Path of the complete, synced draft. */
  readonly draft: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The state of the books for some days, regardless of the order. */
export interface BooksReport {
  readonly from: PlainDate;
  readonly to: PlainDate;
  readonly entries: number;
  readonly policyHash: string;
  /** The time up to which everything is known to be read, or null if a part never was. */
  readonly watermark: string | null;
  /** The time of the last change in the mirror to the sources of the books. */
  readonly changedAt: string | null;
  readonly states: StateCounts;
  readonly reasons: readonly Reason[];
  readonly exceptions: readonly Exception[];
  readonly exceptionCount: number;
  /** Minor units as text. */
  readonly control: readonly { currency: string; debit: string; credit: string }[];
  /** SHA-256 of all entries in order. */
  readonly digest: string;
  /** Digests of the months that are soft-closed or named by the order. */
  readonly soft: readonly SoftDigest[];
  /** The effects of unconfirmed settings on locked months. */
  readonly unconfirmed: Unconfirmed;
}

/** The result of a `write` order. */
export interface WriteResult {
  readonly kind: 'written';
  readonly report: BooksReport;
  readonly batch: string;
  readonly files: readonly DraftFile[];
  readonly manifest: string;
  readonly manifestHash: string;
}

/** The result of a `book` or `check` order. */
interface BookResult {
  readonly kind: 'booked';
  readonly report: BooksReport;
  /** True if the stored books give another report than everything booked from scratch, which is a defect. */
  readonly differs: boolean;
}

/** The result of a `match` order. */
interface MatchResult {
  readonly kind: 'matched';
  readonly report: BooksReport;
  readonly proposal: MatchProposal;
}

/** The result of a `keep` order. */
interface KeepResult {
  readonly kind: 'kept';
  readonly head: BookHead;
  /** If its count is not zero, nothing was stored. */
  readonly unconfirmed: Unconfirmed;
}

/** The result of an order; `kind` follows the order. */
export type Result = WriteResult | BookResult | MatchResult | KeepResult;

/** A message of the thread. After emitted entries or a lot, the thread waits until they are taken. */
export type Said =
  | { readonly progress: Progress }
  /** Precedes anything written or emitted; the thread waits until it is taken. */
  | { readonly report: BooksReport }
  | { readonly emitted: readonly EmittedEntry[] }
  | { readonly lot: BookLot }
  | { readonly result: Result }
  | { readonly problem: { message: string; hint: string | undefined; isUsage: boolean; stack: string | undefined } };

/** Receives what the thread reports. */
export interface Listener {
  onProgress(state: Progress): void;
  /** Examines the report before anything is written or stored. A thrown error ends the work. */
  onReport(report: BooksReport): Promise<void>;
  /** Stores emitted entries; the work continues when the promise resolves. */
  onEntries(entries: readonly EmittedEntry[]): Promise<void>;
  /** Stores a lot of rows. Only `keep` orders call it. */
  onLot?(lot: BookLot): Promise<void>;
}

/** Carries out an order. */
export type CarryOut = (order: Order, listener: Listener, signal: AbortSignal) => Promise<Result>;
