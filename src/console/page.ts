import type { z } from 'zod';
import type { Html } from '../kernel/html.ts';
import type { Right } from './access.ts';
import type { Texts } from './texts/choose.ts';
import type { Visit } from './visit.ts';

/** One page: its address, who may see it, and how its content is made. */
export interface ConsolePage<Schema extends z.ZodObject = z.ZodObject> {
  /** Below `/console/`. */
  readonly path: string;
  readonly right: Right;
  title(texts: Texts): string;
  /** The fields of its address; every state of a page has an address. */
  readonly question: Schema;
  render(visit: Visit, question: z.output<Schema>): Promise<Html>;
}

export function consolePage<Schema extends z.ZodObject>(page: ConsolePage<Schema>): ConsolePage {
  return page as unknown as ConsolePage;
}

/** Returns the address of a page with these fields; fields without a value are left out. */
export function addressOf(path: string, fields: Readonly<Record<string, string | number | undefined>> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) query.set(name, String(value));
  const text = query.toString();
  return `/console/${path}${text === '' ? '' : `?${text}`}`;
}
