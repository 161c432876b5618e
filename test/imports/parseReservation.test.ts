import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Booking, Outcome } from '../../src/imports/outcome.ts';
import { openReservations } from '../../src/imports/readReservations.ts';
import { readMapping } from '../../src/imports/readMapping.ts';
import { countTotals } from '../../src/imports/totals.ts';
import { OperatorError } from '../../src/kernel/errors.ts';
import { all, fileOf } from './support/files.ts';
import { hotelCsv, hotelMapping, hotelYaml, quirks, type HotelRow } from './support/hotel.ts';

async function outcomesOf(content: string, mapping = hotelMapping): Promise<Outcome[]> {
  return all((await openReservations(fileOf(content), mapping)).outcomes);
}

async function hotel(...rows: HotelRow[]): Promise<Outcome[]> {
  return outcomesOf(hotelCsv(rows));
}

function booked(outcome: Outcome | undefined): Booking {
  assert.ok(outcome?.kind === 'booking', JSON.stringify(outcome));
  return outcome;
}

function problems(outcome: Outcome | undefined): string[] {
  assert.ok(outcome?.kind === 'rejection', JSON.stringify(outcome));
  return outcome.problems.map(({ field, reason, value }) => `${field}: ${reason} (${value})`);
}

describe('a row of the hotel data', () => {
  it('becomes a booking', async () => {
    const [outcome] = await hotel({});
    assert.deepEqual(outcome, {
      kind: 'booking',
      line: 2,
      row: 1,
      key: '1',
      place: { group: 'City Hotel' },
      checkIn: '2016-07-04',
      checkOut: '2016-07-06',
      nights: 2,
      status: 'accepted',
      noShow: false,
      bookedAt: '2016-06-27',
      cancelledAt: null,
      guestName: 'Guest 1',
      email: null,
      phone: null,
      country: 'PT',
      adults: 2,
      children: 0,
      infants: 0,
      guests: 2,
      currency: 'EUR',
      total: 20_100,
      commission: 0,
      channel: 'TA/TO',
      note: 'BB, room type A, Transient',
      income: { amount: 20_100, at: '2016-07-06' },
      incomeAhead: false,
      remarks: [],
    });
  });

  it('keeps to the control totals, with every quirk', async () => {
    const counter = countTotals();
    for (const outcome of await hotel(...quirks)) counter.add(outcome);
    assert.deepEqual(counter.read(), {
      rows: 16,
      held: {
        bookings: 9,
        nights: 19,
        amount: { EUR: '12173.16' },
        with_amount: 8,
        no_shows: 1,
        income: { EUR: '12173.16' },
        with_income: 8,
      },
      cancelled: {
        bookings: 3,
        nights: 6,
        amount: { EUR: '284.70' },
        with_amount: 2,
        income: { EUR: '124.70' },
        with_income: 1,
      },
      rejected: { rows: 4, reasons: { 'zero nights': 2, 'no guests': 2, 'negative rate': 1 } },
      remarks: {},
    });
  });

  it('that repeats another one is another booking', async () => {
    const [one, other] = (await hotel({}, {})).map(booked);
    assert.deepEqual([one?.key, other?.key], ['1', '2']);
  });

  it('with nothing in a cell leaves the field empty', async () => {
    const booking = booked((await hotel({ country: 'NULL', distribution_channel: 'Undefined', children: 'NA' }))[0]);
    assert.deepEqual([booking.country, booking.channel, booking.children], [null, null, 0]);
  });

  it('of a no-show holds its nights', async () => {
    const [outcome] = await hotel({ is_canceled: '1', reservation_status: 'No-Show' });
    const { status, noShow, income } = booked(outcome);
    assert.deepEqual([status, noShow, income?.at], ['accepted', true, '2016-07-06']);
  });

  it('that is cancelled has its date, and income only when it cannot be refunded', async () => {
    const cancelled = { reservation_status: 'Canceled', reservation_status_date: '2016-06-30' };
    const [free, paid] = (await hotel(cancelled, { ...cancelled, deposit_type: 'Non Refund' })).map(booked);
    assert.deepEqual([free?.status, free?.cancelledAt, free?.income], ['cancelled', '2016-06-30', null]);
    assert.deepEqual(paid?.income, { amount: 20_100, at: '2016-06-30' });
  });

  const refused: [row: HotelRow, said: string[]][] = [
    [{ stays_in_week_nights: '0' }, ['nights: zero nights (0)']],
    [{ stays_in_week_nights: '1097' }, ['nights: stay longer than three years (1097)']],
    [{ stays_in_week_nights: '1.5' }, ['nights: not a whole number (1.5)']],
    [{ stays_in_week_nights: 'NULL', stays_in_weekend_nights: '' }, ['nights: missing ()']],
    [{ adults: '0' }, ['guests: no guests (0)']],
    [{ adults: '100' }, ['guests: too many guests (100)']],
    [{ adults: 'two' }, ['adults: not a number (two)']],
    [{ babies: '-1' }, ['infants: negative number (-1)']],
    [{ adr: '-6.38' }, ['total_amount: negative rate (-6.38)']],
    [{ adr: 'free' }, ['total_amount: not a number (free)']],
    [{ adr: '9'.repeat(20) }, [`total_amount: amount too large (${'9'.repeat(20)})`]],
    [{ adr: '1 USD' }, ['total_amount: amount in another currency (1 USD)']],
    [{ arrival_date_month: 'Julember' }, ['check_in_date: no such date (2016 Julember 4)']],
    [
      { arrival_date_month: 'February', arrival_date_day_of_month: '30' },
      ['check_in_date: no such date (2016 February 30)'],
    ],
    [{ lead_time: 'NULL' }, []],
    [{ lead_time: '99999999' }, ['booked_at: no such date (99999999 days from 2016-07-04)']],
    [{ reservation_status: 'Asked' }, ['status: unknown status (Asked)']],
    [
      { reservation_status: 'Canceled', reservation_status_date: '30.6.2016' },
      ['cancelled_at: no such date (30.6.2016)'],
    ],
    [
      { reservation_status: 'Canceled', reservation_status_date: 'NULL', deposit_type: 'Non Refund' },
      ['cancelled_at: missing ()'],
    ],
    [{ hotel: 'NA' }, ['property_group: missing ()']],
    [
      { stays_in_week_nights: '0', adults: '0', adr: '-1' },
      ['nights: zero nights (0)', 'guests: no guests (0)', 'total_amount: negative rate (-1)'],
    ],
  ];
  for (const [row, said] of refused) {
    it(`with ${JSON.stringify(row)} is ${said.length === 0 ? 'a booking' : 'one rejection'}`, async () => {
      const [outcome, ...others] = await hotel(row);
      assert.deepEqual(others, []);
      if (said.length === 0) booked(outcome);
      else assert.deepEqual(problems(outcome), said);
    });
  }

  it('is moved by shift_days, all its dates alike', async () => {
    const row = { reservation_status: 'Canceled', deposit_type: 'Non Refund' };
    const moved = { ...hotelMapping, shift_days: 3_653 };
    const booking = booked((await outcomesOf(hotelCsv([row]), moved))[0]);
    assert.deepEqual(
      [booking.checkIn, booking.checkOut, booking.bookedAt, booking.cancelledAt, booking.income?.at],
      ['2026-07-05', '2026-07-07', '2026-06-28', '2026-07-07', '2026-07-07'],
    );
  });
});

describe('a row of another CSV', () => {
  const mapping = readMapping(
    `
source: portal
format: { delimiter: semicolon, decimal: comma, thousands: point, dates: [DD.MM.YYYY] }
identity: { column: Number }
booking:
  property: { column: Unit }
  check_in_date: { column: Arrival }
  check_out_date: { column: Departure }
  status: { column: Status, map: { OK: accepted }, default: cancelled }
  booked_at: { column: Booked }
  guest_name: { template: "{First} {Last}" }
  email: { column: Mail }
  guests: { column: Persons, default: 2 }
  children: { column: Children }
  currency: { column: Currency, map: { "€": EUR } }
  total_amount: { sum: [Price, Cleaning] }
  commission: { column: Commission }
  note: { template: "{Remark}" }
income:
  - { when: { status: accepted, column: Paid, is: [ja, yes] }, date: booked_at, amount: total_less_commission }
`,
    'portal.yaml',
  );
  const header =
    'Number;Unit;Arrival;Departure;Status;Booked;First;Last;Mail;Persons;Children;Currency;Price;Cleaning;Commission;Remark;Paid';
  const row =
    'B-7;Lake house;31.12.2025;03.01.2026 10:00;ok;01.11.2025 14:05;Ann;Bell;a@b.example;3;1;€;1.234,50 €;65,50;195;;Ja';
  const outcome = async (line: string) => (await outcomesOf(`${header}\n${line}\n`, mapping))[0];

  it('becomes a booking of the property it names', async () => {
    assert.deepEqual(await outcome(row), {
      kind: 'booking',
      line: 2,
      row: 1,
      key: 'B-7',
      place: { property: 'Lake house' },
      checkIn: '2025-12-31',
      checkOut: '2026-01-03',
      nights: 3,
      status: 'accepted',
      noShow: false,
      bookedAt: '2025-11-01T14:05',
      cancelledAt: null,
      guestName: 'Ann Bell',
      email: 'a@b.example',
      phone: null,
      country: null,
      adults: 2,
      children: 1,
      infants: 0,
      guests: 3,
      currency: 'EUR',
      total: 130_000,
      commission: 19_500,
      channel: null,
      note: null,
      income: { amount: 110_500, at: '2025-11-01T14:05' },
      incomeAhead: false,
      remarks: [],
    });
  });

  it('falls back on defaults', async () => {
    const booking = booked(
      await outcome(row.replace(';ok;', ';gone;').replace(';3;1;', ';;;').replace(';Ja', ';nein')),
    );
    assert.deepEqual([booking.status, booking.guests, booking.adults, booking.income], ['cancelled', 2, 2, null]);
  });

  const refused: [from: string, to: string, said: string][] = [
    ['03.01.2026 10:00', '31.12.2025', 'check_out_date: zero nights (2025-12-31 to 2025-12-31)'],
    ['03.01.2026 10:00', '30.12.2025', 'check_out_date: check-out before check-in (2025-12-31 to 2025-12-30)'],
    ['31.12.2025', '31.02.2025', 'check_in_date: no such date (31.02.2025)'],
    ['B-7', '', 'identity: missing ()'],
    ['Ann;Bell', ';', 'guest_name: missing ()'],
    ['€;', 'Taler;', 'currency: unknown currency (TALER)'],
    ['1.234,50 €', '1.234,50 $x', 'total_amount: not a number (1.234,50 $x)'],
    ['1.234,50 €', '1234.5', 'total_amount: not a number (1234.5)'],
    [';195;', ';-1;', 'commission: negative amount (-1)'],
  ];
  for (const [from, to, said] of refused) {
    it(`with ${to || 'nothing'} for ${from} is refused`, async () => {
      assert.deepEqual(problems(await outcome(row.replace(from, to))), [said]);
    });
  }
});

describe('a key column', () => {
  const byAgent = { ...hotelMapping, identity: { column: 'agent' } };

  it('identifies one row each; a later one with the same key is refused, an earlier one that failed is not in the way', async () => {
    const rows = [{ agent: 'x' }, { agent: 'y', adults: '0' }, { agent: 'x' }, { agent: 'y' }];
    const [first, second, third, fourth] = await outcomesOf(hotelCsv(rows), byAgent);
    assert.deepEqual([booked(first).key, booked(fourth).key], ['x', 'y']);
    assert.deepEqual(problems(second), ['guests: no guests (0)']);
    assert.deepEqual(problems(third), ['identity: key of an earlier row (x, as on line 2)']);
  });
});

describe('a mapping for another file', () => {
  it('is refused with the columns and keys that do not fit, before any row is read', async () => {
    const file = fileOf(hotelCsv([{}]).replace(',adr,', ',ADR,').replace('hotel,', 'house,'));
    await assert.rejects(openReservations(file, hotelMapping), (error) => {
      assert.ok(error instanceof OperatorError);
      assert.match(error.message, /no column "hotel" \(mapping key booking\.property_group\.column\)/);
      assert.match(error.message, /"adr" \(mapping key booking\.total_amount\.column\); did you mean "ADR"\?/);
      assert.match(error.hint ?? '', /its columns are: house, is_canceled/);
      return true;
    });
  });

  it('may name a column by several names, of which the file has one', async () => {
    const known = readMapping(hotelYaml.replace('{ column: hotel }', '{ column: [Hotel name, hotel] }'), 'm');
    assert.deepEqual(booked((await outcomesOf(hotelCsv([{}]), known))[0]).place, { group: 'City Hotel' });
    const unknown = readMapping(hotelYaml.replace('{ column: hotel }', '{ column: [Hotel name, House] }'), 'm');
    await assert.rejects(
      openReservations(fileOf(hotelCsv([{}])), unknown),
      /has no column "Hotel name" or "House" \(mapping key booking\.property_group\.column\)/,
    );
  });

  it('is refused for columns of templates and income rules, too', async () => {
    const mapping = readMapping(
      hotelYaml.replace('{meal}', '{board}').replace('column: deposit_type', 'column: tariff'),
      'm',
    );
    await assert.rejects(
      openReservations(fileOf(hotelCsv([{}])), mapping),
      /"tariff" \(mapping key income\.1\.when\.column\).*"board" \(mapping key booking\.note\.template\)/,
    );
  });
});
