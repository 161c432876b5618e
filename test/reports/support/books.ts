import { nightsOf } from '../../../src/kernel/dates.ts';
import { makeListing, makeProperty, makeStay, makeTask, makeTransaction, type WireStay } from '../../support/rows.ts';
import { Truth } from '../../support/truth.ts';
import { makeMessage, makeReview, makeConversation } from '../../support/wireConversations.ts';

interface Draft {
  code: string;
  stay?: string;
  property: number;
  from: string;
  to: string;
  /** Decimal, as on the wire. */
  rate: number;
  currency?: string;
  commission?: number;
  tax?: number;
  /** Lines of the price; none: it has none. */
  lines?: Record<string, number>;
  total?: number;
  received?: number;
  booked: string;
  cancelled?: string;
  status?: string;
  channel?: string;
  source?: string;
  tags?: string[];
}

/** A small house book, for figures that can be worked out by hand. What each figure comes from stands with its test. */
const BOOKS: readonly Draft[] = [
  // 29 February and the end of a month lie in this one. It was booked on 11 February, in Berlin half an hour after
  // midnight, while it was still the 10th in UTC. 340 for the nights and 60 for cleaning make 400.
  {
    code: 'LEAP',
    property: 7,
    from: '2028-02-27',
    to: '2028-03-02',
    rate: 400,
    commission: 40.01,
    tax: 28,
    lines: { ACCOMMODATION: 340, CLEANING_FEE: 60, HOST_SERVICE_FEE: 40.01, TAX: 28 },
    received: 400,
    booked: '2027-02-11T00:30:00+01:00',
    channel: 'marketplace_a',
  },
  // 100.00 for three nights does not divide. 60 of it are still to come.
  { code: 'THIRDS', property: 7, from: '2028-03-05', to: '2028-03-08', rate: 100, received: 40, booked: '2028-01-10' },
  {
    code: 'DOLLAR',
    property: 8,
    from: '2028-02-12',
    to: '2028-02-14',
    rate: 250,
    currency: 'USD',
    commission: 25,
    received: 250,
    booked: '2028-02-01',
    channel: 'marketplace_a',
  },
  {
    code: 'CANCELLED',
    property: 8,
    from: '2028-02-20',
    to: '2028-02-24',
    rate: 500,
    received: 50,
    booked: '2028-01-20',
    cancelled: '2028-02-15',
    status: 'cancelled',
  },
  // One booking of two rooms; the lines are of both, and overpaid by 49.99.
  ...[
    { stay: 'ROOMS-1', property: 7, rate: 200 },
    { stay: 'ROOMS-2', property: 8, rate: 150.01 },
  ].map((room) => ({
    code: 'ROOMS',
    from: '2028-02-14',
    to: '2028-02-16',
    lines: { ACCOMMODATION: 300.01, CLEANING_FEE: 50 },
    total: 350.01,
    received: 400,
    booked: '2028-02-04',
    source: 'Friends',
    ...room,
  })),
  {
    code: 'OWNER',
    property: 8,
    from: '2028-03-10',
    to: '2028-03-13',
    rate: 0,
    booked: '2028-02-06',
    tags: ['Owner stay'],
  },
  { code: 'GIFT', property: 7, from: '2028-03-20', to: '2028-03-21', rate: 0, booked: '2028-02-20' },
  {
    code: 'WAITS',
    property: 7,
    from: '2028-03-25',
    to: '2028-03-27',
    rate: 90,
    booked: '2028-02-21',
    status: 'wait_pay',
  },
  {
    code: 'DENIED',
    property: 7,
    from: '2028-03-28',
    to: '2028-03-30',
    rate: 90,
    booked: '2028-02-21',
    status: 'denied',
  },
  { code: 'BOXED', property: 0, from: '2028-02-05', to: '2028-02-06', rate: 80, received: 80, booked: '2028-02-02' },
  // The year before.
  { code: 'BEFORE', property: 7, from: '2027-02-26', to: '2027-03-01', rate: 300, received: 300, booked: '2027-01-05' },
  {
    code: 'BEFORE-OFF',
    property: 7,
    from: '2027-02-10',
    to: '2027-02-12',
    rate: 180,
    booked: '2027-01-01',
    cancelled: '2027-02-05',
    status: 'cancelled',
  },
];

/** An upstream with that book in it. */
export function truthWithBooks(): Truth {
  const truth = new Truth();
  const channels = [
    { channel_type: 'marketplace_a', listing_id: 'L1', currency: 'EUR' },
    { channel_type: 'marketplace_b', listing_id: 'L2', currency: 'EUR' },
  ];
  truth.properties.set(7, makeProperty(7, { channels }));
  truth.properties.set(8, makeProperty(8));
  truth.put(...BOOKS.map(stayOf));
  for (const { property, from, to, status } of BOOKS) {
    if (status !== undefined && status !== 'wait_pay') continue;
    for (const night of nightsOf(from, to)) truth.taken.add(`${property} ${night}`);
  }
  // Closed by hand.
  for (const night of ['2028-02-01', '2028-02-02']) truth.taken.add(`7 ${night}`);
  fillCalendars(truth);
  fillWork(truth);
  fillLedger(truth);
  fillConversations(truth);
  fillReviews(truth);
  return truth;
}

function stayOf(draft: Draft, index: number): WireStay {
  const { currency = 'EUR', rate, lines = {}, total = rate, received = 0 } = draft;
  const money = (amount: number) => ({ currency, amount });
  const status =
    total > received ? (received > 0 ? 'partial' : 'unreceived') : total < received ? 'over_received' : 'received';
  return makeStay(index + 1, {
    reservation_code: draft.code,
    stay_code: draft.stay ?? draft.code,
    property_id: draft.property,
    in_reservation_box: draft.property === 0,
    channel_type: draft.channel ?? 'direct',
    custom_channel: draft.source === undefined ? null : { id: 5, name: draft.source },
    check_in_date: draft.from,
    check_out_date: draft.to,
    status: draft.status ?? 'accepted',
    tags: draft.tags ?? [],
    booked_at: draft.booked.includes('T') ? draft.booked : `${draft.booked}T12:00:00+01:00`,
    cancelled_at: draft.cancelled === undefined ? null : `${draft.cancelled}T12:00:00+01:00`,
    rates: {
      total_rate: money(total),
      total_commission: money(draft.commission ?? 0),
      rate: money(rate),
      commission: money(draft.commission ?? 0),
      tax: draft.tax === undefined ? null : money(draft.tax),
      details: Object.entries(lines).map(([type, amount]) => ({ type, description: '', ...money(amount) })),
    },
    payment: {
      currency,
      total_amount: total,
      received_amount: received,
      balance_amount: Math.max(0, total - received),
      status,
    },
  });
}

/** L1 costs 90, 120 and 101 in the nights of 2 to 4 March; L2 costs 80 in the first, and 100.50 as all days do. */
function fillCalendars({ listings, days }: Truth): void {
  listings.set(1, makeListing(1));
  listings.set(2, makeListing(2, { channel_type: 'marketplace_b' }));
  const prices = { '2028-03-02': 90, '2028-03-03': 120, '2028-03-04': 101 };
  for (const [date, price] of Object.entries(prices)) {
    days.set(`marketplace_a/L1 ${date}`, { date, price, inventory: 1, restrictions: {} });
  }
  days.set('marketplace_b/L2 2028-03-02', { date: '2028-03-02', price: 80, inventory: 1, restrictions: {} });
}

function fillWork({ tasks }: Truth): void {
  const rows = [
    { expected_date: '2028-02-16', status: 'completed' },
    { expected_date: '2028-02-20', type: 'maintenance', fee: 100, currency: 'USD' },
    { expected_date: '2028-02-16', status: 'cancelled', staff_id: null, staff_name: null },
    { expected_date: '2028-02-17', status: 'in_progress', fee: null },
  ];
  for (const [index, row] of rows.entries()) tasks.set(index + 1, makeTask(index + 1, row));
}

function fillLedger({ transactions }: Truth): void {
  const rows = [
    // Still September in UTC.
    { amount: 100, action_at: '2026-10-01T00:30:00+02:00' },
    { amount: 50.25, action_at: '2026-10-10T12:00:00+02:00', payment_method_id: 2, payment_method_name: 'Card' },
    { amount: 30, action_at: '2026-10-11T12:00:00+02:00', direction: 'expense' as const },
    { amount: 20, action_at: '2026-10-12T12:00:00+02:00', currency: 'USD' },
    { amount: 999, action_at: '2026-12-01T12:00:00+01:00', status: 'outstanding' },
  ];
  for (const [index, row] of rows.entries()) transactions.set(index + 1, makeTransaction(index + 1, row));
}

/** Newest first. */
function fillConversations({ conversations }: Truth): void {
  const guest = (id: string, timestamp: string) => makeMessage(id, { timestamp, attachments: [] });
  const host = (id: string, timestamp: string, sources: { type: string; docs: [] }[] = []) =>
    makeMessage(id, { timestamp, sender_role: 'host', sources, attachments: [] });
  conversations.set(
    'quick',
    makeConversation('quick', [
      host('q4', '2026-11-03T13:30:59Z'),
      guest('q3', '2026-11-03T12:30:00Z'),
      host('q2', '2026-11-02T10:10:30Z', [{ type: 'automation_reply', docs: [] }]),
      guest('q1', '2026-11-02T10:05:00Z'),
      guest('q0', '2026-11-02T10:00:00Z'),
    ]),
  );
  conversations.set(
    'waits',
    makeConversation('waits', [
      guest('w4', '2026-11-19T09:00:00Z'),
      guest('w3', '2026-11-18T09:00:00Z'),
      host('w2', '2026-11-11T00:20:00Z'),
      guest('w1', '2026-11-10T23:50:00Z'),
    ]),
  );
}

function fillReviews({ reviews }: Truth): void {
  const said = (score: number, created_at: string) => ({
    score,
    sub_score: [],
    content: 'Fine.',
    private_feedback: null,
    created_at,
  });
  const rows = [
    makeReview('A', { guest_review: said(4, '2026-09-10T12:00:00Z'), host_reply: said(0, '2026-09-11T12:00:00Z') }),
    makeReview('B', { guest_review: said(5, '2026-10-10T12:00:00Z') }),
    makeReview('C', {
      guest_review: said(4.5, '2026-10-12T12:00:00Z'),
      host_review: said(5, '2026-10-12T12:00:00Z'),
      host_reply: said(0, '2026-10-12T12:00:00Z'),
      property_id: 8,
    }),
    makeReview('D', {}),
  ];
  for (const row of rows) reviews.set(row.reservation_code, row);
}
