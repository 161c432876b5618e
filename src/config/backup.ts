import { z } from 'zod';
import { isTimeZone } from '../kernel/dates.ts';

const PLACE = /^(?:s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w./-]*)?|(?!\w+:\/\/).+)$/;

/** Backups that stayd makes by itself; their users check the patterns. */
export const backupSchema = z.strictObject({
  schedule: z.string().min(1).nullable(),
  drill: z.string().min(1).nullable(),
  zone: z.string().refine(isTimeZone, { error: 'must be an IANA time zone such as Europe/Berlin' }).nullable(),
  to: z
    .string()
    .regex(PLACE, { error: 'must be a folder such as /srv/backups, or a bucket such as s3://rooms/stayd' })
    .nullable(),
  keep: z.strictObject({
    days: z.int().min(1).max(36_500),
    weeks: z.int().min(0).max(5_200),
    months: z.int().min(0).max(1_200),
  }),
  s3: z.strictObject({
    endpoint: z.url({ protocol: /^https?$/, error: 'must be an address such as https://s3.example' }).nullable(),
    region: z.string().min(1),
    access_key: z.string().min(1).nullable(),
    secret_key: z.string().min(1).nullable(),
  }),
});
