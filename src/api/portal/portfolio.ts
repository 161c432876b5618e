import { z } from 'zod';
import { currency } from '../../contract/fields.ts';
import { changeAccount } from '../../core/accounts/change.ts';
import { changeProperty } from '../../core/properties/change.ts';
import { isTimeZone } from '../../kernel/dates.ts';
import { portalRoute } from './route.ts';
import { accountOf, operatorOf, requireMain } from './who.ts';

const account = z.string().min(1).optional();
const timeZone = z.string().refine(isTimeZone, { error: 'must be an IANA time zone such as Europe/Berlin' });
const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time of day such as 15:00' });
const degrees = (most: number) =>
  z
    .string()
    .trim()
    .max(20)
    .refine((text) => text === '' || (/^-?\d+(\.\d+)?$/.test(text) && Math.abs(Number(text)) <= most), {
      error: `must be degrees between -${most} and ${most}, such as 52.52, or empty`,
    });

/** What v3 has no operation for: the account's own settings, and where a property is and when it lets guests in. */
export const portfolioRoutes = [
  portalRoute({
    method: 'PATCH',
    path: '/portal/account',
    access: 'admin',
    input: z.object({
      account,
      name: z.string().trim().min(1).max(100).optional(),
      time_zone: timeZone.optional(),
      currency: currency.optional(),
    }),
    run: async ({ services, caller, input: { account: named, ...draft } }) => {
      requireMain(caller);
      const owner = await accountOf(services, caller, named);
      const {
        account_id,
        name,
        time_zone,
        currency: own,
      } = await changeAccount(services.core, { account: owner, operator: operatorOf(caller) }, draft);
      return { account_id, name, time_zone, currency: own };
    },
  }),
  portalRoute({
    method: 'PATCH',
    path: '/portal/properties/:id',
    access: 'write',
    input: z.object({
      account,
      id: z.int(),
      name: z.string().trim().min(1).max(100).optional(),
      status: z.enum(['active', 'inactive']).optional(),
      address: z.string().trim().max(300).optional(),
      latitude: degrees(90).optional(),
      longitude: degrees(180).optional(),
      time_zone: timeZone.optional(),
      check_in_time: clockTime.nullable().optional(),
      check_out_time: clockTime.nullable().optional(),
    }),
    run: async ({ services, caller, input: { account: named, id, ...draft } }) => {
      requireMain(caller);
      const owner = await accountOf(services, caller, named);
      return changeProperty(services.core, { account: owner, operator: operatorOf(caller) }, id, draft);
    },
  }),
];
