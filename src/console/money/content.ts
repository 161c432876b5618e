import type { PlainDate } from '../../kernel/dates.ts';
import type { readProperties } from '../properties.ts';
import type { WaitingStay } from '../today/waiting.ts';
import type { Books } from './books.ts';
import type { NameList } from './dictionaries.ts';
import type { readBalances } from './query.ts';

/** The part of the page's address that limits the open balances. */
export interface BalancesQuestion {
  readonly property?: number | undefined;
  readonly since?: PlainDate | undefined;
  /** True for a page after the first one. */
  readonly isPage: boolean;
}

/** All that the Money page shows. */
export interface MoneyContent {
  readonly balances: Awaited<ReturnType<typeof readBalances>>;
  /** What the open balances are limited to. */
  readonly asked: BalancesQuestion;
  readonly properties: Awaited<ReturnType<typeof readProperties>>;
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
