import { dateIn, instantOf } from '../../../kernel/dates.ts';
import { ApiError } from '../../../kernel/errors.ts';
import type { DirectWork } from '../work.ts';
import { isFree, type Span, spansNearby } from './freeNights.ts';
import { planOf } from '../plans/table.ts';
import { type Quote, quoteOf, type Refused } from '../quotes/quote.ts';
import { readFrozen, readWish, type Wish } from './frozen.ts';
import type { OpenPage } from './pages.ts';
import type { KeptQuoteRow } from './rows.ts';
import { newToken, TOKEN } from './secrets.ts';
import { addQuote, pageProperties, quoteById } from './table.ts';

/** Milliseconds for which a quote holds. It holds the price, not the nights. */
export const QUOTE_MS = 30 * 60_000;

/** A quote with what it is about. */
export interface KeptQuote {
  readonly row: KeptQuoteRow;
  readonly quote: Quote;
  readonly wish: Wish;
}

/** Why something cannot be booked. */
export type Refusal =
  | { readonly refused: 'rules'; readonly reasons: readonly Refused[] }
  | { readonly refused: 'no_plan' }
  | { readonly refused: 'taken'; readonly nearby: readonly Span[] }
  | { readonly refused: 'calendars' }
  | { readonly refused: 'expired' }
  | { readonly refused: 'method' }
  | { readonly refused: 'busy' };

/**
 * Prices a wish and keeps the quote. It holds no night.
 * @throws ApiError 404 for a property that the page does not show
 */
export async function keepQuote(
  work: DirectWork,
  { page, account }: OpenPage,
  asked: Wish & { readonly property_id: number },
): Promise<KeptQuote | Refusal> {
  const { core } = work;
  const { db } = core.store;
  const { property_id, ...wish } = asked;
  const property = (await pageProperties(db, page)).find(({ id }) => id === property_id);
  if (!property) throw new ApiError(404, 'property not found.', { field: 'property' });
  const now = core.clock.now();
  const today = dateIn(property.time_zone, now);
  const plan = await planOf(db, { accountId: account.account_id, propertyId: property.id });
  if (!plan) return { refused: 'no_plan' };
  const priced = quoteOf(plan.plan, { ...wish, booked_on: today });
  if ('refused' in priced) return { refused: 'rules', reasons: priced.refused };
  if (!(await isFree(core, account, property.id, wish)))
    return { refused: 'taken', nearby: await spansNearby(core, account, property.id, wish) };
  const row: KeptQuoteRow = {
    account_id: account.account_id,
    id: newToken(core),
    page_id: page.id,
    property_id,
    asked: JSON.stringify(wish),
    quote: JSON.stringify(priced.quote),
    plan_version: `${plan.id}.${plan.version}`,
    created_at: instantOf(now),
    expires_at: instantOf(now + QUOTE_MS),
    reservation_code: null,
  };
  await core.store.transaction((trx) => addQuote(trx, row));
  return { row, quote: priced.quote, wish };
}

/** Returns a quote of a page as it was kept; undefined: there is none. */
export async function keptQuote(work: DirectWork, { page }: OpenPage, id: string): Promise<KeptQuote | undefined> {
  if (!TOKEN.test(id)) return undefined;
  const row = await quoteById(work.core.store.db, page.account_id, id);
  return row?.page_id === page.id ? keptOf(row) : undefined;
}

export function keptOf(row: KeptQuoteRow): KeptQuote {
  return { row, quote: readFrozen(row.quote), wish: readWish(row.asked) };
}
