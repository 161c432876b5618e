import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { z } from 'zod';
import { AVAILABILITY_PROPERTIES, AVAILABILITY_YEARS } from '../../src/contract/availabilities.ts';
import { type OperationId, operationIds, operations } from '../../src/contract/index.ts';
import {
  CALENDAR_DAYS,
  CALENDAR_ENTRIES,
  CALENDAR_LISTINGS,
  CALENDAR_YEARS_AHEAD,
} from '../../src/contract/listings.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { STAY_NIGHTS } from '../../src/contract/reservations.ts';
import { addDays, addYears, LAST_DATE } from '../../src/kernel/dates.ts';
import { type Belongings, type Fields, furnish, inputsAbout, requestOf } from '../support/fixtures.ts';
import { startCore, type TestAccount, type TestCore } from '../support/core.ts';
import { listOn } from '../support/listings.ts';
import { loopDelayOf } from '../support/loopDelay.ts';

const TODAY = '2026-11-20';
const MOST_MS = 50;
/** One for each try, and one. */
const FREE = 10;
const AHEAD = addYears(TODAY, CALENDAR_YEARS_AHEAD);

/** Names of the fields of a schema that hold a date or a moment, those of lists and objects in it too. */
function dateFields(schema: z.ZodType): string[] {
  const { def } = schema as unknown as {
    def: { shape?: Record<string, z.ZodType>; element?: z.ZodType; innerType?: z.ZodType };
  };
  if (def.innerType) return dateFields(def.innerType);
  if (def.element) return dateFields(def.element);
  return Object.entries(def.shape ?? {}).flatMap(([name, field]) => {
    const inner = (field as unknown as { def: { innerType?: z.ZodType } }).def.innerType ?? field;
    const format = field.meta()?.['format'] ?? inner.meta()?.['format'];
    return String(format).startsWith('date') ? [name] : dateFields(field).map((deeper) => `${name}.${deeper}`);
  });
}

/** What an operation is asked for the longest, and what its answer is to anything longer. */
interface Row {
  longest(): Fields;
  /** The same to the end of all dates; left out: it cannot be written. */
  tooLong?(): Fields;
  /** The field that the refusal names. */
  refused?: string;
  /** Dates of which nothing is made but a comparison, so that no end is too far. */
  filters?: true;
}

describe('the longest ranges that callers can name', () => {
  let core: TestCore;
  let owner: TestAccount;
  let mine: Belongings;
  const properties: number[] = [];
  const listings: { channel_type: string; listing_id: string }[] = [];
  /** With no stay and no block. */
  const free: number[] = [];
  let moved: string;
  let booked = 0;

  before(async () => {
    core = await startCore();
    owner = await core.addAccount('large', { property_quota: 500 });
    mine = await furnish(core, owner);
    let channel_account_id: number | undefined;
    for (let number = 1; number <= AVAILABILITY_PROPERTIES; number += 1) {
      const { property_id } = await core.call('createProperty', { title: `House ${number}` }, owner.token);
      properties.push(property_id);
      const one = await listOn(
        core,
        'marketplace_a',
        property_id,
        channel_account_id === undefined ? {} : { channel_account_id },
        owner,
      );
      ({ channel_account_id } = one);
      listings.push({ channel_type: one.channel_type, listing_id: one.listing_id });
    }
    for (let number = 1; number <= FREE; number += 1) {
      free.push((await core.call('createProperty', { title: `Free ${number}` }, owner.token)).property_id);
    }
    const stay = { property_id: freeProperty(), check_in_date: '2027-03-05', check_out_date: '2027-03-08' };
    const { reservation_code } = await core.call(
      'createReservation',
      { ...about('createReservation'), ...stay },
      owner.token,
    );
    moved = reservation_code;
  });
  after(() => core.close());

  const freeProperty = () => free.pop() ?? 0;
  const one = () => listings[0] ?? { channel_type: '', listing_id: '' };
  const entries = (value: object, end: string) =>
    Array.from({ length: CALENDAR_ENTRIES }, (_, index) => ({
      start_date: addDays(TODAY, index),
      end_date: end,
      ...value,
    }));
  const about = (id: OperationId) => inputsAbout(mine)[id];
  const filters = (id: OperationId, ...names: string[]): Row => {
    const ranged = (end: string) => () => ({
      ...about(id),
      ...Object.fromEntries(names.map((name) => [name, name.startsWith('start') ? '0101-01-01' : end])),
    });
    return { longest: ranged('2200-12-31'), tooLong: ranged(LAST_DATE), filters: true };
  };

  const rows: Partial<Record<OperationId, Row>> = {
    listAvailabilities: {
      longest: () => ({
        property_ids: properties.join(),
        start_date: addYears(TODAY, -AVAILABILITY_YEARS.back),
        end_date: addYears(TODAY, AVAILABILITY_YEARS.ahead),
      }),
      tooLong: () => ({ property_ids: properties.join(), start_date: TODAY, end_date: LAST_DATE }),
      refused: 'end_date',
    },
    updateAvailabilities: {
      longest: () => ({ property_ids: properties, available: false, start_date: TODAY, end_date: AHEAD }),
      tooLong: () => ({ property_ids: properties, available: true, start_date: TODAY, end_date: LAST_DATE }),
      refused: 'end_date',
    },
    listCalendars: {
      longest: () => ({
        start_date: TODAY,
        end_date: addDays(TODAY, CALENDAR_DAYS - 1),
        listings: listings.slice(0, CALENDAR_LISTINGS),
      }),
      tooLong: () => ({ start_date: TODAY, end_date: LAST_DATE, listings }),
      refused: 'end_date',
    },
    updatePrices: {
      longest: () => ({ ...one(), prices: entries({ price: 90 }, AHEAD) }),
      tooLong: () => ({ ...one(), prices: entries({ price: 90 }, LAST_DATE) }),
      refused: 'prices.0.end_date',
    },
    updateInventories: {
      longest: () => ({ ...one(), inventories: entries({ inventory: 1 }, AHEAD) }),
      tooLong: () => ({ ...one(), inventories: entries({ inventory: 1 }, LAST_DATE) }),
      refused: 'inventories.0.end_date',
    },
    updateRestrictions: {
      longest: () => ({ ...one(), restrictions: entries({ closed_on_arrival: true }, AHEAD) }),
      tooLong: () => ({ ...one(), restrictions: entries({ closed_on_arrival: true }, LAST_DATE) }),
      refused: 'restrictions.0.end_date',
    },
    createReservation: {
      longest: () => ({
        ...about('createReservation'),
        property_id: freeProperty(),
        check_in_date: TODAY,
        check_out_date: addDays(TODAY, STAY_NIGHTS),
      }),
      tooLong: () => ({ ...about('createReservation'), check_in_date: TODAY, check_out_date: LAST_DATE }),
      refused: 'check_out_date',
    },
    updateReservation: {
      longest: () => ({
        stay_code: moved,
        check_in_date: addDays(TODAY, (booked += 1) % 2),
        check_out_date: addDays(TODAY, STAY_NIGHTS - 1 + (booked % 2)),
      }),
      tooLong: () => ({ stay_code: mine.code, check_in_date: TODAY, check_out_date: LAST_DATE }),
      refused: 'check_out_date',
    },
    createSpecialOffer: {
      longest: () => ({
        ...about('createSpecialOffer'),
        listing_id: mine.listing,
        check_in_date: addDays(TODAY, (booked += 1)),
        check_out_date: addDays(TODAY, booked + 365),
      }),
      tooLong: () => ({ ...about('createSpecialOffer'), check_in_date: TODAY, check_out_date: LAST_DATE }),
      refused: 'check_out_date',
    },
    listReservations: filters(
      'listReservations',
      'start_check_in_date',
      'end_check_in_date',
      'start_check_out_date',
      'end_check_out_date',
    ),
    listReviews: {
      longest: () => ({ start_check_out_date: '2026-06-01', end_check_out_date: addDays('2026-06-01', 179) }),
      tooLong: () => ({ start_check_out_date: TODAY, end_check_out_date: LAST_DATE }),
      refused: 'end_check_out_date',
    },
    listTransactions: {
      longest: () => ({ start_date: '9998-12-31', end_date: LAST_DATE }),
      tooLong: () => ({ start_date: TODAY, end_date: LAST_DATE }),
      refused: 'end_date',
    },
    createTransaction: {
      longest: () => ({ ...about('createTransaction'), action_at: '9999-12-30T00:00:00Z' }),
      tooLong: () => ({ ...about('createTransaction'), action_at: '9999-12-31T23:00:00-11:00' }),
      refused: 'action_at',
    },
    updateTransaction: {
      longest: () => ({ ...about('updateTransaction'), action_at: '9999-12-30T00:00:00Z' }),
      tooLong: () => ({ ...about('updateTransaction'), action_at: '9999-12-31T23:00:00-11:00' }),
      refused: 'action_at',
    },
    listTasks: filters('listTasks', 'start_date', 'end_date'),
    createTask: { longest: () => ({ ...about('createTask'), expected_date: LAST_DATE }) },
    updateTask: { longest: () => ({ ...about('updateTask'), expected_date: LAST_DATE }) },
    listAutomationActions: filters('listAutomationActions', 'start_time', 'end_time'),
    updateMarketplaceARules: {
      longest: () => ({
        listing_id: mine.listing,
        settings: {
          seasonal_min_stay: Array.from({ length: 100 }, () => ({
            start_date: '0100-01-01',
            end_date: LAST_DATE,
            min_nights: 2,
          })),
        },
      }),
    },
  };

  it('are here of every operation that takes a date', () => {
    const dated = operationIds.filter((id) => {
      const { query, body, params }: Operation = operations[id];
      return [query, params, ...(body ? [body] : [])].flatMap((part) => dateFields(part)).length > 0;
    });
    assert.deepEqual(Object.keys(rows).toSorted(), dated.toSorted());
  });

  for (const [name, row] of Object.entries(rows)) {
    const id = name as OperationId;
    /** Looks at the head of an answer alone: to join ten megabytes is the caller's work. */
    const ask = async (input: Fields) => {
      const [method, path, { body }] = requestOf(id, input);
      const answer = await core.app.inject({
        payloadAsStream: true,
        method: method as 'GET',
        url: `/v3${path}`,
        headers: {
          'service-access-token': owner.token,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      });
      let head = '';
      for await (const piece of answer.stream()) if (head.length < 1_000) head += String(piece).slice(0, 1_000);
      const [, error_code, error_msg = ''] = /"error_code":(\d+),"error_msg":"((?:[^"\\]|\\.)*)"/.exec(head) ?? [];
      return { error_code: Number(error_code), error_msg };
    };

    it(`${id} takes its longest, and lets others in meanwhile`, async () => {
      const delay = await loopDelayOf(MOST_MS, async () => {
        const answer = await ask(row.longest());
        assert.equal(answer.error_code, 200, answer.error_msg);
        await core.workCalendars();
      });
      assert.ok(delay < MOST_MS, `nothing else was answered for ${delay.toFixed(1)} ms`);
    });

    const { tooLong } = row;
    if (tooLong === undefined) continue;
    it(`${id} ${row.filters ? 'only compares with the end of all dates' : 'refuses the end of all dates at once'}`, async () => {
      const delay = await loopDelayOf(MOST_MS, async () => {
        const answer = await ask(tooLong());
        assert.equal(answer.error_code, row.filters ? 200 : 422, answer.error_msg);
        if (row.refused !== undefined) assert.ok(answer.error_msg.startsWith(row.refused), answer.error_msg);
      });
      assert.ok(delay < MOST_MS, `nothing else was answered for ${delay.toFixed(1)} ms`);
    });
  }
});
