import { z } from 'zod';
import { isCurrency } from '../kernel/money.ts';
import { areAmbiguous, isDateFormat } from './fields/dateFormats.ts';
import { amountField } from './fields/amount.ts';
import { countField } from './fields/count.ts';
import { momentField } from './fields/moment.ts';
import { roomsField } from './fields/rooms.ts';
import { columnChoice, scalar } from './fields/oneWay.ts';
import { textField } from './fields/text.ts';
import { isLanguage } from './fields/months.ts';
import { decimalSigns, thousandsSigns } from './fields/numbers.ts';

/** Words of a mapping for the delimiter between cells. */
export const delimiters = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const;
/**
 * `latin1` is the encoding of Windows programs in western Europe, windows-1252. A byte order mark in the file overrides
 * the mapping.
 */
export const encodings = {
  'utf-8': 'utf-8',
  latin1: 'windows-1252',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
} as const;
const statuses = ['accepted', 'cancelled', 'no_show'] as const;

const keyOf = <Word extends string>(words: Readonly<Record<Word, string>>) => z.enum(Object.keys(words) as Word[]);

const dateFormat = z
  .string()
  .refine(isDateFormat, { error: 'write it with YYYY or YY, M or MM (MMM for a name) and D or DD' });

const formatSchema = z
  .strictObject({
    delimiter: keyOf(delimiters).default('comma'),
    encoding: keyOf(encodings).default('utf-8'),
    /** Sheet of a workbook; by default the first that is not hidden. */
    sheet: scalar.optional(),
    decimal: keyOf(decimalSigns).default('point'),
    thousands: keyOf(thousandsSigns).default('none'),
    /** Formats in the order of trial. A time after the date is read too. */
    dates: z.array(dateFormat).min(1).default(['YYYY-MM-DD']),
    /** Language of month names. */
    months: z.string().refine(isLanguage, { error: 'give a language such as en, de, fr' }).default('en'),
    /** Cell texts that mean "nothing". An empty cell always does. */
    nulls: z.array(z.string()).default([]),
  })
  .refine((format) => format.thousands !== format.decimal, {
    path: ['thousands'],
    error: 'the sign between thousands cannot be the decimal sign',
  })
  .refine((format) => !format.dates.some((one) => format.dates.some((other) => areAmbiguous(one, other))), {
    path: ['dates'],
    error: 'two of these formats read the same text as different dates',
  });

const bookingSchema = z.strictObject({
  property_group: textField.optional(),
  property: textField.optional(),
  check_in_date: momentField,
  check_out_date: momentField.optional(),
  nights: countField.optional(),
  status: textField.optional(),
  booked_at: momentField.optional(),
  cancelled_at: momentField.optional(),
  guest_name: textField,
  email: textField.optional(),
  phone: textField.optional(),
  country: textField.optional(),
  adults: countField.optional(),
  children: countField.optional(),
  infants: countField.optional(),
  guests: countField.optional(),
  currency: textField.optional(),
  total_amount: amountField.optional(),
  commission: amountField.optional(),
  /** Amount that the channel pays out: the price less its commission. */
  payout: amountField.optional(),
  rooms: roomsField.optional(),
  channel: textField.optional(),
  note: textField.optional(),
});

const incomeRule = z.strictObject({
  when: z
    .strictObject({
      status: z.enum(['accepted', 'cancelled']),
      column: columnChoice.optional(),
      is: z.union([scalar.transform((text) => [text]), z.array(scalar).min(1)]).optional(),
    })
    .refine((when) => (when.column === undefined) === (when.is === undefined), {
      error: 'column and is belong together',
    }),
  date: z.enum(['check_in_date', 'check_out_date', 'booked_at', 'cancelled_at']),
  amount: z.enum(['total', 'total_less_commission']).default('total'),
  /** true: income with a future date has been received already. false: a run of the file after that day posts it. */
  ahead: z.boolean({ error: 'give true or false' }).default(false),
});
export type IncomeRule = z.output<typeof incomeRule>;

/**
 * The schema of `config/imports/*.yaml`: the rules by which one user's file becomes reservations. Columns are named as
 * in the file's header line. Income rules are tried in order, and the first that fits makes the reservation's one
 * entry.
 */
export const mappingSchema = z
  .strictObject({
    source: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, { error: 'use small letters, digits and dashes, at most 40' }),
    format: formatSchema.prefault({}),
    identity: z
      .union([z.literal('row'), z.strictObject({ column: columnChoice })], { error: 'give row, or column: "NAME"' })
      .default('row'),
    shift_days: z.int({ error: 'give a whole number of days' }).min(-40_000).max(40_000).default(0),
    booking: bookingSchema,
    income: z.array(incomeRule).default([]),
  })
  .superRefine(({ booking, income }, context) => {
    const problem = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message });
    for (const [path, message] of bookingFaults(booking)) problem(['booking', ...path], message);
    for (const [path, message] of incomeFaults(booking, income)) problem(['income', ...path], message);
  });

export type Mapping = z.output<typeof mappingSchema>;
export type FileFormat = Mapping['format'];
export type ReservationFields = Mapping['booking'];

type Fault = [path: (string | number)[], message: string];

function* bookingFaults(booking: ReservationFields): Generator<Fault> {
  const { check_in_date: checkIn, check_out_date: checkOut, nights, status, currency } = booking;
  if ((booking.property === undefined) === (booking.property_group === undefined)) {
    yield [[], 'give either property (the file names it) or property_group (units are planned)'];
  }
  if (!checkOut && !nights) yield [[], 'give check_out_date or nights, or both where they must agree'];
  if ('from' in checkIn && (checkIn.from === 'check_in_date' || !checkOut || 'from' in checkOut)) {
    yield [['check_in_date', 'from'], 'can only count from a check_out_date that has a column of its own'];
  }
  if (checkOut && 'from' in checkOut && checkOut.from === 'check_out_date') {
    yield [['check_out_date', 'from'], 'can only count from check_in_date'];
  }
  if (status && 'value' in status && !isStatus(status.value)) {
    yield [['status', 'value'], `give one of: ${statuses.join(', ')}`];
  }
  if (currency && 'value' in currency && !isCurrency(currency.value)) {
    yield [['currency', 'value'], 'give an ISO 4217 code such as EUR'];
  }
  if (booking.total_amount && booking.commission && booking.payout) {
    yield [['payout'], 'give two of total_amount, commission and payout: the third follows from them'];
  }
}

function* incomeFaults(booking: ReservationFields, rules: readonly IncomeRule[]): Generator<Fault> {
  for (const [index, rule] of rules.entries()) {
    if (!booking.total_amount && !booking.payout)
      yield [[index], 'income needs booking.total_amount or booking.payout'];
    const field = rule.date;
    if ((field === 'cancelled_at' || field === 'booked_at') && !booking[field]) {
      yield [[index, 'date'], `needs booking.${field}`];
    }
    if (field === 'cancelled_at' && rule.when.status !== 'cancelled') {
      yield [[index, 'date'], 'an accepted booking has no cancelled_at'];
    }
  }
}

/** Returns true for a state of reservations that a file can contain. */
export function isStatus(text: string): text is (typeof statuses)[number] {
  return (statuses as readonly string[]).includes(text);
}
