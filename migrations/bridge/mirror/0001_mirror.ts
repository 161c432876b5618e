import { type Kysely, sql } from 'kysely';
import { createSequences } from '../../../src/store/leases/sequences.ts';
import { createTable, rawColumn, rowColumns } from '../../mirror/tables.ts';

// Why: everything the daemon knows: what came in, what is dirty, the mirrored rows, their history, the feed.

type Db = Kysely<unknown>;

/** Read numbers: each GET takes the next one when it is sent. */
export const sequences = ['reads'];

export async function up(db: Db): Promise<void> {
  await createSequences(db, sequences);
  await connections(db);
  await incoming(db);
  await bookings(db);
  await places(db);
  await ledger(db);
  await history(db);
}

async function connections(db: Db): Promise<void> {
  await createTable(db, {
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
      walker: 'text',
      walker_until: 'text',
      created_at: 'text!',
    },
    key: [],
  });
  await createTable(db, {
    name: 'counters',
    columns: { name: 'text!', value: 'bigint!' },
    key: ['name'],
    narrow: true,
  });
  await createTable(db, {
    name: 'accounts',
    columns: { account_id: 'text!', name: 'text', time_zone: 'text', currency: 'text', ...rowColumns, ...rawColumn },
    key: ['account_id'],
  });
  await createTable(db, {
    name: 'webhooks',
    columns: {
      id: 'bigint!',
      url: 'text!',
      events: 'text!',
      manageable: 'bigint!',
      created_at: 'text',
      ...rowColumns,
      ...rawColumn,
    },
    key: ['id'],
  });
}

async function incoming(db: Db): Promise<void> {
  await createTable(db, {
    name: 'inbox',
    columns: {
      event_id: 'text!',
      event: 'text!',
      received_at: 'text!',
      resource: 'text',
      key: 'text',
      mark_number: 'bigint!',
      state: 'text!',
      change_seq: 'bigint',
      closed_at: 'text',
      body: 'text',
    },
    key: ['event_id'],
    narrow: true,
  });
  await db.schema
    .createIndex('inbox_pending')
    .on('inbox')
    .columns(['connection', 'resource', 'key', 'event_id'])
    .where(sql.ref('state'), '=', sql.lit('pending'))
    .execute();
  await createTable(db, {
    name: 'dirty_keys',
    columns: {
      resource: 'text!',
      key: 'text!',
      mark_number: 'bigint!',
      origin: 'text!',
      first_marked_at: 'text!',
      last_marked_at: 'text!',
      marks: 'bigint!',
      attempts: 'bigint!',
      settling: 'bigint!',
      next_at: 'text!',
      due_by: 'text!',
      claimed_until: 'text',
      claimed_by: 'text',
      state: 'text!',
      problem: 'text',
      hint: 'text',
      hint_from: 'text',
      hint_to: 'text',
    },
    key: ['resource', 'key'],
    narrow: true,
  });
  await createTable(db, {
    name: 'walks',
    columns: {
      walk_id: 'text!',
      resource: 'text!',
      purpose: 'text!',
      state: 'text!',
      started_at: 'text!',
      finished_at: 'text',
      first_number: 'bigint!',
      requests: 'bigint!',
      rows: 'bigint!',
      cursor: 'text',
      claimed_until: 'text',
      problem: 'text',
    },
    key: ['walk_id'],
  });
  await createTable(db, {
    name: 'quarantine',
    columns: {
      resource: 'text!',
      key: 'text!',
      problem: 'text!',
      first_seen_at: 'text!',
      last_seen_at: 'text!',
      times: 'bigint!',
      raw: 'text',
    },
    key: ['resource', 'key'],
  });
}

async function bookings(db: Db): Promise<void> {
  await createTable(db, {
    name: 'reservations',
    columns: {
      reservation_code: 'text!',
      channel_id: 'text',
      channel_type: 'text!',
      custom_channel: 'text',
      property_id: 'bigint',
      status: 'text!',
      check_in_date: 'text!',
      check_out_date: 'text!',
      stays: 'bigint!',
      number_of_guests: 'bigint!',
      currency: 'text',
      total_rate_minor: 'bigint',
      total_commission_minor: 'bigint',
      received_minor: 'bigint',
      balance_minor: 'bigint',
      payment_status: 'text',
      booked_at: 'text',
      created_at: 'text',
      cancelled_at: 'text',
      ...rowColumns,
    },
    key: ['reservation_code'],
    narrow: true,
  });
  await createTable(db, { name: 'stays', columns: stayColumns, key: ['stay_code'] });
  await db.schema
    .createIndex('stays_by_reservation')
    .on('stays')
    .columns(['connection', 'reservation_code', 'stay_code'])
    .execute();
  await createTable(db, {
    name: 'stay_nights',
    columns: {
      night: 'text!',
      property_id: 'bigint!',
      stay_code: 'text!',
      status: 'text!',
      channel_type: 'text!',
      booked_at: 'text',
      cancelled_at: 'text',
      currency: 'text',
      rate_minor: 'bigint',
    },
    // By date, as reports ask; and the nights of stays that are read together lie together.
    key: ['night', 'property_id', 'stay_code'],
    narrow: true,
  });
  await createTable(db, {
    name: 'guests',
    columns: {
      stay_code: 'text!',
      guest_key: 'text!',
      name: 'text',
      phone: 'text',
      email: 'text',
      id_type: 'text',
      id_number: 'text',
      gender: 'text',
      country: 'text',
      is_booker: 'bigint!',
      id_images: 'text',
      more: 'text',
    },
    key: ['stay_code', 'guest_key'],
    narrow: true,
  });
}

const stayColumns = {
  stay_code: 'text!',
  reservation_code: 'text!',
  id: 'bigint!',
  channel_id: 'text',
  channel_type: 'text!',
  listing_id: 'text',
  custom_channel_id: 'bigint',
  custom_channel: 'text',
  property_id: 'bigint!',
  in_reservation_box: 'bigint!',
  status: 'text!',
  stay_status: 'text',
  check_in_date: 'text!',
  check_out_date: 'text!',
  nights: 'bigint!',
  number_of_guests: 'bigint!',
  number_of_adults: 'bigint',
  number_of_children: 'bigint',
  number_of_infants: 'bigint',
  number_of_pets: 'bigint',
  currency: 'text',
  rate_minor: 'bigint',
  commission_minor: 'bigint',
  tax_minor: 'bigint',
  total_rate_minor: 'bigint',
  total_commission_minor: 'bigint',
  payment_currency: 'text',
  payment_total_minor: 'bigint',
  received_minor: 'bigint',
  balance_minor: 'bigint',
  payment_status: 'text',
  deposit_minor: 'bigint',
  deposit_currency: 'text',
  deposit_status: 'text',
  deposit_paid_minor: 'bigint',
  deposit_deducted_minor: 'bigint',
  deposit_pending_refund_minor: 'bigint',
  deposit_refunded_minor: 'bigint',
  id_required: 'text',
  cancellation_policy_category: 'text',
  conversation_id: 'text',
  tags: 'text!',
  booked_at: 'text',
  created_at: 'text',
  cancelled_at: 'text',
  ...rowColumns,
  ...rawColumn,
} as const;

async function places(db: Db): Promise<void> {
  await createTable(db, {
    name: 'properties',
    columns: {
      id: 'bigint!',
      name: 'text!',
      status: 'text!',
      address: 'text',
      longitude: 'text',
      latitude: 'text',
      time_zone: 'text',
      tags: 'text!',
      groups: 'text!',
      ...rowColumns,
      ...rawColumn,
    },
    key: ['id'],
  });
  await createTable(db, {
    name: 'availability_reads',
    columns: { property_id: 'bigint!', read_number: 'bigint!', first_seen_at: 'text!', changed_at: 'text!' },
    key: ['property_id'],
    narrow: true,
  });
  await createTable(db, {
    name: 'availability_days',
    columns: { property_id: 'bigint!', date: 'text!', available: 'bigint!', remarks: 'text' },
    key: ['property_id', 'date'],
    narrow: true,
  });
}

async function ledger(db: Db): Promise<void> {
  await createTable(db, {
    name: 'transactions',
    columns: {
      id: 'bigint!',
      reservation_code: 'text',
      property_id: 'bigint',
      direction: 'text!',
      status: 'text!',
      item_id: 'bigint!',
      item_name: 'text!',
      payment_method_id: 'bigint!',
      payment_method_name: 'text!',
      amount_minor: 'bigint',
      currency: 'text!',
      action_at: 'text',
      action_date: 'text',
      link_type: 'text',
      operator_name: 'text',
      created_at: 'text',
      updated_at: 'text',
      ...rowColumns,
      ...rawColumn,
    },
    key: ['id'],
  });
  await db.schema
    .createIndex('transactions_by_reservation')
    .on('transactions')
    .columns(['connection', 'reservation_code'])
    .execute();
  await createTable(db, {
    name: 'custom_channels',
    columns: { id: 'bigint!', name: 'text!', ...rowColumns, ...rawColumn },
    key: ['id'],
  });
  await createTable(db, {
    name: 'dictionary_items',
    columns: { item: 'text!', dictionary: 'text!', id: 'bigint!', name: 'text!', ...rowColumns, ...rawColumn },
    key: ['item'],
  });
}

async function history(db: Db): Promise<void> {
  await createTable(db, { name: 'feed_heads', columns: { seq: 'bigint!' }, key: [], narrow: true });
  await createTable(db, {
    name: 'changes',
    columns: {
      seq: 'bigint!',
      at: 'text!',
      resource: 'text!',
      key: 'text!',
      part: 'text',
      op: 'text!',
      derived: 'text',
      seen_by: 'text!',
      event_ids: 'text!',
      diff: 'text',
    },
    key: ['seq'],
    narrow: true,
  });
  await createTable(db, {
    name: 'versions',
    columns: {
      change_seq: 'bigint!',
      resource: 'text!',
      key: 'text!',
      part: 'text',
      valid_from: 'text!',
      valid_to: 'text!',
      read_number: 'bigint!',
      raw: 'text!',
    },
    key: ['change_seq'],
  });
  await db.schema.createIndex('versions_by_row').on('versions').columns(['connection', 'resource', 'key']).execute();
}
