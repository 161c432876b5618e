import { z } from 'zod';
import { isPlainDate } from '../kernel/dates.ts';
import { isCurrency } from '../kernel/money.ts';

/** Sets of words for which a dialect can have words of its own. */
export const vocabularies = [
  'channel',
  'reservation_status',
  'stay_status',
  'payment_status',
  'deposit_status',
  'auth_status',
  'shelf_status',
  'offer_status',
  'task_type',
  'task_status',
  'action_type',
  'sender_role',
  'direction',
  'transaction_status',
] as const;
export type Vocabulary = (typeof vocabularies)[number];

declare module 'zod' {
  interface GlobalMeta {
    /** The family of spellings (spellings.ts) that an object's field names belong to. */
    family?: string;
    /** The words that a text is one of, or several parted by commas; another dialect can have others for them. */
    vocabulary?: Vocabulary;
    /** The same of an object's field names. */
    keyVocabulary?: Vocabulary;
    /** A numeric id, which callers may also send as a numeric string. */
    wireId?: boolean;
    /** Names or reaches a person; kept apart from everything else by the mirror. */
    personal?: boolean;
    /** Opens a door; never logged, never in a list meant for others. */
    secret?: boolean;
    /** A shape that neither page of the description gives; decided here. */
    assumed?: boolean;
    /** Of this service alone: the description has no such field. */
    addition?: boolean;
  }
}

/** No path fields, or no query fields. */
export const none = z.object({});
/** The operation answers no `data`. */
export const nothing = z.undefined();

/** A numeric id as it stands in requests. */
export const id = (what: string) => z.int().nonnegative().describe(what).meta({ wireId: true });
/** A channel by its name; every field that holds one is made of this, so that dialects can name channels their way. */
export const channelType = z.string().meta({ vocabulary: 'channel' });
/** A date, `YYYY-MM-DD`, that exists. */
export const date = z
  .string()
  // What looks at several dates of a request must not be asked about text that is none.
  .refine(isPlainDate, { error: 'must be an existing date, written YYYY-MM-DD', abort: true })
  .meta({ format: 'date' });
/** A moment in ISO 8601. */
export const timestamp = z.string().meta({ format: 'date-time' });
/** ISO 4217 code. */
export const currency = z.string().refine(isCurrency, { error: 'must be an ISO 4217 code such as EUR' });
/** An amount of money as the wire carries it: a JSON number in major units. */
export const amount = z.number();
/** 0 to 999,999 with decimals; the range the description gives for rates on reservations. */
export const rateAmount = z.number().min(0).max(999_999);

/**
 * A set of values that can grow without a new version: clients keep a value they do not know, so the
 * schema accepts any text and names the known ones.
 * @param vocabulary the set that they are, where a dialect can have words of its own
 */
export function openEnum<const Values extends readonly [string, ...string[]]>(values: Values, vocabulary?: Vocabulary) {
  const description = `one of ${values.join(', ')}; more may come`;
  return z.string().meta({ examples: [...values], description, ...(vocabulary && { vocabulary }) });
}

/** What a page by cursor has beside its rows. */
export const nextCursor = z
  .string()
  .nullable()
  .optional()
  .describe('An addition of this service, only with cursor: the cursor of the next page; null at the end.')
  .meta({ addition: true });

/** `data` of a list: the rows under their plural name, and how many there are in all. */
export function listOf<const Name extends string, Row extends z.ZodType>(name: Name, row: Row) {
  const shape = { [name]: z.array(row), total: z.int().nonnegative(), next_cursor: nextCursor } as {
    [K in Name]: z.ZodArray<Row>;
  } & { total: z.ZodInt; next_cursor: typeof nextCursor };
  return z.object(shape);
}

/**
 * The same of a list that comes whole, without pages. Answers are read tolerantly: a deployment may leave the count
 * out where nothing has to be counted.
 */
export function wholeListOf<const Name extends string, Row extends z.ZodType>(name: Name, row: Row) {
  const shape = { [name]: z.array(row), total: z.int().nonnegative().optional() } as {
    [K in Name]: z.ZodArray<Row>;
  } & { total: z.ZodOptional<z.ZodInt> };
  return z.object(shape);
}

/** The cursor of a first page. */
export const FIRST_CURSOR = 'start';
/** Query fields whose part a cursor takes over: it says itself where a page begins, and its order never changes. */
export const replacedByCursor = ['offset', 'order_by'] as const;

/** `offset` and `limit` of a list, and `cursor`, by which pages lose no row while the list changes. */
export const paging = {
  offset: z.int().min(0).default(0).describe('Rows to skip.'),
  limit: z.int().min(1).max(100).default(20).describe('Rows to answer, 100 at most.'),
  cursor: z
    .string()
    .min(1, { error: `must not be empty; the first page has cursor=${FIRST_CURSOR}` })
    .max(1_000)
    .optional()
    .describe(
      `An addition of this service, instead of offset, for pages that lose no row under change: ${FIRST_CURSOR}, then ` +
        'next_cursor of the page before, with the same filters. The rows fall by a key that never changes.',
    )
    .meta({ addition: true }),
};

/** Ids that one list of a request can name; far above any subscription's properties. */
export const MOST_MEMBERS = 10_000;

/** An amount in a named currency. */
export const money = z.object({ currency: z.string(), amount });
