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

/** What every order has: which books, as of when. */
interface Books {
  readonly location: StoreLocation;
  readonly connection: string;
  readonly settings: BookSettings;
  /** Epoch milliseconds: what today is follows from the zone of the operator. */
  readonly now: number;
  readonly from: PlainDate;
  readonly to: PlainDate;
  /** Months whose digest is wanted, beside those that are soft-closed. */
  readonly digestsOf?: readonly string[];
  /** What locked months may be corrected by; left out: by any settings. */
  readonly confirmed?: ConfirmedSettings | undefined;
}

/** Work for the thread of the books; everything in it can be copied to there. */
export type Order =
  | (Books & {
      readonly kind: 'write';
      readonly job: string;
      readonly mode: 'full' | 'incremental';
      readonly corrections: CorrectionPolicy;
      readonly format: string;
      readonly options: Readonly<Record<string, string>>;
      /** Where the drafts of the files are made. */
      readonly folder: string;
      /** Batches that went before and the hashes of their manifests, the newest first. */
      readonly previous: readonly { readonly batch: string; readonly hash: string }[];
    })
  /** book: the entries are emitted; check: only the report is wanted. */
  | (Books & { readonly kind: 'book' | 'check' })
  /** Everything up to now is booked, and what differs from the rows that are kept is told. */
  | (Books & { readonly kind: 'keep' })
  /** A file of a bank is held against clearing accounts. */
  | (Books & { readonly kind: 'match'; readonly match: MatchOrder });

/** An entry that is to be remembered. */
export interface EmittedEntry extends BookedEntry {
  /** `r<reservation code>` or `t<transaction id>`. */
  readonly group: string;
}

/** How far the reading of the books is. */
export interface Progress {
  /** Bookings, and ledger entries without one. */
  readonly groups: number;
  /** How many there are of them. */
  readonly total: number;
  readonly entries: number;
}

export interface DraftFile {
  /** What it is to be called. */
  readonly name: string;
  /** Where it lies now, whole and synced. */
  readonly draft: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** What the books say of some days, whatever was done with it. */
export interface BooksReport {
  readonly from: PlainDate;
  readonly to: PlainDate;
  readonly entries: number;
  readonly policyHash: string;
  /** Until when everything is known to have been read; null: some of it never was. */
  readonly watermark: string | null;
  /** When what the books are made of last changed in the mirror. */
  readonly changedAt: string | null;
  readonly states: StateCounts;
  readonly reasons: readonly Reason[];
  readonly exceptions: readonly Exception[];
  readonly exceptionCount: number;
  /** Minor units as text. */
  readonly control: readonly { currency: string; debit: string; credit: string }[];
  /** SHA-256 of all entries in order. */
  readonly digest: string;
  /** What months come to that are soft-closed, or that it was asked of. */
  readonly soft: readonly SoftDigest[];
  /** What settings that nobody has confirmed would do to locked months. */
  readonly unconfirmed: Unconfirmed;
}

export interface WriteResult {
  readonly kind: 'written';
  readonly report: BooksReport;
  readonly batch: string;
  readonly files: readonly DraftFile[];
  readonly manifest: string;
  readonly manifestHash: string;
}

export interface BookResult {
  readonly kind: 'booked';
  readonly report: BooksReport;
}

export interface MatchResult {
  readonly kind: 'matched';
  readonly report: BooksReport;
  readonly proposal: MatchProposal;
}

export interface KeepResult {
  readonly kind: 'kept';
  readonly head: BookHead;
  /** Nothing was kept where this is of any entry. */
  readonly unconfirmed: Unconfirmed;
}

export type Result = WriteResult | BookResult | MatchResult | KeepResult;

/** What the thread says. An emitted lot is followed by nothing until it was taken. */
export type Said =
  | { readonly progress: Progress }
  /** Before anything is written or emitted; nothing follows until it was taken. */
  | { readonly report: BooksReport }
  | { readonly emitted: readonly EmittedEntry[] }
  | { readonly lot: BookLot }
  | { readonly result: Result }
  | { readonly problem: { message: string; hint: string | undefined; isUsage: boolean; stack: string | undefined } };

export interface Listener {
  onProgress(state: Progress): void;
  /** Looks at what the books say before anything is made of it; throwing ends the work. */
  onReport(report: BooksReport): Promise<void>;
  /** Stores a lot; the work goes on once that is done. */
  onEntries(entries: readonly EmittedEntry[]): Promise<void>;
  /** The same for rows that are kept; needed by orders that keep some. */
  onLot?(lot: BookLot): Promise<void>;
}

/** Carries out an order. */
export type CarryOut = (order: Order, listener: Listener, signal: AbortSignal) => Promise<Result>;
