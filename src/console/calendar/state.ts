import { z } from 'zod';
import { isPlainDate } from '../../kernel/dates.ts';
import type { Visit } from '../visit.ts';
import type { NightCount } from './query.ts';

const MOST_PAGES = 100_000;
const day = z.string().refine(isPlainDate, 'must be a date such as 2027-03-01');
const property = z.coerce.number().int().min(1);

/** The fields of a calendar's address: what it shows, and what a person is about to change on it. */
export const question = z.object({
  from: day.optional(),
  nights: z
    .enum(['28', '90', '365'])
    .default('28')
    .transform((text) => Number(text) as NightCount),
  named: z.string().max(100).optional(),
  group: z.string().max(100).optional(),
  tag: z.string().max(100).optional(),
  /** `1` shows the price and the minimum stay of each free night. */
  prices: z.literal('1').optional(),
  page: z.coerce.number().int().min(1).max(MOST_PAGES).default(1),
  /** `1` asks for the rows of one page and nothing around them. */
  only: z.literal('1').optional(),
  /** A property that is about to be changed, on the nights from `first` to `last`, both included. */
  unit: property.optional(),
  first: day.optional(),
  last: day.optional(),
  /** A listing of it, and what is about to be set, as typed. */
  listing: z.string().max(200).optional(),
  price: z.string().max(20).optional(),
  minimum: z.string().max(10).optional(),
  /** A stay that is about to move: to a property, and to a day of arrival or by a number of days. */
  move: z.string().max(100).optional(),
  to: property.optional(),
  arrive: day.optional(),
  leave: day.optional(),
  shift: z.coerce.number().int().min(-2_000).max(2_000).optional(),
});

/** What a calendar's address asks for. */
export type Question = z.output<typeof question>;

/** Fields that say what is shown, not what is about to be changed. */
const LOOK = ['from', 'nights', 'named', 'group', 'tag', 'prices', 'page'] as const;

type Fields = Readonly<Record<string, string | number | undefined>>;

/** Returns the fields of this calendar's look. */
export function lookOf({ at }: Visit): Record<string, string> {
  return Object.fromEntries(LOOK.flatMap((name) => (at[name] === undefined ? [] : [[name, at[name]]])));
}

/** Returns the address of this calendar with some fields changed, and nothing about to be changed but what they name. */
export function calendarAddress(visit: Visit, fields: Fields = {}): string {
  return visit.address('calendar', { ...lookOf(visit), ...fields });
}
