import { z } from 'zod';
import { none, nothing } from './fields.ts';
import { operation } from './operation.ts';

const text = z.string().min(1).max(2_048);
const clientId = text.describe('Of the registered application.');
const clientSecret = text.optional().describe('Of confidential clients.').meta({ secret: true });

/** Field that each type of grant needs. */
const NEEDED = { authorization_code: 'code', refresh_token: 'refresh_token' } as const;

const exchange = z
  .object({
    client_id: clientId,
    client_secret: clientSecret,
    grant_type: z.enum(['authorization_code', 'refresh_token']),
    code: text.optional().describe('With authorization_code: as the redirect has brought it.').meta({ secret: true }),
    code_verifier: text
      .optional()
      .describe('With authorization_code, where a challenge was sent.')
      .meta({ secret: true }),
    redirect_uri: text.optional().describe('With authorization_code: as in the request for the code.'),
    refresh_token: text.optional().describe('With refresh_token: the last one that was given.').meta({ secret: true }),
  })
  .superRefine((body, context) => {
    const field = NEEDED[body.grant_type];
    if (body[field] === undefined) context.addIssue({ code: 'custom', path: [field], message: 'is required' });
  });

/** Exchanges an authorization code or a refresh token for tokens. */
export const createAuthorization = operation({
  method: 'POST',
  path: '/oauth/authorizations',
  params: none,
  query: none,
  body: exchange,
  data: z.object({
    access_token: z.string().meta({ secret: true }),
    refresh_token: z
      .string()
      .describe('Ends the one it was got with: keep it before you use it.')
      .meta({ secret: true }),
    expires_in: z.int().positive().describe('Seconds that the access token lives: 7 days.'),
  }),
  scope: 'open',
  rate: 'default',
  tool: null,
  since: '3.2.0',
  summary: 'Exchanges an authorization code or a refresh token for tokens.',
  notes:
    'Takes no access token and counts against no limit of the account. After 10 wrong secrets or verifiers of one ' +
    'client in 10 minutes everything of it is answered 429 for the rest of them. A code or refresh token that comes ' +
    'a second time ends all tokens that descend from it. The same without envelope: POST /oauth/token.',
  errors: [],
  emits: [],
  example: {
    client_id: 'app_7Yw0c5HkT2',
    grant_type: 'authorization_code',
    code: 'stayd_oac_…',
    code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    redirect_uri: 'https://app.example.com/callback',
  },
});

/** Ends one token of an application. */
export const revokeAuthorization = operation({
  method: 'POST',
  path: '/oauth/revoke',
  params: none,
  query: none,
  body: z.object({
    client_id: clientId,
    client_secret: clientSecret,
    token: text.describe('An access or a refresh token; only this one ends.').meta({ secret: true }),
  }),
  data: nothing,
  scope: 'open',
  rate: 'default',
  tool: null,
  since: '3.2.0',
  summary: 'Ends one token of an application.',
  notes:
    'A token that is unknown, over, or of another client is answered like one that was ended. With the last token of ' +
    'an application in an account, it is disconnected there: its webhooks end and receive an event about it.',
  errors: [],
  emits: ['authorization_revoked'],
  example: { client_id: 'app_7Yw0c5HkT2', token: 'stayd_ort_…' },
});
