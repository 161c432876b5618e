import { decimalText, isCurrency, type Currency, type Minor } from '../../kernel/money.ts';
import { currenciesOf, mainCurrencyOf } from './currencySigns.ts';
import { isTooFine, minorOf, times } from './decimal.ts';
import { amountReader, type AmountField, type WrittenAmount } from './amount.ts';
import { refuse, remark, type Reader, type ReadingRow, type Scope } from './scope.ts';
import { textReader } from './text.ts';
import type { ReservationFields } from '../mapping.ts';
import type { Reason } from '../outcome.ts';

export interface Price {
  currency: Currency | null;
  total: Minor;
  commission: Minor;
}

const NAMES = ['total_amount', 'commission', 'payout'] as const;
type AmountName = (typeof NAMES)[number];
/** Amounts of a row. */
type WrittenAmounts = Partial<Record<AmountName, WrittenAmount>>;

/** Reader of an amount, and its conversion to money once the currency is known. */
interface AmountPart {
  read: Reader<WrittenAmount>;
  minor: (row: ReadingRow, nights: number, amount: WrittenAmount, currency: Currency) => Minor | undefined;
}

/**
 * Returns a reader of a row's price and commission. Of price, commission and payout any two give the third; a payout
 * alone counts as the price. A missing amount is 0.
 */
export function priceReader(
  booking: ReservationFields,
  scope: Scope,
): (row: ReadingRow, nights: number) => Price | undefined {
  const parts = {
    total_amount: amountPart(booking.total_amount, scope, 'total_amount', 'negative rate'),
    commission: amountPart(booking.commission, scope, 'commission', 'negative amount'),
    payout: amountPart(booking.payout, scope, 'payout', 'negative amount'),
  };
  const readCurrency = currencyReader(booking, scope);
  return (row, nights) => {
    const before = row.problems.length;
    const written = writtenAmounts(row, parts);
    if (row.problems.length > before) return undefined;
    const currency = readCurrency(row, written);
    if (currency === undefined) return undefined;
    if (currency === null) return { currency, total: 0, commission: 0 };
    const minor = (name: AmountName) => {
      const amount = written[name];
      return amount && parts[name]?.minor(row, nights, amount, currency);
    };
    const [total, commission, payout] = [minor('total_amount'), minor('commission'), minor('payout')];
    if (row.problems.length > before) return undefined;
    return priceOf(row, { total, commission, payout }, currency);
  };
}

function writtenAmounts(row: ReadingRow, parts: Readonly<Record<AmountName, AmountPart | undefined>>): WrittenAmounts {
  const written: WrittenAmounts = {};
  for (const name of NAMES) {
    const amount = parts[name]?.read(row);
    if (amount) written[name] = amount;
  }
  return written;
}

function priceOf(
  row: ReadingRow,
  { total, commission, payout }: { total: Minor | undefined; commission: Minor | undefined; payout: Minor | undefined },
  currency: Currency,
): Price | undefined {
  if (payout === undefined) return { currency, total: total ?? 0, commission: commission ?? 0 };
  if (total === undefined) return { currency, total: payout + (commission ?? 0), commission: commission ?? 0 };
  if (payout <= total) return { currency, total, commission: total - payout };
  const texts = [payout, total].map((minor) => decimalText(minor, currency));
  return refuse(row, 'payout', 'payout above the price', texts.join(' of '));
}

/**
 * Returns a reader of a row's currency. A currency in the mapping may not be contradicted by a sign of an amount.
 * Without one the signs decide. A sign of several currencies means the account's if it is one of them, or else the
 * default one.
 */
function currencyReader(
  booking: ReservationFields,
  scope: Scope,
): (row: ReadingRow, amounts: WrittenAmounts) => Currency | null | undefined {
  if (!booking.currency) return (row, amounts) => signedCurrency(row, Object.values(amounts), scope);
  const readText = textReader(booking.currency, scope, 'booking.currency');
  return (row, amounts) => {
    const stated = readText(row)?.toUpperCase();
    if (stated === undefined) return refuse(row, 'currency', 'missing', '');
    if (!isCurrency(stated)) return refuse(row, 'currency', 'unknown currency', stated);
    const other = NAMES.find((name) => amounts[name]?.marks.some((mark) => !canMean(mark, stated)));
    return other ? refuse(row, other, 'amount in another currency', amounts[other]?.text ?? '') : stated;
  };
}

function signedCurrency(
  row: ReadingRow,
  amounts: readonly WrittenAmount[],
  { context }: Scope,
): Currency | null | undefined {
  const marks = [...new Set(amounts.flatMap((amount) => amount.marks))];
  const [first] = marks;
  if (first === undefined) {
    const [amount] = amounts.filter(({ value }) => value.digits !== 0n);
    return amount ? refuse(row, 'currency', 'missing', amount.text) : null;
  }
  const possible = currenciesOf(first).filter((currency) => marks.every((mark) => canMean(mark, currency)));
  const main = mainCurrencyOf(first);
  const chosen = [possible.length === 1 ? possible[0] : undefined, context.currency, main].find(
    (currency) => currency && possible.includes(currency),
  );
  if (!chosen) return refuse(row, 'currency', 'currency not clear', marks.join(', '));
  if (possible.length > 1) remark(row, 'currency', 'currency by its sign', `${first} as ${chosen}`);
  return chosen;
}

function canMean(mark: string, currency: Currency): boolean {
  return currenciesOf(mark).includes(currency);
}

/**
 * Returns the reader and the conversion of an amount. A price per night is first multiplied exactly. Further decimals
 * than the currency has are rounded, with a remark, or refused if the mapping says so. They are never truncated.
 */
function amountPart(
  field: AmountField | undefined,
  scope: Scope,
  name: AmountName,
  negative: Reason & `negative ${string}`,
): AmountPart | undefined {
  if (!field) return undefined;
  return {
    read: amountReader(field, scope, name, `booking.${name}`),
    minor(row, nights, amount, currency) {
      if (amount.value.digits < 0n) return refuse(row, name, negative, amount.text);
      const value = field.per === 'night' ? times(amount.value, nights) : amount.value;
      const isFine = isTooFine(value, currency);
      if (isFine && !field.round) return refuse(row, name, 'more decimals than the currency has', amount.text);
      const minor = minorOf(value, currency, field.round);
      if (minor === undefined) return refuse(row, name, 'amount too large', amount.text);
      if (isFine) remark(row, name, 'amount rounded', `${amount.text} to ${decimalText(minor, currency)}`);
      return minor;
    },
  };
}
