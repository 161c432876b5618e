import {
  BLACKOUT_DATES_PER_YEAR,
  blackouts,
  type MarketplaceASettings,
  type MarketplaceBSettings,
} from '../../contract/priceRules.ts';
import { invalid } from '../../kernel/errors.ts';
import { fromWireAmount } from '../../kernel/money.ts';
import type { Settings } from './adapter.ts';

const MONEY = [
  'base_price',
  'weekend_price',
  'cleaning_fee',
  'short_term_cleaning_fee',
  'security_deposit',
  'pet_fee',
  'extra_guest_fee',
] as const;

/** Refuses settings that contradict each other or the stored ones. @throws ApiError 422 */
export function checkMarketplaceA(changes: MarketplaceASettings, before: Settings, currency: string): void {
  const money = changes.listing_currency ?? currency;
  checkMoney({ ...changes, 'pet_fee_obj.amount': changes.pet_fee_obj?.amount }, money, [
    ...MONEY,
    'pet_fee_obj.amount',
  ]);
  checkOrder(changes, before, 'minimum_stay', 'maximum_stay', (least, most) => least <= most);
  checkOrder(changes, before, 'check_in_start_time', 'check_in_end_time', (start, end) => start < end);
  checkPolicy(changes, before);
  for (const { dates } of blackouts) checkBlackout(dates, changes[dates]);
  for (const { start_date, end_date } of changes.seasonal_min_stay ?? []) {
    if (start_date > end_date) throw invalid('settings.seasonal_min_stay', 'start_date must not be after end_date');
  }
}

/** Checks settings as {@link checkMarketplaceA} does. */
export function checkMarketplaceB(changes: MarketplaceBSettings, currency: string): void {
  checkMoney(changes, currency, MONEY);
  for (const [day, price] of Object.entries(changes.nightly_rate ?? {})) {
    checkMoney({ [`nightly_rate.${day}`]: price }, currency, [`nightly_rate.${day}`]);
  }
}

function checkMoney(settings: Settings, currency: string, names: readonly string[]): void {
  for (const name of names) {
    const value = settings[name];
    if (typeof value === 'number' && fromWireAmount(value, currency) === undefined) {
      throw invalid(`settings.${name}`, `has more decimals than ${currency}`);
    }
  }
}

type Pair = keyof MarketplaceASettings;

function checkOrder(
  changes: MarketplaceASettings,
  before: Settings,
  first: Pair,
  second: Pair,
  isRight: (first: number, second: number) => boolean,
): void {
  if (changes[first] === undefined && changes[second] === undefined) return;
  const [a, b] = [changes[first] ?? before[first], changes[second] ?? before[second]];
  if (typeof a !== 'number' || typeof b !== 'number' || isRight(a, b)) return;
  throw invalid(
    `settings.${changes[first] === undefined ? second : first}`,
    `${first} ${a} does not go with ${second} ${b}`,
  );
}

function checkPolicy(changes: MarketplaceASettings, before: Settings): void {
  const eligible = before['eligible_cancellation_policies'];
  const policy = changes.cancellation_policy;
  if (policy === undefined || !Array.isArray(eligible) || eligible.includes(policy)) return;
  throw invalid('settings.cancellation_policy', `must be one of ${eligible.join(', ')}`);
}

function checkBlackout(name: string, dates: readonly string[] | undefined): void {
  for (const [year, count] of countByYear(dates ?? [])) {
    if (count > BLACKOUT_DATES_PER_YEAR) {
      throw invalid(`settings.${name}`, `has more than ${BLACKOUT_DATES_PER_YEAR} dates in ${year}`);
    }
  }
}

/** Counts distinct dates by calendar year. */
function countByYear(dates: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const date of new Set(dates)) {
    const year = date.slice(0, 4);
    counts.set(year, (counts.get(year) ?? 0) + 1);
  }
  return counts;
}

/** Returns the used and the remaining blackout dates of a year; null while the discount is off. */
export function quotaOf(promotion: unknown, dates: unknown, year: string) {
  if (promotion !== true) return null;
  const used = countByYear(Array.isArray(dates) ? (dates as string[]) : []).get(year) ?? 0;
  return { dates_used_count: used, dates_available_count: Math.max(0, BLACKOUT_DATES_PER_YEAR - used) };
}
