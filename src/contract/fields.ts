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
/** One of {@link vocabularies}. */
export type Vocabulary = (typeof vocabularies)[number];

declare module 'zod' {
  interface GlobalMeta {
    /** Family of spellings (spellings.ts) that an object's field names belong to. */
    family?: string;
    /** Name of the part in the OpenAPI document, and so of its type in generated clients. */
    schemaName?: string;
    /**
     * Set of words that the text, or each of several words separated by commas, is taken from. A dialect can replace
     * them.
     */
    vocabulary?: Vocabulary;
    /** Set of words that an object's field names are taken from. */
    keyVocabulary?: Vocabulary;
    /** true: a numeric id, which callers may also send as a numeric string. */
    wireId?: boolean;
    /** true: the field names or reaches a person. The mirror stores it apart from everything else. */
    personal?: boolean;
    /** true: the field grants access. It is never logged and never part of a list meant for others. */
    secret?: boolean;
    /** true: neither page of the description gives the shape; this service decides it. */
    assumed?: boolean;
    /** true: the field exists in this service only; the description has none such. */
    addition?: boolean;
  }
}

/** No path fields, or no query fields. */
export const none = z.object({});
/** Schema of an operation that answers no `data`. */
export const nothing = z.undefined();

/** Returns the schema of a numeric id in requests. */
export const id = (what: string) => z.int().nonnegative().describe(what).meta({ wireId: true });
/** A channel by its name. Every field that holds one uses this schema, so that dialects can rename channels. */
export const channelType = z.string().meta({ vocabulary: 'channel' });
/** An existing date, `YYYY-MM-DD`. */
export const date = z
  .string()
  // `abort` keeps rules over several dates from running on text that is no date.
  .refine(isPlainDate, { error: 'must be an existing date, written YYYY-MM-DD', abort: true })
  .meta({ format: 'date' });
/** A date as answers show it, `YYYY-MM-DD`. Answers are read tolerantly: any text is taken. */
export const shownDate = z.string().meta({ format: 'date' });
/** A moment in ISO 8601. */
export const timestamp = z.string().meta({ format: 'date-time' });
/** An ISO 4217 code. */
export const currency = z.string().refine(isCurrency, { error: 'must be an ISO 4217 code such as EUR' });
/** An amount of money as the wire carries it: a JSON number in major units. */
export const amount = z.number();
/** A rate from 0 to 999,999 with decimals: the range that the description gives for rates of reservations. */
export const rateAmount = z.number().min(0).max(999_999);

/**
 * Returns the schema of a set that can grow without a new version. Clients retain a value that they do not know, so the
 * schema accepts any text and names the known values.
 * @param vocabulary set of the values, where a dialect can have words of its own
 */
export function openEnum<const Values extends readonly [string, ...string[]]>(values: Values, vocabulary?: Vocabulary) {
  const description = `one of ${values.join(', ')}; more may come`;
  return z.string().meta({ examples: [...values], description, ...(vocabulary && { vocabulary }) });
}

/** Cursor of the next page. */
export const nextCursor = z
  .string()
  .nullable()
  .optional()
  .describe('An addition of this service, only with cursor: the cursor of the next page; null at the end.')
  .meta({ addition: true });

/** Returns the schema of a list's `data`: the rows under their plural name, and the total count. */
export function listOf<const Name extends string, Row extends z.ZodType>(name: Name, row: Row) {
  const shape = { [name]: z.array(row), total: z.int().nonnegative(), next_cursor: nextCursor } as {
    [K in Name]: z.ZodArray<Row>;
  } & { total: z.ZodInt; next_cursor: typeof nextCursor };
  return z.object(shape);
}

/**
 * Returns the schema of a list without pages. Answers are read tolerantly: a deployment may leave out the count where
 * there is nothing to count.
 */
export function completeListOf<const Name extends string, Row extends z.ZodType>(name: Name, row: Row) {
  const shape = { [name]: z.array(row), total: z.int().nonnegative().optional() } as {
    [K in Name]: z.ZodArray<Row>;
  } & { total: z.ZodOptional<z.ZodInt> };
  return z.object(shape);
}

/** Cursor of the first page. */
export const FIRST_CURSOR = 'start';
/** Query fields that a cursor replaces: it sets where a page begins, and its order never changes. */
export const replacedByCursor = ['offset', 'order_by'] as const;

/** `offset` and `limit` of a list, and `cursor`, with which pages lose no row while the list changes. */
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

/** Most ids in one list of a request, far above the properties of any subscription. */
export const MOST_MEMBERS = 10_000;

/** An amount in a named currency. */
export const money = z.object({ currency: z.string(), amount }).meta({ schemaName: 'Money' });
