import { currenciesOf, mainCurrencyOf } from '../fields/currencySigns.ts';
import type { DateReading } from './dates.ts';
import type { Findings } from './findings.ts';
import { currencyMarksOf } from './numbers.ts';
import { yesOrNo } from './roles.ts';
import type { Column } from './sample.ts';
import { nonRefundable, slugOf, statusPatterns, tidy, type Role } from './words.ts';

/** A mapping in the form of its YAML. */
export type Draft = Record<'source' | 'format' | 'identity' | 'shift_days' | 'booking' | 'income', unknown>;

/** The place of a stay: the property that a column names, or any unit of a group. */
export type Place = 'property' | 'property_group';

/**
 * Returns the mapping for the findings, under one reading of the dates. It adds to `doubts` the points that the user
 * must check.
 */
export function draftMapping(found: Findings, reading: DateReading, place: Place, doubts: string[]): Draft {
  const { sample, roles, numbers } = found;
  if (sample.otherSheets.length > 0) {
    doubts.push(`only the sheet "${sample.layout.sheet}" is read, not: ${sample.otherSheets.join(', ')}`);
  }
  if (!roles.key)
    doubts.push('no column identifies a booking: rows are known by their number, so only append to the file');
  return {
    source: slugOf(sample.name),
    format: {
      ...sample.layout,
      ...numbers,
      dates: reading.formats.length > 0 ? reading.formats : ['YYYY-MM-DD'],
      months: reading.language,
      nulls: [...sample.nulls],
    },
    identity: roles.key ? { column: roles.key.name } : 'row',
    shift_days: 0,
    booking: reservationOf(found, place, doubts),
    income: incomeOf(found, doubts),
  };
}

function reservationOf(found: Findings, place: Place, doubts: string[]): Record<string, unknown> {
  const { roles } = found;
  const column = (role: Role) => roles[role] && { column: roles[role].name };
  const booking = {
    ...placeOf(found, place, doubts),
    ...stayOf(found),
    status: statusOf(found, doubts),
    booked_at: column('booked_at') ?? (roles.lead_time && { from: 'check_in_date', minus_days: roles.lead_time.name }),
    cancelled_at: column('cancelled_at'),
    guest_name: guestNameOf(found),
    email: column('email'),
    phone: column('phone'),
    country: column('country'),
    adults: column('adults'),
    children: column('children'),
    infants: column('infants'),
    guests: roles.adults ? undefined : column('guests'),
    ...moneyOf(found, doubts),
    rooms: roomsOf(found, doubts),
    channel: column('channel'),
    note: column('note'),
  };
  return Object.fromEntries(Object.entries(booking).filter(([, field]) => field !== undefined));
}

function placeOf({ roles }: Findings, place: Place, doubts: string[]): Record<string, unknown> {
  const column = roles.property ?? roles.property_group;
  if (column) return { [place]: { column: column.name } };
  doubts.push('no column names the property: all stays go to units of one group, Imported 1, Imported 2, …');
  return { property_group: { value: 'Imported' } };
}

function stayOf({ roles, arrival, nights }: Findings): Record<string, unknown> {
  const named = (column: Column | undefined) => column && { column: column.name };
  const [only] = nights;
  const sum = nights.length > 1 ? { sum: nights.map(({ name }) => name) } : named(only);
  return {
    check_in_date: arrival
      ? { year: arrival.year.name, month: arrival.month.name, day: arrival.day.name }
      : named(roles.check_in_date),
    ...(roles.check_out_date ? { check_out_date: named(roles.check_out_date) } : { nights: sum }),
  };
}

function statusOf({ roles }: Findings, doubts: string[]): unknown {
  if (roles.status) return { column: roles.status.name, map: stateMap(roles.status, doubts) };
  if (!roles.is_cancelled) {
    doubts.push('no column has the status: every row is imported as an accepted booking');
    return undefined;
  }
  const words = [...new Set(roles.is_cancelled.values.map((value) => value.toLowerCase()))];
  const map = words.map((word) => [word, yesOrNo.get(word) ? 'cancelled' : 'accepted']);
  return { column: roles.is_cancelled.name, map: Object.fromEntries(map), default: 'accepted' };
}

function stateMap({ values }: Column, doubts: string[]): Record<string, string> {
  const map: Record<string, string> = {};
  for (const value of new Set(values)) {
    const state = statusPatterns.find(([, pattern]) => pattern.test(tidy(value)))?.[0];
    if (state) map[value] = state;
    else doubts.push(`status "${value}" is not mapped, its rows are rejected: accepted, no_show or cancelled?`);
  }
  return map;
}

function guestNameOf({ roles, sample }: Findings): unknown {
  const { guest_name: whole, first_name: first, last_name: last } = roles;
  if (whole) {
    return { column: whole.name, ...(whole.values.length < sample.rows.length && { default: 'Guest' }) };
  }
  const parts = [first, last].filter((column) => column !== undefined).map(({ name }) => `{${name}}`);
  return { template: parts.join(' ') || 'Guest {row}' };
}

function moneyOf(found: Findings, doubts: string[]): Record<string, unknown> {
  const { roles } = found;
  const total = roles.total_amount ?? roles.price_per_night;
  const amounts = [total, roles.commission, roles.payout].filter((column) => column !== undefined);
  if (!total && !roles.payout) return {};
  const perNight = roles.total_amount ? {} : { per: 'night' };
  const isSettled = total !== undefined && roles.payout !== undefined;
  if (isSettled && roles.commission)
    doubts.push(
      `the commission is what "${roles.payout?.name}" lacks of the price; "${roles.commission.name}" is left out`,
    );
  if (!total && roles.payout) {
    const missing = roles.commission ? `the price is it and "${roles.commission.name}"` : 'it stands for the price';
    doubts.push(`"${roles.payout.name}" is what is paid out, and no column has the price: ${missing}`);
  }
  return {
    currency: roles.currency ? { column: roles.currency.name } : currencyOf(amounts, found, doubts),
    total_amount: total && { column: total.name, ...perNight },
    commission: roles.commission && !isSettled ? { column: roles.commission.name } : undefined,
    payout: roles.payout && { column: roles.payout.name },
  };
}

/** Returns undefined when the amounts themselves name several currencies. */
function currencyOf(
  amounts: readonly Column[],
  { numbers }: Findings,
  doubts: string[],
): Record<'value', string> | undefined {
  const marks = currencyMarksOf(
    amounts.flatMap(({ values }) => values),
    numbers,
  );
  const [mark = ''] = marks;
  if (marks.size > 1 && !marks.has('')) {
    doubts.push(`the amounts are of several currencies, each by its sign: ${[...marks].join(', ')}`);
    return undefined;
  }
  const known = marks.size === 1 ? mainCurrencyOf(mark) : undefined;
  if (known === undefined) doubts.push('no column names the currency: EUR is only a guess');
  else if (currenciesOf(mark).length > 1) doubts.push(`${mark} can be of several currencies: ${known} is only a guess`);
  return { value: known ?? 'EUR' };
}

function roomsOf({ roles }: Findings, doubts: string[]): unknown {
  const { rooms } = roles;
  if (!rooms) return undefined;
  const several = rooms.values.filter((value) => Number.parseInt(value, 10) > 1).length;
  if (several > 0)
    doubts.push(
      `"${rooms.name}" is more than 1 in ${several} of these rows. A row becomes one booking of one unit, so they are refused: ` +
        'put each room on a row of its own, or write several: as_one',
    );
  return { column: rooms.name, ...(several > 0 && { several: 'refuse' }) };
}

function incomeOf({ roles, sample }: Findings, doubts: string[]): unknown[] {
  if (!roles.total_amount && !roles.price_per_night && !roles.payout) return [];
  const isLess = roles.commission !== undefined || roles.payout !== undefined;
  const amount = isLess ? { amount: 'total_less_commission' } : {};
  if (isLess) doubts.push('income is taken to be what is left after the commission');
  const rules: unknown[] = [{ when: { status: 'accepted' }, date: 'check_out_date', ...amount }];
  for (const column of roles.cancelled_at ? sample.columns : []) {
    const is = [...new Set(column.values)].find((value) => nonRefundable.test(tidy(value)));
    if (is === undefined) continue;
    rules.push({ when: { status: 'cancelled', column: column.name, is }, date: 'cancelled_at', ...amount });
    break;
  }
  return rules;
}
