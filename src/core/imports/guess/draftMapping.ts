import { isCurrency } from '../../../kernel/money.ts';
import type { DateReading } from './dates.ts';
import type { Findings } from './findings.ts';
import { currencyMarkOf } from './numbers.ts';
import { yesOrNo } from './roles.ts';
import type { Column } from './sample.ts';
import { nonRefundable, slugOf, statusPatterns, tidy, type Role } from './words.ts';

/** A mapping as it will stand in YAML. */
export type Draft = Record<'source' | 'format' | 'identity' | 'shift_days' | 'booking' | 'income', unknown>;

/** Where the guest stayed: in the property that a column names, or somewhere in a group of units. */
export type Place = 'property' | 'property_group';

/** The mapping that follows from the findings, under one reading of the dates. `doubts` gathers what to check. */
export function draftMapping(found: Findings, reading: DateReading, place: Place, doubts: string[]): Draft {
  const { sample, roles, numbers } = found;
  if (!roles.key)
    doubts.push('no column identifies a booking: rows are known by their number, so only append to the file');
  return {
    source: slugOf(sample.name),
    format: {
      delimiter: sample.delimiter,
      encoding: sample.encoding,
      ...numbers,
      dates: reading.formats.length > 0 ? reading.formats : ['YYYY-MM-DD'],
      months: reading.language,
      nulls: [...sample.nulls],
    },
    identity: roles.key ? { column: roles.key.name } : 'row',
    shift_days: 0,
    booking: bookingOf(found, place, doubts),
    income: incomeOf(found, doubts),
  };
}

function bookingOf(found: Findings, place: Place, doubts: string[]): Record<string, unknown> {
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
    doubts.push('no column tells the status: every row is taken for an accepted booking');
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
  if (!total) return {};
  const perNight = roles.total_amount ? {} : { per: 'night' };
  return {
    currency: roles.currency ? { column: roles.currency.name } : { value: currencyOf(total, found, doubts) },
    total_amount: { column: total.name, ...perNight },
    commission: roles.commission && { column: roles.commission.name },
  };
}

function currencyOf(total: Column, { numbers }: Findings, doubts: string[]): string {
  const mark = currencyMarkOf(total.values, numbers)?.toUpperCase();
  const known = mark === '€' ? 'EUR' : mark === '£' ? 'GBP' : mark;
  if (known !== undefined && isCurrency(known)) return known;
  doubts.push('no column names the currency: EUR is only a guess');
  return 'EUR';
}

function incomeOf({ roles, sample }: Findings, doubts: string[]): unknown[] {
  if (!roles.total_amount && !roles.price_per_night) return [];
  const amount = roles.commission ? { amount: 'total_less_commission' } : {};
  if (roles.commission) doubts.push('income is taken to be what is left after the commission');
  const rules: unknown[] = [{ when: { status: 'accepted' }, date: 'check_out_date', ...amount }];
  for (const column of roles.cancelled_at ? sample.columns : []) {
    const is = [...new Set(column.values)].find((value) => nonRefundable.test(tidy(value)));
    if (is === undefined) continue;
    rules.push({ when: { status: 'cancelled', column: column.name, is }, date: 'cancelled_at', ...amount });
    break;
  }
  return rules;
}
