import type { z } from 'zod';
import type { Html } from '../kernel/markup/html.ts';
import type { Right } from './access.ts';
import type { Texts } from './texts/choose.ts';
import type { Visit } from './visit.ts';

/** What comes of an action. */
export interface Done {
  /** One sentence that says what was done, with names, dates and amounts. */
  readonly said: string;
  /** The page to go on to; by default the same page as before. */
  readonly to?: string;
  /** Content that is shown this once instead of the page: a secret that is stored nowhere. */
  readonly shows?: Html;
}

/** Something that a person does on a page: a form that is sent to `/console/<page>/<name>`. */
export interface ConsoleAction<Schema extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly right: Right;
  /** The fields of the form, as text; a name that comes several times is a list. */
  readonly fields: Schema;
  /** True for a form with files, which arrive as {@link FormFile}. */
  readonly hasFiles?: true;
  /** True if nothing of the mirror changes by it, so that nobody waits for a change. */
  readonly isQuiet?: true;
  /** @throws ApiError to show the page again with the sentence and what was typed */
  run(visit: Visit, fields: z.output<Schema>): Promise<Done>;
}

/** A file that a page gives away. */
export interface Download {
  readonly type: string;
  readonly name: string;
  readonly body: string | Buffer;
  /** The content policy of a page that the browser shows; left out: a file that it saves. */
  readonly policy?: string;
}

/** Content of which a part takes a while: its beginning is sent at once, with everything that stands around it. */
export interface LateContent {
  readonly first: Html;
  rest(): Promise<Html>;
}

/** One page: its address, who may see it, and how its content is made. */
export interface ConsolePage<Schema extends z.ZodObject = z.ZodObject> {
  /** Below `/console/`. */
  readonly path: string;
  readonly right: Right;
  /** True for a page about what the core of this service has; elsewhere there is none. */
  readonly needsCore?: true;
  title(texts: Texts): string;
  /** The fields of its address; every state of a page has an address. */
  readonly question: Schema;
  readonly actions?: readonly ConsoleAction[];
  /** @throws ApiError 404 if what the address names does not exist */
  render(visit: Visit, question: z.output<Schema>): Promise<Html | LateContent>;
  /** Makes the file for `/console/<path>/<format>` instead of the page. */
  readonly downloads?: Readonly<Record<string, (visit: Visit, question: z.output<Schema>) => Promise<Download>>>;
}

export function consolePage<Schema extends z.ZodObject>(page: ConsolePage<Schema>): ConsolePage {
  return page as unknown as ConsolePage;
}

export function consoleAction<Schema extends z.ZodObject>(action: ConsoleAction<Schema>): ConsoleAction {
  return action as unknown as ConsoleAction;
}

/** Returns the address of a page with these fields; fields without a value are left out. */
export function addressOf(path: string, fields: Readonly<Record<string, string | number | undefined>> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) query.set(name, String(value));
  const text = query.toString();
  return `/console/${path}${text === '' ? '' : `?${text}`}`;
}
