import { z } from 'zod';
import type { Visit } from '../visit.ts';

const tokens = z.object({
  tokens: z.array(
    z.object({
      id: z.int(),
      operator_name: z.string(),
      name: z.string(),
      scope: z.string(),
      hint: z.string(),
      created_at: z.string(),
      revoked_at: z.string().nullable(),
      expires_at: z.string().nullable(),
      last_used_on: z.string().nullable(),
    }),
  ),
});
const webhooks = z.object({
  webhooks: z.array(z.object({ id: z.int(), url: z.string(), events: z.array(z.string()), created_at: z.string() })),
});
const endpoints = z.object({
  endpoints: z.array(
    z.looseObject({ endpoint_id: z.string(), url: z.string(), state: z.string(), kinds: z.array(z.string()) }),
  ),
});

/** What programs may use of the account, and where they are told of changes. */
export interface Keys extends z.output<typeof tokens>, z.output<typeof webhooks>, z.output<typeof endpoints> {}

export async function readKeys(visit: Visit): Promise<Keys> {
  const told = endpoints.parse(await visit.portal('GET /portal/endpoints'));
  // Tokens and webhooks are of the core.
  if (!visit.isHere) return { tokens: [], webhooks: [], ...told };
  const { tokens: all } = tokens.parse(await visit.portal('GET /portal/tokens'));
  return {
    tokens: all.filter(({ revoked_at }) => revoked_at === null),
    ...webhooks.parse(await visit.portal('GET /portal/webhooks')),
    ...told,
  };
}
