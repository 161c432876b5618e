import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openApiDocument } from '../../src/api/openapi.ts';
import { parseInput } from '../../src/api/http/parse.ts';
import { exampleRequest } from '../../src/contract/example.ts';
import { type OperationId, operations } from '../../src/contract/index.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { spellings } from '../../src/contract/spellings.ts';
import { ApiError } from '../../src/kernel/errors.ts';
import { resolved } from '../support/openapi.ts';

/** The two pages of the description: the values a field can have, by operation and place in its answer. */
const SETS: readonly [id: OperationId, field: string, values: string][] = [
  ['listProperties', 'properties[].status', 'active inactive'],
  ['listReservations', 'reservations[].status', 'wait_accept wait_pay accepted cancelled denied timeout'],
  ['listReservations', 'reservations[].stay_status', 'checkin_pending in_house stay_completed'],
  ['listReservations', 'reservations[].payment.status', 'unreceived partial received over_received'],
  ['listReservations', 'reservations[].check_in_details.id_required', 'not_required required required_with_review'],
  ['listReservations', 'reservations[].check_in_details.deposit_details.status', 'unpaid paid refunded'],
  ['listReservations', 'reservations[].guests[].id_type', 'passport id_card others'],
  ['listReservations', 'reservations[].guests[].gender', 'male female'],
  ['getConversation', 'activities[].activity_type', 'inquiry reservation'],
  ['getConversation', 'messages[].sender_role', 'guest host'],
  [
    'getConversation',
    'messages[].display_type',
    'Text Box FileAttachment RequestToBook BsRequestBook SpecialOffer ReservationAlteration HouseLinkCard',
  ],
  [
    'getConversation',
    'messages[].sources[].type',
    'checkin_guide automation_reply host_knowledge thread host_assistant',
  ],
  ['listSpecialOffers', 'special_offers[].offer_type', 'special_offer preapproval'],
  ['listSpecialOffers', 'special_offers[].status', 'active accepted declined expired withdrawn'],
  ['listChannelAccounts', 'channel_accounts[].auth_status', 'active connecting disconnected exception unknown'],
  ['listListings', 'listings[].shelf_status', 'on off deleted unknown'],
  ['getPricingRatios', 'link_type', 'property room_type'],
  ['listCalendarShareLinks', 'calendar_share_links[].scope', 'entire partial'],
  ['listPropertyTags', 'tags[].color', '#FD587B #1BBFA4 #FFA410 #F3D432 #2CBCFD #7175FA #EF7EDE'],
  ['listReservationTags', 'reservation_tags[].color', '#FD587B #1BBFA4 #FFA410 #F3D432 #2CBCFD #7175FA #EF7EDE'],
  ['listTasks', 'tasks[].type', 'cleaning maintenance reception room_service other'],
  ['listTasks', 'tasks[].status', 'pending in_progress completed cancelled'],
  ['listTasks', 'tasks[].level', 'standard simple advanced'],
  ['listTransactions', 'transactions[].direction', 'income expense'],
  ['listTransactions', 'transactions[].status', 'paid outstanding'],
  ['listTransactions', 'transactions[].link_type', 'property reservation operator'],
  ['listAutomationActions', 'actions[].type', 'message review task lock_code'],
  ['listAutomationActions', 'actions[].status', 'waiting'],
  ['listKnowledgeBases', 'knowledge_bases[].process_status', 'waiting processing done failed'],
  ['listKnowledgeBases', 'knowledge_bases[].scope_property.type', 'all by_property by_group by_room_type'],
  ['listKnowledgeBases', 'knowledge_bases[].scope_channel.type', 'all by_channel'],
];

interface Document {
  paths: Record<string, Record<string, any>>;
  components: { schemas: Record<string, object> };
}

interface JsonSchema {
  examples?: string[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
}

/** What stands at a place such as `rows[].part.field`, also behind "or null". */
function schemaAt(schema: JsonSchema | undefined, place: string): JsonSchema | undefined {
  const [first = '', ...rest] = place.split('.');
  const inner = (schema?.properties ?? schema?.anyOf?.find((one) => one.properties)?.properties)?.[
    first.replace('[]', '')
  ];
  const one = first.endsWith('[]') ? inner?.items : inner;
  return rest.length === 0 ? one : schemaAt(one, rest.join('.'));
}

describe('values', () => {
  const document = openApiDocument() as unknown as Document;
  const { paths } = resolved(document, document);
  const described = Object.values(paths).flatMap((methods) => Object.values(methods));
  for (const [id, field, values] of SETS) {
    it(`${id}: ${field} is one of ${values}, and clients are told that more may come`, () => {
      const operation = described.find((one) => one.operationId === id);
      const { data } = operation.responses[200].content['application/json'].schema.anyOf[0].properties;
      const schema = schemaAt(data, field);
      const open = schema?.examples ? schema : schema?.anyOf?.find((one) => one.examples);
      assert.deepEqual(open?.examples, values.split(' '));
    });
  }
});

const of = (count: number) => 'x'.repeat(count);
const half = { hour: 23, minute: 59 };

/** What a field takes and what it does not, in an otherwise valid request. */
type Bounds = [id: OperationId, field: string, taken: readonly unknown[], refused: readonly unknown[]];

const A_RULES = 'updateMarketplaceARules';
const B_RULES = 'updateMarketplaceBRules';
const settings = (...values: object[]) => values;
const discount = (percent: number) => ({ discount: percent, days: 7 });
const WEEK = { sunday: 1, monday: 1, tuesday: 1, wednesday: 1, thursday: 1, friday: 1, saturday: 1 };

const BOUNDS: readonly Bounds[] = [
  ['createProperty', 'title', [of(1), of(100)], ['', ' ', of(101), 7, null]],
  ['createRoomType', 'name', [of(100)], ['', of(101)]],
  ['createPropertyGroup', 'name', [of(50)], ['', of(51)]],
  ['updatePropertyGroup', 'name', [of(50)], ['', of(51)]],
  ['createPropertyTag', 'name', [of(15)], ['', of(16)]],
  ['createPropertyTag', 'color', ['#FD587B'], ['#fd587b', '#000000', 'red']],
  ['createReservationTag', 'tag_name', [of(15)], ['', of(16)]],
  ['addReservationTag', 'tag_name', [of(15)], ['', of(16)]],
  ['listReservationTags', 'keyword', [of(50)], [of(51)]],
  ['createCalendarShareLink', 'scope', ['partial'], ['whole', null]],
  ['createReservation', 'channel_id', [of(1), 'Az09', of(32)], ['', of(33), 'A-1', 'A 1', 'ä']],
  ['createReservation', 'number_of_guests', [1, 99], [0, 100, 1.5, '2']],
  ['createReservation', 'rate_amount', [0, 0.5, 999_999], [-1, 999_999.01, '5', null]],
  ['createReservation', 'commission_amount', [0, 999_999], [-1, 1_000_000]],
  ['createReservation', 'received_amount', [0, 999_999], [-1, 1_000_000]],
  ['createReservation', 'guest_name', [of(100)], ['', of(101)]],
  ['createReservation', 'property_id', [1, '1'], ['', '1.5', -1, null, 'one']],
  ['updateReservation', 'note', ['', of(500)], [of(501), null]],
  ['updateReservation', 'remarks', [of(500)], [of(501)]],
  ['updateReservation', 'creator', [of(50)], [of(51)]],
  ['updateReservation', 'guest_name', [of(100)], [of(101)]],
  ['updateReservation', 'email', [of(50)], [of(51)]],
  ['updateReservation', 'number_of_guests', [1, 99], [0, 100]],
  ['updateReservation', 'rate_amount', [0, 999_999], [-0.01, 1_000_000]],
  ['updateCheckInDetails', 'arrival_at', [{ hour: 0, minute: 0 }, half, null], [{ hour: 24, minute: 0 }, {}, '15:00']],
  ['updateCheckInDetails', 'departure_at', [half], [{ hour: 9, minute: 60 }, { hour: 9 }]],
  ['updateCheckInDetails', 'lock_code', ['1', null], ['', 1]],
  ['updateCheckInDetails', 'lock_code_visible_after', ['00:00', '23:59', null], ['24:00', '9:00', '09:00:00', '']],
  ['updateCheckInDetails', 'deposit', [0, 0.5], [-0.01, '1', null]],
  ['updateCheckInDetails', 'id_required', ['not_required', 'required', 'required_with_review'], ['yes', null, true]],
  ['updateCustomFields', 'custom_fields', [{}, { a: 'b', c: null }], [{ a: 1 }, { '': 'b' }, null, 'a']],
  ['updateStayStatus', 'stay_status', ['checkin_pending', 'in_house', 'stay_completed'], ['gone', null]],
  [
    'listReservations',
    'order_by',
    ['booked_at', 'check_in_date', 'check_out_date', 'cancelled_at', 'created_at'],
    ['id'],
  ],
  ['listReservations', 'status', ['wait_accept', 'wait_pay', 'timeout'], ['waiting', '']],
  ['updateConversationNote', 'note', ['', of(5_000), null], [of(5_001), undefined, 7]],
  ['createSpecialOffer', 'number_of_adults', [1], [0, undefined, -1]],
  ['createSpecialOffer', 'number_of_children', [0, 1], [-1, null]],
  ['createSpecialOffer', 'price', [0.5], [0, -1, undefined]],
  ['createReview', 'host_review_score', [0, 4.5, 5], [-1, 5.1, '5']],
  [
    'createReview',
    'category_ratings',
    [
      { recommend: 0 },
      { recommend: 1, overall_rating: 5, cleanliness: 0, communication: 3, respect_of_house_rules: 2 },
    ],
    [{ recommend: 2 }, { recommend: true }, { cleanliness: 6 }, { communication: -1 }],
  ],
  ['listReviews', 'review_status', ['pending_guest_review', 'pending_host_review', 'reviewed'], ['new']],
  ['updateAvailabilities', 'property_ids', [[1], ['1', 2]], [[], 1, '1,2', ['a']]],
  ['updateAvailabilities', 'available', [true, false], ['true', 1, null]],
  ['listAvailabilities', 'property_ids', ['1', '1,2'], ['', '1,', 'a', '1;2']],
  ['listCalendars', 'end_date', ['2027-03-01', '2028-02-29'], ['2028-03-01', '2027-02-30']],
  [
    'updateInventories',
    'inventories',
    [[{ ...range(), inventory: 0 }]],
    [[], [{ ...range(), inventory: -1 }], [range()]],
  ],
  [
    'updateRestrictions',
    'restrictions',
    [
      [{ ...range(), closed_on_arrival: true, closed_on_departure: false }],
      [{ ...range(), min_stay_on_arrival: 1, max_stay_on_arrival: 2, min_stay_through: 1, max_stay_through: 1 }],
      [{ ...range(), exact_stay_on_arrival: 3, min_advance_reservation: '0D6H', max_advance_reservation: '365D0H' }],
    ],
    [[], [range()], [{ ...range(), min_stay_on_arrival: 0 }], [{ ...range(), min_advance_reservation: '6H' }]],
  ],
  [
    A_RULES,
    'settings',
    settings({ check_in_start_time: 8 }, { check_in_start_time: 26 }),
    [{ check_in_start_time: 7 }],
  ],
  [A_RULES, 'settings', settings({ check_in_start_time: 'FLEXIBLE' }), [{ check_in_start_time: 'flexible' }]],
  [
    A_RULES,
    'settings',
    settings({ check_in_end_time: 9 }, { check_in_end_time: 26 }, { check_in_end_time: 'FLEXIBLE' }),
    [{ check_in_end_time: 8 }, { check_in_end_time: 27 }],
  ],
  [A_RULES, 'settings', settings({ check_out_before: 0 }, { check_out_before: 23 }), [{ check_out_before: 24 }]],
  [
    A_RULES,
    'settings',
    settings({ early_bird_discount: discount(10) }, { last_minute_discount: [discount(5), discount(10)] }),
    [{ long_term_discount: 10 }, { early_bird_discount: { discount: 10 } }],
  ],
  [
    A_RULES,
    'settings',
    settings({ days_of_week_check_in: [0, 6] }, { days_of_week_check_out: [] }),
    [{ days_of_week_check_in: [7] }, { days_of_week_check_out: ['monday'] }],
  ],
  [
    A_RULES,
    'settings',
    settings({ high_rated_guest_discount: true, mobile_only_discount: false }, { instant_booking: true }),
    [{ high_rated_guest_discount: 'yes' }, { instant_booking: 1 }],
  ],
  [
    A_RULES,
    'settings',
    settings({ mobile_only_discount_blackout_dates: ['2027-12-24'] }, { high_rated_guest_discount_blackout_dates: [] }),
    [{ mobile_only_discount_blackout_dates: ['24.12.2027'] }],
  ],
  [B_RULES, 'settings', settings({ nightly_rate: WEEK }), [{ nightly_rate: { ...WEEK, friday: undefined } }]],
  [
    B_RULES,
    'settings',
    settings({ weekly_discount: 0, monthly_discount: 99, extra_guest_fee: 0 }),
    [{ weekly_discount: 100 }, { monthly_discount: -1 }, { extra_guest_fee: -1 }],
  ],
  ['createTask', 'type', ['cleaning', 'other'], ['washing', undefined]],
  ['createTask', 'note', [of(500)], [of(501)]],
  ['createTask', 'expected_time', ['14:30:00', null], ['24:00:00', '2 pm']],
  ['createTask', 'level', ['standard', null], ['hard']],
  ['createTask', 'currency', ['EUR'], ['eur', 'XXQ', undefined]],
  ['updateTask', 'status', ['pending', 'in_progress', 'completed', 'cancelled'], ['done']],
  ['createStaff', 'name', [of(128)], ['', of(129), undefined]],
  ['createStaff', 'mobile', ['+49 1701234567'], ['+491701234567', '0170 1234567', undefined]],
  ['updateStaff', 'is_active', [true, false, 0, 1], [2, 'yes']],
  ['listStaffs', 'is_active', ['0', '1', 'true', 'false'], ['2', 'yes', '']],
  ['createKnowledgeBase', 'contents', [[{ text: 'a', sub_title: 'b' }], [{ text: 'a' }]], [[], [{ text: '' }], 'a']],
  [
    'createKnowledgeBase',
    'scope_property',
    [{ type: 'all' }, { type: 'by_group', ids: ['1'] }],
    [{ type: 'by_property' }, { type: 'some' }],
  ],
  [
    'createKnowledgeBase',
    'scope_channel',
    [{ type: 'by_channel', channels: ['marketplace_a'] }],
    [{ type: 'by_channel' }],
  ],
  ['createTransaction', 'direction', ['income', 'expense'], ['both', undefined]],
  ['createTransaction', 'amount', [0.01], [0, -1, '1', undefined]],
  ['createTransaction', 'note', [of(500)], [of(501)]],
  ['createTransaction', 'item_id', [1, '1'], ['a', undefined]],
  ['updateTransaction', 'note', [of(500)], [of(501)]],
  ['listTransactions', 'end_date', ['2027-03-01', '2028-02-29'], ['2028-03-01', '2027-02-30', undefined]],
  [
    'createWebhook',
    'events',
    [undefined, ['message_created']],
    [['authorization_revoked'], ['all'], 'message_created'],
  ],
];

function range() {
  return { start_date: '2027-03-01', end_date: '2027-03-05' };
}

describe('bounds', () => {
  for (const [id, field, taken, refused] of BOUNDS) {
    const names = (values: readonly unknown[]) => values.map(shortened).join(', ');
    it(`${id}: ${field} takes ${names(taken)}; not ${names(refused)}`, () => {
      for (const value of taken) assert.doesNotThrow(() => parse(id, field, value), shortened(value));
      for (const value of refused) {
        assert.throws(
          () => parse(id, field, value),
          (error) => error instanceof ApiError && error.code === 422 && error.message.startsWith(field),
          shortened(value),
        );
      }
    });
  }

  /** The example of an operation with one field as given, parsed as it would come over the wire. */
  function parse(id: OperationId, field: string, value: unknown): unknown {
    const operation: Operation = operations[id];
    const given: Record<string, unknown> = { ...operation.example };
    for (const { name, second } of spellings) {
      if (name === field || second === field) for (const spelling of [name, second]) delete given[spelling];
    }
    if (value === undefined) delete given[field];
    else given[field] = value;
    const { path, body } = exampleRequest(operation, given);
    const params = Object.keys(operation.params.shape).map((name) => [name, String(given[name])]);
    return parseInput(id, {
      params: Object.fromEntries(params),
      query: Object.fromEntries(new URLSearchParams(path.split('?')[1])),
      body: body === null ? undefined : Buffer.from(JSON.stringify(body)),
      contentType: 'application/json',
    });
  }

  function shortened(value: unknown): string {
    const text = JSON.stringify(value) ?? 'nothing';
    return /^"x+"$/.test(text) ? `${text.length - 2} characters` : text;
  }
});
