import { OperatorError } from '../../kernel/errors.ts';
import type { NumberFormat } from '../fields/numbers.ts';
import { dateReadings, type DateReading } from './dates.ts';
import { numberFormatOf } from './numbers.ts';
import { arrivalParts, nightParts, type DateParts } from './parts.ts';
import { findRoles, type Roles } from './roles.ts';
import type { Column, Sample } from './sample.ts';

/** The columns and notations recognised in a file. */
export interface Findings {
  sample: Sample;
  roles: Roles;
  /** The arrival in three columns, when no single column has it. */
  arrival: DateParts | undefined;
  /** Columns whose sum is the nights, when there is no check-out. */
  nights: readonly Column[];
  numbers: NumberFormat;
  /** More than one when days and months cannot be distinguished. */
  readings: readonly DateReading[];
}

/**
 * Returns the findings of a sample. Throws an OperatorError when it finds no dates of the stay, since nothing can be
 * proposed then.
 */
export function findAll(sample: Sample): Findings {
  const roles = findRoles(sample);
  const arrival = roles.check_in_date ? undefined : arrivalParts(sample);
  const nights = roles.check_out_date ? [] : roles.nights ? [roles.nights] : nightParts(sample);
  if (!roles.check_in_date && !arrival) throw notFound(sample, 'the check-in date');
  if (!roles.check_out_date && nights.length === 0) throw notFound(sample, 'the check-out date or the nights');
  const amounts = [roles.total_amount, roles.price_per_night, roles.commission, roles.payout].flatMap(
    (column) => column?.values ?? [],
  );
  const dates = [roles.check_in_date, roles.check_out_date, roles.booked_at, roles.cancelled_at];
  const readings = dateReadings(
    dates.filter((column) => column !== undefined),
    arrival?.month.values,
  );
  if (readings.length === 0) throw notFound(sample, 'one way to read all its dates');
  const numbers = numberFormatOf(amounts) ?? { decimal: 'point', thousands: 'none' };
  return { sample, roles, arrival, nights, numbers, readings };
}

function notFound({ name, header }: Sample, what: string): OperatorError {
  return new OperatorError(
    `could not find ${what} in ${name}; its columns are: ${header.join(', ')}`,
    'copy config/imports/hotel-bookings.yaml, which explains every key, and name the columns in it',
  );
}
