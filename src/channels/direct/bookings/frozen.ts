import type { Quote } from '../quotes/quote.ts';
import type { Asked } from '../quotes/terms.ts';

/** Dates and people that a guest asks for. */
export type Wish = Omit<Asked, 'booked_on'>;

/** Reads a stored quote: prices and conditions as they were shown, whatever became of the rates. */
export function readFrozen(json: string): Quote {
  return JSON.parse(json) as Quote;
}

export function readWish(json: string): Wish {
  return JSON.parse(json) as Wish;
}
