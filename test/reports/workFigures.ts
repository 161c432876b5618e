import assert from 'node:assert/strict';
import type { Check } from './support/figures.ts';

export const workFigures: Record<string, Check> = {
  async 'arrivals: who comes, goes and stays on, and where both happen on one day'({ figures }) {
    const columns = 'date movement property stay_code guests nights same_day';
    // DOLLAR leaves House 8 on the 14th as ROOMS-2 arrives.
    assert.deepEqual(await figures('arrivals', columns, { from: '2028-02-13', to: '2028-02-16' }), [
      ['2028-02-13', 'in_house', 'House 8', 'DOLLAR', 2, 2, 0],
      ['2028-02-14', 'arrival', 'House 7', 'ROOMS-1', 2, 2, 0],
      ['2028-02-14', 'arrival', 'House 8', 'ROOMS-2', 2, 2, 1],
      ['2028-02-14', 'departure', 'House 8', 'DOLLAR', 2, 2, 1],
      ['2028-02-15', 'in_house', 'House 7', 'ROOMS-1', 2, 2, 0],
      ['2028-02-15', 'in_house', 'House 8', 'ROOMS-2', 2, 2, 0],
      ['2028-02-16', 'departure', 'House 7', 'ROOMS-1', 2, 2, 0],
      ['2028-02-16', 'departure', 'House 8', 'ROOMS-2', 2, 2, 0],
    ]);
    const owners = await figures('arrivals', 'date movement kind', { from: '2028-03-10', property: [8] });
    assert.deepEqual(owners, [
      ['2028-03-10', 'arrival', 'owner'],
      ['2028-03-11', 'in_house', 'owner'],
      ['2028-03-12', 'in_house', 'owner'],
      ['2028-03-13', 'departure', 'owner'],
    ]);
  },

  async 'arrivals with persons: the name of whoever booked, and none where nobody asked'({ figures, report }) {
    const asked = { from: '2028-02-14', to: '2028-02-14' };
    const named = await figures('arrivals', 'stay_code guest phone', { ...asked, persons: true });
    assert.deepEqual(named, [
      ['ROOMS-1', 'Guest 5', null],
      ['ROOMS-2', 'Guest 6', null],
      ['DOLLAR', 'Guest 3', null],
    ]);
    const [row = assert.fail()] = await report('arrivals', asked);
    assert.ok(!('guest' in row) && !('email' in row));
  },

  async 'house: the same counted by day; 29 February is one'({ figures }) {
    const columns = 'date arrivals departures in_house occupied turnovers guests';
    assert.deepEqual(await figures('house', columns, { from: '2028-02-14', to: '2028-02-16' }), [
      ['2028-02-14', 2, 1, 0, 2, 1, 4],
      ['2028-02-15', 0, 0, 2, 2, 0, 4],
      ['2028-02-16', 0, 2, 0, 0, 0, 0],
    ]);
    assert.deepEqual(await figures('house', columns, { from: '2028-02-29', to: '2028-03-02' }), [
      ['2028-02-29', 0, 0, 1, 1, 0, 2],
      ['2028-03-01', 0, 0, 1, 1, 0, 2],
      ['2028-03-02', 0, 1, 0, 0, 0, 0],
    ]);
  },

  async 'house: shows today and the seven days after it unless asked otherwise'({ report }) {
    assert.deepEqual(await report('house'), []);
  },

  async 'task-load: tasks and fees of each person, currencies apart, cancelled ones apart'({ figures }) {
    const columns = 'period person currency tasks open_tasks completed cancelled cleaning maintenance other fee_minor';
    assert.deepEqual(await figures('task-load', columns, { by: 'month' }), [
      ['2028-02', '(nobody)', 'EUR', 0, 0, 0, 1, 0, 0, 0, 0],
      ['2028-02', 'Ada', 'EUR', 2, 1, 1, 0, 2, 0, 0, 4550],
      ['2028-02', 'Ada', 'USD', 1, 1, 0, 0, 0, 1, 0, 10000],
    ]);
    assert.deepEqual(await figures('task-load', 'period person tasks', { from: '2028-02-17' }), [
      ['2028-02-17', 'Ada', 1],
      ['2028-02-20', 'Ada', 1],
    ]);
  },

  async 'gaps: runs of at most three nights between two stays, at the lowest price of each night'({ figures }) {
    const columns = 'property first_night last_night nights price currency';
    // Between LEAP and THIRDS: 80 (L2), 100.50 (L2), 100.50 (L2; L1 asks 101): 281 ÷ 3 = 93.67.
    assert.deepEqual(await figures('gaps', columns), [['House 7', '2028-03-02', '2028-03-04', 3, 93.67, 'EUR']]);
    // Longer ones: after ROOMS 11 and 23 nights, after THIRDS 12. The one before ROOMS-1 has closed nights in it.
    assert.deepEqual(await figures('gaps', 'property first_night last_night nights', { nights: 400 }), [
      ['House 7', '2028-02-16', '2028-02-26', 11],
      ['House 8', '2028-02-16', '2028-03-09', 23],
      ['House 7', '2028-03-02', '2028-03-04', 3],
      ['House 7', '2028-03-08', '2028-03-19', 12],
    ]);
  },

  async 'unsold-weekends: both nights free'({ figures }) {
    const rows = await figures('unsold-weekends', 'first_night last_night property price currency', {
      from: '2028-03-01',
      to: '2028-03-31',
    });
    // House 7 holds Saturday the 25th; House 8 has the owner from Friday the 10th. On the 3rd and 4th House 7 costs
    // 100.50 either night; House 8 is not listed.
    assert.deepEqual(rows, [
      ['2028-03-03', '2028-03-04', 'House 7', 100.5, 'EUR'],
      ['2028-03-03', '2028-03-04', 'House 8', null, null],
      ['2028-03-10', '2028-03-11', 'House 7', 100.5, 'EUR'],
      ['2028-03-17', '2028-03-18', 'House 7', 100.5, 'EUR'],
      ['2028-03-17', '2028-03-18', 'House 8', null, null],
      ['2028-03-24', '2028-03-25', 'House 8', null, null],
      ['2028-03-31', '2028-04-01', 'House 7', 100.5, 'EUR'],
      ['2028-03-31', '2028-04-01', 'House 8', null, null],
    ]);
  },

  async 'response-times: from the first message of a question to the first answer, also past midnight'({ figures }) {
    const columns =
      'period channel_type questions answered unanswered answered_automatically median_minutes mean_minutes within_hour_pct';
    // 10:00:00 to 10:10:30: 10, by automation; 12:30:00 to 13:30:59: 60; 23:50 to 00:20: 30; the last one waits.
    assert.deepEqual(await figures('response-times', columns), [
      ['2026-11', 'marketplace_a', 4, 3, 1, 1, 30, 33.3, 66.67],
    ]);
  },

  async 'unanswered: conversations in which a guest spoke last, since when'({ figures }) {
    assert.deepEqual(
      await figures('unanswered', 'waiting_since conversation_id messages check_in_date reservation_codes'),
      [['2026-11-18T09:00:00.000Z', 'waits', 2, '2026-12-01', '["R-2","R-1"]']],
    );
  },

  async 'review-scores: mean by month and channel, and how it changes'({ figures }) {
    const columns = 'period channel_type reviews mean_score score_change replied replied_pct';
    assert.deepEqual(await figures('review-scores', columns), [
      ['2026-09', 'marketplace_a', 1, 4, null, 1, 100],
      ['2026-10', 'marketplace_a', 2, 4.75, 0.75, 1, 50],
    ]);
    assert.deepEqual(await figures('review-scores', 'period property mean_score', { property: [8] }), [
      ['2026-10', 'House 8', 4.5],
    ]);
  },

  async 'review-backlog: guests’ reviews without a reply'({ figures }) {
    assert.deepEqual(await figures('review-backlog', 'reservation_code score host_reviewed'), [['B', 5, 0]]);
  },
};
