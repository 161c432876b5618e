import { z } from 'zod';
import { decimalOf, plus, type Decimal } from './decimal.ts';
import type { WrittenNumber } from './numbers.ts';
import { columnChoice, type ColumnChoice, columnName, oneWay } from './oneWay.ts';
import { cellReader, refuse, type Reader, type Scope } from './scope.ts';

const more = {
  /** `night`: the columns hold a price per night, which is multiplied by the nights of the stay. */
  per: z.enum(['stay', 'night']).default('stay'),
  /**
   * true: amounts are rounded to the currency's decimals (half away from zero), with a remark; false: amounts with more
   * decimals are refused.
   */
  round: z.boolean().default(true),
};

const fixedAmount = z
  .number({ error: 'give a number, with a decimal point' })
  .refine((value) => /^\d+(?:\.\d+)?$/.test(String(value)), { error: 'give an amount of 0 or more' });

/** An amount of money: from a column, the sum of columns, or fixed. An empty cell is no amount. */
export const amountField = oneWay({
  column: z.strictObject({ column: columnChoice, ...more }),
  sum: z.strictObject({ sum: z.array(columnName).min(1), ...more }),
  value: z.strictObject({ value: fixedAmount, ...more }),
});
export type AmountField = z.output<typeof amountField>;

export interface WrittenAmount {
  value: Decimal;
  /** The text of the file, for the rejects file. */
  text: string;
  /** Currencies that the cells name themselves, as written: `€`, `EUR`. */
  marks: readonly string[];
}

/** Returns a reader of the file's exact number, before it is multiplied by nights or becomes money. */
export function amountReader(field: AmountField, scope: Scope, name: string, key: string): Reader<WrittenAmount> {
  if ('value' in field) {
    const fixed = { value: decimalOf(String(field.value)), text: String(field.value), marks: [] };
    return () => fixed;
  }
  const columns: readonly ColumnChoice[] = 'sum' in field ? field.sum : [field.column];
  const at = 'sum' in field ? `${key}.sum` : `${key}.column`;
  const cells = columns.map((column) => cellReader(scope, column, at));
  return (row) => {
    let amount: WrittenAmount | null = null;
    for (const cell of cells) {
      const text = cell(row);
      if (text === null) continue;
      const number = scope.readNumber(text);
      if (!number) return refuse(row, name, 'not a number', text);
      amount = amount === null ? amountOf(number, text) : added(amount, number, text);
    }
    return amount;
  };
}

function amountOf(number: WrittenNumber, text: string): WrittenAmount {
  return { value: decimalOf(number.plain), text, marks: marksOf(number) };
}

function added(amount: WrittenAmount, number: WrittenNumber, text: string): WrittenAmount {
  return {
    value: plus(amount.value, decimalOf(number.plain)),
    text: `${amount.text} + ${text}`,
    marks: [...amount.marks, ...marksOf(number)],
  };
}

function marksOf({ mark }: WrittenNumber): string[] {
  return mark === '' ? [] : [mark];
}
