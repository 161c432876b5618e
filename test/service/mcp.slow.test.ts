import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { operationIds, operations } from '../../src/contract/index.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { addDays } from '../../src/kernel/dates.ts';
import { addApplication, allow, signIn } from '../support/consent.ts';
import { callTool, envelopeOf, eras, mcpClient, modernRequest, rawRequest } from '../support/mcp.ts';
import { call, startTestService, type TestService } from '../support/service.ts';
import { ORDER } from './support/simulation.ts';

const declared = operationIds.flatMap((id) => (operations[id] as Operation).tool?.name ?? []).toSorted();
const today = new Date().toISOString().slice(0, 10);
const at = (days: number) => addDays(today, days);

describe('the official client at a simulated account', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
    await service.portal('POST', '/portal/sandbox/simulations', ORDER);
    for (const hours of [1, 2, 3]) {
      await service.portal('POST', '/portal/automation_rules', {
        type: 'message',
        name: `Note ${hours}`,
        event: 'check_out',
        hours,
        action: { content: 'Good bye' },
      });
    }
  });
  after(() => service.remove());

  for (const [index, era] of eras.entries()) {
    it(`in ${era} lists 72 tools and calls each once`, async () => {
      const client = await mcpClient(service.url, { era, token: service.token });
      assert.equal(client.getNegotiatedProtocolVersion(), era);
      const { tools } = await client.listTools();
      assert.equal(tools.length, 72);
      const names = tools.map(({ name }) => name);
      assert.deepEqual(names, declared);
      const called = await callAll(client, service, index);
      assert.deepEqual(called.toSorted(), declared);
      await client.close();
    });
  }

  it('lets the official client in by OAuth: it finds the server, its user consents, it calls', async () => {
    const redirectUrl = 'http://127.0.0.1:9/callback';
    const client_id = await addApplication(service, redirectUrl);
    const cookie = await signIn(service);
    const kept: { verifier?: string; tokens?: OAuthTokens; address?: string; found?: OAuthDiscoveryState } = {};
    const authProvider: OAuthClientProvider = {
      redirectUrl,
      clientMetadata: { redirect_uris: [redirectUrl] },
      clientInformation: () => ({ client_id }),
      tokens: () => kept.tokens,
      saveTokens: (tokens) => void (kept.tokens = tokens),
      redirectToAuthorization: ({ href }) => void (kept.address = href),
      saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
      codeVerifier: () => kept.verifier ?? '',
      saveDiscoveryState: (found) => void (kept.found = found),
      discoveryState: () => kept.found,
    };
    const connect = () => new StreamableHTTPClientTransport(new URL('/mcp', service.url), { authProvider });
    const first = connect();
    await assert.rejects(new Client({ name: 'test', version: '1' }).connect(first), UnauthorizedError);
    const callback = await allow(service, cookie, kept.address ?? '');
    await first.finishAuth(new URL(callback).searchParams);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(connect());
    assert.equal((await client.listTools()).tools.length, 72);
    assert.equal(envelopeOf(await callTool(client, 'search_properties')).error_code, 200);
    await client.close();
  });

  it('answers the same as REST does', async () => {
    const client = await mcpClient(service.url, { token: service.token, path: '/v3/mcp' });
    const viaTool = envelopeOf(await callTool(client, 'search_reservations', { limit: 100 })).data;
    assert.deepEqual(viaTool, await service.v3('GET', '/reservations?limit=100'));
    assert.ok(viaTool.total > 0);
    await client.close();
  });

  it('what a person has confirmed is carried out once, also after restarts', async () => {
    const before = (await service.v3('GET', '/staffs')).total;
    const call = (more: object = {}) => {
      const params = { name: 'create_staff', arguments: { name: 'Eve', mobile: '+49 1701234567' }, ...more };
      return modernRequest(service.url, 'tools/call', params, {
        token: service.token,
        capabilities: { elicitation: { form: {} } },
      });
    };
    const { requestState } = (await call()).body.result;
    const answer = () => call({ requestState, inputResponses: { confirm: { action: 'accept', content: {} } } });
    await service.restart();
    assert.equal((await answer()).body.result.structuredContent.error_code, 200);
    await service.restart();
    assert.equal((await answer()).body.error.code, -32_602);
    assert.equal((await service.v3('GET', '/staffs')).total, before + 1);
  });

  it('stands on both paths, and nowhere where no core runs', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    for (const path of ['/mcp', '/v3/mcp']) {
      assert.equal((await rawRequest(service.url, ping, { path, token: service.token })).status, 200);
    }
    const other = await startTestService({ STAYD_UPSTREAM_URL: service.url, STAYD_UPSTREAM_TOKEN: service.token });
    assert.equal((await call(other, 'POST', '/mcp', { body: ping })).http, 404);
    await other.remove();
  });
});

/** Calls every tool with arguments that make sense, each of which must succeed. @returns their names */
async function callAll(client: Client, service: TestService, round: number): Promise<string[]> {
  const called: string[] = [];
  const ask = async (name: string, args: Record<string, unknown> = {}): Promise<any> => {
    const result = await callTool(client, name, args);
    const envelope = envelopeOf(result);
    assert.equal(result.isError, undefined, `${name}: ${JSON.stringify(result.content)}`);
    assert.equal(envelope.error_code, 200, name);
    const [text] = result.content;
    assert.ok(text?.type === 'text' && text.text.startsWith('Done.') && text.text.length < 300, JSON.stringify(text));
    called.push(name);
    return envelope.data;
  };
  const listing = await properties(ask, round);
  await calendars(ask, listing, round);
  await money(ask);
  await talk(ask);
  await bookings(ask, service, listing, round);
  await work(ask);
  await plans(ask);
  return called;
}

type Ask = (name: string, args?: Record<string, unknown>) => Promise<any>;
type Listing = { channel_type: string; listing_id: string };

async function properties(ask: Ask, round: number): Promise<Listing> {
  assert.equal((await ask('search_properties')).properties.length, ORDER.properties + round);
  await ask('search_channel_accounts');
  const { listings } = await ask('search_listings', { channel_type: 'marketplace_a' });
  await ask('search_custom_channels');
  const { property_id } = await ask('create_property', { title: `Barn ${round}` });
  await ask('create_room_type', { title: `Loft ${round}`, property_ids: [property_id] });
  await ask('search_room_types');
  const { group } = await ask('create_property_group', { name: `North ${round}` });
  await ask('update_property_group', { id: group.id, property_ids: [property_id] });
  await ask('search_property_groups', { id: group.id });
  await ask('delete_property_group', { id: group.id });
  const { tag } = await ask('create_property_tag', { name: `quiet ${round}` });
  await ask('update_property_tag', { id: tag.id, name: `calm ${round}` });
  await ask('search_tags');
  await ask('delete_property_tag', { id: tag.id });
  const [{ channel_type, listing_id }] = listings;
  return { channel_type, listing_id };
}

async function calendars(ask: Ask, listing: Listing, round: number): Promise<void> {
  const [start_date, end_date] = [at(300 + round), at(302 + round)];
  await ask('get_pricing_ratios', { property_id: 1 });
  await ask('search_availabilities', { property_ids: '1,2', start_date, end_date });
  await ask('search_listing_calendars', { start_date, end_date, listings: [listing] });
  await ask('update_availabilities', { property_ids: [2], available: false, start_date, end_date });
  await ask('update_listing_prices', { ...listing, prices: [{ start_date, end_date, price: 99 }] });
  await ask('update_listing_inventories', { ...listing, inventories: [{ start_date, end_date, inventory: 1 }] });
  await ask('update_listing_restrictions', {
    ...listing,
    restrictions: [{ start_date, end_date, min_stay_on_arrival: 2 }],
  });
  const { calendar_share_link: link } = await ask('create_calendar_share_link', { scope: 'entire' });
  await ask('search_calendar_share_links', { id: link.id });
  await ask('delete_calendar_share_link', { id: link.id });
}

async function money(ask: Ask): Promise<void> {
  const [{ id: item_id }] = (await ask('search_income_items')).income_items;
  const [{ id: payment_method_id }] = (await ask('search_income_methods')).income_methods;
  await ask('search_expense_items');
  await ask('search_expense_methods');
  const entry = { direction: 'income', amount: 12.5, currency: 'EUR', item_id, payment_method_id, property_id: 1 };
  const { transaction_id: id } = await ask('create_transaction', entry);
  await ask('update_transaction', { id, amount: 13 });
  assert.equal((await ask('search_transactions', { id })).transactions[0].amount, 13);
  await ask('delete_transaction', { id });
}

async function talk(ask: Ask): Promise<void> {
  const { conversations } = await ask('search_conversations');
  const { conversation_id } = conversations[0];
  await ask('send_message', { conversation_id, message: 'The key is in the box.' });
  await ask('update_conversation_note', { conversation_id, note: 'Knows the way.' });
  assert.equal((await ask('get_conversation', { conversation_id })).note, 'Knows the way.');
  const { id } = await ask('create_knowledge_base', { title: 'Parking', content: 'Behind the house.' });
  await ask('update_knowledge_base', { id, is_enable: false });
  await ask('search_knowledge_bases');
  await ask('get_knowledge_base', { id });
  await ask('delete_knowledge_base', { id });
}

async function bookings(ask: Ask, service: TestService, listing: Listing, round: number): Promise<void> {
  const dates = { check_in_date: at(350), check_out_date: at(352) };
  const { reservation_code } = await ask('create_reservation', {
    ...dates,
    property_id: (await service.v3('GET', '/properties?limit=1')).properties[0].id,
    guest_name: 'Ada Guest',
    rate_amount: 200,
    commission_amount: 0,
    received_amount: 50,
  });
  const [stay] = (await ask('search_reservations', { reservation_code })).reservations;
  const { stay_code, property_id } = stay;
  await ask('update_reservation_basic', { stay_code, number_of_guests: 3 });
  await ask('update_reservation_checkin_details', { stay_code, lock_code: '1234' });
  await ask('update_reservation_custom_fields', { stay_code, custom_fields: { shoes: 'off' } });
  await ask('search_reservation_custom_fields', { stay_code });
  await ask('update_reservation_stay_status', { stay_code, stay_status: 'in_house' });
  const { reservation_tag } = await ask('create_reservation_tag', { tag_name: `regular ${round}` });
  await ask('add_reservation_tag', { stay_code, tag_name: reservation_tag.tag_name });
  await ask('remove_reservation_tag', { stay_code, tag_name: reservation_tag.tag_name });
  await ask('search_reservation_tags');
  await ask('delete_reservation_tag', { id: reservation_tag.id });
  await ask('move_reservation_to_box', { stay_code });
  await ask('allocate_reservation', { stay_code, property_id });
  await ask('cancel_reservation', { reservation_code });
  for (const [nth, answer] of ['approve_reservation', 'decline_reservation'].entries()) {
    const days = 310 + round * 10 + nth * 4;
    const request = await service.portal('POST', '/portal/sandbox/bookings', {
      ...listing,
      kind: 'request',
      channel_id: `R${round}-${nth}`,
      check_in_date: at(days),
      check_out_date: at(days + 2),
      number_of_guests: 2,
      message: 'May we come?',
    });
    await ask(answer, { reservation_code: request.reservation_code });
  }
  await ask('search_reviews', { review_status: 'pending_host_review' });
  const past = await service.portal('POST', '/portal/sandbox/bookings', {
    ...listing,
    channel_id: `P${round}`,
    check_in_date: at(-100 - round * 5),
    check_out_date: at(-98 - round * 5),
  });
  await ask('create_review', {
    reservation_code: past.reservation_code,
    host_review_score: 5,
    host_review_content: 'Kind guests.',
  });
}

async function work(ask: Ask): Promise<void> {
  const { staff_id } = await ask('create_staff', { name: 'Eve', mobile: '+49 1701234567' });
  await ask('update_staff', { id: staff_id, note: 'Mornings' });
  await ask('search_staffs');
  const { task_id } = await ask('create_task', { type: 'cleaning', expected_date: at(5), currency: 'EUR', staff_id });
  await ask('update_task', { id: task_id, status: 'completed' });
  await ask('search_tasks', { id: task_id });
  await ask('delete_task', { id: task_id });
  await ask('delete_staff', { id: staff_id });
}

async function plans(ask: Ask): Promise<void> {
  const { actions } = await ask('search_automation_actions', { type: 'message' });
  const planned = actions.filter(({ channel_type }: Listing) => channel_type !== 'direct');
  await ask('execute_automation_action', { plan_id: planned[0].plan_id });
  await ask('delete_automation_action', { plan_id: planned[1].plan_id });
}
