import type { PlainDate } from '../../../kernel/dates.ts';
import { OperatorError } from '../../../kernel/errors.ts';
import { type Currency, isCurrency, type Minor, toMinor } from '../../../kernel/money.ts';

/** One movement of a bank account, or one payout of a channel's own report. */
export interface StatementLine {
  /** Where it stands in the file, from 1. */
  readonly line: number;
  /** As the bank writes it: the day of booking, in the bank's own zone. */
  readonly date: PlainDate;
  /** Above zero: money came in. */
  readonly amount: Minor;
  readonly currency: Currency;
  /** What the bank knows the movement by; null: it does not say. */
  readonly bankId: string | null;
  /** Everything else it says. Searched for codes of bookings; never stored, for people are named in it. */
  readonly text: string;
}

/** A file of a bank or a channel, read whole. */
export interface Statement {
  readonly format: 'csv' | 'ofx' | 'camt.053';
  readonly lines: readonly StatementLine[];
}

/** A file that is not what it should be: which line, which field, and what to do. */
export function fault(line: number, field: string, problem: string, hint?: string): OperatorError {
  return new OperatorError(
    `line ${line}, ${field}: ${problem}`,
    hint ?? 'nothing of the file was taken: check the mapping, or get the file once more',
  );
}

/** So much of a wrong value is shown. */
const SHOWN = 60;

export function shown(value: string): string {
  return JSON.stringify(value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value);
}

/** Amounts are read as decimal text; longer ones are none. */
const LONGEST_AMOUNT = 40;
const AMOUNT = /^([+-]?)(\d+)(?:\.(\d*))?$/;

export interface AmountText {
  text: string;
  currency: string;
  line: number;
  field: string;
}

/** Exact minor units of a decimal, `-12.5` or `+12`. @throws OperatorError when it is none, or too fine for the currency */
export function amountOf({ text, currency, line, field }: AmountText): Minor {
  if (!isCurrency(currency)) throw fault(line, field, `${shown(currency)} is no currency that is known`);
  const match = text.length <= LONGEST_AMOUNT ? AMOUNT.exec(text) : null;
  if (!match) throw fault(line, field, `${shown(text)} is no amount`);
  const [, sign, whole, fraction = ''] = match;
  const minor = toMinor(`${sign === '-' ? '-' : ''}${whole}${fraction && `.${fraction}`}`, currency);
  if (minor === undefined) throw fault(line, field, `${shown(text)} cannot be an amount in ${currency}`);
  return minor;
}
