import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { ApiError } from '../../../src/kernel/errors.ts';
import { instantOf } from '../../../src/kernel/dates.ts';
import { seededDice } from '../../../src/kernel/seeded.ts';
import { type StateQuestion, stateOf, statesOf } from '../../../src/sync/feed/asOf/stateOf.ts';
import { availabilityEvent, calendarEvent, reservationEvent, transactionEvent } from '../../support/events.ts';
import { CONNECTION, openWorld, type World } from '../../support/mirror.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { makeDay, makeListing, makeProperty, makeStay, makeTransaction } from '../../support/rows.ts';
import { Truth } from '../../support/truth.ts';

interface Answer {
  as_of: string;
  rows: {
    key?: string;
    part: string | null;
    valid_from: string;
    valid_to: string | null;
    row: Record<string, unknown>;
  }[];
  days: { from: string; to: string; [value: string]: unknown }[];
  next: string | null;
}

type Ask = Partial<StateQuestion> & { resource: string };

const pastOf = (w: World) => ({ db: w.store.db, clock: w.clock });
const ask = (w: World, question: Ask & { key: string }) =>
  stateOf(pastOf(w), { connection: CONNECTION, ...question }) as Promise<Answer>;
const refused = async (w: World, question: Ask & { key: string }, code: number, text: RegExp) => {
  await assert.rejects(ask(w, question), (error: unknown) => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.code, code);
    assert.match(error.message, text);
    return true;
  });
};

async function open(t: TestContext, fill: (truth: Truth) => void = () => {}, database?: string): Promise<World> {
  const truth = new Truth();
  fill(truth);
  const opened = await openWorld({ truth, ...(database !== undefined && { database }) });
  t.after(() => opened.close());
  return opened;
}

async function reconcile(w: World, resource: string): Promise<void> {
  let done = false;
  void w.daemon.reconcile(CONNECTION, resource).then(() => (done = true));
  await w.clock.until(() => done, 'a scan');
}

/** The moment, and time passing so that nothing else happens in it. */
async function now(w: World): Promise<string> {
  w.clock.jump(1_000);
  const at = instantOf(w.clock.now());
  w.clock.jump(1_000);
  return at;
}

const later = (instant: string, ms: number) => instantOf(Date.parse(instant) + ms);

async function setGuests(w: World, number_of_guests: number): Promise<string> {
  w.truth.patch(1, { number_of_guests });
  await w.send(reservationEvent(makeStay(1)));
  await w.quiet();
  const [row] = await w.store.db
    .selectFrom('stays')
    .select('changed_at')
    .where('stay_code', '=', '5-R000001')
    .execute();
  return row?.changed_at ?? '';
}

test('a booking is answered as it was known at a time, at exact boundaries, and as it is now', async (t) => {
  const w = await open(t, (truth) => truth.put(makeStay(1)));
  const key = '5-R000001';
  const first = (await ask(w, { resource: 'reservation', key })).rows[0]?.valid_from ?? '';
  await now(w);
  const second = await setGuests(w, 3);
  await now(w);
  const third = await setGuests(w, 4);
  const guests = async (as_of?: string) => {
    const { rows } = await ask(w, { resource: 'reservation', key, ...(as_of && { as_of }) });
    assert.equal(rows.length, 1);
    return [rows[0]?.row['number_of_guests'], rows[0]?.valid_from, rows[0]?.valid_to];
  };
  assert.deepEqual(await guests(first), [2, first, second]);
  assert.deepEqual(await guests(later(second, -1)), [2, first, second]);
  assert.deepEqual(await guests(second), [3, second, third]);
  assert.deepEqual(await guests(later(third, -1)), [3, second, third]);
  assert.deepEqual(await guests(third), [4, third, null]);
  assert.deepEqual(await guests(), [4, third, null]);
  await refused(w, { resource: 'reservation', key, as_of: later(first, -1) }, 404, /not known at .*first read at/);
  assert.deepEqual((await ask(w, { resource: 'stays', key })).rows.length, 1, 'the name of the table does, too');
});

test('a row that was gone, and is back, was gone in between', async (t) => {
  const w = await open(t, (truth) => truth.transactions.set(1, makeTransaction(1)));
  const there = await now(w);
  w.truth.transactions.delete(1);
  await w.send(transactionEvent(1, 'transaction_deleted'));
  await w.quiet();
  const [{ deleted_at: deleted } = { deleted_at: null }] = await w.store.db
    .selectFrom('transactions')
    .select('deleted_at')
    .execute();
  assert.ok(deleted);
  const question = { resource: 'transaction', key: '1' };
  await refused(w, question, 404, /was gone at .*found at/);
  const gone = await now(w);
  w.truth.transactions.set(1, makeTransaction(1, { amount: 70 }));
  await w.send(transactionEvent(1));
  await w.quiet();
  const amountAt = async (as_of: string) => (await ask(w, { ...question, as_of })).rows[0]?.row['amount'];
  assert.equal(await amountAt(there), 100);
  assert.equal(await amountAt(later(deleted, -1)), 100);
  await refused(w, { ...question, as_of: deleted }, 404, /was gone/);
  await refused(w, { ...question, as_of: gone }, 404, /was gone/);
  assert.equal(await amountAt(await now(w)), 70);
});

test('what cannot be answered says why', async (t) => {
  const w = await open(t, (truth) => truth.put(makeStay(1)));
  const key = '5-R000001';
  await refused(w, { resource: 'reservation', key: 'nobody' }, 404, /never known reservation nobody/);
  await refused(w, { resource: 'transaction', key: 'x; drop' }, 404, /never known/);
  await refused(w, { resource: 'bookings', key }, 404, /nothing called "bookings" is mirrored; there are /);
  await refused(w, { resource: 'reservation', key, as_of: 'yesterday' }, 422, /as_of: must be a moment/);
  await refused(w, { resource: 'reservation', key, as_of: '2099-01-01T00:00:00Z' }, 422, /lies in the future/);
  await refused(w, { resource: 'calendar', key: 'marketplace_a/none' }, 404, /never known/);
});

test('nights and days are answered as ranges, as they were known at a time', async (t) => {
  const w = await open(t, (truth) => {
    truth.listings.set(1, makeListing(1));
    truth.taken.add('7 2027-03-02');
  });
  const nights = (as_of?: string) => {
    const range = { from: '2027-03-01', to: '2027-03-04' };
    return ask(w, { resource: 'availability', key: '7', ...range, ...(as_of && { as_of }) });
  };
  const days = (as_of?: string) => {
    const range = { from: '2027-03-01', to: '2027-03-04' };
    return ask(w, { resource: 'calendar', key: 'marketplace_a/L1', ...range, ...(as_of && { as_of }) });
  };
  const brief = ({ days: all }: Answer) => all.map((one) => [one.from, one.to, one['available'] ?? one['price']]);
  const t0 = await now(w);
  const firstNights = [
    ['2027-03-01', '2027-03-01', 1],
    ['2027-03-02', '2027-03-02', 0],
    ['2027-03-03', '2027-03-04', 1],
  ];
  assert.deepEqual(brief(await nights()), firstNights);
  w.truth.taken.add('7 2027-03-03');
  await w.send(availabilityEvent(7, ['2027-03-03']));
  for (const date of ['2027-03-02', '2027-03-03'])
    w.truth.days.set(`marketplace_a/L1 ${date}`, makeDay(date, { price: 90 }));
  await w.send(calendarEvent({ channel_type: 'marketplace_a', listing_id: 'L1' }, '2027-03-01', '2027-03-04'));
  await w.quiet();
  const t1 = await now(w);
  w.truth.days.set('marketplace_a/L1 2027-03-03', makeDay('2027-03-03', { price: 80 }));
  await w.send(calendarEvent({ channel_type: 'marketplace_a', listing_id: 'L1' }, '2027-03-03', '2027-03-03'));
  await w.quiet();
  assert.deepEqual(brief(await nights(t0)), firstNights);
  assert.deepEqual(brief(await nights(t1)), [
    ['2027-03-01', '2027-03-01', 1],
    ['2027-03-02', '2027-03-03', 0],
    ['2027-03-04', '2027-03-04', 1],
  ]);
  assert.deepEqual(brief(await days(t0)), [['2027-03-01', '2027-03-04', '100.5']]);
  assert.deepEqual(brief(await days(t1)), [
    ['2027-03-01', '2027-03-01', '100.5'],
    ['2027-03-02', '2027-03-03', '90'],
    ['2027-03-04', '2027-03-04', '100.5'],
  ]);
  assert.deepEqual(brief(await days()).slice(1, 3), [
    ['2027-03-02', '2027-03-02', '90'],
    ['2027-03-03', '2027-03-03', '80'],
  ]);
  await refused(w, { resource: 'availability', key: '7', as_of: '2026-01-01T00:00:00Z' }, 404, /not known at/);
});

test('days that come into sight later were not known before', async (t) => {
  const w = await open(t);
  const last = async () => (await ask(w, { resource: 'availability', key: '7' })).days.at(-1)?.to ?? '';
  const t0 = await now(w);
  const before = await last();
  w.clock.jump(3 * 86_400_000);
  await reconcile(w, 'availability');
  assert.ok((await last()) > before);
  assert.equal((await ask(w, { resource: 'availability', key: '7', as_of: t0 })).days.at(-1)?.to, before);
});

test('all rows of a kind come page by page as they were known at a time', async (t) => {
  const w = await open(t, (truth) => {
    for (let id = 1; id <= 25; id += 1) truth.transactions.set(id, makeTransaction(id));
  });
  const t0 = await now(w);
  w.truth.transactions.delete(9);
  w.truth.transactions.set(12, makeTransaction(12, { amount: 55 }));
  w.truth.transactions.set(30, makeTransaction(30));
  await reconcile(w, 'transaction');
  await w.quiet();
  const all = async (as_of?: string) => {
    const rows: Answer['rows'] = [];
    for (let next: string | null = ''; next !== null;) {
      const question = {
        connection: CONNECTION,
        resource: 'transaction',
        as_of,
        limit: 7,
        ...(next && { after: next }),
      };
      const page = (await statesOf(pastOf(w), question)) as Answer;
      rows.push(...page.rows);
      next = page.next;
    }
    return rows.map(({ key, row }) => `${key}:${String(row['amount'])}`);
  };
  const ids = Array.from({ length: 25 }, (_, index) => index + 1);
  assert.deepEqual(
    await all(t0),
    ids.map((id) => `${id}:100`),
  );
  assert.deepEqual(
    await all(),
    [...ids.filter((id) => id !== 9), 30].map((id) => `${id}:${id === 12 ? 55 : 100}`),
  );
});

/** Lets things change at random, and notes what was true at each moment. */
async function livingWorld(w: World) {
  const dice = seededDice(11);
  const pick = (count: number) => Math.floor(dice.fraction() * count);
  const moments: { at: string; stays: Map<string, number>; nights: Map<string, number> }[] = [];
  for (let step = 0; step < 25; step += 1) {
    const id = 1 + pick(4);
    if (w.truth.stays.has(id) && pick(4) === 0) w.truth.stays.delete(id);
    else w.truth.put(makeStay(id, { number_of_guests: 1 + pick(9) }));
    await w.send(reservationEvent(makeStay(id)));
    const date = `2027-03-0${1 + pick(6)}`;
    if (!w.truth.taken.delete(`7 ${date}`)) w.truth.taken.add(`7 ${date}`);
    await w.send(availabilityEvent(7, [date]));
    await w.quiet();
    const stays = new Map([...w.truth.stays.values()].map((one) => [one.reservation_code, one.number_of_guests]));
    const nights = new Map(
      [1, 2, 3, 4, 5, 6].map((day) => [`2027-03-0${day}`, w.truth.taken.has(`7 2027-03-0${day}`) ? 0 : 1]),
    );
    moments.push({ at: await now(w), stays, nights });
  }
  return moments;
}

async function answersAgree(w: World): Promise<void> {
  for (const { at, stays, nights } of await livingWorld(w)) {
    for (let id = 1; id <= 4; id += 1) {
      const key = makeStay(id).reservation_code;
      const question = { resource: 'reservation', key, as_of: at };
      const told = await ask(w, question).then(
        ({ rows }) => rows[0]?.row['number_of_guests'],
        (error: unknown) => {
          assert.ok(error instanceof ApiError && error.code === 404);
          return undefined;
        },
      );
      assert.equal(told, stays.get(key), `${key} at ${at}`);
      const { rows } = await sql<{ raw: string }>`
        select raw from states where connection = 'local' and resource = 'reservation' and key = ${key}
          and valid_from <= ${at} and (valid_to is null or valid_to > ${at})`.execute(w.store.db);
      assert.deepEqual(
        rows.map(({ raw }) => (JSON.parse(raw) as { number_of_guests: number }).number_of_guests),
        [stays.get(key)].filter((one) => one !== undefined),
      );
    }
    const range = { from: '2027-03-01', to: '2027-03-06' };
    const { days } = await ask(w, { resource: 'availability', key: '7', as_of: at, ...range });
    for (const [date, available] of nights) {
      const stretch = days.find((one) => one.from <= date && date <= one.to);
      assert.equal(stretch?.['available'], available, `${date} at ${at}`);
    }
    const { rows } = await sql<{ date: string; available: number }>`
      select date, available from availability_states
      where connection = 'local' and property_id = 7 and date >= '2027-03-01' and date <= '2027-03-06'
        and valid_from <= ${at} and (valid_to is null or valid_to > ${at}) order by date`.execute(w.store.db);
    assert.deepEqual(
      rows.map((row) => [row.date, Number(row.available)]),
      [...nights],
    );
  }
}

function recipes(): string[] {
  const page = readFileSync(new URL('../../../docs/mirror.md', import.meta.url), 'utf8');
  const part = page.slice(page.indexOf('<!-- recipes -->'), page.indexOf('Under them lie'));
  return [...part.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, text = '']) => text);
}

async function recipesRun(w: World): Promise<void> {
  const texts = recipes();
  assert.equal(texts.length, 4);
  for (const text of texts) {
    const { rows } = await sql.raw(text.replaceAll("'2026-11-20T12:00:00.000Z'", "'2099-01-01'")).execute(w.store.db);
    assert.ok(rows.length > 0, text);
  }
}

const fill = (truth: Truth) => {
  truth.put(makeStay(1));
  truth.listings.set(1, makeListing(1));
};

test('whatever happened, HTTP and SQL tell of each moment what was true in it', async (t) => {
  await answersAgree(await open(t));
});

test('the queries of the manual run', async (t) => {
  await recipesRun(await open(t, fill));
});

describeOnPostgres('history on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());

  test('the same text of SQL tells the same', async (t) => {
    await answersAgree(await open(t, () => {}, await server.freshDatabase()));
  });

  test('the queries of the manual run there, too', async (t) => {
    const addProperty = (truth: Truth) => void truth.properties.set(8, makeProperty(8));
    await recipesRun(await open(t, (truth) => (fill(truth), addProperty(truth)), await server.freshDatabase()));
  });
});
