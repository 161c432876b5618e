import { cellReader, refuse, type ReadingRow, type Row, type Scope } from './scope.ts';
import type { IncomeRule, Mapping } from '../mapping.ts';
import type { Booking, Income, Moment } from '../outcome.ts';
import type { Price } from './price.ts';

/** Dates that an income entry can take. */
type IncomeDates = Readonly<Record<IncomeRule['date'], Moment | null>>;

/** @see Booking.incomeAhead */
interface FoundIncome extends Income {
  ahead: boolean;
}

interface CompiledRule {
  rule: IncomeRule;
  matches: (row: Row) => boolean;
}

/**
 * Returns a reader of the income entry of a row, by the first rule that fits. Without a fitting rule or an amount there
 * is no entry. A date that the entry needs and the file leaves empty is a problem of the row.
 */
export function incomeReader(
  mapping: Mapping,
  scope: Scope,
): (row: ReadingRow, status: Booking['status'], price: Price, dates: IncomeDates) => FoundIncome | null {
  const rules = mapping.income.map((rule, index) => compile(rule, scope, `income.${index}.when.column`));
  return (row, status, price, dates) => {
    const found = rules.find(({ rule, matches }) => rule.when.status === status && matches(row));
    if (!found) return null;
    const { rule } = found;
    const amount = rule.amount === 'total' ? price.total : price.total - price.commission;
    if (amount <= 0) return null;
    const at = dates[rule.date];
    if (at === null) refuse(row, rule.date, 'missing', '');
    return at === null ? null : { amount, at, ahead: rule.ahead };
  };
}

function compile(rule: IncomeRule, scope: Scope, key: string): CompiledRule {
  const { column, is } = rule.when;
  if (column === undefined) return { rule, matches: () => true };
  const cell = cellReader(scope, column, key);
  const wanted = new Set(is?.map((text) => text.trim().toLowerCase()));
  return { rule, matches: (row) => wanted.has(cell(row)?.toLowerCase() ?? '') };
}
