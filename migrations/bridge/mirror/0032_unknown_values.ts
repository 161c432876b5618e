import { type Kysely, sql } from 'kysely';

// Why: another deployment may leave out all of a row but its key. What it does not tell is unknown, which is null: never
// 0, no text that is empty.

const mayBeUnknown: Readonly<Record<string, string>> = {
  stays:
    'id channel_type property_id in_reservation_box status check_in_date check_out_date nights number_of_guests tags',
  reservations: 'channel_type status check_in_date check_out_date number_of_guests',
  stay_nights: 'status channel_type',
  stay_figures: 'channel_type channel status check_in_date check_out_date nights number_of_guests',
  guests: 'is_booker',
  transactions: 'direction status item_id item_name payment_method_id payment_method_name currency',
  properties: 'name status tags groups',
  channel_accounts: 'channel_type username origin_account_id auth_status',
  listings: 'id channel_account_id origin_account_id title url cover inventory shelf_status',
  custom_channels: 'name',
  dictionary_items: 'name',
  webhooks: 'url events manageable',
  room_types: 'name property_ids tags',
  property_groups: 'name property_ids',
  property_tags: 'name color property_ids room_type_ids',
  reservation_tags: 'tag_name color is_default',
  calendar_share_links: 'scope property_ids url',
  conversations: 'channel_type activities reservation_codes property_ids',
  messages: 'sender_role display_type attachments sources',
  special_offers: 'offer_type status listing_id check_in_date check_out_date nights number_of_guests currency',
  reviews: 'stay_code property_id channel_type listing_id check_in_date check_out_date',
  automation_actions: 'type status name',
  knowledge_bases: 'title scope_property scope_ids scope_channel scope_channels is_enable process_status',
  staffs: 'name mobile note is_active',
  tasks: 'type status expected_date currency note',
  calendar_days: 'inventory closed_on_arrival closed_on_departure',
  calendar_history: 'inventory closed_on_arrival closed_on_departure',
};

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, columns] of Object.entries(mayBeUnknown)) {
    for (const column of columns.split(' ')) {
      await sql`alter table ${sql.table(table)} alter column ${sql.ref(column)} drop not null`.execute(db);
    }
  }
}
