import { z } from 'zod';
import { none } from './fields.ts';
import { operation } from './operation.ts';

/** The account that a token belongs to. */
export const account = z
  .object({
    account_id: z.string().describe('Stable; shared by the main account and its sub-accounts.'),
    name: z.string(),
    time_zone: z.string().describe('IANA zone of the operator.'),
    currency: z.string(),
  })
  .meta({ family: 'account', schemaName: 'Account' });

/** Returns the account behind the token. */
export const getAccount = operation({
  method: 'GET',
  path: '/accounts/me',
  params: none,
  query: none,
  body: null,
  data: account,
  scope: 'read',
  rate: 'default',
  tool: null,
  since: '3.16.0',
  summary: 'The account behind the token.',
  errors: [],
  emits: [],
  example: {},
});
