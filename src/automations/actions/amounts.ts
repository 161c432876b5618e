import { decimalText, isCurrency, toMinor } from '../../kernel/money.ts';

/** An amount of the wire as people write it: `120.00`. */
export function majorText(amount: number, currency: string): string {
  const minor = isCurrency(currency) ? toMinor(amount, currency) : undefined;
  return minor === undefined ? String(amount) : decimalText(minor, currency);
}
