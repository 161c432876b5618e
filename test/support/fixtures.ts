import type { WireRequest } from '../../src/api/http/parse.ts';
import { type OperationId, operations } from '../../src/contract/index.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { createRule } from '../../src/core/automation/manageRules.ts';
import { receiveReview } from '../../src/core/reviews/receive.ts';
import type { Answer, RequestOptions, TestAccount, TestCore } from './core.ts';
import { listOn } from './listings.ts';
import { bookOnChannel, openConversation } from './conversations.ts';

export type Fields = Record<string, unknown>;

/** What each operation is asked for, about things that exist. A new operation does not compile without a row here. */
export type Inputs = Record<OperationId, Fields>;

export interface Belongings {
  property: number;
  code: string;
  transaction: number;
  webhook: number;
  channel: number;
  item: number;
  method: number;
  roomType: number;
  group: number;
  tag: number;
  reservationTag: number;
  link: number;
  conversation: string;
  offer: string;
  channelCode: string;
  listing: string;
  plan: string;
  staff: number;
  task: number;
  knowledge: number;
}

/** Marks text of an account that nobody else may read: of its properties, and of the account as a whole. */
export const OF_PROPERTY = 'SENTINELP';
export const OF_ACCOUNT = 'SENTINELA';

/** One of everything, each text of it marked. */
export async function furnish(
  core: TestCore,
  { account, token, readToken }: TestAccount,
  { ofProperty = OF_PROPERTY, ofAccount = OF_ACCOUNT } = {},
): Promise<Belongings> {
  const call = (id: OperationId, input: Fields) => core.call(id, input, token);
  const { property_id: property } = await call('createProperty', { title: `${ofProperty} house` });
  const channel = await core.change(account, async ({ trx }) => {
    const id = 5_000 + property;
    await trx
      .insertInto('custom_channels')
      .values({ account_id: account.account_id, id, name: `${ofAccount} site` })
      .execute();
    return id;
  });
  const { reservation_code: code } = await call('createReservation', {
    property_id: property,
    check_in_date: '2027-03-05',
    check_out_date: '2027-03-08',
    guest_name: `${ofProperty} guest`,
    email: `${ofProperty}@guest.example`,
    mobile: `${ofProperty} 12`,
    note: `${ofProperty} note`,
    channel_id: ofProperty,
    custom_channel_id: channel,
    rate_amount: 300,
    commission_amount: 10,
    received_amount: 50,
  });
  await call('updateReservation', { stay_code: code, creator: `${ofProperty} creator` });
  await call('updateCheckInDetails', {
    stay_code: code,
    lock_code: `${ofProperty} 4711`,
    deposit: 200,
    arrival_at: { hour: 15, minute: 0 },
  });
  const item = (await call('listIncomeItems', {})).income_items[0].id;
  const method = (await call('listIncomeMethods', {})).income_methods[0].id;
  const entry = {
    direction: 'income',
    amount: 5,
    item_id: item,
    payment_method_id: method,
    currency: 'EUR',
    note: `${ofProperty} entry`,
  };
  const { transaction_id: transaction } = await call('createTransaction', { ...entry, property_id: property });
  const { id: webhook } = await call('createWebhook', { url: `https://hooks.example/${ofAccount}` });
  const lists = { property_ids: [property] };
  const { room_type_id: roomType } = await call('createRoomType', { name: `${ofProperty} type`, ...lists });
  const { id: group } = await call('createPropertyGroup', { name: `${ofProperty} group`, ...lists });
  const { id: tag } = await call('createPropertyTag', { name: `${ofProperty} tag`, room_type_ids: [roomType] });
  const { id: reservationTag } = await call('createReservationTag', { tag_name: `${ofAccount} tag` });
  await call('addReservationTag', { stay_code: code, tag_name: `${ofAccount} tag` });
  const { id: link } = await call('createCalendarShareLink', { scope: 'partial', ...lists });
  const sorts = { roomType, group, tag, reservationTag, link };
  const conversation = await openConversation(core, {
    account: { account, token, readToken: token },
    guest: { name: `${ofProperty} writer`, email: `${ofProperty} mail`, phone: `${ofProperty} phone` },
    inquiry: {
      listing_id: `${ofProperty} listing`,
      property_id: property,
      check_in_date: '2027-04-05',
      check_out_date: '2027-04-08',
      number_of_guests: 1,
    },
  });
  await call('sendMessage', { conversation_id: conversation, message: `${ofProperty} message` });
  await call('updateConversationNote', { conversation_id: conversation, note: `${ofProperty} conversation` });
  const { id: offer } = await call('createSpecialOffer', {
    conversation_id: conversation,
    listing_id: `${ofProperty} offered`,
    check_in_date: '2027-05-05',
    check_out_date: '2027-05-08',
    price: 10,
    number_of_adults: 1,
  });
  const channelCode = await bookOnChannel(core, {
    property_id: property,
    account: { account, token, readToken: token },
  });
  await core.change(account, (change) =>
    receiveReview(change, channelCode, { review: { score: 4, content: `${ofProperty} review` } }),
  );
  const listing = `${ofProperty} posting`;
  for (const channel_type of ['marketplace_a', 'marketplace_b']) {
    await listOn(core, channel_type, property, { listing_id: listing, title: listing }, { account, token, readToken });
  }
  const rule = await createRule(
    core.core,
    { account, operator: null },
    {
      type: 'message',
      name: `${ofAccount} rule`,
      event: 'booking',
      hours: 24,
      property_ids: null,
      channel_types: null,
      action: { content: 'Welcome' },
      is_enabled: true,
    },
  );
  const planned = await core.core.store.db
    .selectFrom('automation_plans')
    .select('plan_id')
    .where('rule_id', '=', rule)
    .executeTakeFirstOrThrow();
  const { staff_id: staff } = await call('createStaff', {
    name: `${ofProperty} staff`,
    mobile: '+49 1701234567',
    property_ids: [property],
  });
  const due = { type: 'cleaning', expected_date: '2026-11-25', currency: 'EUR' };
  const { task_id: task } = await call('createTask', {
    ...due,
    stay_code: code,
    staff_id: staff,
    note: `${ofProperty} task`,
  });
  const scope_property = { type: 'by_property', ids: [property] };
  const { id: knowledge } = await call('createKnowledgeBase', { content: `${ofProperty} knowledge`, scope_property });
  return {
    property,
    code,
    transaction,
    webhook,
    channel,
    item,
    method,
    ...sorts,
    conversation,
    offer,
    channelCode,
    listing,
    plan: planned.plan_id,
    staff,
    task,
    knowledge,
  };
}

const DAYS = { start_date: '2027-01-01', end_date: '2027-01-02' };
const listed = (mine: Belongings) => ({ channel_type: 'marketplace_a', listing_id: mine.listing });

/** Each operation about these fixtures: by every id and filter it has. */
export const inputsAbout = (mine: Belongings, word = 'x'): Inputs => ({
  getAccount: {},
  listProperties: { id: mine.property },
  createProperty: { title: word },
  listRoomTypes: { id: mine.roomType, tag_id: mine.tag },
  createRoomType: { name: word, property_ids: [mine.property] },
  listPropertyGroups: { id: mine.group },
  createPropertyGroup: { name: word.slice(0, 50), property_ids: [mine.property] },
  updatePropertyGroup: { id: mine.group, name: word.slice(0, 50), property_ids: [] },
  deletePropertyGroup: { id: mine.group },
  listPropertyTags: { id: mine.tag },
  createPropertyTag: { name: word.slice(0, 15), room_type_ids: [mine.roomType] },
  updatePropertyTag: { id: mine.tag, name: word.slice(0, 15), property_ids: [mine.property] },
  deletePropertyTag: { id: mine.tag },
  listReservationTags: { id: mine.reservationTag, keyword: word.slice(0, 50) },
  createReservationTag: { tag_name: word.slice(0, 15) },
  deleteReservationTag: { id: mine.reservationTag },
  addReservationTag: { stay_code: mine.code, tag_name: word.slice(0, 15) },
  removeReservationTag: { stay_code: mine.code, tag_name: word.slice(0, 15) },
  listCalendarShareLinks: { id: mine.link },
  createCalendarShareLink: { scope: 'partial', property_ids: [mine.property] },
  deleteCalendarShareLink: { id: mine.link },
  listCustomChannels: {},
  listIncomeItems: {},
  listExpenseItems: {},
  listIncomeMethods: {},
  listExpenseMethods: {},
  listReservations: { reservation_code: mine.code, property_id: mine.property },
  createReservation: {
    property_id: mine.property,
    check_in_date: '2027-06-05',
    check_out_date: '2027-06-08',
    guest_name: word,
    email: word,
    mobile: word,
    note: word,
    rate_amount: 1,
    commission_amount: 0,
    received_amount: 1,
    custom_channel_id: mine.channel,
    income_method_id: mine.method,
  },
  updateReservation: {
    stay_code: mine.code,
    note: word,
    creator: word,
    guest_name: word,
    mobile: word,
    email: word,
    received_amount: 7,
  },
  updateCheckInDetails: { stay_code: mine.code, lock_code: word },
  getCustomFields: { stay_code: mine.code },
  updateCustomFields: { stay_code: mine.code, custom_fields: { x: word } },
  updateStayStatus: { stay_code: mine.code, stay_status: 'in_house' },
  approveReservation: { reservation_code: mine.code },
  declineReservation: { reservation_code: mine.code },
  allocateReservation: { stay_code: mine.code, property_id: mine.property },
  moveReservationToBox: { stay_code: mine.code },
  cancelReservation: { reservation_code: mine.code },
  listConversations: {},
  getConversation: { conversation_id: mine.conversation },
  sendMessage: { conversation_id: mine.conversation, message: word },
  updateConversationNote: { conversation_id: mine.conversation, note: word },
  listSpecialOffers: { conversation_id: mine.conversation },
  createSpecialOffer: {
    conversation_id: mine.conversation,
    listing_id: 'L1',
    check_in_date: '2027-06-05',
    check_out_date: '2027-06-08',
    price: 10,
    number_of_adults: 1,
  },
  withdrawSpecialOffer: { conversation_id: mine.conversation, special_offer_id: mine.offer },
  createPreapproval: { conversation_id: mine.conversation },
  listReviews: { reservation_code: mine.channelCode },
  createReview: { reservation_code: mine.channelCode, host_review_content: word },
  listAvailabilities: { property_ids: String(mine.property), start_date: '2026-12-01', end_date: '2026-12-02' },
  updateAvailabilities: { property_ids: [mine.property], available: false, dates: ['2027-01-01'] },
  getPricingRatios: { property_id: mine.property },
  listChannelAccounts: {},
  listListings: { listing_id: mine.listing },
  listCalendars: { ...DAYS, listings: [{ channel_type: 'marketplace_a', listing_id: mine.listing }] },
  updatePrices: { ...listed(mine), prices: [{ ...DAYS, price: 9 }] },
  updateInventories: { ...listed(mine), inventories: [{ ...DAYS, inventory: 0 }] },
  updateRestrictions: { ...listed(mine), restrictions: [{ ...DAYS, closed_on_arrival: true }] },
  getMarketplaceARules: { listing_id: mine.listing },
  updateMarketplaceARules: { listing_id: mine.listing, settings: { base_price: 9 } },
  getMarketplaceBRules: { listing_id: mine.listing },
  updateMarketplaceBRules: { listing_id: mine.listing, settings: { base_price: 9 } },
  listTransactions: { id: mine.transaction, property_id: mine.property, keyword: word },
  createTransaction: {
    direction: 'income',
    amount: 1,
    item_id: mine.item,
    payment_method_id: mine.method,
    property_id: mine.property,
    currency: 'EUR',
    note: word,
  },
  updateTransaction: { id: mine.transaction, note: word, amount: 9 },
  deleteTransaction: { id: mine.transaction },
  listAutomationActions: { stay_code: mine.code, property_ids: String(mine.property) },
  executeAutomationAction: { plan_id: mine.plan },
  deleteAutomationAction: { plan_id: mine.plan },
  listKnowledgeBases: { property_ids: String(mine.property) },
  getKnowledgeBase: { id: mine.knowledge },
  createKnowledgeBase: { content: word, scope_property: { type: 'by_property', ids: [mine.property] } },
  updateKnowledgeBase: { id: mine.knowledge, content: word },
  deleteKnowledgeBase: { id: mine.knowledge },
  listTasks: { id: mine.task, property_id: mine.property, staff_id: mine.staff },
  createTask: {
    type: 'other',
    expected_date: '2026-12-01',
    currency: 'EUR',
    property_id: mine.property,
    staff_id: mine.staff,
    note: word,
  },
  updateTask: { id: mine.task, note: word },
  deleteTask: { id: mine.task },
  listStaffs: { id: mine.staff },
  createStaff: { name: word, mobile: '+1 5551234', property_ids: [mine.property] },
  updateStaff: { id: mine.staff, name: word },
  deleteStaff: { id: mine.staff },
  listWebhooks: {},
  createWebhook: { url: `https://hooks.example/${word}` },
  updateWebhook: { id: mine.webhook, url: `https://hooks.example/${word}` },
  deleteWebhook: { id: mine.webhook },
  createAuthorization: { client_id: word, grant_type: 'refresh_token', refresh_token: word },
  revokeAuthorization: { client_id: word, token: word },
});

/** The request of an operation, as any caller may send it. */
export function requestOf(id: OperationId, input: Fields): [method: string, path: string, options: RequestOptions] {
  const { method, path, params, query, body }: Operation = operations[id];
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
  const asked = Object.entries(input).filter(([name]) => name in query.shape);
  const text = new URLSearchParams(asked.map(([name, value]): [string, string] => [name, String(value)])).toString();
  const rest = Object.entries(input).filter(([name]) => !(name in query.shape) && !(name in params.shape));
  return [method, text ? `${url}?${text}` : url, body ? { body: Object.fromEntries(rest) } : {}];
}

/** The same request as the pipeline takes it, behind the router. */
export function wireRequestOf(id: OperationId, input: Fields): WireRequest {
  const { params, query, body }: Operation = operations[id];
  const texts = (shape: object) =>
    Object.fromEntries(
      Object.entries(input).flatMap(([name, value]) => (name in shape ? [[name, String(value)]] : [])),
    );
  const rest = Object.entries(input).filter(([name]) => !(name in query.shape) && !(name in params.shape));
  return {
    params: texts(params.shape),
    query: texts(query.shape),
    body: body ? Buffer.from(JSON.stringify(Object.fromEntries(rest))) : undefined,
    contentType: 'application/json',
  };
}

export const perform = (core: TestCore, id: OperationId, input: Fields, token: string | null): Promise<Answer> => {
  const [method, path, options] = requestOf(id, input);
  return core.request(method, path, { ...options, token });
};
