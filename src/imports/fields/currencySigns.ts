import { isCurrency, type Currency } from '../../kernel/money.ts';

/** Signs in use that English currency names lack, or have for another currency only. */
const ALSO: readonly (readonly [sign: string, currency: Currency])[] = [
  ['US$', 'USD'],
  ['AU$', 'AUD'],
  ['C$', 'CAD'],
  ['S$', 'SGD'],
  ['MEX$', 'MXN'],
  ['Fr', 'CHF'],
  ['Fr.', 'CHF'],
  ['SFr.', 'CHF'],
  ['kr.', 'DKK'],
  ['kr.', 'NOK'],
  ['kr.', 'SEK'],
  ['kr.', 'ISK'],
  ['zl', 'PLN'],
  ['Kc', 'CZK'],
  ['лв', 'BGN'],
  ['лв.', 'BGN'],
];
/**
 * Shortest sign of letters. A single letter too often means something else; only the rand is commonly written with one.
 */
const SHORTEST = 2;
const RAND = 'R';

/** Currencies that each sign can mean. The default meaning comes first. */
const currenciesBySign = new Map<string, Currency[]>();
const add = (sign: string, currency: Currency) => {
  const known = currenciesBySign.get(sign) ?? [];
  if (!known.includes(currency)) currenciesBySign.set(sign, [...known, currency]);
};
for (const display of ['symbol', 'narrowSymbol'] as const) {
  for (const currency of Intl.supportedValuesOf('currency').filter(isCurrency)) {
    const sign = signOf(currency, display);
    const isTelling = /\p{Sc}/u.test(sign) || sign.length >= SHORTEST || sign === RAND;
    if (sign !== currency && isTelling && !/\s/.test(sign)) add(sign, currency);
  }
}
for (const [sign, currency] of ALSO) add(sign, currency);

function signOf(currency: Currency, currencyDisplay: 'symbol' | 'narrowSymbol'): string {
  const parts = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay }).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}

/**
 * Signs of letters that can accompany an amount, in addition to currency codes and the currency signs of Unicode,
 * longest first.
 */
export const writtenSigns: readonly string[] = [...currenciesBySign.keys()]
  .filter((sign) => !/^\p{Sc}$/u.test(sign))
  .toSorted((a, b) => b.length - a.length);

/**
 * Returns the currencies that a sign or code can mean: `€` one; `$` some thirty, with the US dollar first; `kr` four,
 * none before the others. An empty list: the sign is unknown.
 */
export function currenciesOf(mark: string): readonly Currency[] {
  const code = mark.toUpperCase();
  if (isCurrency(code)) return [code];
  return currenciesBySign.get(mark) ?? currenciesBySign.get(mark.toLowerCase()) ?? [];
}

/** Returns the default currency of a sign, as `$` for the US dollar; undefined for `kr`. */
export function mainCurrencyOf(mark: string): Currency | undefined {
  const [first, ...others] = currenciesOf(mark);
  const isMain = first !== undefined && (others.length === 0 || signOf(first, 'symbol') === mark);
  return isMain ? first : undefined;
}
