import type { PlainDate } from '../../../kernel/dates.ts';
import { OperatorError } from '../../../kernel/errors.ts';
import { type Currency, isCurrency, type Minor, toMinor } from '../../../kernel/money.ts';

/** One movement of a bank account, or one payout in a channel's report. */
export interface StatementLine {
  /** Its line in the file, from 1. */
  readonly line: number;
  /** The bank's booking date, in the bank's own zone. */
  readonly date: PlainDate;
  /** Above zero for incoming money. */
  readonly amount: Minor;
  readonly currency: Currency;
  /** The bank's id of the movement, or null if it gives none. */
  readonly bankId: string | null;
  /** All other text. It is searched for reservation codes and never stored, because it names people. */
  readonly text: string;
}

/** A file of a bank or channel, completely read. */
export interface Statement {
  readonly format: 'csv' | 'ofx' | 'camt.053';
  readonly lines: readonly StatementLine[];
}

/** Returns an error for a wrong file: the line, the field, the problem and the remedy. */
export function fault(line: number, field: string, problem: string, hint?: string): OperatorError {
  return new OperatorError(
    `line ${line}, ${field}: ${problem}`,
    hint ?? 'nothing of the file was taken: check the mapping, or get the file once more',
  );
}

/** Most characters of a wrong value in a message. */
const SHOWN = 60;

/** Quotes a value for a message, shortened if it is long. */
export function shown(value: string): string {
  return JSON.stringify(value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value);
}

/** Most characters of an amount. */
const LONGEST_AMOUNT = 40;
const AMOUNT = /^([+-]?)(\d+)(?:\.(\d*))?$/;

/** An amount as a file writes it, with its place in the file. */
interface AmountText {
  text: string;
  currency: string;
  line: number;
  field: string;
}

/**
 * Returns the exact minor units of a decimal such as `-12.5` or `+12`.
 * @throws OperatorError if it is no decimal, or has too many decimals for the currency
 */
export function amountOf({ text, currency, line, field }: AmountText): Minor {
  if (!isCurrency(currency)) throw fault(line, field, `${shown(currency)} is no currency that is known`);
  const match = text.length <= LONGEST_AMOUNT ? AMOUNT.exec(text) : null;
  if (!match) throw fault(line, field, `${shown(text)} is no amount`);
  const [, sign, whole, fraction = ''] = match;
  const minor = toMinor(`${sign === '-' ? '-' : ''}${whole}${fraction && `.${fraction}`}`, currency);
  if (minor === undefined) throw fault(line, field, `${shown(text)} cannot be an amount in ${currency}`);
  return minor;
}
