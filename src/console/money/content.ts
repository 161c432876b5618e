import type { WaitingStay } from '../today/waiting.ts';
import type { Books } from './books.ts';
import type { NameList } from './dictionaries.ts';
import type { openBalances } from './query.ts';

/** All that the Money page shows. */
export interface MoneyContent {
  readonly balances: Awaited<ReturnType<typeof openBalances>>;
  readonly deposits: readonly WaitingStay[];
  readonly books: Books;
  /** The month whose end is looked at. */
  readonly month: string | undefined;
  /** A run whose files are offered. */
  readonly run: { readonly run: string; readonly files: readonly { name: string; bytes: number }[] } | undefined;
  readonly dictionaries: readonly {
    dictionary: Exclude<NameList['list'], 'custom_channels'>;
    entries: NameList['entries'];
  }[];
  readonly channels: NameList['entries'];
}
