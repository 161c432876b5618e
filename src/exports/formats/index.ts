import { UsageError } from '../../kernel/errors.ts';
import { beancount } from './beancount.ts';
import { csv } from './writing/csv.ts';
import { datev } from './datev.ts';
import { fec } from './fec.ts';
import type { Format } from './format.ts';
import { hledger } from './hledger.ts';
import { iif } from './iif.ts';
import { jsonl } from './jsonl.ts';
import { ledger } from './ledger.ts';
import { ofx } from './ofx.ts';
import { parquet } from './parquet.ts';
import { quickbooks } from './quickbooks.ts';
import { statement } from './statement.ts';
import { xero } from './xero.ts';
import { xlsx } from './xlsx.ts';

/** Every format. Each has a built-in job of its name. */
export const formats: readonly Format[] = [
  hledger,
  ledger,
  beancount,
  csv,
  jsonl,
  xlsx,
  xero,
  quickbooks,
  iif,
  datev,
  fec,
  ofx,
  statement,
  parquet,
];

/**
 * Returns the format of a name.
 * @throws UsageError if it does not exist
 */
export function getFormat(name: string): Format {
  const format = formats.find((one) => one.name === name);
  if (format) return format;
  throw new UsageError(`there is no format "${name}"`, `formats are ${formats.map((one) => one.name).join(', ')}`);
}
