import type { Table } from '../../../tables.ts';

/** Personal values, and persons that were erased. */
export const privacy: readonly Table[] = [
  {
    name: 'personal_values',
    columns: { resource: 'text!', row_key: 'text!', path: 'text!', text: 'text', json: 'text' },
    key: ['resource', 'row_key', 'path'],
    narrow: true,
  },
  { name: 'erasure_keys', columns: { sealed: 'text!' }, key: [], narrow: true },
  {
    name: 'erasures',
    columns: { subject: 'text!', erasure_id: 'text!', erased_at: 'text!', applied: 'bigint!' },
    key: ['subject'],
    narrow: true,
  },
];
