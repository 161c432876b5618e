import { decimalText, type Currency, type Minor } from '../kernel/money.ts';
import { holds, type Booking, type Outcome, type Reason, type Remark } from './outcome.ts';

/** Exact decimal text by currency, `{"EUR": "26436457.04"}`. */
export type Amounts = Record<Currency, string>;

/** Totals of one kind of reservation. `amount` is the sum of prices, `income` that of income entries. */
interface KindTotals {
  bookings: number;
  nights: number;
  amount: Amounts;
  with_amount: number;
  income: Amounts;
  with_income: number;
}

/** The control totals of a file as `--json` prints them, for comparison with figures from elsewhere. */
export interface Totals {
  rows: number;
  /** Reservations that hold their nights, including no-shows. */
  held: KindTotals & { no_shows: number };
  cancelled: KindTotals;
  /** `reasons` counts each reason by itself: a row with two reasons is one row here and counts for both. */
  rejected: { rows: number; reasons: Partial<Record<Reason, number>> };
  /** Rows that were accepted with a remark, by its kind. */
  remarks: Partial<Record<Remark['remark'], RemarkTotal>>;
}

interface RemarkTotal {
  rows: number;
  /** Values of the first such row. */
  line: number;
  field: string;
  value: string;
}

/** Adds up outcomes. `read` can be called at any time. */
interface TotalsCounter {
  add: (outcome: Outcome) => void;
  read: () => Totals;
}

export function countTotals(): TotalsCounter {
  const held = emptyKind();
  const cancelled = emptyKind();
  const reasons = new Map<Reason, number>();
  const remarks: Totals['remarks'] = {};
  let rejected = 0;
  let noShows = 0;
  return {
    add(outcome) {
      if (outcome.kind === 'rejection') {
        rejected += 1;
        const each = new Set(outcome.problems.map((problem) => problem.reason));
        for (const reason of each) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
        return;
      }
      addTo(holds(outcome) ? held : cancelled, outcome);
      if (outcome.noShow) noShows += 1;
      addRemarks(remarks, outcome);
    },
    read: () => ({
      rows: held.bookings + cancelled.bookings + rejected,
      held: { ...kindTotals(held), no_shows: noShows },
      cancelled: kindTotals(cancelled),
      rejected: { rows: rejected, reasons: Object.fromEntries(reasons) },
      remarks: structuredClone(remarks),
    }),
  };
}

function addRemarks(totals: Totals['remarks'], { line, remarks }: Booking): void {
  const kinds = new Map(remarks.toReversed().map((one) => [one.remark, one]));
  for (const [kind, { field, value }] of kinds) {
    const known = totals[kind];
    if (known) known.rows += 1;
    else totals[kind] = { rows: 1, line, field, value };
  }
}

/** Adds up incomes of reservations by currency. */
export class AmountSum {
  count = 0;
  readonly #sums = new Map<Currency, Minor>();

  add({ income, currency }: Booking): void {
    if (!income || currency === null) return;
    this.count += 1;
    this.#sums.set(currency, (this.#sums.get(currency) ?? 0) + income.amount);
  }

  read(): Amounts {
    return amountsOf(this.#sums);
  }
}

interface Kind {
  bookings: number;
  nights: number;
  amounts: Map<Currency, Minor>;
  withAmount: number;
  incomes: Map<Currency, Minor>;
  withIncome: number;
}

function emptyKind(): Kind {
  return { bookings: 0, nights: 0, amounts: new Map(), withAmount: 0, incomes: new Map(), withIncome: 0 };
}

function addTo(kind: Kind, booking: Booking): void {
  kind.bookings += 1;
  kind.nights += booking.nights;
  const { currency, total, income } = booking;
  if (currency === null || total === 0) return;
  kind.withAmount += 1;
  kind.amounts.set(currency, (kind.amounts.get(currency) ?? 0) + total);
  if (!income) return;
  kind.withIncome += 1;
  kind.incomes.set(currency, (kind.incomes.get(currency) ?? 0) + income.amount);
}

function kindTotals(kind: Kind): KindTotals {
  return {
    bookings: kind.bookings,
    nights: kind.nights,
    amount: amountsOf(kind.amounts),
    with_amount: kind.withAmount,
    income: amountsOf(kind.incomes),
    with_income: kind.withIncome,
  };
}

function amountsOf(sums: ReadonlyMap<Currency, Minor>): Amounts {
  return Object.fromEntries([...sums].map(([currency, minor]) => [currency, decimalText(minor, currency)]));
}
