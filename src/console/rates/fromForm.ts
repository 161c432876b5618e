import { ApiError } from '../../kernel/errors.ts';
import type { Visit } from '../visit.ts';
import { MONTH, rowCount, rowField, STEPS, WEEK } from './form.ts';
import type { Plan } from './query.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Makes a plan of the fields of its form. What the form has no field for is taken from the plan as it was; the rows of
 * its lists are those of that plan, in their order.
 * @throws ApiError for a field that is no number
 */
export function planOfForm(visit: Visit, fields: Fields, before: Plan | undefined): object {
  const words = visit.texts.rates;
  const read = reader(visit, fields);
  const { text, number, list } = read;
  const weekendPrice = number('weekend_price', words.weekendPrice);
  const nights = list('weekend_night');
  return {
    ...before,
    name: text('name') ?? 'Standard',
    ...(before && { currency: before.currency }),
    base_price: number('base_price', words.price),
    // A weekend without nights is none.
    weekend: weekendPrice === undefined || nights.length === 0 ? undefined : { price: weekendPrice, nights },
    seasons: seasonsOf(visit, read, before),
    stay: {
      ...before?.stay,
      min_nights: number('min_nights', words.minNights),
      max_nights: number('max_nights', words.maxNights),
      arrival_days: daysOrAll(list('arrival')),
      departure_days: daysOrAll(list('departure')),
      lead_days: number('lead_days', words.leadDays),
      ahead_days: number('ahead_days', words.aheadDays),
    },
    guests: {
      ...before?.guests,
      most: number('most', words.most),
      included: number('included', words.included),
      extra_price: number('extra_price', words.extraPrice),
      infants_below_age: number('infants_below_age', words.infants),
      pets: number('pets_most', words.petsMost),
    },
    discounts: discountsOf(visit, read, before),
    fees: feesOf(visit, read, before),
    taxes: taxesOf(visit, read, before),
    security_deposit: number('security_deposit', words.deposit),
    payment: {
      at_booking_percent: number('at_booking_percent', words.atBooking),
      balance_days: number('balance_days', words.balanceDays),
    },
    cancellation: policyOf(visit, read, before),
  };
}

interface Reader {
  /** Undefined for an empty field. */
  text(name: string): string | undefined;
  number(name: string, label: string): number | undefined;
  list(name: string): string[];
  isTicked(name: string): boolean;
}

function reader({ texts }: Visit, fields: Fields): Reader {
  const text = (name: string): string | undefined => {
    const value = fields[name];
    const trimmed = typeof value === 'string' ? value.trim() : '';
    return trimmed === '' ? undefined : trimmed;
  };
  return {
    text,
    number(name, label) {
      const given = text(name);
      if (given === undefined) return undefined;
      const value = Number(given.replace(',', '.'));
      if (!Number.isFinite(value)) throw new ApiError(422, texts.rates.wrongNumber(label), { field: name });
      return value;
    },
    list(name) {
      const value = fields[name];
      return (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string');
    },
    isTicked: (name) => fields[name] !== undefined,
  };
}

function daysOrAll(days: readonly string[]): readonly string[] | undefined {
  return days.length === 0 ? undefined : days;
}

/** Reads the rows of a list; those without a name are gone. */
function rowsOf<Row>(
  of: 'season' | 'fee' | 'tax',
  { text }: Reader,
  list: readonly Row[] | undefined,
  row: (name: (field: string) => string, before: Row | undefined) => object,
): object[] {
  return Array.from({ length: rowCount(list) }, (_, index) => index).flatMap((index) => {
    const name = (field: string) => rowField(of, index, field);
    const called = text(name('name'));
    return called === undefined ? [] : [{ ...row(name, list?.[index]), name: called }];
  });
}

function seasonsOf({ texts }: Visit, read: Reader, before: Plan | undefined): object[] {
  const words = texts.rates;
  return rowsOf('season', read, before?.seasons, (name, season) => ({
    ...season,
    from: read.text(name('from')),
    to: read.text(name('to')),
    price: read.number(name('price'), words.price),
    weekend_price: read.number(name('weekend_price'), words.weekendPrice),
    min_nights: read.number(name('min_nights'), words.minNights),
    max_nights: read.number(name('max_nights'), words.maxNights),
    arrival_days: daysOrAll(read.list(name('arrival'))),
    departure_days: daysOrAll(read.list(name('departure'))),
  }));
}

function discountsOf({ texts }: Visit, { number }: Reader, before: Plan | undefined): object[] {
  const others = (before?.discounts ?? []).filter(({ from_nights: of }) => of !== WEEK && of !== MONTH);
  const given = [
    { from_nights: WEEK, percent: number('week', texts.rates.week) },
    { from_nights: MONTH, percent: number('month', texts.rates.month) },
  ];
  return [...others, ...given.filter(({ percent }) => percent !== undefined)];
}

function feesOf({ texts }: Visit, read: Reader, before: Plan | undefined): object[] {
  return rowsOf('fee', read, before?.fees, (name, fee) => ({
    ...fee,
    amount: read.number(name('amount'), texts.rates.amount),
    per: read.text(name('per')),
    taxable: read.isTicked(name('taxable')),
    optional: read.isTicked(name('optional')),
  }));
}

function taxesOf({ texts }: Visit, read: Reader, before: Plan | undefined): object[] {
  const words = texts.rates;
  return rowsOf('tax', read, before?.taxes, (name, tax) => {
    const kind = read.text(name('kind'));
    const value = read.number(name('value'), words.taxValue);
    const max_nights = read.number(name('max_nights'), words.taxMaxNights);
    const exempt_below_age = read.number(name('exempt'), words.taxExempt);
    const included = read.isTicked(name('included'));
    const max_amount = read.number(name('max_amount'), words.taxMaxAmount);
    const shared = { included, max_amount, max_nights, exempt_below_age };
    return kind === 'percent' ? { ...shared, percent: value, of: tax?.of } : { ...shared, amount: value, per: kind };
  });
}

function policyOf({ texts }: Visit, { text, number }: Reader, before: Plan | undefined): unknown {
  const policy = text('policy');
  if (policy !== 'custom') return policy;
  const known = typeof before?.cancellation === 'object' ? before.cancellation.steps.length : 0;
  const steps = Array.from({ length: Math.max(STEPS, known) }, (_, index) => ({
    days_before: number(rowField('step', index, 'days'), texts.rates.stepDays),
    refund_percent: number(rowField('step', index, 'percent'), texts.rates.stepPercent),
  }));
  return { steps: steps.filter((step) => step.days_before !== undefined || step.refund_percent !== undefined) };
}
