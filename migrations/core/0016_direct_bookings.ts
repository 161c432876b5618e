import type { Kysely } from 'kysely';
import { createSequences } from '../../src/store/leases/sequences.ts';
import { createTable } from '../tables.ts';

// Why: guests book and pay on a page of the account. A quote is kept as it was shown, whatever becomes of the rates. A
// booking keeps what was agreed about money. Each payment and each refund is a row of its own, written before anybody
// outside is asked, so that a crash in between asks the same again and not twice.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createSequences(db, ['booking_pages', 'direct_payments', 'direct_refunds']);
  await createTable(db, {
    name: 'booking_pages',
    columns: {
      account_id: 'text!',
      id: 'bigint!',
      name: 'text!',
      token: 'text!',
      token_hash: 'text! unique',
      rules: 'text!',
      created_at: 'text!',
      revoked_at: 'text',
    },
    key: ['account_id', 'id'],
  });
  await createTable(db, {
    name: 'booking_page_properties',
    columns: { account_id: 'text!', page_id: 'bigint!', property_id: 'bigint!' },
    key: ['account_id', 'page_id', 'property_id'],
    narrow: true,
  });
  await createTable(db, {
    name: 'kept_quotes',
    columns: {
      account_id: 'text!',
      id: 'text!',
      page_id: 'bigint!',
      property_id: 'bigint!',
      asked: 'text!',
      quote: 'text!',
      plan_version: 'text!',
      created_at: 'text!',
      expires_at: 'text!',
      reservation_code: 'text',
    },
    key: ['account_id', 'id'],
    indexes: [{ name: 'kept_quotes_by_expiry', columns: ['expires_at'] }],
  });
  await createTable(db, {
    name: 'direct_bookings',
    columns: {
      account_id: 'text!',
      reservation_code: 'text!',
      stay_code: 'text!',
      page_id: 'bigint!',
      property_id: 'bigint!',
      quote_id: 'text!',
      method: 'text!',
      language: 'text!',
      token: 'text!',
      token_hash: 'text! unique',
      currency: 'text!',
      quote: 'text!',
      expires_at: 'text!',
      created_at: 'text!',
      settled_at: 'text',
    },
    key: ['account_id', 'reservation_code'],
    unique: { direct_bookings_quote: ['account_id', 'quote_id'] },
    indexes: [
      { name: 'direct_bookings_open', columns: ['account_id', 'reservation_code'], where: 'settled_at is null' },
    ],
  });
  await createTable(db, {
    name: 'direct_payments',
    columns: {
      account_id: 'text!',
      id: 'bigint!',
      reservation_code: 'text!',
      purpose: 'text!',
      provider: 'text!',
      amount: 'bigint!',
      currency: 'text!',
      state: 'text!',
      idempotency_key: 'text! unique',
      session_id: 'text',
      intent_id: 'text',
      url: 'text',
      expires_at: 'text',
      received: 'bigint',
      transaction_id: 'bigint',
      problem: 'text',
      tries: 'integer!',
      created_at: 'text!',
      updated_at: 'text!',
      next_look_at: 'bigint',
    },
    key: ['account_id', 'id'],
    indexes: [
      { name: 'direct_payments_by_reservation', columns: ['account_id', 'reservation_code'] },
      { name: 'direct_payments_by_session', columns: ['session_id'], where: 'session_id is not null' },
      { name: 'direct_payments_due', columns: ['next_look_at'], where: 'next_look_at is not null' },
    ],
  });
  await createTable(db, {
    name: 'direct_refunds',
    columns: {
      account_id: 'text!',
      id: 'bigint!',
      reservation_code: 'text!',
      payment_id: 'bigint!',
      provider: 'text!',
      amount: 'bigint!',
      currency: 'text!',
      reason: 'text!',
      state: 'text!',
      idempotency_key: 'text! unique',
      provider_id: 'text',
      transaction_id: 'bigint',
      problem: 'text',
      tries: 'integer!',
      created_at: 'text!',
      updated_at: 'text!',
      next_look_at: 'bigint',
    },
    key: ['account_id', 'id'],
    indexes: [
      { name: 'direct_refunds_by_reservation', columns: ['account_id', 'reservation_code'] },
      { name: 'direct_refunds_due', columns: ['next_look_at'], where: 'next_look_at is not null' },
    ],
  });
  await createTable(db, {
    name: 'payment_settings',
    columns: {
      account_id: 'text! primary key',
      transfer_text: 'text',
      transfer_hours: 'integer!',
      feed_minutes: 'integer!',
      stripe_key: 'text',
      stripe_webhook_secret: 'text',
      updated_at: 'text!',
    },
  });
}
