import { UsageError } from '../../kernel/errors.ts';
import type { Format } from './format.ts';
import { jsonl } from './jsonl.ts';

/** Every format; a job of each one's name is there from the start. */
export const formats: readonly Format[] = [jsonl];

/** @throws UsageError when there is no such format */
export function getFormat(name: string): Format {
  const format = formats.find((one) => one.name === name);
  if (format) return format;
  throw new UsageError(`there is no format "${name}"`, `formats are ${formats.map((one) => one.name).join(', ')}`);
}
