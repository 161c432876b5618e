import { z } from 'zod';
import { ACCOUNT_NAME } from '../../../kernel/books.ts';
import { OperatorError } from '../../../kernel/errors.ts';
import { isCurrency } from '../../../kernel/money.ts';
import { yamlFaultText, yamlOf } from '../../../kernel/yamlValue.ts';
import { isWrittenDate } from './writtenDates.ts';

/** Names that a mapping uses for the separator of cells. */
export const delimiters = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const;
/**
 * Names that a mapping uses for encodings. `latin1` is windows-1252, as Windows programs of western Europe write it.
 */
export const encodings = { 'utf-8': 'utf-8', latin1: 'windows-1252', 'utf-16': 'utf-16le' } as const;
/** Names that a mapping uses for the decimal mark. */
export const decimals = { point: '.', comma: ',' } as const;
/** Names that a mapping uses for the thousands separator. */
export const thousands = { none: '', point: '.', comma: ',', space: ' ', apostrophe: "'" } as const;

const keyOf = <Word extends string>(words: Readonly<Record<Word, string>>) => z.enum(Object.keys(words) as Word[]);
const column = z.string().min(1);
const currency = z.string().refine(isCurrency, { error: 'must be an ISO 4217 code such as EUR' });

const mappingSchema = z
  .strictObject({
    format: z
      .strictObject({
        delimiter: keyOf(delimiters).default('comma'),
        encoding: keyOf(encodings).default('utf-8'),
        decimal: keyOf(decimals).default('point'),
        thousands: keyOf(thousands).default('none'),
        /** Number of lines before the line with the column names. */
        skip_lines: z.int().min(0).max(1_000).default(0),
        date: z
          .string()
          .refine(isWrittenDate, { error: 'write it with YYYY or YY, MM or M, DD or D' })
          .default('YYYY-MM-DD'),
      })
      .prefault({}),
    date: column,
    /** One signed column, or separate columns for incoming and outgoing money. */
    amount: z.union([column, z.strictObject({ in: column, out: column })], {
      error: 'give a column, or the two columns in: and out:',
    }),
    currency: z.union([z.strictObject({ column }), currency], {
      error: 'give a code such as EUR, or column: NAME',
    }),
    /** Column with the bank's id of the line. */
    id: column.optional(),
    /** Columns that may contain reservation codes. */
    text: z.array(column).default([]),
    /** Column whose equal values mark the parts of one payout. */
    payout: column.optional(),
    /** Keeps only the rows with certain values in a column. */
    only: z.strictObject({ column, is: z.array(z.string()).min(1) }).optional(),
    bank: z.string().regex(ACCOUNT_NAME, { error: 'must be an account such as Assets:Bank' }).optional(),
  })
  .refine(({ format }) => thousands[format.thousands] !== decimals[format.decimal], {
    path: ['format', 'thousands'],
    error: 'the sign between thousands cannot be the decimal sign',
  });

/** Describes how the CSV columns of one bank become statement lines. */
export type StatementMapping = z.output<typeof mappingSchema>;

/**
 * Reads a mapping from YAML.
 * @throws OperatorError that names each problem with its key
 */
export function readStatementMapping(text: string, fileName: string): StatementMapping {
  const { value, faults } = yamlOf(text);
  const result = faults ? undefined : mappingSchema.safeParse(value);
  if (result?.success) return result.data;
  const problems = result ? result.error.issues.map(problemOf) : (faults ?? []).map(yamlFaultText);
  throw new OperatorError(
    `${fileName} is not a usable mapping:\n  ${problems.join('\n  ')}`,
    'docs/payouts.md explains every key',
  );
}

function problemOf({ path, message }: { path: PropertyKey[]; message: string }): string {
  return `${path.map(String).join('.') || 'the whole file'}: ${message}`;
}
