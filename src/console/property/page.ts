import { z } from 'zod';
import { ApiError } from '../../kernel/errors.ts';
import { consoleAction, consolePage } from '../page.ts';
import { readGuide, tellGuests } from './guide.ts';
import { readPropertyDetails } from './query.ts';
import { propertiesView, propertyView } from './view.ts';

const created = z.object({ property_id: z.int() });

/** Properties: their names, places, zones and times. */
export const propertiesPage = consolePage({
  path: 'properties',
  right: 'setup',
  needsCore: true,
  title: (texts) => texts.properties.title,
  question: z.object({ property: z.coerce.number().int().optional() }),
  actions: [
    consoleAction({
      name: 'add',
      right: 'setup',
      fields: z.object({ name: z.string().trim().min(1).max(100) }),
      async run(visit, { name }) {
        const { property_id } = created.parse(await visit.v3('createProperty', { name }));
        // No event tells of a property.
        await visit.portal('POST /portal/reconcile', { resource: 'property' });
        return { said: visit.texts.properties.added(name), to: visit.address('properties', { property: property_id }) };
      },
    }),
    consoleAction({
      name: 'change',
      right: 'setup',
      isQuiet: true,
      fields: z.object({
        id: z.coerce.number().int(),
        name: z.string(),
        address: z.string().default(''),
        latitude: z.string().default(''),
        longitude: z.string().default(''),
        time_zone: z.string(),
        check_in_time: z.string().nullable().default(null),
        check_out_time: z.string().nullable().default(null),
      }),
      async run(visit, fields) {
        await visit.portal('PATCH /portal/properties/:id', fields);
        await visit.portal('POST /portal/reconcile', { resource: 'property' });
        return { said: visit.texts.properties.changed(fields.name), to: visit.address('properties') };
      },
    }),
    tellGuests,
  ],
  async render(visit, { property }) {
    const all = await readPropertyDetails(visit.services.db, visit.connection);
    if (property === undefined) return propertiesView(visit, all);
    const one = all.find(({ id }) => id === property);
    if (!one) throw new ApiError(404, `there is no property ${property}`);
    return propertyView(visit, one, await readGuide(visit, property));
  },
});
