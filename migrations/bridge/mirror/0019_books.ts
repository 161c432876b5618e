import type { Kysely } from 'kysely';
import { createTable } from '../../mirror/tables.ts';

// Why: reports ask the journal, so it stands in rows of its own, made anew from the rest.

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await createTable(db, {
    name: 'books',
    columns: { through: 'text!', booked_at: 'text!', seq: 'bigint!', basis: 'text!', entries: 'bigint!' },
    key: [],
  });
  await createTable(db, {
    name: 'book_groups',
    columns: { group_key: 'text!', digest: 'text!' },
    key: ['group_key'],
    narrow: true,
  });
  await createTable(db, {
    name: 'book_entries',
    columns: {
      entry_id: 'text!',
      group_key: 'text!',
      date: 'text!',
      original_date: 'text',
      kind: 'text!',
      class: 'text!',
      suffix: 'text!',
      source_kind: 'text!',
      source_id: 'text!',
      revision: 'bigint!',
      corrects: 'text',
      payee: 'text!',
      description: 'text!',
      reservation_code: 'text',
      stay_code: 'text',
      channel: 'text',
    },
    key: ['entry_id'],
  });
  await createTable(db, {
    name: 'book_postings',
    columns: {
      entry_id: 'text!',
      posting: 'bigint!',
      group_key: 'text!',
      date: 'text!',
      account: 'text!',
      amount_minor: 'bigint!',
      currency: 'text!',
      property_id: 'bigint',
      owner: 'text',
      contract: 'text',
      memo: 'text',
      class: 'text!',
      suffix: 'text!',
      source_kind: 'text!',
      reservation_code: 'text',
      channel: 'text',
    },
    key: ['entry_id', 'posting'],
  });
  await createTable(db, {
    name: 'book_accounts',
    columns: {
      account: 'text!',
      type: 'text!',
      role: 'text!',
      title: 'text!',
      code: 'text',
      owner: 'text',
      owner_name: 'text',
      trust: 'bigint!',
    },
    key: ['account'],
    narrow: true,
  });
  await createTable(db, {
    name: 'book_properties',
    columns: {
      property_id: 'bigint!',
      code: 'text!',
      owner: 'text',
      contract: 'text',
      tax_authority: 'text',
    },
    key: ['property_id'],
    narrow: true,
  });
  await createTable(db, {
    name: 'book_channels',
    columns: {
      channel_type: 'text!',
      channel: 'text!',
      clearing: 'text!',
      commission: 'text!',
      occupancy_tax: 'text!',
    },
    key: ['channel_type', 'channel'],
    narrow: true,
  });
  await createTable(db, {
    name: 'book_deposits',
    columns: {
      stay_code: 'text!',
      number: 'bigint!',
      group_key: 'text!',
      reservation_code: 'text!',
      property_id: 'bigint!',
      channel: 'text!',
      kind: 'text',
      from_date: 'text!',
      to_date: 'text',
      ends_on: 'text!',
      due_on: 'text!',
      lapses_on: 'text',
      currency: 'text!',
      paid_minor: 'bigint!',
      deducted_minor: 'bigint!',
      pending_minor: 'bigint!',
    },
    key: ['stay_code', 'number'],
    narrow: true,
  });
  await createTable(db, {
    name: 'book_exceptions',
    columns: { group_key: 'text!', number: 'bigint!', kind: 'text!', about: 'text!', problem: 'text!', date: 'text' },
    key: ['group_key', 'number'],
    narrow: true,
  });
  await indexes(db);
}

async function indexes(db: Db): Promise<void> {
  for (const table of ['book_entries', 'book_postings', 'book_deposits'] as const) {
    await db.schema.createIndex(`${table}_by_group`).on(table).columns(['connection', 'group_key']).execute();
  }
  await db.schema
    .createIndex('book_postings_by_account')
    .on('book_postings')
    .columns(['connection', 'account', 'date'])
    .execute();
}
