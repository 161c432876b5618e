import { z } from 'zod';
import { UsageError } from '../../kernel/errors.ts';
import type { FormatOptions } from './format.ts';

/**
 * Parses the options of a job.
 * @throws UsageError that names the wrong option
 */
export function readOptions<Schema extends z.ZodObject>(
  format: string,
  schema: Schema,
  options: FormatOptions,
): z.output<Schema> {
  const result = schema.safeParse(options);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const known = Object.keys(schema.shape).join(', ') || 'none';
  const name = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path.join('.');
  const problem = issue?.code === 'unrecognized_keys' ? 'there is no such setting' : issue?.message;
  throw new UsageError(
    `options.${name ?? ''} of format ${format}: ${problem ?? 'wrong'}`,
    `settings are: ${known}; they stand in exports.jobs.<job>.options`,
  );
}

/** Schema of formats without options. */
export const noOptions = z.strictObject({});

/**
 * Schema of journals. `openings: entry` begins with the balances before the first day, so the file is complete by
 * itself.
 */
export const journalOptions = z.strictObject({ openings: z.enum(['none', 'entry']).default('none') });
