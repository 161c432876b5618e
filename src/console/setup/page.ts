import { z } from 'zod';
import { consoleAction, consolePage } from '../page.ts';
import { readProperties } from '../properties.ts';
import { setupView } from './view.ts';

/** Setup: the account's name, zone and currency; then reservations from a file, by hand, from elsewhere, or played. */
export const setupPage = consolePage({
  path: 'setup',
  right: 'setup',
  title: (texts) => texts.setup.title,
  question: z.object({}),
  actions: [
    consoleAction({
      name: 'account',
      right: 'setup',
      isQuiet: true,
      fields: z.object({ name: z.string(), time_zone: z.string(), currency: z.string().toUpperCase() }),
      async run(visit, fields) {
        await visit.portal('PATCH /portal/account', fields);
        await visit.portal('POST /portal/reconcile', { resource: 'account' });
        return { said: visit.texts.setup.accountSaved };
      },
    }),
    consoleAction({
      name: 'play',
      right: 'setup',
      fields: z.object({
        properties: z.coerce.number().int().min(1).max(50),
        days: z.coerce.number().int().min(1).max(365),
      }),
      async run(visit, order) {
        await visit.services.setup.startSimulation(visit.person, order);
        return { said: visit.texts.setup.playing };
      },
    }),
  ],
  async render(visit) {
    const { services, connection, person } = visit;
    const properties = await readProperties(services.db, { connection });
    return setupView(visit, { properties: properties.length, job: await services.setup.job(person) });
  },
});
