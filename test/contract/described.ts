/** An operation of the description, whether it is served yet or not. `tool` is its name as an MCP tool. */
export interface Described {
  route: string;
  tool: string | null;
}

/** All 87 operations of the description by resource: route, and tool where there is one. */
const RESOURCES = `
## Transactions and dictionaries
GET /transactions search_transactions
POST /transactions create_transaction
PATCH /transactions/{id} update_transaction
DELETE /transactions/{id} delete_transaction
GET /income_items search_income_items
GET /expense_items search_expense_items
GET /income_methods search_income_methods
GET /expense_methods search_expense_methods

## Reservations
GET /reservations search_reservations
POST /reservations create_reservation
PATCH /reservations/{stay_code} update_reservation_basic
PATCH /reservations/{stay_code}/check_in_details update_reservation_checkin_details
GET /reservations/{stay_code}/custom_fields search_reservation_custom_fields
PATCH /reservations/{stay_code}/custom_fields update_reservation_custom_fields
DELETE /reservations/{reservation_code} cancel_reservation
POST /reservations/{reservation_code}/approve approve_reservation
POST /reservations/{reservation_code}/decline decline_reservation
POST /reservations/{stay_code}/allocate allocate_reservation
POST /reservations/{stay_code}/move_to_box move_reservation_to_box
PUT /reservations/{stay_code}/stay_status update_reservation_stay_status
POST /reservations/{stay_code}/tags add_reservation_tag
DELETE /reservations/{stay_code}/tags remove_reservation_tag
GET /reservation_tags search_reservation_tags
POST /reservation_tags create_reservation_tag
DELETE /reservation_tags/{id} delete_reservation_tag

## Conversations
GET /conversations search_conversations
GET /conversations/{conversation_id} get_conversation
POST /conversations/{conversation_id} send_message
PATCH /conversations/{conversation_id}/note update_conversation_note
GET /conversations/{conversation_id}/special_offers -
POST /conversations/{conversation_id}/special_offers -
POST /conversations/{conversation_id}/preapprovals -
DELETE /conversations/{conversation_id}/special_offers/{special_offer_id} -

## Reviews
GET /reviews search_reviews
POST /reviews/{reservation_code} create_review

## Properties, room types, groups, tags
GET /properties search_properties
POST /properties create_property
GET /room_types search_room_types
POST /room_types create_room_type
GET /groups search_property_groups
POST /groups create_property_group
PATCH /groups/{id} update_property_group
DELETE /groups/{id} delete_property_group
GET /tags search_tags
POST /tags create_property_tag
PATCH /tags/{id} update_property_tag
DELETE /tags/{id} delete_property_tag
GET /custom_channels search_custom_channels

## Availability, listings and calendars
GET /availabilities search_availabilities
POST /availabilities update_availabilities
GET /pricing_ratios get_pricing_ratios
POST /listings/calendar search_listing_calendars
POST /listings/prices update_listing_prices
POST /listings/inventories update_listing_inventories
POST /listings/restrictions update_listing_restrictions
GET /listings/marketplace_a/price_and_rules -
POST /listings/marketplace_a/price_and_rules -
GET /listings/marketplace_b/price_and_rules -
POST /listings/marketplace_b/price_and_rules -
GET /channel_accounts search_channel_accounts
GET /listings search_listings
GET /calendar_share_links search_calendar_share_links
POST /calendar_share_links create_calendar_share_link
DELETE /calendar_share_links/{id} delete_calendar_share_link

## Automation
GET /automation/actions search_automation_actions
POST /automation/actions/{plan_id}/execute execute_automation_action
DELETE /automation/actions/{plan_id} delete_automation_action

## Knowledge base
GET /knowledge_bases search_knowledge_bases
GET /knowledge_bases/{id} get_knowledge_base
POST /knowledge_bases create_knowledge_base
PATCH /knowledge_bases/{id} update_knowledge_base
DELETE /knowledge_bases/{id} delete_knowledge_base

## Tasks and staff
GET /tasks search_tasks
POST /tasks create_task
PATCH /tasks/{id} update_task
DELETE /tasks/{id} delete_task
GET /staffs search_staffs
POST /staffs create_staff
PATCH /staffs/{id} update_staff
DELETE /staffs/{id} delete_staff

## Webhooks, account, OAuth
GET /webhooks -
POST /webhooks -
PATCH /webhooks/{id} -
DELETE /webhooks/{id} -
GET /accounts/me -
POST /oauth/authorizations -
POST /oauth/revoke -
`;

/** By resource, in the order of the description. */
export const described: ReadonlyMap<string, readonly Described[]> = new Map(
  RESOURCES.split('## ')
    .slice(1)
    .map((part): [string, Described[]] => {
      const [title = '', ...lines] = part.trim().split('\n');
      const rows = lines.filter(Boolean).map((line) => {
        const [method, path, tool = '-'] = line.split(' ');
        return { route: `${method} ${path}`, tool: tool === '-' ? null : tool };
      });
      return [title, rows];
    }),
);
