import { decimalText, isCurrency, toMinor } from '../../kernel/money.ts';

/** Writes an amount of the API in major units: `120.00`. */
export function majorText(amount: number, currency: string): string {
  const minor = isCurrency(currency) ? toMinor(amount, currency) : undefined;
  return minor === undefined ? String(amount) : decimalText(minor, currency);
}
