import type { JobSetting } from '../../../src/exports/ports.ts';

/** A job as the configuration has it, of all days, over which a test lays what it is about. */
export function job(over: Partial<JobSetting> = {}): JobSetting {
  return {
    connection: null,
    format: 'jsonl',
    mode: 'full',
    corrections: 'reverse_and_rebook',
    period: 'all',
    schedule: null,
    folder: null,
    url: null,
    secret: null,
    options: {},
    ...over,
  };
}
