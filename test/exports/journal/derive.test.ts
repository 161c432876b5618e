import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { groupChecks } from '../../../src/exports/journal/checks.ts';
import { derive } from '../../../src/exports/journal/derive.ts';
import type { Draft } from '../../../src/exports/journal/draft.ts';
import type {
  DepositFact,
  Group,
  ReservationFact,
  StayFact,
  TransactionFact,
} from '../../../src/exports/journal/read/facts.ts';
import { policyOf } from '../../../src/exports/journal/policy.ts';
import { decimalText } from '../../../src/kernel/money.ts';
import { bookWith } from '../support/ledger.ts';

const TODAY = '2027-12-31';

function stay(over: Partial<StayFact> = {}): StayFact {
  return {
    code: 'A',
    propertyId: 1,
    status: 'accepted',
    checkIn: '2027-03-05',
    checkOut: '2027-03-08',
    currency: 'EUR',
    rate: 30_000,
    commission: null,
    tax: null,
    deposits: [],
    ...over,
  };
}

function booking(over: Partial<ReservationFact> = {}): ReservationFact {
  const stays = over.stays ?? [stay()];
  return {
    code: 'A',
    channelType: 'direct',
    channel: 'direct',
    cancelled: null,
    received: null,
    currency: 'EUR',
    gone: null,
    ...over,
    stays,
  };
}

function entry(over: Partial<TransactionFact> = {}): TransactionFact {
  return {
    id: 7,
    reservation: 'A',
    propertyId: null,
    direction: 'income',
    itemId: 1,
    itemName: 'Accommodation',
    methodId: over.direction === 'expense' ? 31 : 21,
    methodName: 'Bank transfer',
    amount: 30_000,
    currency: 'EUR',
    date: '2027-01-10',
    ...over,
  };
}

function group(reservation: ReservationFact | null, ...transactions: TransactionFact[]): Group {
  return { key: 'r', reservation, transactions, gone: new Set() };
}

/** `date slot: account amount property, …`, in the order of dates. */
function lines(drafts: readonly Draft[]): string[] {
  return drafts
    .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
    .map((draft) => {
      const postings = draft.postings.map(({ account, amount, currency, propertyId }) =>
        [
          account.split(':').slice(1).join(':'),
          decimalText(amount, currency),
          currency === 'EUR' ? null : currency,
          propertyId,
        ]
          .filter((part) => part !== null)
          .join(' '),
      );
      return `${draft.date} ${draft.base}${draft.suffix && `-${draft.suffix}`}: ${postings.join(', ')}`;
    });
}

function booked(over: object, facts: Group): string[] {
  return lines(derive(policyOf(bookWith(over)), facts, TODAY).drafts);
}

const nightly = { classes: { accommodation: { recognition: 'nightly' } } };
const checkOut = { classes: { accommodation: { recognition: 'check_out' } } };
const cash = { classes: { accommodation: { recognition: 'cash' } } };

describe('when income is earned', () => {
  it('at check-in: an advance until then', () => {
    assert.deepEqual(booked({}, group(booking(), entry())), [
      '2027-01-10 t7: Bank 300.00, Guest-Advances -300.00',
      '2027-03-05 t7-rec: Guest-Advances 300.00, Accommodation -300.00 1',
    ]);
  });

  it('at check-out', () => {
    assert.deepEqual(
      booked(checkOut, group(booking(), entry())).at(-1),
      '2027-03-08 t7-rec: Guest-Advances 300.00, Accommodation -300.00 1',
    );
  });

  it('when the money comes', () => {
    assert.deepEqual(booked(cash, group(booking(), entry())), ['2027-01-10 t7: Bank 300.00, Accommodation -300.00 1']);
  });

  it('night by night, the cents that do not divide to the first nights', () => {
    assert.deepEqual(booked(nightly, group(booking(), entry({ amount: 10_000 }))), [
      '2027-01-10 t7: Bank 100.00, Guest-Advances -100.00',
      '2027-03-05 t7-n1: Guest-Advances 33.34, Accommodation -33.34 1',
      '2027-03-06 t7-n2: Guest-Advances 33.33, Accommodation -33.33 1',
      '2027-03-07 t7-n3: Guest-Advances 33.33, Accommodation -33.33 1',
    ]);
  });

  it('what comes during the stay is earned at once for the nights that are over', () => {
    assert.deepEqual(booked(nightly, group(booking(), entry({ date: '2027-03-06', amount: 10_000 }))), [
      '2027-03-06 t7: Bank 100.00, Accommodation -66.67 1, Guest-Advances -33.33',
      '2027-03-07 t7-n3: Guest-Advances 33.33, Accommodation -33.33 1',
    ]);
  });

  it('what comes after arrival is no advance', () => {
    assert.deepEqual(booked({}, group(booking(), entry({ date: '2027-03-20' }))), [
      '2027-03-20 t7: Bank 300.00, Accommodation -300.00 1',
    ]);
  });

  it('each class at its own time', () => {
    const rooms = group(booking(), entry(), entry({ id: 8, itemId: 2, amount: 4_000 }));
    assert.deepEqual(booked({ classes: { cleaning: { recognition: 'check_out' } } }, rooms).slice(2), [
      '2027-03-05 t7-rec: Guest-Advances 300.00, Accommodation -300.00 1',
      '2027-03-08 t8-rec: Guest-Advances 40.00, Cleaning -40.00 1',
    ]);
  });

  it('of several rooms by their rates, one posting each', () => {
    const stays = [
      stay({ code: 'A1', propertyId: 1, rate: 20_000 }),
      stay({ code: 'A2', propertyId: 2, rate: 10_000 }),
      stay({ code: 'A3', propertyId: 3, status: 'cancelled', rate: 10_000 }),
    ];
    assert.deepEqual(booked({}, group(booking({ stays }), entry({ amount: 10_000 }))), [
      '2027-01-10 t7: Bank 100.00, Guest-Advances -100.00',
      '2027-03-05 t7-rec: Guest-Advances 100.00, Accommodation -66.67 1, Accommodation -33.33 2',
    ]);
  });

  it('not while it is only requested', () => {
    assert.deepEqual(booked({}, group(booking({ stays: [stay({ status: 'wait_pay' })] }), entry())), [
      '2027-01-10 t7: Bank 300.00, Guest-Advances -300.00',
    ]);
  });
});

describe('refunds and cancellations', () => {
  const refund = (over: Partial<TransactionFact>) =>
    entry({ id: 8, direction: 'expense', itemId: 11, amount: 10_000, ...over });

  it('a refund before arrival makes the advance smaller', () => {
    assert.deepEqual(booked({}, group(booking(), entry(), refund({ date: '2027-02-01' }))), [
      '2027-01-10 t7: Bank 300.00, Guest-Advances -300.00',
      '2027-02-01 t8: Bank -100.00, Guest-Advances 100.00',
      '2027-03-05 t7-rec: Guest-Advances 300.00, Accommodation -300.00 1',
      '2027-03-05 t8-rec: Guest-Advances -100.00, Accommodation 100.00 1',
    ]);
  });

  it('a refund after it has an account of its own', () => {
    assert.deepEqual(booked({}, group(booking(), refund({ date: '2027-04-01' }))), [
      '2027-04-01 t8: Bank -100.00, Refunds 100.00 1',
    ]);
  });

  it('what is kept of a cancelled booking is cancellation income, whenever it is given back', () => {
    const cancelled = booking({ stays: [stay({ status: 'cancelled' })], cancelled: '2027-02-10' });
    assert.deepEqual(booked({}, group(cancelled, entry(), refund({ date: '2027-02-20' }))), [
      '2027-01-10 t7: Bank 300.00, Guest-Advances -300.00',
      '2027-02-10 t7-rec: Guest-Advances 300.00, Cancellation -300.00 1',
      '2027-02-20 t8: Bank -100.00, Cancellation 100.00 1',
    ]);
  });

  it('a stay cut short has earned its nights', () => {
    const cancelled = booking({ stays: [stay({ status: 'cancelled' })], cancelled: '2027-03-06' });
    assert.deepEqual(booked(nightly, group(cancelled, entry())).slice(1), [
      '2027-03-05 t7-n1: Guest-Advances 100.00, Accommodation -100.00 1',
      '2027-03-06 t7-rec: Guest-Advances 200.00, Cancellation -200.00 1',
    ]);
  });

  it('money of a booking that is gone stays an advance, and is looked at', () => {
    const gone = booking({ stays: [], gone: '2027-02-10' });
    assert.deepEqual(booked({}, group(gone, entry())), ['2027-01-10 t7: Bank 300.00, Guest-Advances -300.00']);
  });
});

describe('what the ledger also holds', () => {
  it('occupancy tax that was collected is owed', () => {
    assert.deepEqual(booked({}, group(booking(), entry({ itemId: 4, amount: 900 }))), [
      '2027-01-10 t7: Bank 9.00, Occupancy-Tax -9.00 1',
    ]);
  });

  it('tax that is part of the price is taken out of the income, where the operator owes it', () => {
    const taxed = group(booking({ stays: [stay({ tax: 900 })], received: 30_000 }));
    assert.deepEqual(booked({ channels: { direct: { occupancy_tax: 'collected' } } }, taxed), [
      '2027-03-05 rA-tax: Accommodation 9.00 1, Occupancy-Tax -9.00 1',
    ]);
    assert.deepEqual(booked({}, taxed), []);
  });

  it('tax of a booking of several rooms stands on each of them, and is owed once, by their rates', () => {
    const own = { channels: { direct: { occupancy_tax: 'collected' as const } } };
    const rooms = (...some: Partial<StayFact>[]) =>
      group(
        booking({
          stays: some.map((one, index) => stay({ code: `A-${index}`, propertyId: index + 1, ...one })),
          received: 30_000,
        }),
      );
    const two = [{ tax: 901 }, { tax: 901, rate: 10_000 }] as const;
    assert.deepEqual(booked(own, rooms(...two)), [
      '2027-03-05 rA-tax: Accommodation 6.76 1, Occupancy-Tax -6.76 1, Accommodation 2.25 2, Occupancy-Tax -2.25 2',
    ]);
    const cancelled = { tax: 901, status: 'cancelled' } as const;
    assert.deepEqual(booked(own, rooms(...two, cancelled)), booked(own, rooms(...two)));
    assert.deepEqual(booked(own, rooms({ tax: 900, rate: null }, { tax: 900, rate: 10_000 }, { tax: 900, rate: 0 })), [
      '2027-03-05 rA-tax: Accommodation 9.00 2, Occupancy-Tax -9.00 2',
    ]);
    // Amounts of their own.
    assert.deepEqual(booked(own, rooms({ tax: 500 }, { tax: 300 })), [
      '2027-03-05 rA-tax: Accommodation 5.00 1, Occupancy-Tax -5.00 1, Accommodation 3.00 2, Occupancy-Tax -3.00 2',
    ]);
  });

  it('a commission that a channel kept is shown as income and expense', () => {
    const airy = booking({
      channelType: 'marketplace_a',
      channel: 'marketplace_a',
      stays: [stay({ commission: 4_500 })],
    });
    assert.deepEqual(booked({}, group(airy, entry({ methodId: 22, amount: 25_500 }))), [
      '2027-01-10 t7: Clearing:Marketplace-A 255.00, Guest-Advances -255.00',
      '2027-03-05 rA-com: Channel-Commission 45.00 1, Accommodation -45.00 1',
      '2027-03-05 t7-rec: Guest-Advances 255.00, Accommodation -255.00 1',
    ]);
    assert.equal(booked({ channels: { marketplace_a: { commission: 'billed' } } }, group(airy)).length, 0);
  });

  it('an expense of a property, of several rooms, and of nobody', () => {
    const cost = (over: Partial<TransactionFact>) =>
      entry({ direction: 'expense', itemId: 13, amount: 1_001, ...over });
    const stays = [stay({ code: 'A1', propertyId: 1, rate: 1 }), stay({ code: 'A2', propertyId: 2, rate: 1 })];
    assert.deepEqual(booked({}, group(null, cost({ reservation: null, propertyId: 4 }))), [
      '2027-01-10 t7: Bank -10.01, I13 10.01 4',
    ]);
    assert.deepEqual(booked({}, group(booking({ stays }), cost({}))), [
      '2027-01-10 t7: Bank -10.01, I13 5.01 1, I13 5.00 2',
    ]);
    assert.deepEqual(booked({}, group(null, cost({ reservation: null }))), ['2027-01-10 t7: Bank -10.01, I13 10.01']);
  });

  it('yen and fils as they are', () => {
    const yen = booking({ stays: [stay({ currency: 'JPY' })] });
    assert.deepEqual(booked(nightly, group(yen, entry({ currency: 'JPY', amount: 1_000, date: '2027-03-05' }))), [
      '2027-03-05 t7: Bank 1000 JPY, Accommodation -334 JPY 1, Guest-Advances -666 JPY',
      '2027-03-06 t7-n2: Guest-Advances 333 JPY, Accommodation -333 JPY 1',
      '2027-03-07 t7-n3: Guest-Advances 333 JPY, Accommodation -333 JPY 1',
    ]);
  });

  it('money in an account of another currency, at the stated rate', () => {
    const over = {
      methods: { income: { 21: { account: 'Assets:Bank', currency: 'EUR' } } },
      rates: [
        { on: '2027-01-01', from: 'KWD', to: 'EUR', rate: '3.0005' },
        { on: '2027-01-10', from: 'KWD', to: 'EUR', rate: '3.01' },
        { on: '2027-01-11', from: 'KWD', to: 'EUR', rate: '9' },
      ],
    };
    // 12.345 KWD at 3.01 are 37.15845 EUR.
    assert.deepEqual(
      booked(over, group(booking(), entry({ currency: 'KWD', amount: 12_345 })))[0],
      ['2027-01-10 t7: Bank 37.16, Conversion -37.16, Conversion 12.345 KWD, Guest-Advances -12.345 KWD'][0],
    );
  });
});

describe('what a person should look at', () => {
  const found = (over: object, facts: Group, today = TODAY) =>
    groupChecks(policyOf(bookWith(over)), facts, [], today).map(({ kind, date }) => `${kind} ${date}`);
  const netted = (over: Partial<StayFact> = {}) =>
    booking({ channelType: 'marketplace_a', channel: 'marketplace_a', stays: [stay({ commission: 4_500, ...over })] });

  it('a stay that is over and for which nothing was received', () => {
    assert.deepEqual(found({}, group(booking())), ['stay_unpaid 2027-03-08']);
    assert.deepEqual(found({}, group(booking()), '2027-03-07'), []);
    assert.deepEqual(found({}, group(booking(), entry())), []);
    assert.deepEqual(found({}, group(booking({ stays: [stay({ rate: 0 })] }))), []);
    assert.deepEqual(
      found({}, group(booking({ stays: [stay({ status: 'cancelled' })], cancelled: '2027-03-01' }))),
      [],
    );
  });

  it('the whole price entered where a channel keeps its commission', () => {
    const twice = ['commission_twice 2027-03-05'];
    const paid = (amount: number, over: object = {}) => entry({ methodId: 22, amount, ...over });
    assert.deepEqual(found({}, group(netted(), paid(30_000))), twice);
    assert.deepEqual(found({}, group(netted(), paid(24_000), paid(6_000, { id: 8, itemId: 2 }))), twice);
    assert.deepEqual(found({}, group(netted({ tax: 900 }), paid(30_900))), twice);
    assert.deepEqual(found({}, group(netted(), paid(25_500))), []);
    // Cleaning that is sold beside the price, tax that is paid out, and a channel that bills.
    assert.deepEqual(found({}, group(netted(), paid(25_500), paid(5_000, { id: 8, itemId: 2 }))), []);
    assert.deepEqual(found({}, group(netted({ tax: 900 }), paid(26_400))), []);
    const billed = { channels: { marketplace_a: { commission: 'billed' } } };
    assert.deepEqual(found(billed, group(netted(), paid(30_000))), []);
  });
});

describe('agents', () => {
  const agent = (contract: object) => ({
    properties: { 1: { owner: 'smith', contract: 'usual' } },
    contracts: { usual: { mode: 'agent', percent: '20', ...contract } },
  });
  const airy = (over: Partial<StayFact> = {}) =>
    booking({ channelType: 'marketplace_a', channel: 'marketplace_a', stays: [stay({ commission: 4_500, ...over })] });
  const paid = entry({ methodId: 22, amount: 25_500 });

  it('owe the owner what is left of the gross after their fee', () => {
    // 20 % of 255.00 + 45.00 are 60.00; the owner has 255.00 - 60.00 = 195.00.
    assert.deepEqual(booked(agent({}), group(airy(), paid)).slice(1), [
      '2027-03-05 rA-com: Owners:Smith 45.00 1, Owners:Smith -36.00 1, Management-Fees -9.00 1',
      '2027-03-05 t7-rec: Guest-Advances 255.00, Owners:Smith -204.00 1, Management-Fees -51.00 1',
    ]);
  });

  it('or of the net', () => {
    assert.deepEqual(booked(agent({ of: 'net' }), group(airy(), paid)).slice(1), [
      '2027-03-05 rA-com: Owners:Smith 45.00 1, Owners:Smith -45.00 1',
      '2027-03-05 t7-rec: Guest-Advances 255.00, Owners:Smith -204.00 1, Management-Fees -51.00 1',
    ]);
  });

  it('or of the net of a channel that bills its commission later: no fee of what it will bill', () => {
    const billed = (over: object) => ({
      ...agent(over),
      channels: { marketplace_a: { commission: 'billed' as const } },
    });
    const facts = group(airy(), entry({ methodId: 22 }));
    // 20 % of 300.00 - 45.00 are 51.00: 60.00 less 9.00.
    assert.deepEqual(booked(billed({ of: 'net' }), facts).slice(1), [
      '2027-03-05 rA-net: Owners:Smith -9.00 1, Management-Fees 9.00 1',
      '2027-03-05 t7-rec: Guest-Advances 300.00, Owners:Smith -240.00 1, Management-Fees -60.00 1',
    ]);
    assert.deepEqual(booked(billed({}), facts).length, 2);
    assert.deepEqual(booked(billed({ of: 'net', free: ['accommodation'] }), facts).length, 2);
    // Night by night, rounded once.
    const nights = booked({ ...billed({ of: 'net', percent: '12.5' }), ...nightly }, facts).filter((line) =>
      line.includes('rA-net'),
    );
    assert.deepEqual(nights, [
      '2027-03-05 rA-net-n1: Owners:Smith -1.88 1, Management-Fees 1.88 1',
      '2027-03-06 rA-net-n2: Owners:Smith -1.88 1, Management-Fees 1.88 1',
      '2027-03-07 rA-net-n3: Owners:Smith -1.87 1, Management-Fees 1.87 1',
    ]);
  });

  it('take nothing of a stay for which nothing was received', () => {
    const fees = {
      ...agent({ per_stay: '12.50' }),
      channels: { marketplace_a: { occupancy_tax: 'collected' as const } },
    };
    const unpaid = airy({ tax: 900 });
    assert.deepEqual(booked(fees, group(unpaid)), []);
    const { outcomes } = derive(policyOf(bookWith(fees)), group(unpaid), TODAY);
    assert.deepEqual(
      outcomes.map(({ state, reason }) => [state, reason]),
      [['ignored', 'nothing was received for it']],
    );
    // As soon as anything was; and of what costs nothing, such as an owner's stay.
    assert.equal(booked(fees, group({ ...unpaid, received: 100 })).length, 3);
    assert.equal(booked(fees, group(unpaid, entry({ methodId: 22, amount: 100 }))).length, 5);
    assert.deepEqual(booked(agent({ per_stay: '12.50' }), group(booking({ stays: [stay({ rate: 0 })] }))), [
      '2027-03-05 rA-fee: Owners:Smith 12.50 1, Management-Fees -12.50 1',
    ]);
  });

  it('keep what the contract leaves to them, and take a fee for each stay', () => {
    const facts = group(booking(), entry({ itemId: 2, amount: 4_000 }));
    assert.deepEqual(booked(agent({ kept: ['cleaning'], per_stay: '12.50' }), facts).slice(1), [
      '2027-03-05 rA-fee: Owners:Smith 12.50 1, Management-Fees -12.50 1',
      '2027-03-05 t7-rec: Guest-Advances 40.00, Cleaning -40.00 1',
    ]);
  });

  it('round a fee once: 12.5 % of 100.00 over three nights are 12.50', () => {
    const contract = { ...agent({ percent: '12.5' }), ...nightly };
    const fees = booked(contract, group(booking(), entry({ amount: 10_000 })))
      .join(' ')
      .matchAll(/Management-Fees -(\d+\.\d\d)/g);
    assert.deepEqual(
      [...fees].map(([, fee]) => fee),
      ['4.17', '4.17', '4.16'],
    );
  });

  it('give back their part of a refund, and charge owners what is theirs', () => {
    const refund = entry({ direction: 'expense', itemId: 11, amount: 10_000, date: '2027-04-01' });
    const cost = entry({ id: 9, reservation: null, propertyId: 1, direction: 'expense', itemId: 14, amount: 5_000 });
    assert.deepEqual(booked(agent({}), group(booking(), refund, cost)), [
      '2027-01-10 t9: Bank -50.00, Owners:Smith 50.00 1',
      '2027-04-01 t7: Bank -100.00, Owners:Smith 80.00 1, Management-Fees 20.00 1',
    ]);
  });
});

describe('deposits', () => {
  const state = (date: string, paid: number, deducted: number, pending: number): DepositFact => ({
    date,
    currency: 'EUR',
    paid,
    deducted,
    pending,
  });
  const life = [
    state('2027-03-01', 20_000, 0, 20_000),
    state('2027-03-09', 20_000, 5_000, 15_000),
    state('2027-03-12', 20_000, 5_000, 0),
  ];
  const withDeposit = (deposits: DepositFact[]) => group(booking({ stays: [stay({ deposits })] }));
  const charge = { deposits: { kind: 'charge' } };

  it('are owed until they are kept or given back', () => {
    assert.deepEqual(booked(charge, withDeposit(life)), [
      '2027-03-01 dA-paid-20000: Clearing:Direct 200.00 1, Security-Deposits -200.00 1',
      '2027-03-09 dA-deducted-5000: Security-Deposits 50.00 1, Damage-Recovery -50.00 1',
      '2027-03-12 dA-returned-15000: Security-Deposits 150.00 1, Clearing:Direct -150.00 1',
    ]);
  });

  it('that are holds move nothing until something is kept', () => {
    assert.deepEqual(booked({ deposits: { kind: 'hold' } }, withDeposit(life)), [
      '2027-03-09 dA-deducted-5000: Clearing:Direct 50.00 1, Damage-Recovery -50.00 1',
    ]);
  });

  it('of which nobody has said what they are stay unexplained', () => {
    const { drafts, outcomes, exceptions } = derive(policyOf(bookWith()), withDeposit(life), TODAY);
    assert.deepEqual([drafts.length, outcomes[0]?.state, exceptions[0]?.kind], [0, 'pending', 'deposit_unexplained']);
  });

  it('that shrink are for a person', () => {
    const shrunk = [...life.slice(0, 1), state('2027-03-02', 15_000, 0, 15_000)];
    const { drafts, outcomes } = derive(policyOf(bookWith(charge)), withDeposit(shrunk), TODAY);
    assert.equal(drafts.length, 1);
    assert.match(outcomes[0]?.reason ?? '', /what was paid fell from 200.00 EUR to 150.00 EUR on 2027-03-02/);
  });
});

describe('every source is in one state', () => {
  const stateOf = (over: object, one: TransactionFact, reservation: ReservationFact | null = booking()) => {
    const { outcomes } = derive(policyOf(bookWith(over)), group(reservation, one), TODAY);
    return outcomes.map(({ state, reason }) => `${state}: ${reason}`).join();
  };
  const rows: [string, string][] = [
    ['posted: ', stateOf({}, entry())],
    ['ignored: its item is ignored', stateOf({}, entry({ itemId: 5 }))],
    ['ignored: it is older than the books', stateOf({ starts_on: '2027-02-01' }, entry())],
    ['ignored: the money never came here', stateOf({ methods: { income: { 21: 'none' } } }, entry())],
    ['unmapped: item 99 “Accommodation” has no class', stateOf({}, entry({ itemId: 99 }))],
    ['unmapped: method 99 “Bank transfer” has no account', stateOf({}, entry({ methodId: 99 }))],
    ['pending: it lies ahead', stateOf({}, entry({ date: '2028-01-01' }))],
    ['pending: its amount cannot be expressed in EUR', stateOf({}, entry({ amount: null }))],
    ['pending: its booking is not in the mirror', stateOf({}, entry(), null)],
    [
      'pending: there is no rate from EUR to USD on 2027-01-10',
      stateOf({ methods: { income: { 21: { account: 'Assets:Bank', currency: 'USD' } } } }, entry()),
    ],
  ];
  for (const [wanted, found] of rows) it(wanted, () => assert.equal(found, wanted));

  it('what is unmapped gathers in accounts of its own', () => {
    assert.deepEqual(booked({}, group(null, entry({ reservation: null, itemId: 99, methodId: 98 }))), [
      '2027-01-10 t7: Unmapped:M98 300.00, Unmapped:I99 -300.00',
    ]);
  });
});

describe('whatever happens', () => {
  const amount = fc.integer({ min: 1, max: 1_000_000_000 });
  const day = fc.integer({ min: 1, max: 28 }).map((one) => `2027-0${1 + (one % 9)}-${String(one).padStart(2, '0')}`);
  const room = fc.record({
    propertyId: fc.integer({ min: 1, max: 3 }),
    rate: fc.option(fc.integer({ min: 0, max: 1_000_000 })),
    commission: fc.option(fc.integer({ min: 0, max: 100_000 })),
    tax: fc.option(fc.integer({ min: 0, max: 10_000 })),
    nights: fc.integer({ min: 1, max: 9 }),
    status: fc.constantFrom('accepted', 'accepted', 'cancelled', 'wait_pay', 'timeout'),
  });
  const movement = fc.record({
    direction: fc.constantFrom('income' as const, 'expense' as const),
    itemId: fc.integer({ min: 1, max: 17 }),
    methodId: fc.constantFrom(21, 22, 31),
    amount,
    date: day,
    currency: fc.constantFrom('EUR', 'JPY', 'KWD', 'USD'),
  });
  const settings = fc.record({
    recognition: fc.constantFrom('cash', 'check_in', 'check_out', 'nightly'),
    percent: fc.integer({ min: 0, max: 100 }),
    of: fc.constantFrom('gross', 'net'),
    channel: fc.constantFrom('direct', 'marketplace_a'),
    tax: fc.constantFrom('collected', 'remitted'),
    cancelled: fc.option(day),
  });

  it('entries balance in each currency, and nothing is held in advance of what is over', () => {
    fc.assert(
      fc.property(
        fc.array(room, { minLength: 1, maxLength: 4 }),
        fc.array(movement, { maxLength: 6 }),
        settings,
        (rooms, money, how) => {
          const policy = policyOf(
            bookWith({
              classes: { accommodation: { recognition: how.recognition }, cleaning: { recognition: 'nightly' } },
              channels: { [how.channel]: { occupancy_tax: how.tax } },
              properties: { 1: { owner: 'smith', contract: 'usual' }, 2: { owner: 'jones', contract: 'usual' } },
              contracts: { usual: { mode: 'agent', percent: how.percent, of: how.of, kept: ['cleaning'] } },
            }),
          );
          const stays = rooms.map(({ nights, ...facts }, index) =>
            stay({ code: `A-${index}`, ...facts, checkOut: `2027-03-${String(5 + nights).padStart(2, '0')}` }),
          );
          const hasAccepted = stays.some((one) => one.status === 'accepted');
          const isOver = hasAccepted || (how.cancelled !== null && stays.every((one) => one.status !== 'wait_pay'));
          const facts = group(
            booking({ stays, channelType: how.channel, channel: how.channel, cancelled: how.cancelled }),
            ...money.map((one, index) => entry({ id: index + 1, ...one })),
          );
          const { drafts, outcomes } = derive(policy, facts, TODAY);
          const slots = drafts.map(({ base, suffix }) => `${base}-${suffix}`);
          assert.equal(new Set(slots).size, slots.length);
          assert.equal(outcomes.filter(({ source }) => source.kind === 'transaction').length, money.length);
          const advances = new Map<string, number>();
          for (const { postings } of drafts) {
            const sums = new Map<string, number>();
            for (const { account, currency, amount: part } of postings) {
              assert.ok(Number.isSafeInteger(part) && part !== 0);
              sums.set(currency, (sums.get(currency) ?? 0) + part);
              if (account === 'Liabilities:Guest-Advances')
                advances.set(currency, (advances.get(currency) ?? 0) + part);
            }
            assert.ok([...sums.values()].every((sum) => sum === 0));
          }
          if (isOver) assert.ok([...advances.values()].every((sum) => sum === 0));
        },
      ),
      { numRuns: 300 },
    );
  });
});
