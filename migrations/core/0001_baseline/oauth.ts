import type { Table } from '../../tables.ts';

/** Applications, what they were granted, and their tokens. */
export const oauth: readonly Table[] = [
  {
    name: 'oauth_clients',
    columns: {
      account_id: 'text!',
      client_id: 'text! unique',
      name: 'text!',
      kind: 'text!',
      origin: 'text!',
      secret_hash: 'text',
      secret_hint: 'text',
      redirect_uris: 'text!',
      scope: 'text!',
      created_at: 'text!',
      stale_at: 'text',
    },
    key: ['account_id', 'client_id'],
    indexes: [{ name: 'oauth_clients_made', columns: ['origin', 'created_at'] }],
  },
  {
    name: 'oauth_grants',
    columns: {
      account_id: 'text!',
      id: 'text!',
      client_id: 'text!',
      operator_id: 'bigint!',
      scope: 'text!',
      audience: 'text!',
      created_at: 'text!',
      expires_at: 'text!',
      revoked_at: 'text',
      revoked_why: 'text',
    },
    key: ['account_id', 'id'],
    indexes: [
      { name: 'oauth_grants_client', columns: ['account_id', 'client_id'] },
      { name: 'oauth_grants_everywhere', columns: ['client_id'] },
    ],
  },
  {
    name: 'oauth_codes',
    columns: {
      account_id: 'text!',
      hash: 'text! unique',
      grant_id: 'text!',
      redirect_uri: 'text',
      code_challenge: 'text',
      expires_at: 'text!',
      used_at: 'text',
    },
    key: ['account_id', 'hash'],
  },
  {
    name: 'oauth_tokens',
    columns: {
      account_id: 'text!',
      hash: 'text! unique',
      grant_id: 'text!',
      kind: 'text!',
      scope: 'text!',
      audience: 'text!',
      created_at: 'text!',
      expires_at: 'text!',
      used_at: 'text',
      revoked_at: 'text',
    },
    key: ['account_id', 'hash'],
    indexes: [
      { name: 'oauth_tokens_grant', columns: ['account_id', 'grant_id'] },
      { name: 'oauth_tokens_over', columns: ['account_id', 'expires_at'] },
    ],
  },
  { name: 'oauth_failures', columns: { client_id: 'text primary key', window_start: 'bigint!', failures: 'bigint!' } },
];
