import { z } from 'zod';
import type { Visit } from '../visit.ts';

const pages = z.object({
  booking_pages: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      property_ids: z.array(z.int()),
      url: z.string().nullable(),
      created_at: z.string(),
      revoked_at: z.string().nullable(),
    }),
  ),
});
const settings = z.object({
  transfer: z.object({ text: z.string().nullable(), hours: z.int() }),
  feed_minutes: z.int(),
  guests_cancel: z.boolean(),
  stripe: z.object({
    connected: z.boolean(),
    mode: z.string().nullable(),
    has_webhook_secret: z.boolean(),
    webhook_url: z.string(),
  }),
});

export type BookingPage = z.output<typeof pages>['booking_pages'][number];
export type PaymentSettings = z.output<typeof settings>;

/** Reads the pages where guests book, and how they pay. */
export async function readBookingPages(visit: Visit): Promise<{ pages: BookingPage[]; settings: PaymentSettings }> {
  return {
    pages: pages.parse(await visit.portal('GET /portal/booking_pages')).booking_pages,
    settings: settings.parse(await visit.portal('GET /portal/payments')),
  };
}
