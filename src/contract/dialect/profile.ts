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

/** The words of the other side for one of ours. The first is sent, all are understood. */
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

/** Reports a foreign word that is given for two of ours: it could not be translated back. */
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

/** Reports keys that name no family. They would have no effect, and no error would show it. */
function requireFamilies(byFamily: Readonly<Record<string, unknown>>, context: Context): void {
  const known = familyNames();
  for (const name of Object.keys(byFamily).filter((one) => !known.includes(one))) {
    const meant = nearestWord(name, known);
    const hint = meant === undefined ? `there are ${known.join(', ')}` : `did you mean ${meant}?`;
    context.addIssue({ code: 'custom', path: [name], message: 'is no kind of object', params: { hint } });
  }
}

/** Paths of fields, with a dot between an object and its field. */
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

/** Data that a core leaves out when it serves the dialect. Callers do not use this part. */
const serving = z.strictObject({
  no_data: z.array(operationId).default([]),
  data_without: z.partialRecord(operationId, fieldPaths).default({}),
  rows_without: z.record(text, fieldPaths).superRefine(requireFamilies).default({}),
  events_without: z.record(text, fieldPaths).default({}),
});

/** Fixed windows, each with its most requests. An empty list means that there is no limit. */
const windows = z.array(z.strictObject({ seconds: z.int().min(1).max(604_800), max: z.int().min(1) }), {
  error: 'must be a list such as [{seconds: 60, max: 1200}]',
});

/** Limits of requests, where they differ from the description. */
const limits = z.strictObject({
  /** Limit of all requests together. */
  account: windows.optional(),
  /** Limit of each operation. */
  each: windows.optional(),
  /** Limits of single operations, in place of `each`. */
  operations: z.partialRecord(operationId, windows).default({}),
  /** Limit of answers 400 and 404 to one operation. */
  failed: windows.optional(),
});

/**
 * The differences between a deployment and the description: a file of `config/profiles` or of the user. Every field is
 * optional.
 */
export const profileSchema = z.strictObject({
  /** Text for people: the source of the profile, and tests against a live deployment. */
  note: z.string().default(''),
  base_path: path.default('/v3'),
  token_header: header.default('service-access-token'),
  webhook_secret_header: header.default('service-webhook-secret-token'),
  /** Proof that deliveries carry where the connection does not set one. */
  webhook_authentication: z.enum(['token', 'signature', 'both']).default('both'),
  /** Codes of success. A core answers with the first. */
  success_codes: z.array(z.int()).min(1).default([200, 0]),
  /** Segments of paths that are not channels: ours to theirs. */
  path_segments: z.record(text, text.regex(HEADER_VALUE)).default({}),
  /** Operations that the deployment lacks. They are neither called nor served. */
  absent: z.array(operationId).default([]),
  /** Methods of requests that differ. */
  methods: z.partialRecord(operationId, z.enum(['GET', 'POST', 'PATCH', 'PUT', 'DELETE'])).default({}),
  /** Words by their set: ours to theirs. */
  words: z.partialRecord(z.enum(vocabularies), z.record(text, theirWords).superRefine(requireOneMeaning)).default({}),
  /** Fields by the family of their object: ours to theirs, each a path. */
  fields: z.record(text, z.record(text, theirField)).superRefine(requireFamilies).default({}),
  requests: z
    .strictObject({
      /** true: requests for lists always carry offset and limit, even where the contract has defaults. */
      always_paged: z.boolean().default(false),
      most_rows: z.int().min(1).max(100).default(100),
    })
    .default({ always_paged: false, most_rows: 100 }),
  limits: limits.default({ operations: {} }),
  /** The object that has one review: a reservation, or each property of it. */
  reviews_by: z.enum(['reservation', 'property']).default('reservation'),
  oauth: oauth.default({ by: 'discovery' }),
  /** true: the deployment knows the additions of this service, such as cursors and strict requests. */
  additions: z.boolean().default(true),
  serving: serving.default({ no_data: [], data_without: {}, rows_without: {}, events_without: {} }),
});

/** A deployment's dialect as data, never code. */
export type Profile = z.output<typeof profileSchema>;

/** The profile of a deployment that follows the description exactly. */
export const described: Profile = profileSchema.parse({});
