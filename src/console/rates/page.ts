import { z } from 'zod';
import { addDays, isPlainDate } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import { placesOf, requirePlace } from '../calendar/panel/query.ts';
import { consoleAction, consolePage } from '../page.ts';
import type { Visit } from '../visit.ts';
import { SAVE } from './form.ts';
import { planOfForm } from './fromForm.ts';
import { type AskedStay, chosenExtras, partyQuestion, readRateQuote, readRates, readRatesOf } from './query.ts';
import { propertyRatesView, ratesView } from './view.ts';

const property = z.coerce.number().int().min(1);
const day = z.string().refine(isPlainDate, 'must be a date such as 2027-03-01');
/** Days from today on which a stay to try begins, and its nights, until somebody asks for others. */
const TRIED = { ahead: 30, nights: 3 };

const save = consoleAction({
  name: SAVE,
  right: 'setup',
  isQuiet: true,
  fields: z.looseObject({
    property,
    also: z
      .union([z.string(), z.array(z.string())])
      .default([])
      .transform((given) => [given].flat().map(Number)),
    seen_id: z.coerce.number().int().optional(),
    seen_version: z.coerce.number().int().optional(),
  }),
  async run(visit, { property: id, also, seen_id, seen_version, ...fields }) {
    const place = requirePlace(await placesOf(visit), id, 'property');
    const before = await readRatesOf(visit, id);
    const seen = seen_id === undefined || seen_version === undefined ? null : { id: seen_id, version: seen_version };
    const isSame = before?.id === seen?.id && before?.version === seen?.version;
    // The rows of the form are those of the plan that it was made for.
    const plan = planOfForm(visit, fields, isSame ? before?.plan : undefined);
    const set = await visit.portal('PUT /portal/rate_plans', { property_ids: [id, ...also], plan, seen });
    const { version } = z.object({ version: z.number() }).parse(set);
    return {
      said: visit.texts.rates.saved(place.name, version),
      to: visit.address('rates', { property: id }),
    };
  },
});

const share = consoleAction({
  name: 'share',
  right: 'setup',
  isQuiet: true,
  fields: z.object({ property, other: property }),
  async run(visit, { property: id, other }) {
    const places = await placesOf(visit);
    const [place, from] = [requirePlace(places, id, 'property'), requirePlace(places, other, 'other')];
    const rates = await readRatesOf(visit, other);
    if (!rates) throw new ApiError(404, `${from.name}: ${visit.texts.rates.noPlan}`, { field: 'other' });
    const property_ids = [...rates.property_ids, id];
    await visit.portal('PUT /portal/rate_plans', { property_ids, plan: rates.plan });
    return { said: visit.texts.rates.shared(place.name, from.name), to: visit.address('rates', { property: id }) };
  },
});

const remove = consoleAction({
  name: 'remove',
  right: 'setup',
  isQuiet: true,
  fields: z.object({ property }),
  async run(visit, { property: id }) {
    const place = requirePlace(await placesOf(visit), id, 'property');
    await visit.portal('DELETE /portal/rate_plans/:property_id', { property_id: id });
    return { said: visit.texts.rates.removed(place.name), to: visit.address('rates', { property: id }) };
  },
});

/** Rates: what each property costs in bookings without a channel. */
export const ratesPage = consolePage({
  path: 'rates',
  right: 'setup',
  needsCore: true,
  title: (texts) => texts.rates.title,
  question: z.object({
    property: property.optional(),
    from: day.optional(),
    to: day.optional(),
    adults: z.coerce.number().int().min(1).max(99).default(2),
    ...partyQuestion,
  }),
  actions: [save, share, remove],
  async render(visit, { property: chosen, from, to, ...asks }) {
    const properties = await placesOf(visit);
    const plans = await readRates(visit);
    if (chosen === undefined) return ratesView(visit, properties, plans);
    const place = requirePlace(properties, chosen, 'property');
    const begin = from ?? addDays(visit.today, TRIED.ahead);
    const rates = plans.find(({ property_ids }) => property_ids.includes(chosen));
    const { adults, children, pets } = asks;
    const party = { adults, children, pets, extras: chosenExtras(rates?.plan, asks) };
    const asked: AskedStay = { property: chosen, from: begin, to: to ?? addDays(begin, TRIED.nights), ...party };
    const tried = rates && from !== undefined ? await quoteFor(visit, asked) : {};
    return propertyRatesView(visit, {
      property: place,
      properties,
      rates,
      plans,
      asked,
      answer: undefined,
      problem: undefined,
      ...tried,
    });
  },
});

async function quoteFor(visit: Visit, asked: AskedStay) {
  try {
    return { answer: await readRateQuote(visit, asked) };
  } catch (error) {
    if (error instanceof ApiError) return { problem: error.message };
    throw error;
  }
}
