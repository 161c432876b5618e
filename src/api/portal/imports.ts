import { z } from 'zod';
import { importReservations } from '../../imports/importReservations.ts';
import { readMapping } from '../../imports/readMapping.ts';
import { portalRoute } from './route.ts';
import { accountOf } from './who.ts';

/** Imports open files of this machine, so they need the holder of the data directory. */
export const importRoutes = [
  portalRoute({
    method: 'POST',
    path: '/portal/imports/bookings',
    access: 'control',
    input: z.object({
      account: z.string().optional(),
      path: z.string().min(1),
      rejects_path: z.string().min(1),
      mapping: z.string().min(1).describe('The YAML text.'),
      mapping_name: z.string(),
      events: z.boolean().default(true),
    }),
    long: true,
    run: async ({ services, caller, input, progress, signal }) => {
      const account = await accountOf(services, caller, input.account);
      const mapping = readMapping(input.mapping, input.mapping_name);
      const request = { path: input.path, mapping, rejectsPath: input.rejects_path, announce: input.events };
      return importReservations(services.core, { account, operator: null }, request, progress, signal);
    },
  }),
];
