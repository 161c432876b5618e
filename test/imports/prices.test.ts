import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { currenciesOf, mainCurrencyOf } from '../../src/imports/fields/currencySigns.ts';
import type { Booking, Outcome, ReadingContext } from '../../src/imports/outcome.ts';
import { openReservations } from '../../src/imports/readReservations.ts';
import { readMapping } from '../../src/imports/readMapping.ts';
import { countTotals } from '../../src/imports/totals.ts';
import { all, fileOf } from './support/files.ts';

/** A file of one stay a row: the fields of `booking` beside the stay, and the cells of the columns they name. */
async function read(
  fields: string,
  cells: Readonly<Record<string, string>>,
  context: Partial<ReadingContext> = {},
): Promise<Outcome> {
  const mapping = readMapping(
    `
source: prices
booking:
  property: { value: House }
  check_in_date: { value: "2026-03-01" }
  check_out_date: { value: "2026-03-03" }
  guest_name: { value: Guest }
  ${fields.trim().split('\n').join('\n  ')}
`,
    'prices.yaml',
  );
  const csv = `${Object.keys(cells).join(',')}\n"${Object.values(cells).join('","')}"\n`;
  const file = await openReservations(fileOf(csv), mapping, { currency: null, lastNight: null, ...context });
  const [outcome] = await all(file.outcomes);
  assert.ok(outcome);
  return outcome;
}

function taken(outcome: Outcome): Booking {
  assert.ok(outcome.kind === 'booking', JSON.stringify(outcome));
  return outcome;
}

function refusal(outcome: Outcome): string {
  assert.ok(outcome.kind === 'rejection', JSON.stringify(outcome));
  return outcome.problems.map(({ field, reason, value }) => `${field}: ${reason} (${value})`).join('; ');
}

const remarksOf = (booking: Booking) =>
  booking.remarks.map(({ field, remark, value }) => `${field}: ${remark} (${value})`);

describe('a sign beside an amount', () => {
  const bySign = 'total_amount: { column: Price }';
  const inDollars = 'currency: { value: AUD }\ntotal_amount: { column: Price }';

  it('decides the currency where the mapping names none', async () => {
    const cases: [text: string, currency: string, total: number, remarks: string[]][] = [
      ['€ 120.50', 'EUR', 12_050, []],
      ['120.50 CHF', 'CHF', 12_050, []],
      ['A$99', 'AUD', 9_900, []],
      ['1500 zł', 'PLN', 150_000, []],
      ['₩ 120000', 'KRW', 120_000, ['currency: currency by its sign (₩ as KRW)']],
      ['$120.50', 'USD', 12_050, ['currency: currency by its sign ($ as USD)']],
      ['£10', 'GBP', 1_000, ['currency: currency by its sign (£ as GBP)']],
    ];
    for (const [text, currency, total, remarks] of cases) {
      const booking = taken(await read(bySign, { Price: text }));
      assert.deepEqual([booking.currency, booking.total, remarksOf(booking)], [currency, total, remarks], text);
    }
  });

  it('of several currencies means the account’s, if that is one of them', async () => {
    const [canadian, european] = [
      taken(await read(bySign, { Price: '$5' }, { currency: 'CAD' })),
      taken(await read(bySign, { Price: '$5' }, { currency: 'EUR' })),
    ];
    assert.deepEqual([canadian.currency, european.currency], ['CAD', 'USD']);
    assert.equal(taken(await read(bySign, { Price: '900 kr' }, { currency: 'NOK' })).currency, 'NOK');
  });

  it('that nobody can tell is refused, and so is an amount without any', async () => {
    assert.equal(refusal(await read(bySign, { Price: '900 kr' })), 'currency: currency not clear (kr)');
    assert.equal(refusal(await read(bySign, { Price: '900' })), 'currency: missing (900)');
    assert.equal(taken(await read(bySign, { Price: '' })).currency, null);
  });

  it('may not contradict the currency that the mapping names', async () => {
    assert.equal(taken(await read(inDollars, { Price: '$12.00' })).currency, 'AUD');
    assert.equal(taken(await read(inDollars, { Price: 'A$12.00' })).currency, 'AUD');
    for (const text of ['€12.00', 'US$12.00', '12 EUR', '£12', '12 XYZ']) {
      assert.equal(
        refusal(await read(inDollars, { Price: text })),
        `total_amount: amount in another currency (${text})`,
      );
    }
    const euros = 'currency: { value: EUR }\ntotal_amount: { sum: [Price, Cleaning] }';
    assert.match(refusal(await read(euros, { Price: '12 €', Cleaning: '$3' })), /amount in another currency/);
  });

  it('stands for currencies that have it, the main one among them', () => {
    fc.assert(
      fc.property(fc.constantFrom('$', '€', '£', '¥', 'kr', 'R$', 'zł', '₹', 'US$', 'CHF'), (sign) => {
        const main = mainCurrencyOf(sign);
        assert.ok(main === undefined || currenciesOf(sign).includes(main));
      }),
    );
    assert.deepEqual([mainCurrencyOf('kr'), mainCurrencyOf('¥'), currenciesOf('¤')], [undefined, 'JPY', []]);
  });
});

describe('an amount finer than its currency', () => {
  const price = 'currency: { value: EUR }\ntotal_amount: { column: Price }';

  it('is rounded, and remarked', async () => {
    const booking = taken(await read(price, { Price: '55.875 EUR' }));
    assert.deepEqual(
      [booking.total, remarksOf(booking)],
      [5_588, ['total_amount: amount rounded (55.875 EUR to 55.88)']],
    );
    const perNight = price.replace('column: Price', 'column: Price, per: night');
    assert.equal(taken(await read(perNight, { Price: '33.3333' })).total, 6_667);
  });

  it('that only has zeros behind is not remarked, and is refused where the mapping says so', async () => {
    assert.deepEqual(taken(await read(price, { Price: '272.0000' })).remarks, []);
    const strict = price.replace('column: Price', 'column: Price, round: false');
    assert.match(refusal(await read(strict, { Price: '55.875' })), /more decimals than the currency has \(55\.875\)/);
  });

  it('is counted with the first row it is in', async () => {
    const counter = countTotals();
    for (const line of [2, 3]) {
      const booking = taken(await read(price, { Price: `1.00${line}` }));
      counter.add({ ...booking, line });
    }
    assert.deepEqual(counter.read().remarks, {
      'amount rounded': { rows: 2, line: 2, field: 'total_amount', value: '1.002 to 1.00' },
    });
  });
});

describe('a payout', () => {
  it('beside the price makes the commission', async () => {
    const fields = 'currency: { value: EUR }\ntotal_amount: { column: Price }\npayout: { column: Payout }';
    const booking = taken(await read(fields, { Price: '200', Payout: '170.50' }));
    assert.deepEqual([booking.total, booking.commission], [20_000, 2_950]);
    assert.match(
      refusal(await read(fields, { Price: '200', Payout: '200.01' })),
      /payout: payout above the price \(200\.01 of 200\.00\)/,
    );
    assert.equal(taken(await read(fields, { Price: '200', Payout: '' })).commission, 0);
  });

  it('without a price is the price less the commission', async () => {
    const fields = 'currency: { value: EUR }\npayout: { column: Payout }';
    const alone = taken(await read(fields, { Payout: '170.50' }));
    assert.deepEqual([alone.total, alone.commission], [17_050, 0]);
    const both = `${fields}\ncommission: { column: Fee }`;
    const booking = taken(await read(both, { Payout: '170.50', Fee: '29.50' }));
    assert.deepEqual([booking.total, booking.commission], [20_000, 2_950]);
  });
});

describe('a row of several rooms', () => {
  it('is refused until the mapping takes it for one', async () => {
    const refuse = 'rooms: { column: Rooms }';
    assert.equal(refusal(await read(refuse, { Rooms: '2' })), 'rooms: more than one room (2)');
    assert.equal(refusal(await read(refuse, { Rooms: 'two' })), 'rooms: not a number (two)');
    for (const one of ['1', '', '0']) taken(await read(refuse, { Rooms: one, Other: 'x' }));
    const booking = taken(await read('rooms: { column: Rooms, several: as_one }', { Rooms: '2' }));
    assert.deepEqual(remarksOf(booking), ['rooms: several rooms as one (2)']);
  });
});

describe('a stay', () => {
  it('whose nights do not match its dates is refused: a day was read as a month', async () => {
    assert.equal(taken(await read('nights: { column: Nights }', { Nights: '2' })).nights, 2);
    assert.equal(
      refusal(await read('nights: { column: Nights }', { Nights: '3' })),
      'nights: nights do not match the dates (3 for 2026-03-01 to 2026-03-03)',
    );
  });

  it('with nights more than three years ahead is refused', async () => {
    const last = (lastNight: string) => read('note: { column: Note }', { Note: 'x' }, { lastNight });
    taken(await last('2026-03-02'));
    assert.equal(refusal(await last('2026-03-01')), 'check_out_date: nights more than three years ahead (2026-03-03)');
  });
});
