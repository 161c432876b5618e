import assert from 'node:assert/strict';
import type { LostEventsTable } from '../../src/sync/trust/loss/tables.ts';
import type { Measure } from '../../src/sync/trust/measures/tables.ts';
import { CONNECTION, type World } from '../support/mirror.ts';
import type { Check } from './support/figures.ts';

const HOURS = ['2029-05-01T10:00:00.000Z', '2029-05-01T11:00:00.000Z'] as const;

type Row = [hour: 0 | 1, measure: Measure, subject: string, bucket: number, count: number, total: number, most: number];

/** An hour in which little happens, and one in which more does. */
const measured: readonly Row[] = [
  [0, 'events', 'reservation_updated', 0, 7, 0, 0],
  [1, 'events', 'reservation_updated', 0, 10, 0, 0],
  [1, 'events', 'message_created', 0, 5, 0, 0],
  [1, 'reads', 'reservation', 0, 4, 15, 0],
  [0, 'propagated', 'reservation', 100, 60, 4_000, 90],
  [1, 'propagated', 'reservation', 100, 30, 2_000, 95],
  [1, 'propagated', 'reservation', 5_000, 9, 30_000, 4_500],
  [1, 'propagated', 'reservation', 60_000, 1, 55_000, 55_000],
  [1, 'found', 'reservation', 900_000, 2, 1_300_000, 800_000],
  [0, 'age', 'calendar.near', 0, 240, 0, 700],
  [1, 'age', 'calendar.near', 0, 240, 60, 1_200],
  [1, 'requests', 'lookup/listReservations', 0, 12, 0, 0],
  [1, 'window', 'account 3600 s', 20_000, 4, 0, 5_000],
];

const missed: readonly (Pick<LostEventsTable, 'seq' | 'event' | 'state' | 'seen_at'> & Partial<LostEventsTable>)[] = [
  {
    seq: 1,
    event: 'reservation_updated',
    state: 'lost',
    seen_at: '2029-05-01T10:20:00.000Z',
    sub_event: 'rates_updated',
  },
  { seq: 2, event: 'reservation_updated', state: 'lost', seen_at: '2029-05-01T11:20:00.000Z' },
  {
    seq: 2,
    event: 'reservation_updated',
    state: 'lost',
    seen_at: '2029-05-01T11:20:00.000Z',
    sub_event: 'remarks_updated',
  },
  // Two windows of the days of one change are one loss.
  { seq: 3, event: 'property_availability_updated', state: 'lost', seen_at: '2029-05-01T11:30:00.000Z', position: 0 },
  { seq: 3, event: 'property_availability_updated', state: 'lost', seen_at: '2029-05-01T11:30:00.000Z', position: 1 },
  { seq: 4, event: 'message_created', state: 'late', seen_at: '2029-05-01T11:40:00.000Z', late_ms: 90_000 },
  { seq: 5, event: 'listing_calendar_updated', state: 'unproven', seen_at: '2029-05-01T11:50:00.000Z' },
  { seq: 6, event: 'message_created', state: 'waiting', seen_at: '2029-05-01T11:59:59.000Z' },
];

async function fill({ store }: World): Promise<void> {
  const connection = CONNECTION;
  const known = await store.db.selectFrom('sync_hours').select('hour').where('hour', '=', HOURS[0]).execute();
  if (known.length > 0) return;
  for (const [hour, measure, subject, bucket, count, total, most] of measured) {
    const row = { connection, hour: HOURS[hour], measure, subject, bucket, count, total, most };
    await store.db.insertInto('sync_hours').values(row).execute();
  }
  for (const one of missed) {
    const row = {
      connection,
      sub_event: '',
      position: 0,
      resource: 'reservation',
      key: 'K',
      part: null,
      days: null,
      since: '2029-05-01T10:00:00.000Z',
      seen_by: 'scan' as const,
      scan_id: null,
      event_id: null,
      came_at: null,
      late_ms: null,
      ...one,
    };
    await store.db.insertInto('lost_events').values(row).execute();
  }
}

const DAY = { from: '2029-05-01', to: '2029-05-01' };
const columns = 'figure subject count among share_pct ratio p50_ms p99_ms worst_ms';
const empty = [null, null, null, null];

export const syncFigures: Record<string, Check> = {
  async 'sync: what was lost of what came, how long it took, how old it was, what was asked, of a day'({
    world,
    figures,
  }) {
    await fill(world);
    const rows = await figures('sync', columns, DAY);
    assert.deepEqual(rows, [
      // 90 of 100 within 100 ms, the 99th within 5 s, the last took 55 s.
      ['announced', 'reservation', 100, null, null, null, 100, 5_000, 55_000],
      // 2 of scans; nobody knows when they happened: the longest it can have been.
      ['found', 'reservation', 2, null, null, null, 900_000, 900_000, 800_000],
      ['late', 'message_created', 1, 5, 20, ...empty],
      ['lost', 'message_created', 0, 5, 0, ...empty],
      ['lost', 'property_availability_updated', 1, 1, 100, ...empty],
      // 3 ÷ (17 + 3)
      ['lost', 'reservation_updated', 3, 20, 15, ...empty],
      // 15 events in 4 reads.
      ['reads', 'reservation', 4, 15, 26.67, 3.75, null, null, null],
      ['requests', 'lookup/listReservations', 12, null, null, ...empty],
      // 60 of 480 looks; 1,200 s.
      ['stale', 'calendar.near', 60, 480, 12.5, null, null, null, 1_200_000],
      ['unproven', 'listing_calendar_updated', 1, 0, null, ...empty],
      ['window', 'account 3600 s', 5_000, 20_000, 25, ...empty],
    ]);
  },

  async 'sync: by the hour, loss of each kind'({ world, figures }) {
    await fill(world);
    const rows = await figures('sync', 'period figure subject count among share_pct', { ...DAY, by: 'hour' });
    const lost = rows.filter(([, figure]) => figure === 'lost');
    assert.deepEqual(lost, [
      ['2029-05-01T10', 'lost', 'reservation_updated', 1, 8, 12.5],
      ['2029-05-01T11', 'lost', 'message_created', 0, 5, 0],
      ['2029-05-01T11', 'lost', 'property_availability_updated', 1, 1, 100],
      ['2029-05-01T11', 'lost', 'reservation_updated', 2, 12, 16.67],
    ]);
  },

  async 'sync-proof: each missed event but those that may still come'({ world, figures }) {
    await fill(world);
    const rows = await figures('sync-proof', 'seq event sub_event state late_ms', DAY);
    assert.deepEqual(rows, [
      [1, 'reservation_updated', 'rates_updated', 'lost', null],
      [2, 'reservation_updated', '', 'lost', null],
      [2, 'reservation_updated', 'remarks_updated', 'lost', null],
      [3, 'property_availability_updated', '', 'lost', null],
      [3, 'property_availability_updated', '', 'lost', null],
      [4, 'message_created', '', 'late', 90_000],
      [5, 'listing_calendar_updated', '', 'unproven', null],
    ]);
  },
};
