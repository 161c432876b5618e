import { z } from 'zod';
import { addDays, isPlainDate } from '../../../kernel/dates.ts';
import { ApiError, invalid } from '../../../kernel/errors.ts';
import { consoleAction } from '../../page.ts';
import type { Visit } from '../../visit.ts';
import { readListings } from '../prices.ts';
import { calendarAddress } from '../state.ts';
import { moveAction } from './moveAction.ts';
import { hasReasons } from './ours.ts';
import { placesOf, requirePlace } from './query.ts';

const day = z.string().refine(isPlainDate, 'must be a date such as 2027-03-01');
const property = z.coerce.number().int().min(1);
const range = { unit: property, first: day, last: day };
/** Other properties that get the same. */
const more = z
  .union([z.string(), z.array(z.string())])
  .default([])
  .transform((given) => [given].flat().map(Number));

/** The nights of a form. @throws ApiError 422 if they are the wrong way round */
function requireOrder({ first, last }: { first: string; last: string }): void {
  if (last < first) throw invalid('last', 'must not be before the first night');
}

const block = consoleAction({
  name: 'block',
  right: 'calendar.block',
  fields: z.object({ ...range, more, reason: z.string().trim().min(1).max(200).optional() }),
  async run(visit, fields) {
    requireOrder(fields);
    const { ids, names } = await placesIn(visit, fields);
    const { first, last, reason } = fields;
    const nights = { property_ids: ids, start_date: first, end_date: last };
    if (!hasReasons(visit) && reason !== undefined) throw invalid('reason', visit.texts.calendar.panel.noReason);
    if (hasReasons(visit)) await visit.portal('POST /portal/blocks', { ...nights, reason });
    else await visit.v3('updateAvailabilities', { ...nights, available: false });
    const words = visit.texts.calendar.panel;
    return { said: words.blocked(names, spanText(visit, fields), reason ?? ''), to: calendarAddress(visit) };
  },
});

const open = consoleAction({
  name: 'open',
  right: 'calendar.block',
  fields: z.object({ ...range, more }),
  async run(visit, fields) {
    requireOrder(fields);
    const { ids, names } = await placesIn(visit, fields);
    const { first, last } = fields;
    await visit.v3('updateAvailabilities', {
      property_ids: ids,
      start_date: first,
      end_date: last,
      available: true,
    });
    return { said: visit.texts.calendar.panel.opened(names, spanText(visit, fields)), to: calendarAddress(visit) };
  },
});

async function placesIn(
  visit: Visit,
  fields: { unit: number; more: readonly number[] },
): Promise<{ ids: number[]; names: string }> {
  const places = await placesOf(visit);
  const ids = [...new Set([fields.unit, ...fields.more])];
  const names = ids.map((id) => requirePlace(places, id, 'more').name).join(', ');
  return { ids, names };
}

/** Says nights from the first to the last: the day of leaving is the one after. */
export function spanText({ format, texts }: Visit, { first, last }: { first: string; last: string }): string {
  return texts.calendar.panel.span(format.day(first), format.day(addDays(last, 1)));
}

/** Reads a price as it was typed. @throws ApiError 422 naming the field */
export function readPrice(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const price = Number(text.trim().replace(',', '.'));
  if (!(price > 0) || !Number.isFinite(price)) throw invalid('price', 'must be an amount above zero');
  return price;
}

/** Reads a minimum stay as it was typed. @throws ApiError 422 naming the field */
export function readMinimum(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const nights = Number(text);
  if (!Number.isInteger(nights) || nights < 1 || nights > 999) throw invalid('minimum', 'must be 1 to 999 nights');
  return nights;
}

const price = consoleAction({
  name: 'price',
  right: 'calendar.price',
  fields: z.object({
    ...range,
    listing: z.string().max(200),
    price: z.string().max(20).optional(),
    minimum: z.string().max(10).optional(),
  }),
  async run(visit, fields) {
    requireOrder(fields);
    const { first: start_date, last: end_date } = fields;
    const [amount, minimum] = [readPrice(fields.price), readMinimum(fields.minimum)];
    if (amount === undefined && minimum === undefined) throw invalid('price', 'or minimum is required');
    const place = requirePlace(await placesOf(visit), fields.unit, 'unit');
    const { services, connection } = visit;
    const listings = await readListings(services.db, { connection, property: place.id });
    const listing = listings.find((one) => one.listing === fields.listing);
    if (!listing) throw new ApiError(404, 'listing: the property has no such listing.', { field: 'listing' });
    const { channel_type, listing_id } = listing;
    const of = { channel_type, listing_id };
    const dates = { start_date, end_date };
    if (amount !== undefined) await visit.v3('updatePrices', { ...of, prices: [{ ...dates, price: amount }] });
    if (minimum !== undefined) {
      await visit.v3('updateRestrictions', { ...of, restrictions: [{ ...dates, min_stay_on_arrival: minimum }] });
    }
    const words = visit.texts.calendar.panel;
    const title = `${place.name} (${listing.title ?? listing.listing})`;
    return { said: words.priced(title, spanText(visit, fields)), to: calendarAddress(visit) };
  },
});

/** Everything that can be done on the calendar itself. */
export const calendarActions = [block, open, price, moveAction];
