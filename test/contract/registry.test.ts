import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { errorCodes, successCodes } from '../../src/contract/errors.ts';
import { type EventKind, eventKinds, events, selectableEvents, subEvents } from '../../src/contract/events.ts';
import { operationIds, operations } from '../../src/contract/index.ts';
import { accountWindows, failedRequestWindows, rateClasses, conversationWindows } from '../../src/contract/limits.ts';
import type { Operation } from '../../src/contract/operation.ts';
import {
  acceptEitherSpelling,
  addSecondSpellings,
  SpellingConflict,
  useFirstSpellings,
} from '../../src/contract/spell.ts';
import { spellings } from '../../src/contract/spellings.ts';

const all: readonly { id: string; operation: Operation }[] = operationIds.map((id) => ({
  id,
  operation: operations[id],
}));

function unique(values: readonly string[], what: string): void {
  const twice = values.filter((value, index) => values.indexOf(value) !== index);
  assert.deepEqual(twice, [], what);
}

const namesOf = (part: { shape: object } | null) => Object.keys(part?.shape ?? {});

describe('the registry of operations', () => {
  it('no two share a method and path, whatever their path fields are called', () => {
    unique(
      all.map(({ operation }) => `${operation.method} ${operation.path.replaceAll(/\{\w+\}/g, '{}')}`),
      'the same route',
    );
  });

  for (const { id, operation } of all) {
    it(`${id}: path fields, parts of the input, scope, release`, () => {
      const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
      assert.deepEqual(namesOf(operation.params), inPath, 'params is what the path names, in its order');
      unique([...inPath, ...namesOf(operation.query), ...namesOf(operation.body)], 'a field stands in two parts');
      if (operation.method === 'GET') assert.deepEqual([operation.scope, operation.body], ['read', null]);
      else
        assert.equal(operation.scope === 'read', READ_THOUGH_NOT_GET.includes(`${operation.method} ${operation.path}`));
      if (operation.scope === 'read') assert.deepEqual(operation.emits, [], 'reading changes nothing');
      assert.match(operation.since, /^3\.\d+\.\d+$/);
      assert.match(operation.summary, /\.$/);
      for (const kind of operation.emits) assert.ok(kind in events, `${kind} is no event`);
      for (const code of operation.errors) assert.ok(code in errorCodes, `${code} is no error code`);
    });
  }

  /** wire.md: POST /listings/calendar is the only POST classed read. */
  const READ_THOUGH_NOT_GET = ['POST /listings/calendar'];

  /** wire.md, Lists: these have no offset and limit. */
  const UNPAGED = [
    'custom_channels',
    'income_items',
    'expense_items',
    'income_methods',
    'expense_methods',
    'webhooks',
    'availabilities',
    'listings/calendar',
  ];
  /** They are read by what they are asked about, and their rows are not of a plural name of their own. */
  const UNCOUNTED = ['availabilities', 'listings/calendar'];
  /** wire.md, Lists: the plural names `data` may use. */
  const PLURALS =
    'properties room_types groups tags reservation_tags reservations calendar_share_links conversations special_offers reviews channel_accounts listings actions tasks staffs transactions knowledge_bases income_items expense_items income_methods expense_methods custom_channels webhooks';

  it('every list pages by offset and limit (20, at most 100), but the ones described without; all count their rows', () => {
    const lists = all.filter(({ operation }) => operation.data instanceof z.ZodObject && hasRows(operation.data));
    assert.ok(lists.length > 5);
    for (const { id, operation } of lists) {
      const shape = (operation.data as z.ZodObject).shape;
      const [plural = ''] = Object.keys(shape);
      assert.ok(PLURALS.split(' ').includes(plural), `${id} answers its rows as ${plural}`);
      const paged = !UNPAGED.includes(operation.path.slice(1));
      assert.deepEqual('total' in shape, !UNCOUNTED.includes(operation.path.slice(1)), `${id} and its total`);
      assert.deepEqual(
        namesOf(operation.query).filter((name) => name === 'offset' || name === 'limit').length,
        paged ? 2 : 0,
        id,
      );
      if (!paged) continue;
      const { offset, limit } = operation.query.shape as Record<string, z.ZodType>;
      const page = operation.path === '/knowledge_bases' ? 10 : 20;
      assert.deepEqual([offset?.parse(undefined), limit?.parse(undefined)], [0, page], id);
      assert.deepEqual(
        [limit?.safeParse(100).success, limit?.safeParse(101).success, limit?.safeParse(0).success],
        [true, false, false],
      );
      assert.deepEqual([offset?.safeParse(0).success, offset?.safeParse(-1).success], [true, false]);
    }
  });

  const hasRows = (data: z.ZodObject) => Object.values(data.shape)[0] instanceof z.ZodArray;

  it('what answers no data has none in its declaration, and creates answer what wire.md says', () => {
    const answers = Object.fromEntries(all.map(({ id, operation }) => [id, dataNames(operation)]));
    assert.deepEqual(answers['createProperty'], ['property_id']);
    assert.deepEqual(answers['createTransaction'], ['transaction_id']);
    assert.deepEqual(answers['createReservation'], ['reservation', 'reservation_code', 'status']);
    assert.deepEqual(answers['createRoomType'], ['room_type_id']);
    assert.deepEqual(answers['createPropertyGroup'], ['group', 'id', 'name', 'property_ids']);
    assert.deepEqual(answers['createPropertyTag'], ['tag', 'id', 'name', 'color', 'property_ids', 'room_type_ids']);
    assert.deepEqual(answers['createReservationTag'], ['reservation_tag', 'id', 'tag_name', 'color', 'is_default']);
    assert.deepEqual(answers['createCalendarShareLink'], [
      'calendar_share_link',
      'id',
      'scope',
      'property_ids',
      'url',
      'created_at',
    ]);
    assert.deepEqual(answers['createTask'], ['task_id']);
    assert.deepEqual(answers['createStaff'], ['staff_id']);
    assert.deepEqual(answers['createKnowledgeBase'], ['id']);
    assert.deepEqual(answers['createWebhook'], ['id', 'secret_token']);
    assert.deepEqual(answers['updateWebhook'], ['id', 'url', 'events', 'manageable', 'created_at']);
    for (const id of [
      'updateTransaction',
      'deleteTransaction',
      'updateReservation',
      'updateCheckInDetails',
      'updateStayStatus',
      'approveReservation',
      'declineReservation',
      'allocateReservation',
      'moveReservationToBox',
      'cancelReservation',
      'updatePropertyGroup',
      'deletePropertyGroup',
      'updatePropertyTag',
      'deletePropertyTag',
      'deleteReservationTag',
      'addReservationTag',
      'removeReservationTag',
      'deleteCalendarShareLink',
      'executeAutomationAction',
      'deleteAutomationAction',
      'updateKnowledgeBase',
      'deleteKnowledgeBase',
      'updateTask',
      'deleteTask',
      'updateStaff',
      'deleteStaff',
      'deleteWebhook',
    ]) {
      assert.equal(answers[id], null, id);
    }
  });

  const dataNames = ({ data }: Operation) => (data instanceof z.ZodObject ? Object.keys(data.shape) : null);
});

/** wire.md, Query parameters, besides offset and limit; `*` required. */
const QUERIES: Record<string, string> = {
  'GET /accounts/me': '',
  'GET /properties': 'id group_id tag_id',
  'GET /room_types': 'id tag_id',
  'GET /groups': 'id',
  'GET /tags': 'id',
  'GET /reservation_tags': 'id keyword',
  'GET /calendar_share_links': 'id',
  'GET /custom_channels': '',
  'GET /income_items': '',
  'GET /expense_items': '',
  'GET /income_methods': '',
  'GET /expense_methods': '',
  'GET /reservations':
    'id reservation_code channel_id property_id status channel_type start_check_in_date end_check_in_date start_check_out_date end_check_out_date order_by',
  'GET /conversations': '',
  'GET /conversations/{conversation_id}': '',
  'GET /conversations/{conversation_id}/special_offers': '',
  'GET /reviews': 'reservation_code property_id review_status start_check_out_date end_check_out_date',
  'GET /reservations/{stay_code}/custom_fields': '',
  'GET /availabilities': 'property_ids* start_date* end_date*',
  'GET /pricing_ratios': 'property_id room_type_id',
  'GET /channel_accounts': 'id channel_type',
  'GET /listings': 'channel_account_id listing_id channel_type',
  'GET /listings/marketplace_a/price_and_rules': 'listing_id*',
  'GET /listings/marketplace_b/price_and_rules': 'listing_id*',
  'GET /transactions':
    'id start_date end_date property_id reservation_code stay_code direction item_id payment_method_id currency keyword',
  'GET /automation/actions': 'type keyword stay_code property_ids start_time end_time channel_types rule_event',
  'GET /knowledge_bases': 'property_ids channel_types',
  'GET /knowledge_bases/{id}': '',
  'GET /tasks': 'id start_date end_date staff_id property_id type status',
  'GET /staffs': 'id is_active',
  'GET /webhooks': '',
};
const TASK = 'stay_code property_id staff_id expected_time level fee note';
const STAFF = 'email note property_ids';
const KNOWLEDGE = 'contents scope_property scope_channel is_enable title';
/** wire.md, Bodies, and service-api-v3.md for the ledger; by the first of two spellings; `*` required. */
const BODIES: Record<string, string> = {
  'POST /properties': 'name*',
  'POST /room_types': 'name* property_ids',
  'POST /groups': 'name* property_ids',
  'PATCH /groups/{id}': 'name property_ids',
  'POST /tags': 'name* color property_ids room_type_ids',
  'PATCH /tags/{id}': 'name color property_ids room_type_ids',
  'POST /reservation_tags': 'tag_name*',
  'POST /reservations/{stay_code}/tags': 'tag_name*',
  'DELETE /reservations/{stay_code}/tags': 'tag_name*',
  'POST /calendar_share_links': 'scope* property_ids',
  'POST /reservations':
    'property_id* check_in_date* check_out_date* guest_name* rate_amount* commission_amount* received_amount* custom_channel_id currency income_method_id number_of_guests email mobile note channel_id',
  'PATCH /reservations/{stay_code}':
    'note creator custom_channel_id check_in_date check_out_date number_of_guests guest_name mobile email currency rate_amount commission_amount received_amount',
  'PATCH /reservations/{stay_code}/check_in_details':
    'arrival_at departure_at lock_code lock_code_visible_after deposit id_required',
  'POST /conversations/{conversation_id}': 'message jpeg_base64',
  'PATCH /conversations/{conversation_id}/note': 'note*',
  'POST /conversations/{conversation_id}/special_offers':
    'listing_id* check_in_date* check_out_date* price* number_of_adults* number_of_children number_of_infants number_of_pets rate_plan_id currency',
  'POST /reviews/{reservation_code}': 'host_review_score host_review_content host_reply_content category_ratings',
  'POST /availabilities': 'property_ids* available* start_date end_date dates',
  // The one page has a list of listings, the other a single one.
  'POST /listings/calendar': 'start_date* end_date* listings channel_type listing_id',
  'POST /listings/prices': 'channel_type listing_id prices entries',
  'POST /listings/inventories': 'channel_type* listing_id* inventories*',
  'POST /listings/restrictions': 'channel_type* listing_id* restrictions*',
  'POST /listings/marketplace_a/price_and_rules': 'listing_id* settings*',
  'POST /listings/marketplace_b/price_and_rules': 'listing_id* settings*',
  'PATCH /reservations/{stay_code}/custom_fields': 'custom_fields*',
  'PUT /reservations/{stay_code}/stay_status': 'stay_status*',
  'POST /reservations/{stay_code}/allocate': 'property_id*',
  'POST /transactions':
    'direction* amount* item_id* payment_method_id* reservation_code stay_code property_id currency action_at note',
  'PATCH /transactions/{id}': 'amount item_id payment_method_id action_at note',
  'POST /tasks': `type* expected_date* currency* ${TASK}`,
  'PATCH /tasks/{id}': `type status expected_date currency ${TASK}`,
  'POST /staffs': `name* mobile* ${STAFF}`,
  'PATCH /staffs/{id}': `name mobile is_active ${STAFF}`,
  'POST /knowledge_bases': `content* ${KNOWLEDGE}`,
  'PATCH /knowledge_bases/{id}': `content ${KNOWLEDGE}`,
  'POST /webhooks': 'url* events',
  'PATCH /webhooks/{id}': 'url events',
  'POST /oauth/authorizations': 'client_id* client_secret grant_type* code code_verifier redirect_uri refresh_token',
  'POST /oauth/revoke': 'client_id* client_secret token*',
};

describe('parameters and bodies', () => {
  const isAddition = (field: unknown) => (field as z.ZodType).meta()?.addition === true;
  const fieldsOf = (part: Operation['query'] | null): string[] =>
    Object.entries(part?.shape ?? {})
      .filter(([name, field]) => name !== 'offset' && name !== 'limit' && !isAddition(field))
      .map(([name, field]) => ((field as z.ZodType).safeParse(undefined).success ? name : `${name}*`))
      .toSorted();
  const described = (fields: string | undefined) => (fields ?? 'not described').split(' ').filter(Boolean).toSorted();

  for (const { id, operation } of all) {
    it(`${id} takes the described ones and no others`, () => {
      const { method, path, query, body } = operation;
      const route = `${method} ${path}`;
      const ours = Object.entries(query.shape).flatMap(([name, field]) => (isAddition(field) ? [name] : []));
      const paging = 'offset' in query.shape ? ['cursor'] : [];
      assert.deepEqual(ours, id === 'listKnowledgeBases' ? [...paging, 'search'] : paging, 'additions of ours');
      if (method === 'GET') assert.deepEqual(fieldsOf(query), described(QUERIES[route]));
      else assert.deepEqual(fieldsOf(query), []);
      if (body !== null) assert.deepEqual(fieldsOf(body), described(BODIES[route]));
      else assert.ok(!(route in BODIES), `${route} takes a body`);
    });
  }
});

/** The rows of wire.md's MCP table for which an operation exists: r read · w write · c write to be confirmed. */
const TOOLS = `
automation: search_automation_actions r; execute_automation_action c; delete_automation_action c
calendar: get_pricing_ratios r; search_availabilities r; search_listing_calendars r; search_calendar_share_links r; update_availabilities c; update_listing_inventories c; update_listing_prices c; update_listing_restrictions c; create_calendar_share_link w; delete_calendar_share_link w
finance: search_transactions r; search_income_items r; search_expense_items r; search_income_methods r; search_expense_methods r; create_transaction c; update_transaction c; delete_transaction c
knowledge_base: search_knowledge_bases r; get_knowledge_base r; create_knowledge_base c; update_knowledge_base c; delete_knowledge_base c
messaging: search_conversations r; get_conversation r; send_message c; update_conversation_note w
meta: search_tags r; search_custom_channels r; search_reservation_tags r
property: search_properties r; search_property_groups r; search_room_types r; search_channel_accounts r; search_listings r; create_property c; create_room_type c; create_property_group w; update_property_group w; delete_property_group w; create_property_tag w; update_property_tag w; delete_property_tag w
reservation: search_reservations r; search_reservation_custom_fields r; search_reviews r; create_reservation c; cancel_reservation c; update_reservation_basic c; update_reservation_checkin_details c; update_reservation_custom_fields c; approve_reservation c; decline_reservation c; move_reservation_to_box c; allocate_reservation c; create_review c; update_reservation_stay_status w; add_reservation_tag w; remove_reservation_tag w; create_reservation_tag w; delete_reservation_tag w
task: search_tasks r; search_staffs r; create_task c; update_task c; delete_task c; create_staff c; update_staff c; delete_staff c
`;
/** wire.md: not tools. */
const NO_TOOLS = [
  '/accounts/me',
  '/conversations/{conversation_id}/preapprovals',
  '/conversations/{conversation_id}/special_offers',
  '/conversations/{conversation_id}/special_offers/{special_offer_id}',
  '/listings/marketplace_a/price_and_rules',
  '/listings/marketplace_b/price_and_rules',
  '/oauth/authorizations',
  '/oauth/revoke',
  '/webhooks',
  '/webhooks/{id}',
];
const CLASSES = { r: 'read', w: 'write', c: 'confirm' } as const;

describe('tools', () => {
  it('are exactly the described ones, each in its category and class', () => {
    const described = TOOLS.trim()
      .split('\n')
      .flatMap((line) => {
        const [category = '', tools = ''] = line.split(': ');
        return tools.split('; ').map((tool) => {
          const [name = '', mark = 'r'] = tool.split(' ');
          return { name, category, scope: CLASSES[mark as keyof typeof CLASSES] };
        });
      });
    const declared = all.flatMap(({ operation }) =>
      operation.tool ? [{ ...operation.tool, scope: operation.scope }] : [],
    );
    const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
    assert.deepEqual(declared.toSorted(byName), described.toSorted(byName));
    unique(
      declared.map((tool) => tool.name),
      'two tools of one name',
    );
    for (const { name } of declared) assert.match(name, /^[a-z_]{1,64}$/);
    const without = all.filter(({ operation }) => operation.tool === null).map(({ operation }) => operation.path);
    assert.deepEqual([...new Set(without)].toSorted(), NO_TOOLS);
  });
});

const STAY = ['reservation_code', 'stay_code', 'property_id'];
/** service-api-v3.md, Event kinds: fields besides event, event_id and timestamp. */
const EVENTS: Record<EventKind, readonly string[]> = {
  reservation_created: STAY,
  reservation_updated: ['sub_event', ...STAY],
  property_availability_updated: ['property_id', 'availabilities'],
  listing_calendar_updated: ['channel_type', 'listing_id', 'start_date', 'end_date'],
  message_created: ['conversation_id', 'message_id'],
  review_created: STAY,
  review_updated: STAY,
  transaction_created: ['transaction_id'],
  transaction_updated: ['transaction_id'],
  transaction_deleted: ['transaction_id'],
  authorization_revoked: ['account_id', 'client_id'],
};

describe('events', () => {
  it('are the eleven described, with exactly their fields', () => {
    assert.deepEqual(
      Object.fromEntries(eventKinds.map((kind) => [kind, Object.keys(events[kind].fields.shape)])),
      Object.fromEntries(Object.entries(EVENTS).map(([kind, fields]) => [kind, [...fields]])),
    );
    assert.deepEqual(Object.keys(events.property_availability_updated.fields.shape.availabilities.element.shape), [
      'date',
      'available',
    ]);
    assert.deepEqual(subEvents, [
      'arrival_and_departure_time_updated',
      'rates_updated',
      'lock_code_updated',
      'lock_code_deleted',
      'check_in_details_updated',
      'remarks_updated',
    ]);
    assert.ok(
      events.reservation_updated.fields.safeParse({ reservation_code: 'a', stay_code: 'a', property_id: 1 }).success,
    );
  });

  it('all can be selected but authorization_revoked', () => {
    assert.deepEqual(
      selectableEvents,
      eventKinds.filter((kind) => kind !== 'authorization_revoked'),
    );
  });

  it('name the row to read again by one of their own fields', () => {
    for (const kind of eventKinds) {
      const { rereads, fields } = events[kind];
      for (const name of [rereads?.by ?? []].flat()) assert.ok(name in fields.shape, kind);
    }
  });
});

describe('errors and limits', () => {
  it('the table holds every described code and no other', () => {
    assert.deepEqual(
      Object.keys(errorCodes).map(Number),
      [400, 401, 403, 404, 409, 420, 422, 429, 500, 501, 502, 503, 504],
    );
    for (const meaning of Object.values(errorCodes)) assert.ok(meaning.text.length > 0 && meaning.name.length > 0);
    assert.deepEqual([...successCodes], [0, 200]);
    const again = Object.entries(errorCodes).filter(([, { client }]) => client === 'retry' || client === 'wait');
    assert.deepEqual(
      again.map(([code]) => Number(code)),
      [429, 500, 502, 503, 504],
    );
  });

  const table = (windows: readonly { seconds: number; max: number }[]) =>
    windows.map(({ seconds, max }) => [seconds, max]);

  it('windows are those of the description', () => {
    assert.deepEqual(table(accountWindows), [
      [60, 1_200],
      [600, 6_000],
      [3_600, 20_000],
      [86_400, 100_000],
    ]);
    assert.deepEqual(table(rateClasses.default), [
      [60, 600],
      [600, 3_000],
      [3_600, 10_000],
      [86_400, 50_000],
    ]);
    assert.deepEqual(table(rateClasses.availability_write), [[60, 120]]);
    assert.deepEqual(table(rateClasses.listing_write), [[60, 120]]);
    assert.deepEqual(table(rateClasses.price_rules), [[60, 120]]);
    assert.deepEqual(table(rateClasses.reservation_create), [[60, 60]]);
    assert.deepEqual(table(conversationWindows), [
      [5, 5],
      [60, 10],
      [1_800, 30],
      [7_200, 60],
      [86_400, 120],
    ]);
    assert.deepEqual(table(failedRequestWindows), [
      [3_600, 500],
      [86_400, 2_000],
    ]);
  });

  it('each operation is in the class the description gives it', () => {
    const special = all.filter(({ operation }) => operation.rate !== 'default');
    assert.deepEqual(
      special.map(({ operation }) => [operation.method, operation.path, operation.rate]),
      [
        ['POST', '/reservations', 'reservation_create'],
        ['POST', '/availabilities', 'availability_write'],
        ['POST', '/listings/calendar', 'listing_write'],
        ['POST', '/listings/prices', 'listing_write'],
        ['POST', '/listings/inventories', 'listing_write'],
        ['POST', '/listings/restrictions', 'listing_write'],
        ['GET', '/listings/marketplace_a/price_and_rules', 'price_rules'],
        ['POST', '/listings/marketplace_a/price_and_rules', 'price_rules'],
      ],
    );
  });
});

describe('personal fields of answers', () => {
  /** Everything in an answer that names or reaches a guest, or opens their door. */
  const PERSONAL = [
    'reservations[].guest_name',
    'reservations[].guest_phone',
    'reservations[].guest_email',
    'reservations[].creator',
    'reservations[].check_in_details.lock_code',
    'reservations[].guests[].name',
    'reservations[].guests[].phone',
    'reservations[].guests[].email',
    'reservations[].guests[].id_number',
    'reservations[].guests[].id_images[]',
    'reservations[].checkin_guide_images[]',
    'conversations[].last_message',
    'conversations[].guest.name',
    'conversations[].guest.email',
    'conversations[].guest.phone',
    'guest.name',
    'guest.email',
    'guest.phone',
    'messages[].sender_name',
    'messages[].content',
    'messages[].attachments',
    'reviews[].host_review.content',
    'reviews[].guest_review.content',
    'reviews[].guest_review.private_feedback',
    'reviews[].host_reply.content',
  ];
  /** Names of things, and of the operator's own people; nothing here is a guest's. */
  const NOBODY = [
    'name',
    'properties[].name',
    'properties[].groups[].name',
    'properties[].tags[].name',
    'room_types[].name',
    'room_types[].properties[].name',
    'room_types[].tags[].name',
    'groups[].name',
    'group.name',
    'tags[].name',
    'tag.name',
    'reservation_tags[].tag_name',
    'reservation_tag.tag_name',
    'tag_name',
    'channel_accounts[].username',
    'custom_channels[].name',
    'activities[].property.name',
    'activities[].property.room_type.name',
    'income_items[].name',
    'expense_items[].name',
    'income_methods[].name',
    'expense_methods[].name',
    'reservations[].custom_channel.name',
    'reservations[].additional_fees[].name',
    'transactions[].item_name',
    'transactions[].payment_method_name',
    'transactions[].operator_name',
    'actions[].name',
    'tasks[].staff_name',
    'staffs[].name',
    'staffs[].mobile',
    'staffs[].email',
  ];
  const fields = all.flatMap(({ operation }) => [...fieldsOf(operation.data, '')]);

  it('are marked, and nothing else is', () => {
    assert.deepEqual(
      fields.filter((field) => field.personal).map((field) => field.path),
      PERSONAL,
    );
  });

  it('a field that sounds like a person is marked, or known to be none', () => {
    const sounding = fields.filter(({ path }) =>
      /(name|phone|mobile|e?mail|id_number|images|lock_code)(\[\])?$/.test(path),
    );
    const unmarked = sounding.filter(
      ({ path, personal }) => !personal && !PERSONAL.some((known) => known.startsWith(path)),
    );
    assert.deepEqual(
      unmarked.map((field) => field.path).filter((path) => !NOBODY.includes(path)),
      [],
    );
  });

  function* fieldsOf(schema: z.ZodType, path: string): Generator<{ path: string; personal: boolean }> {
    const personal = schema.meta()?.personal === true;
    const { def } = schema as unknown as {
      def: { innerType?: z.ZodType; element?: z.ZodType; shape?: Record<string, z.ZodType> };
    };
    if (personal || !(def.innerType ?? def.element ?? def.shape)) yield { path, personal };
    else if (def.innerType) yield* fieldsOf(def.innerType, path);
    else if (def.element) yield* fieldsOf(def.element, `${path}[]`);
    for (const [name, field] of Object.entries((!personal && def.shape) || {}))
      yield* fieldsOf(field, path ? `${path}.${name}` : name);
  }
});

describe('spellings', () => {
  it('are the pairs of wire.md and no others', () => {
    assert.deepEqual(
      spellings.map(({ family, name, second }) => `${family}: ${name} ${second}`),
      [
        'property: name title',
        'room_type: name title',
        'reservation: note remarks',
        'price_entry: price amount',
        'message: message_id id',
        'message: timestamp created_at',
        'message: attachments attachment',
        'conversation: conversation_id id',
        'automation_action: plan_id id',
        'knowledge_base: content contents',
      ],
    );
  });

  const SAMPLES: Record<string, readonly unknown[]> = {
    attachments: [[], [{ type: 'image', url: 'https://a.example/1', name: 'one' }]],
    content: ['', 'a text', 'two\n\nparagraphs'],
  };

  for (const pair of spellings) {
    it(`${pair.family}: ${pair.second} reads back as ${pair.name}, alone, both the same, and never two values`, () => {
      const schema = z.array(
        z.object({ [pair.name]: z.unknown(), inner: z.string().optional() }).meta({ family: pair.family }),
      );
      for (const value of SAMPLES[pair.name] ?? ['a value']) {
        const answer = [{ [pair.name]: value }];
        addSecondSpellings(schema)(answer);
        assert.ok(pair.second in (answer[0] ?? {}));
        assert.doesNotThrow(() => acceptEitherSpelling(schema)(structuredClone(answer)), 'an answer may be sent back');
        const second: Record<string, unknown>[] = [{ [pair.second]: answer[0]?.[pair.second] }];
        useFirstSpellings(schema)(second);
        assert.deepEqual(second[0]?.[pair.name], value);
        const other = pair.fromSecond ? (pair.name === 'content' ? [{ text: 'other' }] : { type: 'other' }) : 'other';
        assert.throws(() => acceptEitherSpelling(schema)([{ ...answer[0], [pair.second]: other }]), SpellingConflict);
      }
    });
  }

  it('an object outside the family is left alone', () => {
    const answer = { note: 'a' };
    addSecondSpellings(z.object({ note: z.string() }))(answer);
    assert.deepEqual(answer, { note: 'a' });
  });
});
