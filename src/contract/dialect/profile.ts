import { z } from 'zod';
import { HEADER_VALUE } from '../../kernel/signature.ts';
import { vocabularies } from '../fields.ts';
import { type OperationId, operationIds } from '../index.ts';
import { familyNames } from './families.ts';
import { forms } from './forms.ts';
import { nearestWord } from '../../kernel/nearest.ts';

const text = z.string().min(1);
const header = z
  .string()
  .regex(/^[A-Za-z0-9-]+$/, { error: 'must be the name of a header' })
  .transform((name) => name.toLowerCase());
const path = z.string().regex(/^(\/[\w.~-]+)+$/, { error: 'must be a path such as /v3' });
const operationId = z.enum(operationIds as [OperationId, ...OperationId[]], { error: 'must be an operation' });

/** The word of the other side; with several the first is said, and all are understood. */
const theirWords = z.union([text.transform((word) => [word]), z.array(text).min(1)], {
  error: 'must be a word or a list of words',
});

const theirField = z.union(
  [
    text.transform((name) => ({ name, form: undefined })),
    z.strictObject({ name: text.optional(), form: z.enum(Object.keys(forms) as [string, ...string[]]).optional() }),
  ],
  { error: 'must be a name, or {name: …, form: …}' },
);

type Context = z.RefinementCtx;

/** A word can be translated back only where it stands for one of ours. */
function requireOneMeaning(words: Readonly<Record<string, readonly string[]>>, context: Context): void {
  const meanings = new Map<string, string>();
  for (const [ours, theirs] of Object.entries(words)) {
    for (const word of theirs) {
      const taken = meanings.get(word);
      meanings.set(word, ours);
      if (taken !== undefined && taken !== ours) {
        context.addIssue({ code: 'custom', path: [ours], message: `${word} stands for ${taken} already` });
      }
    }
  }
}

/** Keys that are no kind of object would do nothing, and nobody would know. */
function requireFamilies(byFamily: Readonly<Record<string, unknown>>, context: Context): void {
  const known = familyNames();
  for (const name of Object.keys(byFamily).filter((one) => !known.includes(one))) {
    const meant = nearestWord(name, known);
    const hint = meant === undefined ? `there are ${known.join(', ')}` : `did you mean ${meant}?`;
    context.addIssue({ code: 'custom', path: [name], message: 'is no kind of object', params: { hint } });
  }
}

/** Paths of fields, a dot between an object and what it holds. */
const fieldPaths = z.array(text);

const oauth = z.discriminatedUnion(
  'by',
  [
    z.strictObject({ by: z.literal('discovery') }),
    z.strictObject({
      by: z.literal('json'),
      authorize: z
        .url({ protocol: /^https?$/, error: 'must be an http or https address' })
        .nullable()
        .default(null),
      token: path.default('/oauth/authorizations'),
      revoke: path.default('/oauth/revoke'),
    }),
  ],
  { error: 'must be {by: discovery} or {by: json, …}' },
);

/** What a core leaves out that speaks the dialect; whoever asks has no use for it. */
const serving = z.strictObject({
  no_data: z.array(operationId).default([]),
  data_without: z.partialRecord(operationId, fieldPaths).default({}),
  rows_without: z.record(text, fieldPaths).superRefine(requireFamilies).default({}),
  events_without: z.record(text, fieldPaths).default({}),
});

/** Fixed windows, each with the most requests that it takes; none: there is no limit. */
const windows = z.array(z.strictObject({ seconds: z.int().min(1).max(604_800), max: z.int().min(1) }), {
  error: 'must be a list such as [{seconds: 60, max: 1200}]',
});

/** How often requests may be made, where it is not as described. */
const limits = z.strictObject({
  /** Of all requests together. */
  account: windows.optional(),
  /** Of each operation by itself. */
  each: windows.optional(),
  /** Of these operations in place of that. */
  operations: z.partialRecord(operationId, windows).default({}),
  /** Of answers 400 and 404 to one operation. */
  failed: windows.optional(),
});

/** What differs between deployments of one v3: a file of `config/profiles` or of the user's own. All of it may be left out. */
export const profileSchema = z.strictObject({
  /** For people: where it comes from, and whether it was seen at work. */
  note: z.string().default(''),
  base_path: path.default('/v3'),
  token_header: header.default('service-access-token'),
  webhook_secret_header: header.default('service-webhook-secret-token'),
  /** By what deliveries prove themselves where the connection says nothing. */
  webhook_authentication: z.enum(['token', 'signature', 'both']).default('both'),
  /** Codes of success; a core answers the first. */
  success_codes: z.array(z.int()).min(1).default([200, 0]),
  /** Segments of paths that are no channel: ours to theirs. */
  path_segments: z.record(text, text.regex(HEADER_VALUE)).default({}),
  /** Operations that it does not have: never asked for, and not served. */
  absent: z.array(operationId).default([]),
  /** Methods of requests, where they are others. */
  methods: z.partialRecord(operationId, z.enum(['GET', 'POST', 'PATCH', 'PUT', 'DELETE'])).default({}),
  /** Words by their set: ours to theirs. */
  words: z.partialRecord(z.enum(vocabularies), z.record(text, theirWords).superRefine(requireOneMeaning)).default({}),
  /** Fields by the family of the object they stand in: ours to theirs, each a path. */
  fields: z.record(text, z.record(text, theirField)).superRefine(requireFamilies).default({}),
  requests: z
    .strictObject({
      /** Whether lists are always asked with offset and limit, also where ours could do without. */
      always_paged: z.boolean().default(false),
      most_rows: z.int().min(1).max(100).default(100),
    })
    .default({ always_paged: false, most_rows: 100 }),
  limits: limits.default({ operations: {} }),
  /** What has a review of its own: a reservation, or each property of it. */
  reviews_by: z.enum(['reservation', 'property']).default('reservation'),
  oauth: oauth.default({ by: 'discovery' }),
  /** Whether it knows what this service has added to the description: cursors, strict requests, … */
  additions: z.boolean().default(true),
  serving: serving.default({ no_data: [], data_without: {}, rows_without: {}, events_without: {} }),
});

/** What is known of a deployment's ways; data, never code. */
export type Profile = z.output<typeof profileSchema>;

/** A deployment that answers just as the description says. */
export const described: Profile = profileSchema.parse({});
