import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { createRule } from '../../src/core/automation/manageRules.ts';
import { operationIds, operations } from '../../src/contract/index.ts';
import { receiveReview } from '../../src/core/reviews/receive.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { channelRoom, deliver } from '../support/channel.ts';
import { listOn } from '../support/listings.ts';
import { bookOnChannel, guestWrites, openConversation } from '../support/conversations.ts';
import { judges } from '../support/openapi.ts';

type Params = Readonly<Record<string, string>>;

interface Described {
  operationId: string;
  responses: { 200: { content: { 'application/json': { schema: { anyOf: [object, object] } } } } };
}
interface Document {
  components: { schemas: Record<string, object> };
  paths: Record<string, Record<string, Described>>;
}

class ServiceError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(`${code} ${message}`);
    this.code = code;
  }
}

/**
 * A client as somebody else writes it, who has read the description and nothing of ours: node:http, texts in
 * queries, fields of its own in every request, and no look at what it did not ask for.
 */
class OtherClient {
  readonly #base: string;
  readonly #headers: Params;
  readonly #heard: (method: string, path: string, answer: object) => void;

  constructor(base: string, headers: Params, heard: (method: string, path: string, answer: object) => void = () => {}) {
    this.#base = base;
    this.#headers = headers;
    this.#heard = heard;
  }

  async call(method: string, path: string, { query = {}, body }: { query?: Params; body?: object } = {}): Promise<any> {
    const text = new URLSearchParams({ ...query, _: '17' }).toString();
    const answer = await this.#send(method, `${path}?${text}`, body && { ...body, client_trace: 'abc', version: 9 });
    this.#heard(method, path, answer);
    if (answer.error_code !== 200 && answer.error_code !== 0) {
      throw new ServiceError(answer.error_code, answer.error_msg);
    }
    return answer.data;
  }

  /** Every row of a list, page by page. */
  async all(path: string, name: string, query: Params = {}): Promise<any[]> {
    const size = 2;
    const rows: any[] = [];
    for (;;) {
      const page = await this.call('GET', path, {
        query: { ...query, offset: String(rows.length), limit: String(size) },
      });
      rows.push(...page[name]);
      if (page[name].length < size) {
        assert.equal(page.total, rows.length, `${path} counts its rows`);
        return rows;
      }
    }
  }

  #send(method: string, path: string, body: object | undefined): Promise<any> {
    return new Promise((resolve, reject) => {
      const payload = body === undefined ? undefined : JSON.stringify(body);
      const sent = request(
        `${this.#base}/v3${path}`,
        {
          method,
          headers: {
            ...this.#headers,
            Accept: '*/*',
            'User-Agent': 'channel-tool/4.2',
            ...(payload !== undefined && {
              'Content-Type': 'application/json; charset=UTF-8',
              'Content-Length': String(Buffer.byteLength(payload)),
            }),
          },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          response.on('end', () => {
            if (response.statusCode === 200) resolve(JSON.parse(text));
            else reject(new Error(`HTTP ${response.statusCode}`));
          });
        },
      );
      sent.on('error', reject).end(payload);
    });
  }
}

describe('a client written by others works unchanged', () => {
  let core: TestCore;
  let base: string;
  let client: OtherClient;
  let sea: number;
  let mill: number;
  /** By their ids in the API document, which every answer must fit. */
  const asked = new Set<string>();

  before(async () => {
    core = await startCore();
    base = await core.app.listen({ port: 0, host: '127.0.0.1' });
    const document = (await core.app.inject({ method: 'GET', url: '/openapi.json' })).json<Document>();
    const judgeBy = judges(document);
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, responses }]) => ({
        operationId,
        method: method.toUpperCase(),
        path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
        judge: responses[200].content['application/json'].schema.anyOf.map(judgeBy),
      })),
    );
    client = new OtherClient(base, { 'Service-Access-Token': core.own.token }, (method, path, answer) => {
      const operation = documented.find((one) => one.method === method && one.path.test(path));
      assert.ok(operation, `${method} ${path} is not in the document`);
      const [success, failure] = operation.judge;
      const isSuccess = Object(answer).error_code === 200;
      assert.equal((isSuccess ? success : failure)?.(answer), undefined, operation.operationId);
      if (isSuccess) asked.add(operation.operationId);
    });
    sea = (await client.call('POST', '/properties', { body: { title: 'Sea House' } })).property_id;
    mill = (await client.call('POST', '/properties', { body: { name: 'Mill' } })).property_id;
    await client.call('POST', '/properties', { body: { title: 'Barn', name: 'Barn' } });
  });
  after(() => core.close());

  const failing = async (work: Promise<unknown>): Promise<number> => {
    const error = await work.then(
      () => assert.fail('was to fail'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof ServiceError, String(error));
    return error.code;
  };
  const ids = (rows: readonly { id: number }[]) => rows.map((row) => row.id);

  it('the token in its header, in any case of letters, or as a bearer', async () => {
    const { token } = core.own;
    const spellings: Params[] = [
      { 'Service-Access-Token': token },
      { 'service-access-token': token },
      { 'SERVICE-ACCESS-TOKEN': token },
      { Authorization: `Bearer ${token}` },
      { authorization: `bearer ${token}` },
      { 'Service-Access-Token': token, Authorization: 'Basic YTpi' },
    ];
    for (const headers of spellings) {
      const me = await new OtherClient(base, headers).call('GET', '/accounts/me');
      assert.equal(me.account_id, core.own.account.account_id, JSON.stringify(Object.keys(headers)));
    }
    assert.equal((await client.call('GET', '/accounts/me')).name, 'own');
    assert.equal(await failing(new OtherClient(base, {}).call('GET', '/accounts/me')), 401);
    assert.equal(await failing(new OtherClient(base, { 'X-Token': token }).call('GET', '/accounts/me')), 401);
  });

  it('properties, groups, tags, room types: made, paged through, changed and ended', async () => {
    const houses = await client.all('/properties', 'properties');
    assert.deepEqual(
      houses.map((house) => [house.name, house.title]),
      [
        ['Barn', 'Barn'],
        ['Mill', 'Mill'],
        ['Sea House', 'Sea House'],
      ],
    );
    const ofTwo = { property_ids: [String(sea), mill] };
    const group = await client.call('POST', '/groups', { body: { name: 'Coast', ...ofTwo } });
    const tag = await client.call('POST', '/tags', { body: { name: 'Dogs', property_ids: [String(mill)] } });
    const body = { title: 'Doubles', property_ids: [String(mill)] };
    const { room_type_id } = await client.call('POST', '/room_types', { body });
    await client.call('PATCH', `/tags/${tag.id}`, { body: { room_type_ids: [String(room_type_id)] } });
    assert.deepEqual(ids(await client.all('/properties', 'properties', { group_id: String(group.id) })), [mill, sea]);
    assert.deepEqual(ids(await client.all('/room_types', 'room_types', { tag_id: String(tag.id) })), [room_type_id]);
    await client.call('PATCH', `/groups/${group.id}`, { body: { property_ids: [] } });
    assert.deepEqual((await client.all('/groups', 'groups'))[0].property_ids, []);
    await client.call('DELETE', `/groups/${group.id}`);
    await client.call('DELETE', `/tags/${tag.id}`);
    assert.deepEqual([await client.all('/groups', 'groups'), await client.all('/tags', 'tags')], [[], []]);
  });

  const booking = (property: number, channel_id: string, month: string, more: object = {}) => ({
    property_id: String(property),
    check_in_date: `2027-${month}-05`,
    check_out_date: `2027-${month}-08`,
    guest_name: 'Zoë O’Neil',
    email: 'zoe@guest.example',
    rate_amount: 300,
    commission_amount: 12.5,
    received_amount: 0,
    currency: 'EUR',
    channel_id,
    ...more,
  });

  it('bookings: made once however often they are sent, found, changed, tagged and cancelled', async () => {
    for (const month of ['03', '04', '05', '06', '07']) {
      await client.call('POST', '/reservations', { body: booking(sea, `WEB20${month}`, month) });
    }
    const body = booking(sea, 'WEB2003', '03', { remarks: 'late' });
    const again = await client.call('POST', '/reservations', { body });
    assert.deepEqual([again.status, again.reservation.status], ['accepted', 'accepted']);
    const window = { start_check_out_date: '2026-01-01', order_by: 'check_in_date' };
    const stays = await client.all('/reservations', 'reservations', { ...window, property_id: String(sea) });
    assert.deepEqual(
      stays.map((stay) => stay.channel_id),
      ['WEB2007', 'WEB2006', 'WEB2005', 'WEB2004', 'WEB2003'],
    );
    const { reservations } = await client.call('GET', '/reservations', { query: { channel_id: 'WEB2003' } });
    const { stay_code, id } = reservations[0];
    assert.equal(again.reservation_code, stay_code);
    const stay = async () => (await client.call('GET', '/reservations', { query: { id: String(id) } })).reservations[0];
    await client.call('PATCH', `/reservations/${stay_code}`, {
      body: { remarks: 'Crib, please.', number_of_guests: 3 },
    });
    await client.call('PATCH', `/reservations/${stay_code}/check_in_details`, {
      body: { arrival_at: { hour: 16, minute: 5 }, lock_code: '4711', id_required: 'required' },
    });
    await client.call('PATCH', `/reservations/${stay_code}/custom_fields`, { body: { custom_fields: { car: 'A 1' } } });
    await client.call('POST', `/reservations/${stay_code}/tags`, { body: { tag_name: 'Band' } });
    await client.call('POST', `/reservations/${stay_code}/tags`, { body: { tag_name: 'VIP' } });
    await client.call('DELETE', `/reservations/${stay_code}/tags`, { body: { tag_name: 'VIP' } });
    await client.call('PUT', `/reservations/${stay_code}/stay_status`, { body: { stay_status: 'in_house' } });
    await client.call('POST', `/reservations/${stay_code}/allocate`, { body: { property_id: String(mill) } });
    const now = await stay();
    assert.deepEqual(
      [now.note, now.remarks, now.number_of_guests, now.guest_name, now.property_id, now.stay_status, now.tags],
      ['Crib, please.', 'Crib, please.', 3, 'Zoë O’Neil', mill, 'in_house', ['Band']],
    );
    assert.deepEqual([now.check_in_details.arrival_at, now.custom_fields], [{ hour: 16, minute: 5 }, { car: 'A 1' }]);
    assert.deepEqual(now.payment.total_amount, 287.5);
    assert.equal(await failing(client.call('POST', '/reservations', { body: booking(mill, 'WEB2', '03') })), 409);
    await client.call('DELETE', `/reservations/${stay_code}`);
    assert.equal((await stay()).status, 'cancelled');
    assert.equal(await failing(client.call('DELETE', `/reservations/${stay_code}`)), 400);
    assert.equal((await client.call('POST', '/reservations', { body })).status, 'cancelled', 'the room is not held');
  });

  it('requests to book: answered; a stay put aside; tags of reservations kept in order', async () => {
    for (const [month, answer, status] of [
      ['03', 'approve', 'accepted'],
      ['04', 'decline', 'denied'],
    ] as const) {
      const dates = { check_in_date: `2028-${month}-05`, check_out_date: `2028-${month}-08` };
      const { reservation_code } = await deliver(core, [channelRoom(sea, dates)], { kind: 'request' });
      await client.call('POST', `/reservations/${reservation_code}/${answer}`);
      const stay = async () =>
        (await client.call('GET', '/reservations', { query: { reservation_code } })).reservations[0];
      assert.equal((await stay()).status, status);
      const put = client.call('POST', `/reservations/${reservation_code}/move_to_box`);
      if (status === 'denied') assert.equal(await failing(put), 400, 'it has ended');
      else {
        await put;
        assert.deepEqual([(await stay()).in_reservation_box, (await stay()).property_id], [true, 0]);
      }
      const fields = await client.call('GET', `/reservations/${reservation_code}/custom_fields`);
      assert.deepEqual(fields, { custom_fields: null });
    }
    const tag = await client.call('POST', '/reservation_tags', { body: { tag_name: 'Regular' } });
    const tags = await client.all('/reservation_tags', 'reservation_tags', { keyword: 'regu' });
    assert.deepEqual([ids(tags), tags[0].is_default], [[tag.id], false]);
    await client.call('DELETE', `/reservation_tags/${tag.id}`);
    const { custom_channels, total } = await client.call('GET', '/custom_channels');
    assert.deepEqual([custom_channels[0].id, total], [35, 1]);
  });

  it('the master calendar and those of listings: read and written', async () => {
    const account = await listOn(core, 'marketplace_a', mill);
    const other = await listOn(core, 'marketplace_b', mill);
    assert.equal((await client.all('/channel_accounts', 'channel_accounts')).length, 2);
    const query = { channel_account_id: String(account.channel_account_id) };
    const [listing] = await client.all('/listings', 'listings', query);
    assert.deepEqual([listing.listing_id, listing.shelf_status], [account.listing_id, 'on']);
    const ratios = await client.call('GET', '/pricing_ratios', { query: { property_id: String(mill) } });
    assert.equal(ratios.channels.length, 2);
    const name = { channel_type: account.channel_type, listing_id: account.listing_id };
    const days = { start_date: '2027-09-01', end_date: '2027-09-03' };
    await client.call('POST', '/listings/prices', { body: { ...name, prices: [{ ...days, price: 150.5 }] } });
    await client.call('POST', '/listings/prices', {
      body: { entries: [{ ...other, ...days, currency: 'EUR', amount: 99 }] },
    });
    await client.call('POST', '/listings/inventories', { body: { ...name, inventories: [{ ...days, inventory: 1 }] } });
    await client.call('POST', '/listings/restrictions', {
      body: { ...name, restrictions: [{ ...days, min_stay_on_arrival: 2, closed_on_departure: true }] },
    });
    await client.call('POST', '/availabilities', {
      body: { property_ids: [String(mill)], available: false, start_date: '2027-09-03', end_date: '2027-09-03' },
    });
    await core.workCalendars();
    const body = { ...days, listings: [name, { channel_type: other.channel_type, listing_id: other.listing_id }] };
    const { listings } = await client.call('POST', '/listings/calendar', { body });
    const shown = listings.map((one: any) => one.calendar.map((day: any) => [day.date, day.price, day.inventory]));
    assert.deepEqual(shown[0], [
      ['2027-09-01', 150.5, 1],
      ['2027-09-02', 150.5, 1],
      ['2027-09-03', 150.5, 0],
    ]);
    assert.deepEqual(
      shown[1].map((day: unknown[]) => day[1]),
      [99, 99, 99],
    );
    const alone = await client.call('POST', '/listings/calendar', { body: { ...days, ...name } });
    assert.deepEqual(alone.listings, [listings[0]]);
    const { properties } = await client.call('GET', '/availabilities', {
      query: { property_ids: `${mill},${sea}`, ...days },
    });
    const free = (of: number) =>
      properties.find((one: any) => one.id === of).availabilities.map((day: any) => day.available);
    assert.deepEqual(
      [free(mill), free(sea)],
      [
        [true, true, false],
        [true, true, true],
      ],
    );
    for (const channel of ['marketplace_a', 'marketplace_b']) {
      const { listing_id } = channel === 'marketplace_a' ? account : other;
      const path = `/listings/${channel}/price_and_rules`;
      await client.call('POST', path, { body: { listing_id, settings: { cleaning_fee: 35, minimum_stay: 2 } } });
      const rules = await client.call('GET', path, { query: { listing_id } });
      assert.deepEqual([rules.cleaning_fee, rules.settings.minimum_stay], [35, 2]);
    }
    const link = await client.call('POST', '/calendar_share_links', {
      body: { scope: 'partial', property_ids: [String(mill)] },
    });
    assert.match((await client.all('/calendar_share_links', 'calendar_share_links'))[0].url, /^https:/);
    await client.call('DELETE', `/calendar_share_links/${link.id}`);
  });

  it('conversations: listed, read by pages, answered and annotated; an offer made and withdrawn', async () => {
    const inquiry = {
      listing_id: 'L1',
      property_id: mill,
      check_in_date: '2027-10-01',
      check_out_date: '2027-10-03',
      number_of_guests: 2,
    };
    const conversation = await openConversation(core, { inquiry, channel_type: 'booking_site' });
    for (const content of ['Hello', 'Is there a lift?', 'And a crib?'])
      await guestWrites(core, conversation, { content });
    const [entry] = await client.all('/conversations', 'conversations');
    assert.deepEqual([entry.id, entry.conversation_id, entry.unread_count], [conversation, conversation, 3]);
    await client.call('POST', `/conversations/${conversation}`, { body: { message: 'A lift, yes.' } });
    const read: any[] = [];
    for (let offset = 0; read.length < 4; offset += 2) {
      const query = { offset: String(offset), limit: '2' };
      read.push(...(await client.call('GET', `/conversations/${conversation}`, { query })).messages);
    }
    assert.deepEqual(
      read.map((message) => [message.sender_role === 'guest', message.content]),
      [
        [false, 'A lift, yes.'],
        [true, 'And a crib?'],
        [true, 'Is there a lift?'],
        [true, 'Hello'],
      ],
    );
    const { note, updated_at } = await client.call('PATCH', `/conversations/${conversation}/note`, {
      body: { note: 'kind' },
    });
    assert.deepEqual([note, typeof updated_at], ['kind', 'string']);
    const terms = { listing_id: 'L1', check_in_date: '2027-10-01', check_out_date: '2027-10-03', price: 180 };
    const path = `/conversations/${conversation}/special_offers`;
    const offer = await client.call('POST', path, {
      body: { ...terms, number_of_adults: 2, rate_plan_id: 'standard', currency: 'EUR' },
    });
    await client.call('DELETE', `${path}/${offer.id}`);
    const [shown] = await client.all(path, 'special_offers');
    assert.deepEqual([shown.id, shown.status], [offer.id, 'withdrawn']);
    const asking = await openConversation(core, { inquiry });
    const approval = await client.call('POST', `/conversations/${asking}/preapprovals`);
    const [pre] = await client.all(`/conversations/${asking}/special_offers`, 'special_offers');
    assert.deepEqual([pre.id, pre.offer_type, pre.price], [approval.id, 'preapproval', null]);
  });

  it('reviews: found, and the guest is answered', async () => {
    const code = await bookOnChannel(core, { property_id: sea });
    await core.change(core.own.account, (change) =>
      receiveReview(change, code, { review: { score: 5, content: 'Lovely.', private_feedback: 'A tap drips.' } }),
    );
    const [review] = await client.all('/reviews', 'reviews', { property_id: String(sea) });
    assert.deepEqual([review.reservation_code, review.guest_review.score], [code, 5]);
    await client.call('POST', `/reviews/${code}`, {
      body: { host_review_score: 5, category_ratings: { cleanliness: 5, recommend: 1 } },
    });
    await client.call('POST', `/reviews/${code}`, { body: { host_reply_content: 'Come again.' } });
    const { reviews } = await client.call('GET', '/reviews', { query: { reservation_code: code } });
    assert.equal(reviews[0].host_reply.content, 'Come again.');
    assert.equal(await failing(client.call('POST', `/reviews/${code}`, { body: { host_reply_content: 'x' } })), 400);
  });

  it('the ledger: dictionaries read, entries made, found, corrected and deleted', async () => {
    const first = async (name: string) => (await client.call('GET', `/${name}`))[name][0].id;
    const entry = {
      direction: 'expense',
      amount: 45.5,
      item_id: String(await first('expense_items')),
      payment_method_id: String(await first('expense_methods')),
      currency: 'EUR',
    };
    for (const name of ['income_items', 'income_methods', 'expense_items', 'expense_methods']) {
      const answer = await client.call('GET', `/${name}`);
      assert.equal(answer.total, answer[name].length);
    }
    const made: number[] = [];
    for (const more of [{ property_id: String(sea) }, { note: 'Keys' }, { action_at: '2026-11-01T09:00:00Z' }]) {
      made.push((await client.call('POST', '/transactions', { body: { ...entry, ...more } })).transaction_id);
    }
    const year = { start_date: '2026-01-01', end_date: '2026-12-31', direction: 'expense' };
    assert.deepEqual(ids(await client.all('/transactions', 'transactions', year)), made.toReversed());
    await client.call('PATCH', `/transactions/${made[1]}`, { body: { amount: 48, note: 'Two keys' } });
    const { transactions } = await client.call('GET', '/transactions', { query: { id: String(made[1]) } });
    assert.deepEqual([transactions[0].amount, transactions[0].note], [48, 'Two keys']);
    assert.equal((await client.all('/transactions', 'transactions', { ...year, keyword: 'two' })).length, 1);
    for (const id of made) await client.call('DELETE', `/transactions/${id}`);
    assert.deepEqual(await client.all('/transactions', 'transactions', year), []);
  });

  it('tasks and staff, automation, knowledge, webhooks', async () => {
    const staff = { name: 'Ada Bell', mobile: '+49 1701234567', property_ids: [String(sea)] };
    const { staff_id } = await client.call('POST', '/staffs', { body: staff });
    const { task_id } = await client.call('POST', '/tasks', {
      body: { type: 'cleaning', expected_date: '2026-12-01', currency: 'EUR', property_id: String(sea) },
    });
    await client.call('PATCH', `/tasks/${task_id}`, { body: { staff_id: String(staff_id), status: 'in_progress' } });
    const [task] = await client.all('/tasks', 'tasks', { staff_id: String(staff_id) });
    assert.deepEqual([task.id, task.status, task.staff_name], [task_id, 'in_progress', 'Ada Bell']);
    assert.deepEqual(ids(await client.all('/staffs', 'staffs', { is_active: '1' })), [staff_id]);
    await client.call('PATCH', `/staffs/${staff_id}`, { body: { is_active: 1, note: 'mornings' } });
    await client.call('DELETE', `/tasks/${task_id}`);
    await client.call('DELETE', `/staffs/${staff_id}`);

    const own = { account: core.own.account, operator: null };
    const everywhere = { property_ids: null, channel_types: null, is_enabled: true };
    const action = { content: 'Welcome, {guest_name}' };
    await createRule(core.core, own, {
      ...everywhere,
      type: 'message',
      name: 'Hello',
      event: 'check_in',
      hours: -24,
      action,
    });
    const soon = booking(mill, 'SOON', '03', { check_in_date: '2026-12-01', check_out_date: '2026-12-03' });
    const { reservation_code } = await client.call('POST', '/reservations', { body: soon });
    const [plan] = await client.all('/automation/actions', 'actions', { property_ids: `${mill},${sea}` });
    assert.deepEqual([plan.id, plan.stay_code], [plan.plan_id, reservation_code]);
    await client.call('DELETE', `/automation/actions/${plan.plan_id}`);
    const dates = { check_in_date: '2026-12-04', check_out_date: '2026-12-06' };
    const guest = await deliver(core, [channelRoom(mill, dates)]);
    const [next] = await client.all('/automation/actions', 'actions');
    assert.equal(next.stay_code, guest.reservation_code);
    await client.call('POST', `/automation/actions/${next.plan_id}/execute`);
    assert.deepEqual(await client.all('/automation/actions', 'actions'), []);

    const { id } = await client.call('POST', '/knowledge_bases', {
      body: { content: 'Park behind the house.', scope_property: { type: 'by_property', ids: [String(sea)] } },
    });
    const entry = await client.call('GET', `/knowledge_bases/${id}`);
    assert.deepEqual([entry.content, entry.contents[0].text], ['Park behind the house.', 'Park behind the house.']);
    await client.call('PATCH', `/knowledge_bases/${id}`, { body: { contents: [{ text: 'Park in the yard.' }] } });
    assert.equal((await client.all('/knowledge_bases', 'knowledge_bases', { property_ids: String(sea) })).length, 1);
    await client.call('DELETE', `/knowledge_bases/${id}`);

    const hook = await client.call('POST', '/webhooks', { body: { url: 'https://hooks.example/in' } });
    assert.match(hook.secret_token, /^whsec_/);
    await client.call('PATCH', `/webhooks/${hook.id}`, { body: { events: ['message_created'] } });
    const { webhooks } = await client.call('GET', '/webhooks');
    assert.deepEqual(webhooks[0].events, ['message_created']);
    await client.call('DELETE', `/webhooks/${hook.id}`);
  });

  it('and that was all there is but OAuth: every answer has fitted the API document', () => {
    const left = operationIds.filter((id) => !asked.has(id) && !operations[id].path.startsWith('/oauth/'));
    assert.deepEqual(left, []);
  });
});
