import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { addGuideImage, registerGuest } from '../../src/core/channels/reservations/guests.ts';
import { eraseGuest, planErasure, type Whom } from '../../src/core/erasure/eraseGuest.ts';
import { byChannel, channelRoom, deliver, type Delivered } from '../support/channel.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { guestWrites, openConversation } from '../support/conversations.ts';

const CANARY = 'Quillon';
const EMAIL = `${CANARY}@guest.example`;

describe('erasing a guest from the core', () => suite(() => startCore()));

describeOnPostgres('erasing a guest from the core, on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());
  suite(async () => startCore({ kind: 'postgres', url: await server.freshDatabase(), schema: 'core' }));
});

function suite(start: () => Promise<TestCore>): void {
  let core: TestCore;
  let booking: Delivered;
  let other: Delivered;
  let guest: number;
  beforeEach(async () => {
    core = await start();
    const { property_id } = await core.call('createProperty', { name: 'Mill' });
    const second = await core.call('createProperty', { name: 'Barn' });
    booking = await deliver(core, [channelRoom(property_id), channelRoom(second.property_id)], {
      guest: { name: `${CANARY} Booker`, email: EMAIL, phone: `+49 ${CANARY}` },
    });
    const dates = { check_in_date: '2027-05-05', check_out_date: '2027-05-08' };
    other = await deliver(core, [channelRoom(property_id, dates)]);
    const conversation_id = await openConversation(core, {
      guest: { name: CANARY, email: EMAIL.toUpperCase(), phone: CANARY },
    });
    await guestWrites(core, conversation_id, { content: `I am ${CANARY}` });
    await core.call('sendMessage', { conversation_id, message: `Dear ${CANARY}` });
    await core.call('updateConversationNote', { conversation_id, note: `about ${CANARY}` });
    const of = { reservation_code: booking.reservation_code };
    const { db } = core.core.store;
    await db
      .updateTable('reservations')
      .set({ conversation_id })
      .where('reservation_code', '=', booking.reservation_code)
      .execute();
    const [stay] = (await core.call('listReservations', of)).reservations;
    await core.call('updateReservation', { stay_code: stay.stay_code, remarks: `for ${CANARY}` });
    await core.call('updateCheckInDetails', { stay_code: stay.stay_code, lock_code: `4711${CANARY}` });
    const { income_items } = await core.call('listIncomeItems');
    const { income_methods } = await core.call('listIncomeMethods');
    const entry = {
      direction: 'income',
      amount: 12.5,
      currency: 'EUR',
      item_id: income_items[0].id,
      payment_method_id: income_methods[0].id,
    };
    await core.call('createTransaction', { ...entry, ...of, note: `from ${CANARY}` });
    const task = {
      property_id,
      stay_code: stay.stay_code,
      expected_date: '2027-03-08',
      note: `after ${CANARY}`,
    };
    await db
      .insertInto('tasks')
      .values({ ...TASK, ...task, account_id: core.own.account.account_id })
      .execute();
    const words = JSON.stringify({
      score: 5,
      sub_score: [],
      content: `${CANARY} was here`,
      private_feedback: CANARY,
      created_at: '2027-03-09T00:00:00.000Z',
    });
    const { id: stay_id } = await db
      .selectFrom('stays')
      .where('stay_code', '=', stay.stay_code)
      .select('id')
      .executeTakeFirstOrThrow();
    const review = {
      account_id: core.own.account.account_id,
      ...of,
      id: 1,
      stay_id,
      host_review: words,
      guest_review: words,
      host_reply: null,
      created_at: '2027-03-09T00:00:00.000Z',
    };
    await db
      .insertInto('reviews')
      .values({ ...review, reservation_code: booking.reservation_code })
      .execute();
    guest =
      (await byChannel(core, (change) =>
        registerGuest(change, booking, {
          reference: 'g',
          name: `${CANARY} Friend`,
          id_number: `P${CANARY}`,
          id_images: [`https://pics.example/${CANARY}`],
        }),
      )) ?? 0;
    await byChannel(core, (change) =>
      addGuideImage(change, booking, { reference: 'i', url: `https://pics.example/${CANARY}` }),
    );
  });
  afterEach(() => core.close());

  const who = () => ({ account: core.own.account, operator: null });
  const mentions = async () =>
    (await everything())
      .filter(([, text]) => text.toLowerCase().includes(CANARY.toLowerCase()))
      .map(([table]) => table);

  /** Every row of the core, as text. */
  async function everything(): Promise<[string, string][]> {
    const { db } = core.core.store;
    const tables = await db.introspection.getTables();
    const texts: [string, string][] = [];
    for (const { name, schema } of tables) {
      if (schema !== undefined && schema !== 'core') continue;
      texts.push([
        name,
        JSON.stringify(
          await db
            .selectFrom(name as 'guests')
            .selectAll()
            .execute(),
        ),
      ]);
    }
    return texts;
  }

  for (const [what, whom] of [
    ['the booking', () => ({ by: 'reservation_code', reservation_code: booking.reservation_code })],
  ] as [string, () => Whom][]) {
    it(`by ${what}: nothing names anybody of it any more, and bookings, money and scores stay`, async () => {
      assert.ok((await mentions()).length >= 8, String(await mentions()));
      const money = () =>
        core.core.store.db.selectFrom('transactions').select(['id', 'amount']).orderBy('id').execute();
      const before = await money();
      const plan = await planErasure(core.core, core.own.account, whom());
      assert.deepEqual(
        [plan.persons, plan.bookings, plan.stays, plan.conversations, plan.rows],
        [3, [booking.reservation_code], 2, 1, {}],
      );
      const events = (await core.events()).length;
      const { report, strings } = await eraseGuest(core.core, who(), whom());
      assert.deepEqual(await mentions(), []);
      assert.ok(strings.includes(EMAIL));
      assert.deepEqual({ ...report, rows: {} }, plan);
      assert.deepEqual(await money(), before);
      const told = (await core.events()).slice(events);
      assert.deepEqual(
        told.map((one) => one['event']),
        ['reservation_updated', 'reservation_updated'],
      );
      const { guest_review } = await core.core.store.db
        .selectFrom('reviews')
        .select('guest_review')
        .executeTakeFirstOrThrow();
      const review = JSON.parse(guest_review ?? '');
      assert.deepEqual([review.score, review.content, review.private_feedback], [5, '', null]);
      const [kept] = (await core.call('listReservations', { reservation_code: other.reservation_code })).reservations;
      assert.deepEqual([kept.guest_name, kept.guest_email], ['C. Guest', 'c@guest.example']);
      assert.deepEqual((await eraseGuest(core.core, who(), whom())).strings, [], 'a second time there is nothing left');
    });
  }

  it('by address, however it is written: the bookings, conversations and words of who has it; others of the booking stay', async () => {
    const { report } = await eraseGuest(core.core, who(), { by: 'email', email: ` ${EMAIL.toUpperCase()} ` });
    assert.deepEqual([report.bookings, report.conversations], [[booking.reservation_code], 1]);
    assert.deepEqual(await mentions(), ['checkin_guide_images', 'guest_images', 'guests']);
    const { name } = await core.core.store.db
      .selectFrom('guests')
      .where('id', '=', guest)
      .select('name')
      .executeTakeFirstOrThrow();
    assert.equal(name, `${CANARY} Friend`);
  });

  it('by number: this guest alone, papers and pictures included', async () => {
    const { report } = await eraseGuest(core.core, who(), { by: 'guest_id', guest_id: guest });
    assert.deepEqual([report.persons, report.conversations, report.stays], [1, 0, 1]);
    const row = await core.core.store.db
      .selectFrom('guests')
      .where('id', '=', guest)
      .selectAll()
      .executeTakeFirstOrThrow();
    assert.deepEqual([row.name, row.id_number, row.email], [null, null, null]);
    assert.ok(!(await mentions()).includes('guest_images'));
    const [kept] = (await core.call('listReservations', { reservation_code: booking.reservation_code })).reservations;
    assert.equal(kept.guest_name, `${CANARY} Booker`);
  });

  it('nobody of another account is reached, and who is unknown leaves all as it was', async () => {
    const stranger = await core.addAccount('stranger');
    const before = await everything();
    for (const whom of [
      { by: 'email', email: EMAIL },
      { by: 'guest_id', guest_id: guest },
      { by: 'reservation_code', reservation_code: booking.reservation_code },
    ] as const) {
      const { report } = await eraseGuest(core.core, { account: stranger.account, operator: null }, whom);
      assert.deepEqual([report.persons, report.bookings, report.rows], [0, [], {}]);
    }
    await eraseGuest(core.core, who(), { by: 'email', email: 'nobody@guest.example' });
    assert.deepEqual(await everything(), before);
  });
}

const TASK = {
  id: 1,
  type: 'cleaning',
  status: 'pending',
  staff_id: null,
  expected_time: null,
  level: null,
  currency: 'EUR',
  fee: null,
  created_at: '2026-11-20T12:00:00.000Z',
  updated_at: '2026-11-20T12:00:00.000Z',
} as const;
