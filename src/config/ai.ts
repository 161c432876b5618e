import { z } from 'zod';
import { HEADER_VALUE } from '../kernel/signature.ts';

/** A language model that drafts answers. Its users check topics and parameters. */
export const aiSchema = z
  .strictObject({
    url: z
      .url({ protocol: /^https?$/, error: 'must be an http or https address such as https://api.example/v1' })
      .nullable(),
    model: z.string().min(1).max(200).nullable(),
    key: z
      .string()
      .min(1)
      .regex(HEADER_VALUE, { error: 'has characters that no header can carry (line ends, blanks at its ends, …)' })
      .nullable(),
    local: z.boolean(),
    timeout_seconds: z.int().min(1).max(240),
    requests_per_day: z.int().min(1).max(1_000_000),
    tokens_per_day: z.int().min(1).nullable(),
    parameters: z.record(z.string().min(1), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    never_about: z.array(z.string()),
    never_words: z.array(z.string().trim().min(2).max(100)),
    links: z.array(
      z
        .string()
        .refine((name) => URL.canParse(`https://${name}`) && new URL(`https://${name}`).host === name.toLowerCase(), {
          error: 'must be the name of a host, without https://',
        })
        .transform((name) => name.toLowerCase()),
    ),
  })
  .superRefine(({ url, model }, context) => {
    if ((url === null) === (model === null)) return;
    const missing = url === null ? 'url' : 'model';
    context.addIssue({
      code: 'custom',
      path: [missing],
      message: 'is needed too: a model is asked where both are set',
    });
  });
