import { z } from 'zod';
import { addDays, isPlainDate } from '../../kernel/dates.ts';
import { STAY_NIGHTS } from '../../contract/reservations.ts';
import { ApiError, invalid } from '../../kernel/errors.ts';
import { placesOf, requirePlace } from '../calendar/panel/query.ts';
import { consoleAction, consolePage } from '../page.ts';
import { dictionaryOf } from '../stay/query.ts';
import { nightCount, readQuote, readShortest, readSources } from './query.ts';
import {
  type AnsweredQuote,
  type AskedStay,
  chosenExtras,
  extrasOf,
  partyQuestion,
  readRateQuote,
  readRatesOf,
} from '../rates/query.ts';
import type { Visit } from '../visit.ts';
import { bookView } from './view.ts';

const day = z.string().refine(isPlainDate, 'must be a date such as 2027-03-01');
const property = z.coerce.number().int().min(1);
const amount = z
  .string()
  .transform((text) => Number(text.trim().replace(',', '.')))
  .refine((value) => Number.isFinite(value) && value >= 0, 'must be an amount');

const create = consoleAction({
  name: 'create',
  right: 'stay.book',
  fields: z.object({
    property,
    from: day,
    to: day,
    guest_name: z.string().trim().min(1).max(100),
    number_of_guests: z.coerce.number().int().min(1).max(99).default(1),
    email: z.string().trim().max(50).optional(),
    mobile: z.string().trim().max(50).optional(),
    rate_amount: amount,
    commission_amount: amount.default(0),
    received_amount: amount.default(0),
    custom_channel_id: z.coerce.number().int().min(1).optional(),
    income_method_id: z.coerce.number().int().min(1).optional(),
    /** That of the quote. */
    currency: z.string().length(3).optional(),
    note: z.string().trim().max(500).optional(),
  }),
  async run(visit, { property: id, from, to, ...fields }) {
    if (to <= from) throw invalid('to', 'must be after the day of arrival');
    const place = requirePlace(await placesOf(visit), id, 'property');
    const made = await visit.v3('createReservation', {
      property_id: id,
      check_in_date: from,
      check_out_date: to,
      ...fields,
    });
    // Some deployments tell the code in one of the two places alone.
    const code = made.reservation_code ?? made.reservation?.reservation_code;
    const { format, texts } = visit;
    const span = texts.calendar.panel.span(format.day(from), format.day(to));
    return {
      said: texts.book.booked(fields.guest_name, place.name, span),
      // A booking of one room has one stay, with the same code.
      ...(typeof code === 'string' && { to: visit.address('stay', { code }) }),
    };
  },
});

/** New booking: where and when, what it costs and if it can be had, and who comes. */
export const bookPage = consolePage({
  path: 'book',
  right: 'stay.book',
  title: (texts) => texts.book.title,
  question: z.object({
    property: property.optional(),
    from: day.optional(),
    to: day.optional(),
    adults: z.coerce.number().int().min(1).max(99).default(1),
    ...partyQuestion,
  }),
  actions: [create],
  async render(visit, asked) {
    const { services, connection, currency, today } = visit;
    const places = await placesOf(visit);
    const [first] = places;
    if (!first) {
      const nothing = { wish: undefined, quote: undefined, rates: undefined, extras: [], problem: undefined };
      return bookView(visit, { places, sources: [], methods: [], ...nothing });
    }
    const place = asked.property === undefined ? first : requirePlace(places, asked.property, 'property');
    const from = asked.from ?? today;
    const of = { connection, property: place.id, from, currency };
    const isWrong = asked.to !== undefined && (asked.to <= from || nightCount({ from, to: asked.to }) > STAY_NIGHTS);
    const to = isWrong || asked.to === undefined ? await readShortest(services.db, of) : asked.to;
    const { adults, children, pets } = asked;
    const plan = visit.isHere ? (await readRatesOf(visit, place.id))?.plan : undefined;
    const extras = extrasOf(plan);
    const wish = { property: place.id, from, to, adults, children, pets, extras: chosenExtras(plan, asked) };
    if (nightCount(wish) < 1) throw new ApiError(404, 'There is no such page.');
    const properties = places.map(({ id }) => id);
    const quote = await readQuote(services.db, { ...of, to, properties });
    const sources = await readSources(services.db, { connection });
    const methods = await dictionaryOf(services.db, { connection, dictionary: 'income_methods' });
    const wrongOrder = isWrong ? visit.texts.book.wrongOrder(visit.format.day(addDays(from, 1))) : undefined;
    const { rates, wrongParty } = await ratesFor(visit, wish);
    const problem = wrongOrder ?? wrongParty;
    return bookView(visit, { places, sources, methods, wish, quote, rates, extras, problem });
  },
});

/** Asks the rate plan of the property, if it has one, for the price. */
async function ratesFor(
  visit: Visit,
  wish: AskedStay,
): Promise<{ rates: AnsweredQuote | undefined; wrongParty?: string }> {
  if (!visit.isHere) return { rates: undefined };
  try {
    return { rates: await readRateQuote(visit, wish) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 404) return { rates: undefined };
    const nobody = { ...wish, children: '' };
    return error.field === 'children'
      ? { rates: await readRateQuote(visit, nobody), wrongParty: error.message }
      : { rates: undefined, wrongParty: error.message };
  }
}
