import { account } from '../account.ts';
import { automationAction } from '../automationActions.ts';
import { listExpenseItems, listExpenseMethods, listIncomeItems, listIncomeMethods } from '../dictionaries.ts';
import { knowledgeBase, knowledgeBaseDetail } from '../knowledgeBases.ts';
import { staff } from '../staffs.ts';
import { task } from '../tasks.ts';
import { transaction } from '../transactions.ts';
import { webhook } from '../webhooks.ts';
import { example } from './example.ts';

const parking = {
  id: 12,
  title: 'Parking',
  scope_property: { type: 'by_property', ids: [12] },
  scope_channel: { type: 'all', channels: ['unlimited'] },
  is_enable: true,
  process_status: 'done',
};
const text = 'There is a place behind the house.';

/** The account, its ledger, its work and what it knows. */
export const officeExamples = [
  example(account, {
    account_id: '01JZ8Q5R7T9V1X3Z5B7D9F1H3K',
    name: 'Bell Holiday Homes',
    time_zone: 'Europe/Berlin',
    currency: 'EUR',
  }),
  example(listIncomeItems.data, { income_items: [{ id: 1, name: 'Accommodation' }], total: 1 }),
  example(listExpenseItems.data, { expense_items: [{ id: 7, name: 'Cleaning' }], total: 1 }),
  example(listIncomeMethods.data, { income_methods: [{ id: 11, name: 'Bank transfer' }], total: 1 }),
  example(listExpenseMethods.data, { expense_methods: [{ id: 16, name: 'Card' }], total: 1 }),
  example(transaction, {
    id: 501,
    reservation_code: '0-HM8KQ2-SDUV3F',
    stay_code: '0-HM8KQ2-SDUV3F',
    property_id: 12,
    direction: 'income',
    item_id: 1,
    item_name: 'Accommodation',
    payment_method_id: 11,
    payment_method_name: 'Bank transfer',
    amount: 100,
    currency: 'EUR',
    action_at: '2027-03-01T12:00:00+01:00',
    note: 'Advance payment',
    status: 'paid',
    operator_name: 'Ada Bell',
    link_type: 'reservation',
    property_title: 'Sea View',
    created_at: '2027-03-01T12:01:07+01:00',
    updated_at: '2027-03-01T12:01:07+01:00',
  }),
  example(staff, {
    id: 6,
    name: 'Jonas Petersen',
    mobile: '+49 1707654321',
    email: 'jonas@example.com',
    note: 'Has the key of Sea View.',
    is_active: true,
  }),
  example(task, {
    id: 12,
    type: 'cleaning',
    status: 'pending',
    property_id: 12,
    property_title: 'Sea View',
    stay_code: '0-HM8KQ2-SDUV3F',
    staff_id: 6,
    staff_name: 'Jonas Petersen',
    expected_date: '2027-03-08',
    expected_time: '11:30:00',
    expected: '2027-03-08T11:30:00+01:00',
    level: 'standard',
    currency: 'EUR',
    fee: 45,
    note: 'Fresh linen for four.',
    create_time: '2027-02-11T09:43:00+01:00',
    update_time: '2027-02-11T09:43:00+01:00',
  }),
  example(automationAction, {
    plan_id: 'P77',
    type: 'message',
    status: 'waiting',
    name: 'Welcome',
    send_to: 'guest',
    stay_code: '0-HM8KQ2-SDUV3F',
    property_id: 12,
    property_title: 'Sea View',
    scheduled_at: '2027-03-04T10:00:00+01:00',
    channel_type: 'marketplace_a',
  }),
  example(knowledgeBase, parking),
  example(knowledgeBaseDetail, { ...parking, content: text, contents: [{ text, sub_title: '' }] }),
  example(webhook, {
    id: 3,
    url: 'https://hooks.example.com/stayd',
    events: ['message_created'],
    manageable: true,
    created_at: '2027-01-15T14:20:00+01:00',
  }),
];
