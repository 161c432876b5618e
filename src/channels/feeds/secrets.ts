import type { Core } from '../../core/context.ts';
import type { CoreTransaction } from '../../core/database.ts';
import type { Reseal } from '../../kernel/seal.ts';
import type { FeedRow } from './rows.ts';
import { allSecrets, writeFeed } from './table.ts';

type Keys = Pick<Core, 'sealer'>;

/** Returns the stored form of an address. */
export function sealUrl({ sealer }: Keys, feedId: number, url: string): string {
  return sealer.seal(url, urlContext(feedId));
}

export function openUrl({ sealer }: Keys, feedId: number, url: string): string {
  return sealer.open(url, urlContext(feedId));
}

/** Returns the stored form of the token under which a calendar of ours can be fetched. */
export function sealToken({ sealer }: Keys, feedId: number, token: string): string {
  return sealer.seal(token, tokenContext(feedId));
}

export function openToken({ sealer }: Keys, { id, token }: Pick<FeedRow, 'id' | 'token'>): string {
  return sealer.open(token, tokenContext(id));
}

/** Seals the addresses and tokens of all feeds with another key. @returns the number of feeds */
export async function resealFeeds(trx: CoreTransaction, reseal: Reseal): Promise<number> {
  const rows = await allSecrets(trx);
  for (const { account_id, id, url, token } of rows) {
    await writeFeed(
      trx,
      { account_id, id },
      { url: url === null ? null : reseal(url, urlContext(id)), token: reseal(token, tokenContext(id)) },
    );
  }
  return rows.length;
}

function urlContext(id: number): string {
  return `feed_url:${id}`;
}

function tokenContext(id: number): string {
  return `feed_token:${id}`;
}
