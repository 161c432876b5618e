import { z } from 'zod';
import {
  ACCOUNT_NAME,
  bookModes,
  commissionKinds,
  correctionPolicies,
  depositKinds,
  itemClasses,
  occupancyTaxes,
  recognitions,
} from '../kernel/books.ts';
import { isCurrency } from '../kernel/money.ts';

const account = z.string().regex(ACCOUNT_NAME, {
  error:
    'must be an account such as Income:Accommodation: a type, then parts of letters, digits and - with a capital first',
});
const currency = z.string().refine(isCurrency, { error: 'must be an ISO 4217 code such as EUR' });
const decimal = z.union([z.string(), z.number()]).transform(String);
const rate = decimal.pipe(
  z.string().regex(/^\d{1,9}(\.\d{1,12})?$/, { error: 'must be a decimal number such as 0.9135' }),
);
const percent = decimal.pipe(z.string().regex(/^\d{1,2}(\.\d{1,4})?$|^100$/, { error: 'must be 0 to 100' }));
const amount = decimal.pipe(z.string().regex(/^\d{1,12}(\.\d{1,4})?$/, { error: 'must be an amount such as 25.00' }));
const code = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, { error: 'must be lower-case letters, digits and -' });
const id = z.string().regex(/^\d{1,15}$/, { error: 'must be a number' });

const recognition = z.enum(recognitions);
const itemClass = z.enum(itemClasses);
const item = z.union([
  itemClass.transform((name) => ({ class: name, account: null, recognition: null })),
  z.strictObject({
    class: itemClass,
    account: account.nullable().default(null),
    recognition: recognition.nullable().default(null),
  }),
]);
const place = z.union([z.literal('channel'), z.literal('none'), account]);
const method = z.union([
  place.transform((name) => ({ account: name, currency: null })),
  z.strictObject({ account: place, currency: currency.nullable().default(null) }),
]);

const earned = (name: string) =>
  z.strictObject({ account: account.default(name), recognition: recognition.default('check_in') }).prefault({});

/** The books of one mirrored account; `config/default.yaml` explains each key. */
export const bookSchema = z.strictObject({
  starts_on: z.iso.date().nullable().default(null),
  max_reconciliation_age_hours: z.number().positive().default(24),
  accounts: z
    .strictObject({
      advances: account.default('Liabilities:Guest-Advances'),
      deposits: account.default('Liabilities:Security-Deposits'),
      occupancy_tax: account.default('Liabilities:Occupancy-Tax'),
      cancellation: account.default('Income:Cancellation'),
      refunds: account.default('Income:Refunds'),
      damage: account.default('Income:Damage-Recovery'),
      management: account.default('Income:Management-Fees'),
      commission: account.default('Expenses:Channel-Commission'),
      payment_fees: account.default('Expenses:Payment-Fees'),
      owner_costs: account.default('Expenses:Owner-Costs'),
      owner_payouts: account.default('Expenses:Owner-Payouts'),
      transfers: account.default('Assets:Transfers'),
      conversion: account.default('Equity:Conversion'),
    })
    .prefault({}),
  chart: z
    .record(
      account,
      z.strictObject({
        title: z.string().max(100).nullable().default(null),
        code: z.string().max(20).nullable().default(null),
        tax: z.string().max(100).nullable().default(null),
        name: z
          .string()
          .max(500)
          .regex(/^[^\s":\p{C}][^":\p{C}]*(:[^\s":\p{C}][^":\p{C}]*)*$/u, {
            error: 'must be a name such as Income:Rent: parts with ":" between them and nothing in double quotes',
          })
          .optional(),
      }),
    )
    .default({}),
  classes: z
    .strictObject({
      accommodation: earned('Income:Accommodation'),
      cleaning: earned('Income:Cleaning'),
      extra: earned('Income:Extras'),
    })
    .prefault({}),
  items: z
    .strictObject({ income: z.record(id, item).default({}), expense: z.record(id, item).default({}) })
    .prefault({}),
  methods: z
    .strictObject({ income: z.record(id, method).default({}), expense: z.record(id, method).default({}) })
    .prefault({}),
  channels: z
    .record(
      z.string().min(1),
      z.strictObject({
        clearing: account.nullable().default(null),
        commission: z.enum(commissionKinds).nullable().default(null),
        occupancy_tax: z.enum(occupancyTaxes).default('remitted'),
        deposits: z.enum(depositKinds).nullable().default(null),
      }),
    )
    .default({}),
  deposits: z
    .strictObject({
      kind: z.enum(depositKinds).nullable().default(null),
      account: account.nullable().default(null),
      return_days: z.int().min(0).max(400).default(14),
      hold_days: z.int().min(1).max(400).default(30),
    })
    .prefault({}),
  trust: z.strictObject({ accounts: z.array(account).min(1).nullable().default(null) }).prefault({}),
  properties: z
    .record(
      id,
      z.strictObject({
        code: z
          .string()
          .regex(/^[A-Za-z0-9]{1,20}$/, { error: 'must be letters and digits' })
          .nullable()
          .default(null),
        owner: code.nullable().default(null),
        contract: code.nullable().default(null),
        deposits: z.enum(depositKinds).nullable().default(null),
        tax_authority: z.string().min(1).max(100).nullable().default(null),
      }),
    )
    .default({}),
  owners: z.record(code, z.strictObject({ name: z.string().max(100) })).default({}),
  contracts: z
    .record(
      code,
      z.strictObject({
        mode: z.enum(bookModes),
        percent: percent.default('0'),
        of: z.enum(['gross', 'net']).default('gross'),
        per_stay: amount.default('0'),
        kept: z.array(z.enum(['accommodation', 'cleaning', 'extra', 'cancellation', 'damage'])).default([]),
        free: z.array(z.enum(['accommodation', 'cleaning', 'extra', 'cancellation', 'damage'])).default(['damage']),
      }),
    )
    .default({}),
  rates: z.array(z.strictObject({ on: z.iso.date(), from: currency, to: currency, rate })).default([]),
});

const job = z.strictObject({
  connection: z.string().nullable().default(null),
  format: z.string(),
  mode: z.enum(['full', 'incremental']).default('full'),
  corrections: z.enum(correctionPolicies).default('reverse_and_rebook'),
  period: z.enum(['last_month', 'this_month', 'last_year', 'this_year', 'all']).default('last_month'),
  schedule: z.string().nullable().default(null),
  folder: z.string().min(1).nullable().default(null),
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .nullable()
    .default(null),
  secret: z.string().min(1).nullable().default(null),
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)).default({}),
});

/** Books and the jobs that deliver them. */
export const exportsSchema = z.strictObject({
  /** Minutes between updates of the books for reports after changes; 0 for on request only. */
  keep_minutes: z.int().min(0).max(1_440).default(10),
  books: z.record(z.string().regex(/^[a-z0-9_-]{1,40}$/), bookSchema),
  jobs: z.record(z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/), job),
});
