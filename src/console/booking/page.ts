import { z } from 'zod';
import { invalid } from '../../kernel/errors.ts';
import { consoleAction, consolePage } from '../page.ts';
import { readProperties } from '../properties.ts';
import { readBookingPages } from './query.ts';
import { bookingPagesView } from './view.ts';

const text = z.string().trim();

/** Booking page: where guests book, and how they pay. */
export const bookingPage = consolePage({
  path: 'booking',
  right: 'setup',
  needsCore: true,
  title: (texts) => texts.booking.title,
  question: z.object({}),
  actions: [
    consoleAction({
      name: 'add',
      right: 'setup',
      isQuiet: true,
      fields: z.object({
        name: text.min(1).max(60),
        properties: z.union([z.string(), z.array(z.string())]).optional(),
        rules: text.max(4_000).default(''),
      }),
      async run(visit, { name, properties = [], rules }) {
        const property_ids = [properties].flat().map(Number);
        if (property_ids.length === 0) throw invalid('properties', 'choose at least one');
        await visit.portal('POST /portal/booking_pages', { name, property_ids, rules });
        return { said: visit.texts.booking.added(name) };
      },
    }),
    consoleAction({
      name: 'revoke',
      right: 'setup',
      isQuiet: true,
      fields: z.object({ id: z.coerce.number().int().positive(), name: z.string() }),
      async run(visit, { id, name }) {
        await visit.portal('DELETE /portal/booking_pages/:id', { id });
        return { said: visit.texts.booking.revoked(name) };
      },
    }),
    consoleAction({
      name: 'transfer',
      right: 'setup',
      isQuiet: true,
      fields: z.object({
        transfer_text: text.max(1_000).default(''),
        transfer_hours: z.coerce.number().int().min(1).max(336),
        feed_minutes: z.coerce.number().int().min(1).max(10_080),
      }),
      async run(visit, { transfer_text, ...fields }) {
        await visit.portal('PATCH /portal/payments', {
          ...fields,
          transfer_text: transfer_text === '' ? null : transfer_text,
        });
        return { said: visit.texts.booking.saved };
      },
    }),
    consoleAction({
      name: 'cancelling',
      right: 'setup',
      isQuiet: true,
      fields: z.object({ by: z.enum(['guests', 'host']) }),
      async run(visit, { by }) {
        await visit.portal('PATCH /portal/payments', { guests_cancel: by === 'guests' });
        return { said: visit.texts.booking.saved };
      },
    }),
    consoleAction({
      name: 'stripe',
      right: 'setup',
      isQuiet: true,
      fields: z.object({ key: text.optional(), webhook_secret: text.optional() }),
      async run(visit, fields) {
        if (fields.key === undefined && fields.webhook_secret === undefined) throw invalid('key', 'is missing');
        await visit.portal('PUT /portal/payments/stripe', fields);
        return { said: visit.texts.booking.stripeSaved };
      },
    }),
    consoleAction({
      name: 'disconnect',
      right: 'setup',
      isQuiet: true,
      fields: z.object({}),
      async run(visit) {
        await visit.portal('PUT /portal/payments/stripe', { key: null, webhook_secret: null });
        return { said: visit.texts.booking.disconnected };
      },
    }),
  ],
  async render(visit) {
    const { services, connection } = visit;
    const properties = await readProperties(services.db, { connection });
    return bookingPagesView(visit, { ...(await readBookingPages(visit)), properties });
  },
});
