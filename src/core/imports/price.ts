import { isCurrency, type Currency, type Minor } from '../../kernel/money.ts';
import { isTooFine, minorOf, times } from './decimal.ts';
import { amountReader, type AmountField, type WrittenAmount } from './fields/amount.ts';
import { refuse, type ReadingRow, type Scope } from './fields/scope.ts';
import { textReader } from './fields/text.ts';
import type { BookingFields } from './mapping.ts';
import type { Reason } from './outcome.ts';

export interface Price {
  currency: Currency | null;
  total: Minor;
  commission: Minor;
}

type MinorReader = (row: ReadingRow, nights: number, currency: Currency) => Minor | undefined;

/**
 * Money of a booking. A price per night is multiplied exactly first; what then has more decimals than the
 * currency is refused (or rounded, when the mapping says so), never cut. No amount is 0.
 */
export function priceReader(
  booking: BookingFields,
  scope: Scope,
): (row: ReadingRow, nights: number) => Price | undefined {
  if (!booking.currency) return () => ({ currency: null, total: 0, commission: 0 });
  const readCurrency = textReader(booking.currency, scope, 'booking.currency');
  const readTotal = minorReader(booking.total_amount, scope, 'total_amount', 'negative rate');
  const readCommission = minorReader(booking.commission, scope, 'commission', 'negative amount');
  return (row, nights) => {
    const currency = readCurrency(row)?.toUpperCase();
    if (currency === undefined) return refuse(row, 'currency', 'missing', '');
    if (!isCurrency(currency)) return refuse(row, 'currency', 'unknown currency', currency);
    const total = readTotal(row, nights, currency);
    const commission = readCommission(row, nights, currency);
    return total === undefined || commission === undefined ? undefined : { currency, total, commission };
  };
}

function minorReader(
  field: AmountField | undefined,
  scope: Scope,
  name: string,
  negative: Reason & `negative ${string}`,
): MinorReader {
  if (!field) return () => 0;
  const read = amountReader(field, scope, name, `booking.${name}`);
  return (row, nights, currency) => {
    const amount = read(row);
    if (amount === null || amount === undefined) return amount === null ? 0 : undefined;
    if (amount.value.digits < 0n) return refuse(row, name, negative, amount.text);
    if (!isOf(currency, amount)) return refuse(row, name, 'amount in another currency', amount.text);
    const value = field.per === 'night' ? times(amount.value, nights) : amount.value;
    const minor = minorOf(value, currency, field.round);
    if (minor !== undefined) return minor;
    const isSize = field.round || !isTooFine(value, currency);
    return refuse(row, name, isSize ? 'amount too large' : 'more decimals than the currency has', amount.text);
  };
}

/** Signs that more than one currency uses (`$`, `¥`) prove nothing. */
const currencyOfSign: Readonly<Record<string, Currency>> = { '€': 'EUR', '£': 'GBP' };

function isOf(currency: Currency, { mark }: WrittenAmount): boolean {
  const named = mark.length === 3 ? mark.toUpperCase() : currencyOfSign[mark];
  return named === undefined || named === currency;
}
