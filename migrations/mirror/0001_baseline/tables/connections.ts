import type { Table } from '../../../tables.ts';

/** The other side: its state, our tokens for it, what it was refused. */
export const connections: readonly Table[] = [
  {
    name: 'connections',
    columns: {
      base_url: 'text!',
      state: 'text!',
      reason: 'text',
      state_at: 'text!',
      probe_at: 'text',
      webhook_id: 'bigint',
      webhook_url: 'text',
      webhook_secret: 'text',
      catch_up_due: 'text',
      caught_up_at: 'text',
      scanner: 'text',
      scanner_until: 'text',
      created_at: 'text!',
    },
    key: [],
  },
  {
    name: 'connection_facts',
    columns: { name: 'text!', value: 'text!', changed_at: 'text!' },
    key: ['name'],
    narrow: true,
  },
  { name: 'counters', columns: { name: 'text!', value: 'bigint!' }, key: ['name'], narrow: true },
  {
    name: 'upstream_tokens',
    columns: {
      given_hash: 'text!',
      refresh_token: 'text!',
      access_token: 'text',
      given_at: 'text',
      expires_at: 'text',
      refused: 'text',
      refused_at: 'text',
      leased_by: 'text',
      leased_until: 'bigint!',
      changed_at: 'text!',
    },
    key: [],
  },
  {
    name: 'refused_deliveries',
    columns: { reason: 'text!', times: 'bigint!', first_at: 'text!', last_at: 'text!' },
    key: ['reason'],
  },
  {
    name: 'sealings',
    columns: {
      connection: "text! default '*'",
      name: 'text!',
      state: 'text!',
      cursor: 'text',
      found: 'bigint!',
      proof: 'text!',
    },
    key: ['name'],
  },
];
