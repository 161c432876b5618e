// Made by `npm run integrations` from the OpenAPI document; do not change it by hand.

/** The account behind a token. */
export interface Account {
  /** Stable; shared by the main account and its sub-accounts. */
  account_id: string;
  name: string;
  /** IANA zone of the operator. */
  time_zone: string;
  currency: string;
}

/** The property that an inquiry or a reservation of a conversation is about. */
export interface ActivityProperty {
  id: number;
  name: string;
  cover_url: string | null;
  room_type: ActivityRoomType | null;
  /** The same as name. */
  title?: string;
}

/** The room type of such a property. */
export interface ActivityRoomType {
  id: number;
  name: string;
  /** The same as name. */
  title?: string;
}

/** What `addReservationTag` takes. Puts a tag on one stay; a tag that does not exist is made. */
export interface AddReservationTagBody {
  tag_name: string;
}

/** A fee that the guest pays beside the rate. */
export interface AdditionalFee {
  name: string;
  currency: string;
  amount: number;
}

/** What `allocateReservation` takes. Puts a stay into a property, from another one or from the reservation box. */
export interface AllocateReservationBody {
  /** Where the stay is to be. */
  property_id: number;
}

/** A file sent with a message. */
export interface Attachment {
  type: string;
  url: string;
  name: string;
}

/** The event `authorization_revoked`: a hint what to read again, never the new state. */
export interface AuthorizationRevokedEvent {
  event: 'authorization_revoked';
  event_id: string;
  account_id: string;
  client_id: string;
  timestamp: string;
}

/** A message, a review or other work that a rule plans for a stay. */
export interface AutomationAction {
  plan_id: string;
  /** one of message, review, task, lock_code; more may come */
  type: 'message' | 'review' | 'task' | 'lock_code' | (string & {});
  /** one of waiting; more may come */
  status: 'waiting' | (string & {});
  name: string;
  send_to: string | null;
  stay_code: string | null;
  property_id: number | null;
  property_title: string | null;
  /** When it is due, with the operator’s offset. */
  scheduled_at: string;
  channel_type: string | null;
  /** The same as plan_id. */
  id?: string;
}

/** A night that became free or taken. */
export interface AvailabilityChange {
  date: string;
  available: boolean;
}

/** One night of a property on the master calendar. */
export interface AvailabilityDay {
  date: string;
  available: boolean;
  /** Reserved: a stay holds the night. Blocked: it was closed by hand, or no channel sells the property any more; in place of it the reason, where one was given, or the name of the calendar feed that closes it. */
  remarks: string | null;
}

/** How many dates of this year a discount leaves out, and how many more it may. */
export interface BlackoutQuota {
  dates_used_count: number;
  dates_available_count: number;
}

/** Price, inventory and restrictions of a listing on one date. */
export interface CalendarDay {
  date: string;
  /** In the listing’s currency; null while the channel has none. */
  price: number | null;
  inventory: number;
  restrictions: Restrictions;
}

/** An address under which anybody can see when properties are free. */
export interface CalendarShareLink {
  id: number;
  /** one of entire, partial; more may come */
  scope: 'entire' | 'partial' | (string & {});
  /** Empty for the scope entire. */
  property_ids: Array<number>;
  /** A public page; whoever has the address can read it. */
  url: string;
  created_at: string;
}

/** The host’s ratings of a guest by category, for channels that know them. */
export interface CategoryRatings {
  overall_rating?: number;
  cleanliness?: number;
  communication?: number;
  respect_of_house_rules?: number;
  recommend?: 0 | 1;
}

/** A rating in one category, with the channel’s tags for it. */
export interface CategoryScore {
  category: string;
  rating: number;
  review_category_tags: Array<string>;
}

/** An account on a marketplace, and whether the connection to it works. */
export interface ChannelAccount {
  id: number;
  channel_type: string;
  username: string;
  origin_account_id: string;
  /** one of active, connecting, disconnected, exception, unknown; more may come */
  auth_status: 'active' | 'connecting' | 'disconnected' | 'exception' | 'unknown' | (string & {});
  created_at: string;
}

/** What a channel alone says of a reservation, under the name of the channel. */
export interface ChannelDetails {
  marketplace_a?: MarketplaceADetails;
}

/** The channels that an entry of the knowledge base is for. */
export interface ChannelScope {
  /** one of all, by_channel; more may come */
  type: 'all' | 'by_channel' | (string & {});
  channels: Array<string>;
}

/** How guests come and go: times, the code of the lock, the deposit and the check of identity. */
export interface CheckInDetails {
  arrival_at: ClockTime | null;
  departure_at: ClockTime | null;
  lock_code: string | null;
  lock_code_visible_after: string | null;
  deposit: number;
  /** one of not_required, required, required_with_review; more may come */
  id_required: 'not_required' | 'required' | 'required_with_review' | (string & {});
  check_in_guide_url: string | null;
  deposit_details: Deposit | null;
}

/** A picture of a document that a guest has sent through the check-in guide. */
export interface CheckInGuideImage {
  id: number;
  client_id: number | null;
  url: string;
}

/** A time of day, where the property is. */
export interface ClockTime {
  hour: number;
  minute: number;
}

/** A conversation with its messages. */
export interface Conversation {
  conversation_id: string;
  channel_type: string;
  guest: ConversationGuest;
  activities: Array<ConversationActivity>;
  messages: Array<Message>;
  note: string | null;
  note_updated_at: string | null;
  /** An addition of this service, only with cursor: the cursor of the next page; null at the end. */
  next_cursor?: string | null;
  /** The same as conversation_id. */
  id?: string;
}

/** An inquiry or a reservation that a conversation is about. */
export interface ConversationActivity {
  /** one of inquiry, reservation; more may come */
  activity_type: 'inquiry' | 'reservation' | (string & {});
  reservation_code: string | null;
  check_in_date: string | null;
  check_out_date: string | null;
  listing_id: string;
  property: ActivityProperty | null;
}

/** A conversation as lists show it, with its newest message shortened. */
export interface ConversationEntry {
  conversation_id: string;
  channel_type: string;
  last_message_at: string | null;
  /** The newest message, shortened. */
  last_message: string;
  unread_count: number;
  guest: ConversationGuest;
  property_title: string | null;
  check_in_date: string | null;
  check_out_date: string | null;
  /** The same as conversation_id. */
  id?: string;
}

/** The guest of a conversation, as the channel names them. */
export interface ConversationGuest {
  name: string | null;
  email: string | null;
  phone: string | null;
}

/** What `createAuthorization` answers with. Exchanges an authorization code or a refresh token for tokens. */
export interface CreateAuthorizationAnswerData {
  access_token: string;
  /** Ends the one it was got with: keep it before you use it. */
  refresh_token: string;
  /** Seconds that the access token lives: 7 days. */
  expires_in: number;
}

/** What `createAuthorization` takes. Exchanges an authorization code or a refresh token for tokens. */
export interface CreateAuthorizationBody {
  /** Of the registered application. */
  client_id: string;
  /** Of confidential clients. */
  client_secret?: string;
  grant_type: 'authorization_code' | 'refresh_token';
  /** With authorization_code: as the redirect has brought it. */
  code?: string;
  /** With authorization_code, where a challenge was sent. */
  code_verifier?: string;
  /** With authorization_code: as in the request for the code. */
  redirect_uri?: string;
  /** With refresh_token: the last one that was given. */
  refresh_token?: string;
}

/** What `createCalendarShareLink` answers with. Makes a public, read-only calendar of all properties or of some. */
export interface CreateCalendarShareLinkAnswerData {
  calendar_share_link: CalendarShareLink;
  id: number;
  /** one of entire, partial; more may come */
  scope: 'entire' | 'partial' | (string & {});
  /** Empty for the scope entire. */
  property_ids: Array<number>;
  /** A public page; whoever has the address can read it. */
  url: string;
  created_at: string;
}

/** What `createCalendarShareLink` takes. Makes a public, read-only calendar of all properties or of some. */
export interface CreateCalendarShareLinkBody {
  scope: 'entire' | 'partial';
  /** For the scope partial: at least one. */
  property_ids?: Array<number>;
}

/** What `createKnowledgeBase` answers with. Adds an entry; its text can be found once process_status is done. */
export interface CreateKnowledgeBaseAnswerData {
  id: number;
}

/** What `createKnowledgeBase` takes. Adds an entry; its text can be found once process_status is done. */
export interface CreateKnowledgeBaseBody {
  content?: string;
  title?: string;
  /** The same as content, in parts that may have titles. */
  contents?: Array<GivenKnowledgeBasePart>;
  scope_property?: GivenPropertyScope;
  scope_channel?: GivenChannelScope;
  is_enable?: boolean;
}

/** What `createPreapproval` answers with. Lets the guest of an inquiry book it at the standard price. */
export interface CreatePreapprovalAnswerData {
  id: string;
}

/** What `createProperty` answers with. Adds a property; uses up one of the subscription. */
export interface CreatePropertyAnswerData {
  property_id: number;
}

/** What `createProperty` takes. Adds a property; uses up one of the subscription. */
export interface CreatePropertyBody {
  name?: string;
  /** The same as name; one of the two is required. */
  title?: string;
}

/** What `createPropertyGroup` answers with. Adds a group of properties. */
export interface CreatePropertyGroupAnswerData {
  group: PropertyGroup;
  id: number;
  name: string;
  property_ids: Array<number>;
}

/** What `createPropertyGroup` takes. Adds a group of properties. */
export interface CreatePropertyGroupBody {
  name: string;
  property_ids?: Array<number>;
}

/** What `createPropertyTag` answers with. Adds a tag for properties and room types. */
export interface CreatePropertyTagAnswerData {
  tag: PropertyTag;
  id: number;
  name: string;
  /** one of #FD587B, #1BBFA4, #FFA410, #F3D432, #2CBCFD, #7175FA, #EF7EDE; more may come */
  color: '#FD587B' | '#1BBFA4' | '#FFA410' | '#F3D432' | '#2CBCFD' | '#7175FA' | '#EF7EDE' | (string & {});
  property_ids: Array<number>;
  room_type_ids: Array<number>;
}

/** What `createPropertyTag` takes. Adds a tag for properties and room types. */
export interface CreatePropertyTagBody {
  name: string;
  /** Left out: assigned. */
  color?: '#FD587B' | '#1BBFA4' | '#FFA410' | '#F3D432' | '#2CBCFD' | '#7175FA' | '#EF7EDE';
  property_ids?: Array<number>;
  room_type_ids?: Array<number>;
}

/** What `createReservation` answers with. Makes a direct booking. */
export interface CreateReservationAnswerData {
  reservation: CreatedReservation;
  reservation_code: string;
  /** one of wait_accept, wait_pay, accepted, cancelled, denied, timeout; more may come */
  status: 'wait_accept' | 'wait_pay' | 'accepted' | 'cancelled' | 'denied' | 'timeout' | (string & {});
}

/** What `createReservation` takes. Makes a direct booking. */
export interface CreateReservationBody {
  /** Where. */
  property_id: number;
  check_in_date: string;
  check_out_date: string;
  guest_name: string;
  rate_amount: number;
  commission_amount: number;
  /** Above zero: one income entry is made. */
  received_amount: number;
  /** The source of the booking. */
  custom_channel_id?: number;
  /** Default: the property’s, else the operator’s. */
  currency?: string;
  /** How the received amount came. Default: the first method. */
  income_method_id?: number;
  number_of_guests?: number;
  email?: string;
  mobile?: string;
  note?: string;
  /** Your own reference; a repeat answers the booking made first. */
  channel_id?: string;
  /** The same as note. */
  remarks?: string;
}

/** What `createReservationTag` answers with. Adds a tag for reservations; its colour is assigned. */
export interface CreateReservationTagAnswerData {
  reservation_tag: ReservationTag;
  id: number;
  tag_name: string;
  /** one of #FD587B, #1BBFA4, #FFA410, #F3D432, #2CBCFD, #7175FA, #EF7EDE; more may come */
  color: '#FD587B' | '#1BBFA4' | '#FFA410' | '#F3D432' | '#2CBCFD' | '#7175FA' | '#EF7EDE' | (string & {});
  /** Everybody has it; it cannot be deleted. */
  is_default: boolean;
}

/** What `createReservationTag` takes. Adds a tag for reservations; its colour is assigned. */
export interface CreateReservationTagBody {
  tag_name: string;
}

/** What `createReview` takes. Reviews the guest of a finished stay, or replies to the guest’s review; public and final. */
export interface CreateReviewBody {
  /** Default: category_ratings.overall_rating. */
  host_review_score?: number;
  host_review_content?: string;
  host_reply_content?: string;
  /** Taken over by channels that know them. */
  category_ratings?: CategoryRatings;
}

/** What `createRoomType` answers with. Adds a room type, at most as many as the subscription has properties. */
export interface CreateRoomTypeAnswerData {
  room_type_id: number;
}

/** What `createRoomType` takes. Adds a room type, at most as many as the subscription has properties. */
export interface CreateRoomTypeBody {
  name?: string;
  property_ids?: Array<number>;
  /** The same as name; one of the two is required. */
  title?: string;
}

/** What `createSpecialOffer` answers with. Offers the guest of a conversation a stay at a price of its own. */
export interface CreateSpecialOfferAnswerData {
  id: string;
}

/** What `createSpecialOffer` takes. Offers the guest of a conversation a stay at a price of its own. */
export interface CreateSpecialOfferBody {
  listing_id: string;
  check_in_date: string;
  check_out_date: string;
  /** Total for the stay. */
  price: number;
  number_of_adults: number;
  number_of_children?: number;
  number_of_infants?: number;
  number_of_pets?: number;
  /** Booking-site conversations only. */
  rate_plan_id?: string;
  /** Booking-site conversations only; default: the property’s. */
  currency?: string;
}

/** What `createStaff` answers with. Adds a member of staff. */
export interface CreateStaffAnswerData {
  staff_id: number;
}

/** What `createStaff` takes. Adds a member of staff. */
export interface CreateStaffBody {
  name: string;
  mobile: string;
  email?: string | null;
  note?: string;
  /** Where they work; left out: everywhere. */
  property_ids?: Array<number>;
}

/** What `createTask` answers with. Adds a task, for a stay, a property or neither. */
export interface CreateTaskAnswerData {
  task_id: number;
}

/** What `createTask` takes. Adds a task, for a stay, a property or neither. */
export interface CreateTaskBody {
  type: 'cleaning' | 'maintenance' | 'reception' | 'room_service' | 'other';
  expected_date: string;
  currency: string;
  stay_code?: string | null;
  /** Left out: that of the stay. 0: none. */
  property_id?: number;
  /** Who does it. 0: nobody yet. */
  staff_id?: number;
  expected_time?: string | null;
  level?: 'standard' | 'simple' | 'advanced' | null;
  fee?: number | null;
  note?: string;
}

/** What `createTransaction` answers with. Adds a ledger entry to a reservation, a property or the operator. */
export interface CreateTransactionAnswerData {
  transaction_id: number;
}

/** What `createTransaction` takes. Adds a ledger entry to a reservation, a property or the operator. */
export interface CreateTransactionBody {
  direction: 'income' | 'expense';
  amount: number;
  /** From the items of the direction. */
  item_id: number;
  /** From the methods of the direction. */
  payment_method_id: number;
  reservation_code?: string;
  /** Deprecated; the same as reservation_code. */
  stay_code?: string;
  /** Instead of a reservation. */
  property_id?: number;
  /** A reservation’s is taken from it. */
  currency?: string;
  /** Without an offset: operator time. Default: now. */
  action_at?: string;
  note?: string;
}

/** What `createWebhook` answers with. Registers a URL for thin events. */
export interface CreateWebhookAnswerData {
  id: number;
  /** Shown this once. */
  secret_token: string;
}

/** What `createWebhook` takes. Registers a URL for thin events. */
export interface CreateWebhookBody {
  url: string;
  /** Left out: all. */
  events?: Array<'reservation_created' | 'reservation_updated' | 'property_availability_updated' | 'listing_calendar_updated' | 'message_created' | 'review_created' | 'review_updated' | 'transaction_created' | 'transaction_updated' | 'transaction_deleted'>;
}

/** The reservation that was made, and its state. */
export interface CreatedReservation {
  reservation_code: string;
  /** one of wait_accept, wait_pay, accepted, cancelled, denied, timeout; more may come */
  status: 'wait_accept' | 'wait_pay' | 'accepted' | 'cancelled' | 'denied' | 'timeout' | (string & {});
}

/** A source of direct reservations. */
export interface CustomChannel {
  id: number;
  name: string;
}

/** The deposit of a stay, in its own currency: what was asked for, paid, kept and given back. */
export interface Deposit {
  amount: number;
  paid_amount: number;
  deducted_amount: number;
  pending_refund_amount: number;
  refunded_amount: number;
  currency: string;
  /** one of unpaid, paid, refunded; more may come */
  status: 'unpaid' | 'paid' | 'refunded' | (string & {});
}

/** An item or a method of the ledger, by its id and name. */
export interface DictionaryEntry {
  id: number;
  name: string;
}

/** A discount in percent, with the number of days that it depends on. */
export interface Discount {
  discount: number;
  days: number;
}

/** What `getCustomFields` answers with. The operator’s own fields of one stay; null when it has none. */
export interface GetCustomFieldsAnswerData {
  custom_fields: Record<string, string> | null;
}

/** What `getMarketplaceARules` answers with. Prices and rules of a listing, asked of the channel at this moment. */
export interface GetMarketplaceARulesAnswerData {
  listing_currency?: string;
  base_price?: number;
  /** Friday and Saturday nights; 0: as the others. */
  weekend_price?: number;
  cleaning_fee?: number;
  short_term_cleaning_fee?: number;
  security_deposit?: number;
  pet_fee?: number;
  pet_fee_obj?: PetFee;
  extra_guest_fee?: number;
  max_guests?: number;
  early_bird_discount?: Discount | Array<Discount>;
  last_minute_discount?: Discount | Array<Discount>;
  long_term_discount?: Discount | Array<Discount>;
  check_in_start_time?: number | 'FLEXIBLE';
  check_in_end_time?: number | 'FLEXIBLE';
  check_out_before?: number;
  instant_booking?: boolean;
  minimum_stay?: number;
  maximum_stay?: number;
  /** Hours. */
  advance_notice?: number;
  /** Days. */
  preparation_time?: number;
  /** Days. */
  availability_window?: number;
  cancellation_policy?: string;
  non_refundable_price_factor?: number;
  new_listing_promotion?: boolean;
  days_of_week_check_in?: Array<number>;
  days_of_week_check_out?: Array<number>;
  day_of_week_min_nights?: Array<WeekdayMinimumStay>;
  seasonal_min_stay?: Array<SeasonalMinimumStay>;
  high_rated_guest_discount?: boolean;
  mobile_only_discount?: boolean;
  high_rated_guest_discount_blackout_dates?: Array<string>;
  mobile_only_discount_blackout_dates?: Array<string>;
  eligible_cancellation_policies: Array<string>;
  high_rated_guest_discount_blackout_dates_quota: BlackoutQuota | null;
  mobile_only_discount_blackout_dates_quota: BlackoutQuota | null;
  settings: MarketplaceARules;
}

/** What `getMarketplaceBRules` answers with. Prices and rules of a listing as recorded here. */
export interface GetMarketplaceBRulesAnswerData {
  /** Every night of the week; wins over nightly_rate. */
  base_price?: number;
  nightly_rate?: WeeklyRate;
  security_deposit?: number;
  cleaning_fee?: number;
  /** 0 takes it away. */
  extra_guest_fee?: number;
  extra_guest_number?: number;
  max_guests?: number;
  weekly_discount?: number;
  monthly_discount?: number;
  check_in_start_time?: number;
  check_out_before?: number;
  instant_booking?: boolean;
  minimum_stay?: number;
  /** Hours. */
  advance_notice?: number;
  /** Days. */
  availability_window?: number;
  settings: MarketplaceBRules;
}

/** What `getPricingRatios` answers with. By which percentage each listing’s price follows a base price. */
export interface GetPricingRatiosAnswerData {
  /** one of property, room_type; more may come */
  link_type: 'property' | 'room_type' | (string & {});
  link_id: number;
  channels: Array<PricingRatio>;
}

/** The channels that an entry of the knowledge base is to be for. */
export interface GivenChannelScope {
  type: 'all' | 'by_channel';
  channels?: Array<string>;
}

/** A part of the text of an entry that is written, with or without a title. */
export interface GivenKnowledgeBasePart {
  text: string;
  sub_title?: string;
}

/** The properties that an entry of the knowledge base is to be for. */
export interface GivenPropertyScope {
  type: 'all' | 'by_property' | 'by_group' | 'by_room_type';
  ids?: Array<number>;
}

/** A group that a property belongs to. */
export interface GroupOfProperty {
  id: number;
  name: string;
}

/** A guest of a reservation. */
export interface Guest {
  id: number;
  name: string | null;
  phone: string | null;
  email: string | null;
  id_type: 'passport' | 'id_card' | 'others' | (string & {}) | null;
  id_number: string | null;
  gender: 'male' | 'female' | (string & {}) | null;
  country: string | null;
  is_booker: boolean;
  id_images: Array<IdentityImage>;
}

/** The guest’s review, with the private feedback to the host. */
export interface GuestReview {
  score: number | null;
  sub_score: Array<CategoryScore>;
  content: string;
  created_at: string;
  /** For the host alone, never to be quoted in public; null but on marketplace A. */
  private_feedback: string | null;
}

/** A picture of a guest’s document. */
export interface IdentityImage {
  id: number;
  url: string;
}

/** The number of units that can be booked on each date of a range, both ends included. */
export interface InventoryRange {
  start_date: string;
  end_date: string;
  inventory: number;
}

/** An entry of the knowledge base without its text. */
export interface KnowledgeBase {
  id: number;
  title: string;
  scope_property: PropertyScope;
  scope_channel: ChannelScope;
  is_enable: boolean;
  /** one of waiting, processing, done, failed; more may come */
  process_status: 'waiting' | 'processing' | 'done' | 'failed' | (string & {});
}

/** An entry of the knowledge base with its text. */
export interface KnowledgeBaseDetail {
  id: number;
  title: string;
  scope_property: PropertyScope;
  scope_channel: ChannelScope;
  is_enable: boolean;
  /** one of waiting, processing, done, failed; more may come */
  process_status: 'waiting' | 'processing' | 'done' | 'failed' | (string & {});
  content: string;
  contents: Array<KnowledgeBasePart>;
}

/** A part of the text of an entry, with its title. */
export interface KnowledgeBasePart {
  text: string;
  sub_title: string;
}

/** What `listAutomationActions` answers with. What rules are going to do, the next first. */
export interface ListAutomationActionsAnswerData {
  actions: Array<AutomationAction>;
  total: number;
  /** An addition of this service, only with cursor: the cursor of the next page; null at the end. */
  next_cursor?: string | null;
}

/** What `listAvailabilities` answers with. Free and taken nights on the master calendar, both dates included. */
export interface ListAvailabilitiesAnswerData {
  properties: Array<PropertyAvailability>;
}

/** What `listCalendarShareLinks` answers with. Addresses under which anybody can see when properties are free, newest first. */
export interface ListCalendarShareLinksAnswerData {
  calendar_share_links: Array<CalendarShareLink>;
  total: number;
  /** An addition of this service, only with cursor: the cursor of the next page; null at the end. */
  next_cursor?: string | null;
}

/** What `listCalendars` answers with. Price, inventory and restrictions of listings day by day, as their channels show them. */
export interface ListCalendarsAnswerData {
  listings: Array<ListingCalendar>;
}

/** What `listCalendars` takes. Price, inventory and restrictions of listings day by day, as their channels show them. */
export interface ListCalendarsBody {
  start_date: string;
  end_date: string;
  listings?: Array<ListingName>;
  /** With listing_id in place of listings: that one. */
  channel_type?: string;
  listing_id?: string;
}

/** What `listChannelAccounts` answers with. Accounts on channels, newest first. */
export interface ListChannelAccountsAnswerData {
  channel_accounts: Array<ChannelAccount>;
  total: number;
  /** An addition of this service, only with cursor: the cursor of the next page; null at the end. */
  next_cursor?: string | null;
}

/** What `listConversations` answers with. Conversations with guests, the one with the newest message first. */
export interface ListConversationsAnswerData {
  conversations: Array<ConversationEntry>;
  total: number;
  /** An addition of this service, only with cursor: the cursor of the next page; null at the end. */
  next_cursor?: string | null;
}

/** What `listCustomChannels` answers with. Sources an operator has defined for direct bookings. */
export interface ListCustomChannelsAnswerData {
  custom_channels: Array<CustomChannel>;
  total?: number;
}

/** What `listExpenseItems` answers with. Categories of expense. */
export interface ListExpenseItemsAnswerData {
  expense_items: Array<DictionaryEntry>;
  total?: number;
}

/** What `listExpenseMethods` answers with. Ways in which expenses are paid. */
export interface ListExpenseMethodsAnswerData {
  expense_methods: Array<DictionaryEntry>;
  total?: number;
}

/** What `listIncomeItems` answers with. Categories of income. */
export interface ListIncomeItemsAnswerData {
  income_items: Array<DictionaryEntry>;
  total?: number;
}

/** What `listIncomeMethods` answers with. Ways in which income arrives. */
export interface ListIncomeMethodsAnswerData {
  income_methods: Array<DictionaryEntry>;
  total?: number;
}

/** What `listKnowledgeBases` answers with. Entries of the knowledge base without their text, newest first. */
export interface ListKnowledgeBasesAnswerData {
  knowledge_bases: Array<KnowledgeBase>;
  total: number;
  /** An addition of this service, only with cursor: the cursor of the next page; null at the end. */
  next_cursor?: string | null;
}

/** What `listListings` answers with. Postings of properties on channels, newest first. */
export interface ListListingsAnswerData {
  listings: Array<Listing>;
  total: number;
  /** An addition of this service, only with cursor: the cursor of the next page; null at the end. */
  next_cursor?: string | null;
}

/** What `listProperties` answers with. Properties, newest first. */
export interface ListPropertiesAnswerData {
  properties: Array<Property>;
  total: number;
  /** An addition of this service, only with cursor: the cursor of the next page; null at the end. */
  next_cursor?: string | null;
}

/** What `listPropertyGroups` answers with. Groups with their properties, newest first. */
export interface ListPropertyGroupsAnswerData {
  groups: Array<PropertyGroup>;
  total: number;
  /** An addition of this service, only with cursor: the cursor of the next page; null at the end. */
  next_cursor?: string | null;
}

/** What `listPropertyTags` answers with. Tags of properties and room types, newest first. */
export interface ListPropertyTagsAnswerData {
  tags: Array<PropertyTag>;
  total: number;
  /** An addition of this service, only with cursor: the cursor of the next page; null at the end. */
  next_cursor?: string | null;
}

/** What `listReservationTags` answers with. Tags for reservations, newest first, the default ones last. */
export interface ListReservationTagsAnswerData {
  reservation_tags: Array<ReservationTag>;
  total: number;
  /** An addition of this service, only with cursor: the cursor of the next page; null at the end. */
  next_cursor?: string | null;
}

/** What `listReservations` answers with. Stays, one entry per room. */
export interface ListReservationsAnswerData {
  reservations: Array<Reservation>;
  total: number;
  /** An addition of this service, only with cursor: the cursor of the next page; null at the end. */
  next_cursor?: string | null;
}

/** What `listReviews` answers with. Reviews by check-out date, newest first. */
export interface ListReviewsAnswerData {
  reviews: Array<Review>;
  total: number;
  /** An addition of this service, only with cursor: the cursor of the next page; null at the end. */
  next_cursor?: string | null;
}

/** What `listRoomTypes` answers with. Room types with their properties, newest first. */
export interface ListRoomTypesAnswerData {
  room_types: Array<RoomType>;
  total: number;
  /** An addition of this service, only with cursor: the cursor of the next page; null at the end. */
  next_cursor?: string | null;
}

/** What `listSpecialOffers` answers with. Offers and pre-approvals made in a conversation, newest first. */
export interface ListSpecialOffersAnswerData {
  special_offers: Array<SpecialOffer>;
  total: number;
  /** An addition of this service, only with cursor: the cursor of the next page; null at the end. */
  next_cursor?: string | null;
}

/** What `listStaffs` answers with. The people who do tasks, newest first. */
export interface ListStaffsAnswerData {
  staffs: Array<Staff>;
  total: number;
  /** An addition of this service, only with cursor: the cursor of the next page; null at the end. */
  next_cursor?: string | null;
}

/** What `listTasks` answers with. Tasks, newest first; the dates are those they are expected on, both included. */
export interface ListTasksAnswerData {
  tasks: Array<Task>;
  total: number;
  /** An addition of this service, only with cursor: the cursor of the next page; null at the end. */
  next_cursor?: string | null;
}

/** What `listTransactions` answers with. Ledger entries by the operator’s date of action_at, newest id first. */
export interface ListTransactionsAnswerData {
  transactions: Array<Transaction>;
  total: number;
  /** An addition of this service, only with cursor: the cursor of the next page; null at the end. */
  next_cursor?: string | null;
}

/** What `listWebhooks` answers with. Registered webhooks. */
export interface ListWebhooksAnswerData {
  webhooks: Array<Webhook>;
  total?: number;
}

/** A property as a channel offers it. */
export interface Listing {
  id: number;
  listing_id: string;
  channel_type: string;
  channel_account_id: number;
  origin_account_id: string;
  url: string;
  title: string;
  cover: string;
  inventory: number;
  /** one of on, off, deleted, unknown; more may come */
  shelf_status: 'on' | 'off' | 'deleted' | 'unknown' | (string & {});
  /** As the channel has it. */
  metadata: Record<string, unknown>;
  created_at: string;
  updated_at: string;
}

/** The calendar of one listing. */
export interface ListingCalendar {
  channel_type: string;
  listing_id: string;
  calendar: Array<CalendarDay>;
}

/** The event `listing_calendar_updated`: a hint what to read again, never the new state. */
export interface ListingCalendarUpdatedEvent {
  event: 'listing_calendar_updated';
  event_id: string;
  channel_type: string;
  listing_id: string;
  start_date: string;
  end_date: string;
  timestamp: string;
}

/** A listing through which a channel sells. */
export interface ListingLink {
  channel_type: string;
  listing_id: string;
  currency?: string;
}

/** A listing, by its channel and its id there. */
export interface ListingName {
  channel_type: string;
  listing_id: string;
}

/** What marketplace A says of its reservations. */
export interface MarketplaceADetails {
  cancellation_policy_category: string | null;
}

/** Prices and rules of a listing on marketplace A, as they are read. */
export interface MarketplaceARules {
  listing_currency?: string;
  base_price?: number;
  /** Friday and Saturday nights; 0: as the others. */
  weekend_price?: number;
  cleaning_fee?: number;
  short_term_cleaning_fee?: number;
  security_deposit?: number;
  pet_fee?: number;
  pet_fee_obj?: PetFee;
  extra_guest_fee?: number;
  max_guests?: number;
  early_bird_discount?: Discount | Array<Discount>;
  last_minute_discount?: Discount | Array<Discount>;
  long_term_discount?: Discount | Array<Discount>;
  check_in_start_time?: number | 'FLEXIBLE';
  check_in_end_time?: number | 'FLEXIBLE';
  check_out_before?: number;
  instant_booking?: boolean;
  minimum_stay?: number;
  maximum_stay?: number;
  /** Hours. */
  advance_notice?: number;
  /** Days. */
  preparation_time?: number;
  /** Days. */
  availability_window?: number;
  cancellation_policy?: string;
  non_refundable_price_factor?: number;
  new_listing_promotion?: boolean;
  days_of_week_check_in?: Array<number>;
  days_of_week_check_out?: Array<number>;
  day_of_week_min_nights?: Array<WeekdayMinimumStay>;
  seasonal_min_stay?: Array<SeasonalMinimumStay>;
  high_rated_guest_discount?: boolean;
  mobile_only_discount?: boolean;
  high_rated_guest_discount_blackout_dates?: Array<string>;
  mobile_only_discount_blackout_dates?: Array<string>;
  eligible_cancellation_policies: Array<string>;
  high_rated_guest_discount_blackout_dates_quota: BlackoutQuota | null;
  mobile_only_discount_blackout_dates_quota: BlackoutQuota | null;
}

/** Prices and rules of a listing on marketplace A that are to change; what is left out stays. */
export interface MarketplaceASettings {
  listing_currency?: string;
  base_price?: number;
  /** Friday and Saturday nights; 0: as the others. */
  weekend_price?: number;
  cleaning_fee?: number;
  short_term_cleaning_fee?: number;
  security_deposit?: number;
  pet_fee?: number;
  pet_fee_obj?: PetFee;
  extra_guest_fee?: number;
  max_guests?: number;
  early_bird_discount?: Discount | Array<Discount>;
  last_minute_discount?: Discount | Array<Discount>;
  long_term_discount?: Discount | Array<Discount>;
  check_in_start_time?: number | 'FLEXIBLE';
  check_in_end_time?: number | 'FLEXIBLE';
  check_out_before?: number;
  instant_booking?: boolean;
  minimum_stay?: number;
  maximum_stay?: number;
  /** Hours. */
  advance_notice?: number;
  /** Days. */
  preparation_time?: number;
  /** Days. */
  availability_window?: number;
  cancellation_policy?: string;
  non_refundable_price_factor?: number;
  new_listing_promotion?: boolean;
  days_of_week_check_in?: Array<number>;
  days_of_week_check_out?: Array<number>;
  day_of_week_min_nights?: Array<WeekdayMinimumStay>;
  seasonal_min_stay?: Array<SeasonalMinimumStay>;
  high_rated_guest_discount?: boolean;
  mobile_only_discount?: boolean;
  high_rated_guest_discount_blackout_dates?: Array<string>;
  mobile_only_discount_blackout_dates?: Array<string>;
}

/** Prices and rules of a listing on marketplace B, as they are read. */
export interface MarketplaceBRules {
  /** Every night of the week; wins over nightly_rate. */
  base_price?: number;
  nightly_rate?: WeeklyRate;
  security_deposit?: number;
  cleaning_fee?: number;
  /** 0 takes it away. */
  extra_guest_fee?: number;
  extra_guest_number?: number;
  max_guests?: number;
  weekly_discount?: number;
  monthly_discount?: number;
  check_in_start_time?: number;
  check_out_before?: number;
  instant_booking?: boolean;
  minimum_stay?: number;
  /** Hours. */
  advance_notice?: number;
  /** Days. */
  availability_window?: number;
}

/** Prices and rules of a listing on marketplace B that are to change; what is left out stays. */
export interface MarketplaceBSettings {
  /** Every night of the week; wins over nightly_rate. */
  base_price?: number;
  nightly_rate?: WeeklyRate;
  security_deposit?: number;
  cleaning_fee?: number;
  /** 0 takes it away. */
  extra_guest_fee?: number;
  extra_guest_number?: number;
  max_guests?: number;
  weekly_discount?: number;
  monthly_discount?: number;
  check_in_start_time?: number;
  check_out_before?: number;
  instant_booking?: boolean;
  minimum_stay?: number;
  /** Hours. */
  advance_notice?: number;
  /** Days. */
  availability_window?: number;
}

/** One message of a conversation. */
export interface Message {
  message_id: string;
  /** Anything but guest is the host’s side. */
  sender_role: string;
  sender_name: string | null;
  /** one of Text, Box, FileAttachment, RequestToBook, BsRequestBook, SpecialOffer, ReservationAlteration, HouseLinkCard; more may come */
  display_type: 'Text' | 'Box' | 'FileAttachment' | 'RequestToBook' | 'BsRequestBook' | 'SpecialOffer' | 'ReservationAlteration' | 'HouseLinkCard' | (string & {});
  /** Empty for a mere attachment. */
  content: string;
  attachments: Array<Attachment>;
  timestamp: string;
  /** What an automatic message was made from; empty for human ones. */
  sources: Array<MessageSource>;
  /** The same as message_id. */
  id?: string;
  /** The same as timestamp. */
  created_at?: string;
  /** The same as attachments. */
  attachment?: Attachment | null;
}

/** The event `message_created`: a hint what to read again, never the new state. */
export interface MessageCreatedEvent {
  event: 'message_created';
  event_id: string;
  conversation_id: string;
  message_id: string;
  timestamp: string;
}

/** A kind of source that an automatic message was made from, with the documents behind it. */
export interface MessageSource {
  /** one of checkin_guide, automation_reply, host_knowledge, thread, host_assistant; more may come */
  type: 'checkin_guide' | 'automation_reply' | 'host_knowledge' | 'thread' | 'host_assistant' | (string & {});
  docs: Array<MessageSourceDocument>;
}

/** A document behind an automatic message, with the pieces that were used. */
export interface MessageSourceDocument {
  title: string;
  fragment: Array<string>;
  source_type: string;
  link_id: string | null;
}

/** An amount in a named currency. */
export interface Money {
  currency: string;
  amount: number;
}

/** A fee for pets, with what it is charged for. */
export interface PetFee {
  amount: number;
  charge_type: string;
  charge_period: string;
}

/** The price of a listing for each date of a range, both ends included. */
export interface PriceEntry {
  channel_type: string;
  listing_id: string;
  start_date: string;
  end_date: string;
  /** Must be the listing’s. */
  currency?: string;
  price?: number;
  /** The same as price; one of the two is required. */
  amount?: number;
}

/** The price for each date of a range, both ends included. */
export interface PriceRange {
  start_date: string;
  end_date: string;
  price?: number;
  /** The same as price; one of the two is required. */
  amount?: number;
}

/** The percentage with which a listing’s price follows a base price. */
export interface PricingRatio {
  channel_type: string;
  listing_id: string;
  listing_title: string;
  /** Percent of the base price; -1 when readonly. */
  ratio: number;
  /** Prices of the listing cannot be set from here. */
  readonly: boolean;
}

/** A property of the account. */
export interface Property {
  id: number;
  name: string;
  /** one of active, inactive; more may come */
  status: 'active' | 'inactive' | (string & {});
  address: string;
  longitude: string;
  latitude: string;
  channels: Array<ListingLink>;
  groups: Array<GroupOfProperty>;
  tags: Array<TagOfProperty>;
  /** IANA zone in which its nights and check-in times are meant. */
  time_zone?: string;
  /** Time of day from which guests may come, such as 15:00. */
  check_in_time?: string | null;
  /** Time of day until which guests go. */
  check_out_time?: string | null;
  /** The same as name. */
  title?: string;
}

/** Nights of one property on the master calendar. */
export interface PropertyAvailability {
  id: number;
  availabilities: Array<AvailabilityDay>;
}

/** The event `property_availability_updated`: a hint what to read again, never the new state. */
export interface PropertyAvailabilityUpdatedEvent {
  event: 'property_availability_updated';
  event_id: string;
  property_id: number;
  availabilities: Array<AvailabilityChange>;
  timestamp: string;
}

/** A group of properties. */
export interface PropertyGroup {
  id: number;
  name: string;
  property_ids: Array<number>;
}

/** The properties that an entry of the knowledge base is for. */
export interface PropertyScope {
  /** one of all, by_property, by_group, by_room_type; more may come */
  type: 'all' | 'by_property' | 'by_group' | 'by_room_type' | (string & {});
  ids: Array<number>;
}

/** A tag of properties and room types, with those that carry it. */
export interface PropertyTag {
  id: number;
  name: string;
  /** one of #FD587B, #1BBFA4, #FFA410, #F3D432, #2CBCFD, #7175FA, #EF7EDE; more may come */
  color: '#FD587B' | '#1BBFA4' | '#FFA410' | '#F3D432' | '#2CBCFD' | '#7175FA' | '#EF7EDE' | (string & {});
  property_ids: Array<number>;
  room_type_ids: Array<number>;
}

/** One part of what a stay costs. */
export interface RateDetail {
  type: string;
  description: string;
  currency: string;
  amount: number;
}

/** What `removeReservationTag` takes. Takes a tag off one stay. */
export interface RemoveReservationTagBody {
  tag_name: string;
}

/** One stay. A reservation of several rooms is as many stays under one `reservation_code`. */
export interface Reservation {
  id: number;
  reservation_code: string;
  stay_code: string;
  channel_id: string;
  /** 0 when it could not be placed: it is in the reservation box. */
  property_id: number;
  channel_type: string;
  listing_id: string;
  check_in_date: string;
  check_out_date: string;
  number_of_guests: number;
  number_of_adults: number | null;
  number_of_children: number | null;
  number_of_infants: number | null;
  number_of_pets: number | null;
  /** one of wait_accept, wait_pay, accepted, cancelled, denied, timeout; more may come */
  status: 'wait_accept' | 'wait_pay' | 'accepted' | 'cancelled' | 'denied' | 'timeout' | (string & {});
  /** one of checkin_pending, in_house, stay_completed; more may come */
  stay_status: 'checkin_pending' | 'in_house' | 'stay_completed' | (string & {});
  guest_name: string | null;
  guest_phone: string | null;
  guest_email: string | null;
  booked_at: string;
  created_at: string;
  cancelled_at: string | null;
  creator: string | null;
  rates: ReservationRates;
  payment: ReservationPayment;
  check_in_details: CheckInDetails;
  note: string | null;
  channel_remarks: string | null;
  conversation_id: string | null;
  tags: Array<string>;
  custom_channel: ReservationSource | null;
  guests: Array<Guest>;
  custom_fields: Record<string, string> | null;
  in_reservation_box: boolean;
  additional_fees: Array<AdditionalFee>;
  checkin_guide_images: Array<CheckInGuideImage>;
  channel_details: ChannelDetails | null;
  /** The same as note. */
  remarks?: string | null;
}

/** The event `reservation_created`: a hint what to read again, never the new state. */
export interface ReservationCreatedEvent {
  event: 'reservation_created';
  event_id: string;
  reservation_code: string;
  stay_code: string;
  property_id: number;
  timestamp: string;
}

/** What was received for a reservation and what is open; the same on all of its stays. */
export interface ReservationPayment {
  currency: string;
  total_amount: number;
  received_amount: number;
  balance_amount: number;
  /** one of unreceived, partial, received, over_received; more may come */
  status: 'unreceived' | 'partial' | 'received' | 'over_received' | (string & {});
}

/** What a stay costs, the commission and the taxes. */
export interface ReservationRates {
  total_rate: Money | null;
  total_commission: Money | null;
  rate: Money | null;
  commission: Money | null;
  tax: Money | null;
  details: Array<RateDetail>;
}

/** The source that a direct reservation came from. */
export interface ReservationSource {
  id: number;
  name: string;
}

/** A tag of reservations. */
export interface ReservationTag {
  id: number;
  tag_name: string;
  /** one of #FD587B, #1BBFA4, #FFA410, #F3D432, #2CBCFD, #7175FA, #EF7EDE; more may come */
  color: '#FD587B' | '#1BBFA4' | '#FFA410' | '#F3D432' | '#2CBCFD' | '#7175FA' | '#EF7EDE' | (string & {});
  /** Everybody has it; it cannot be deleted. */
  is_default: boolean;
}

/** The event `reservation_updated`: a hint what to read again, never the new state. */
export interface ReservationUpdatedEvent {
  event: 'reservation_updated';
  event_id: string;
  sub_event?: 'arrival_and_departure_time_updated' | 'rates_updated' | 'lock_code_updated' | 'lock_code_deleted' | 'check_in_details_updated' | 'remarks_updated';
  reservation_code: string;
  stay_code: string;
  property_id: number;
  timestamp: string;
}

/** Restrictions to be set on each date of a range, both ends included; null removes one. */
export interface RestrictionRange {
  start_date: string;
  end_date: string;
  closed_on_arrival?: boolean;
  closed_on_departure?: boolean;
  min_stay_on_arrival?: number | null;
  max_stay_on_arrival?: number | null;
  min_stay_through?: number | null;
  max_stay_through?: number | null;
  exact_stay_on_arrival?: number | null;
  min_advance_reservation?: string | null;
  max_advance_reservation?: string | null;
}

/** Who may arrive, leave or stay how long on one date. */
export interface Restrictions {
  closed_on_arrival: boolean;
  closed_on_departure: boolean;
  min_stay_on_arrival: number | null;
  max_stay_on_arrival: number | null;
  min_stay_through: number | null;
  max_stay_through: number | null;
  exact_stay_on_arrival: number | null;
  min_advance_reservation: string | null;
  max_advance_reservation: string | null;
}

/** The reviews of one stay. */
export interface Review {
  reservation_code: string;
  stay_code: string;
  property_id: number;
  channel_type: string;
  listing_id: string;
  check_in_date: string;
  check_out_date: string;
  host_review: ReviewPart | null;
  guest_review: GuestReview | null;
  host_reply: ReviewPart | null;
}

/** The event `review_created`: a hint what to read again, never the new state. */
export interface ReviewCreatedEvent {
  event: 'review_created';
  event_id: string;
  reservation_code: string;
  stay_code: string;
  property_id: number;
  timestamp: string;
}

/** What the host says: a review of the guest, or the reply to the guest’s. */
export interface ReviewPart {
  score: number | null;
  sub_score: Array<CategoryScore>;
  content: string;
  created_at: string;
}

/** The event `review_updated`: a hint what to read again, never the new state. */
export interface ReviewUpdatedEvent {
  event: 'review_updated';
  event_id: string;
  reservation_code: string;
  stay_code: string;
  property_id: number;
  timestamp: string;
}

/** What `revokeAuthorization` takes. Ends one token of an application. */
export interface RevokeAuthorizationBody {
  /** Of the registered application. */
  client_id: string;
  /** Of confidential clients. */
  client_secret?: string;
  /** An access or a refresh token; only this one ends. */
  token: string;
}

/** Properties of one kind, which are sold together. */
export interface RoomType {
  id: number;
  name: string;
  /** Its rooms; their number bounds the inventory. */
  properties: Array<RoomTypeProperty>;
  channels: Array<ListingLink>;
  tags: Array<TagOfRoomType>;
  /** The same as name. */
  title?: string;
}

/** A property of a room type. */
export interface RoomTypeProperty {
  id: number;
  name: string;
  /** The same as name. */
  title?: string;
}

/** The least nights of a stay in a range of dates. */
export interface SeasonalMinimumStay {
  start_date: string;
  end_date: string;
  min_nights: number;
}

/** What `sendMessage` takes. Sends a text, a picture or both to the guest; cannot be undone. */
export interface SendMessageBody {
  message?: string;
  /** A JPEG picture, base64. */
  jpeg_base64?: string;
}

/** A listing of the request that was left out, with the reason. */
export interface SkippedListing {
  channel_type: string;
  listing_id: string;
  /** one of readonly; more may come */
  reason: 'readonly' | (string & {});
}

/** An offer or a pre-approval in a conversation. */
export interface SpecialOffer {
  id: string;
  /** one of special_offer, preapproval; more may come */
  offer_type: 'special_offer' | 'preapproval' | (string & {});
  /** one of active, accepted, declined, expired, withdrawn; more may come */
  status: 'active' | 'accepted' | 'declined' | 'expired' | 'withdrawn' | (string & {});
  listing_id: string;
  check_in_date: string;
  check_out_date: string;
  nights: number;
  number_of_guests: number;
  /** Total; null for a pre-approval, which is at the standard price. */
  price: number | null;
  currency: string;
  expire_time: string;
  create_time: string;
}

/** A person who does tasks. */
export interface Staff {
  id: number;
  name: string;
  /** +<country code> <number>. */
  mobile: string;
  email: string | null;
  note: string;
  is_active: boolean;
}

/** A tag that a property carries. */
export interface TagOfProperty {
  id: number;
  name: string;
  color: string;
}

/** A tag that a room type carries. */
export interface TagOfRoomType {
  id: number;
  name: string;
  /** one of #FD587B, #1BBFA4, #FFA410, #F3D432, #2CBCFD, #7175FA, #EF7EDE; more may come */
  color: '#FD587B' | '#1BBFA4' | '#FFA410' | '#F3D432' | '#2CBCFD' | '#7175FA' | '#EF7EDE' | (string & {});
}

/** A cleaning, a repair or other work for staff. */
export interface Task {
  id: number;
  /** one of cleaning, maintenance, reception, room_service, other; more may come */
  type: 'cleaning' | 'maintenance' | 'reception' | 'room_service' | 'other' | (string & {});
  /** one of pending, in_progress, completed, cancelled; more may come */
  status: 'pending' | 'in_progress' | 'completed' | 'cancelled' | (string & {});
  property_id: number | null;
  property_title: string | null;
  stay_code: string | null;
  staff_id: number | null;
  staff_name: string | null;
  expected_date: string;
  /** HH:mm:ss, where the property is. */
  expected_time: string | null;
  /** Date and time as one moment, in the property’s zone; without a time the start of the day. */
  expected: string;
  level: 'standard' | 'simple' | 'advanced' | (string & {}) | null;
  currency: string;
  fee: number | null;
  note: string;
  create_time: string;
  update_time: string;
}

/** An entry of the ledger: income or expense. */
export interface Transaction {
  id: number;
  reservation_code: string | null;
  /** Deprecated; equals reservation_code. */
  stay_code: string | null;
  property_id: number | null;
  /** one of income, expense; more may come */
  direction: 'income' | 'expense' | (string & {});
  item_id: number;
  item_name: string;
  payment_method_id: number;
  payment_method_name: string;
  amount: number;
  currency: string;
  /** When it took place, with the operator’s offset. */
  action_at: string;
  note: string;
  /** one of paid, outstanding; more may come */
  status: 'paid' | 'outstanding' | (string & {});
  operator_name: string;
  /** one of property, reservation, operator; more may come */
  link_type: 'property' | 'reservation' | 'operator' | (string & {});
  property_title: string | null;
  created_at: string;
  updated_at: string;
}

/** The event `transaction_created`: a hint what to read again, never the new state. */
export interface TransactionCreatedEvent {
  event: 'transaction_created';
  event_id: string;
  transaction_id: number;
  timestamp: string;
}

/** The event `transaction_deleted`: a hint what to read again, never the new state. */
export interface TransactionDeletedEvent {
  event: 'transaction_deleted';
  event_id: string;
  transaction_id: number;
  timestamp: string;
}

/** The event `transaction_updated`: a hint what to read again, never the new state. */
export interface TransactionUpdatedEvent {
  event: 'transaction_updated';
  event_id: string;
  transaction_id: number;
  timestamp: string;
}

/** What `updateAvailabilities` takes. Opens or blocks nights on the master calendar. */
export interface UpdateAvailabilitiesBody {
  property_ids: Array<number>;
  /** true opens the nights, false blocks them. */
  available: boolean;
  start_date?: string;
  end_date?: string;
  /** Instead of a range. */
  dates?: Array<string>;
}

/** What `updateCheckInDetails` takes. Changes arrival, departure, lock code, deposit or identity check of one stay. */
export interface UpdateCheckInDetailsBody {
  arrival_at?: ClockTime | null;
  departure_at?: ClockTime | null;
  /** null deletes it. */
  lock_code?: string | null;
  lock_code_visible_after?: string | null;
  deposit?: number;
  id_required?: 'not_required' | 'required' | 'required_with_review';
}

/** What `updateConversationNote` answers with. Sets the host’s private note on a conversation; never sent to anybody. */
export interface UpdateConversationNoteAnswerData {
  conversation_id: string;
  note: string | null;
  updated_at: string;
  /** The same as conversation_id. */
  id?: string;
}

/** What `updateConversationNote` takes. Sets the host’s private note on a conversation; never sent to anybody. */
export interface UpdateConversationNoteBody {
  /** Empty or null clears it. */
  note: string | null;
}

/** What `updateCustomFields` answers with. Sets, makes or deletes the operator’s own fields of one stay. */
export interface UpdateCustomFieldsAnswerData {
  custom_fields: Record<string, string> | null;
}

/** What `updateCustomFields` takes. Sets, makes or deletes the operator’s own fields of one stay. */
export interface UpdateCustomFieldsBody {
  /** A text sets or makes a field, null deletes it; fields not named stay. */
  custom_fields: Record<string, string | null>;
}

/** What `updateInventories` takes. Sets how many units of a listing can be booked; the channel takes it shortly after. */
export interface UpdateInventoriesBody {
  channel_type: string;
  listing_id: string;
  inventories: Array<InventoryRange>;
}

/** What `updateKnowledgeBase` takes. Changes an entry; other text is processed again. */
export interface UpdateKnowledgeBaseBody {
  content?: string;
  title?: string;
  /** The same as content, in parts that may have titles. */
  contents?: Array<GivenKnowledgeBasePart>;
  scope_property?: GivenPropertyScope;
  scope_channel?: GivenChannelScope;
  is_enable?: boolean;
}

/** What `updateMarketplaceARules` takes. Changes prices and rules of a listing on its channel, at once. */
export interface UpdateMarketplaceARulesBody {
  listing_id: string;
  settings: MarketplaceASettings;
}

/** What `updateMarketplaceBRules` takes. Changes prices and rules of a listing on its channel, at once. */
export interface UpdateMarketplaceBRulesBody {
  listing_id: string;
  settings: MarketplaceBSettings;
}

/** What `updatePrices` answers with. Sets selling prices of listings; the channels take them shortly after. */
export interface UpdatePricesAnswerData {
  /** Listings of the request whose prices are readonly: nothing is pushed to them. */
  skipped: Array<SkippedListing>;
}

/** What `updatePrices` takes. Sets selling prices of listings; the channels take them shortly after. */
export interface UpdatePricesBody {
  channel_type?: string;
  listing_id?: string;
  prices?: Array<PriceRange>;
  /** Instead: many listings at once. */
  entries?: Array<PriceEntry>;
}

/** What `updatePropertyGroup` takes. Renames a group or gives it other properties. */
export interface UpdatePropertyGroupBody {
  name?: string;
  /** Takes the place of the whole list; an empty one detaches all. */
  property_ids?: Array<number>;
}

/** What `updatePropertyTag` takes. Changes a tag’s name, colour or carriers. */
export interface UpdatePropertyTagBody {
  name?: string;
  color?: '#FD587B' | '#1BBFA4' | '#FFA410' | '#F3D432' | '#2CBCFD' | '#7175FA' | '#EF7EDE';
  property_ids?: Array<number>;
  room_type_ids?: Array<number>;
}

/** What `updateReservation` takes. Changes dates, guest, rates or notes of one stay. */
export interface UpdateReservationBody {
  note?: string;
  creator?: string;
  /** The source of the booking. */
  custom_channel_id?: number;
  check_in_date?: string;
  check_out_date?: string;
  number_of_guests?: number;
  guest_name?: string;
  mobile?: string;
  email?: string;
  currency?: string;
  rate_amount?: number;
  commission_amount?: number;
  /** Makes or edits the booking’s own income entry. */
  received_amount?: number;
  /** The same as note. */
  remarks?: string;
}

/** What `updateRestrictions` takes. Sets who may arrive, leave or stay how long; the channel takes it shortly after. */
export interface UpdateRestrictionsBody {
  channel_type: string;
  listing_id: string;
  restrictions: Array<RestrictionRange>;
}

/** What `updateStaff` takes. Changes a member of staff; property_ids replaces the whole list. */
export interface UpdateStaffBody {
  name?: string;
  mobile?: string;
  email?: string | null;
  note?: string;
  /** Where they work; left out: everywhere. */
  property_ids?: Array<number>;
  is_active?: boolean | 0 | 1;
}

/** What `updateStayStatus` takes. Says whether the guests of one stay are still to come, in the house, or gone. */
export interface UpdateStayStatusBody {
  stay_status: 'checkin_pending' | 'in_house' | 'stay_completed';
}

/** What `updateTask` takes. Changes a task; what is left out stays. */
export interface UpdateTaskBody {
  type?: 'cleaning' | 'maintenance' | 'reception' | 'room_service' | 'other';
  status?: 'pending' | 'in_progress' | 'completed' | 'cancelled';
  expected_date?: string;
  currency?: string;
  stay_code?: string | null;
  /** Left out: that of the stay. 0: none. */
  property_id?: number;
  /** Who does it. 0: nobody yet. */
  staff_id?: number;
  expected_time?: string | null;
  level?: 'standard' | 'simple' | 'advanced' | null;
  fee?: number | null;
  note?: string;
}

/** What `updateTransaction` takes. Changes an entry; its direction, link and currency stay. */
export interface UpdateTransactionBody {
  amount?: number;
  /** From the items of its direction. */
  item_id?: number;
  /** From the methods of its direction. */
  payment_method_id?: number;
  action_at?: string;
  note?: string;
}

/** What `updateWebhook` takes. Changes where or which events are sent; the secret stays. For who registered it, and the main account. */
export interface UpdateWebhookBody {
  url?: string;
  events?: Array<'reservation_created' | 'reservation_updated' | 'property_availability_updated' | 'listing_calendar_updated' | 'message_created' | 'review_created' | 'review_updated' | 'transaction_created' | 'transaction_updated' | 'transaction_deleted'>;
}

/** A URL that events are sent to. */
export interface Webhook {
  id: number;
  url: string;
  events: Array<string>;
  /** false: you cannot change it here. It was made by hand in the portal, or somebody else registered it. */
  manageable: boolean;
  created_at: string;
}

/** The least nights of a stay, for a day of the week. */
export interface WeekdayMinimumStay {
  /** 0 is Sunday. */
  day_of_week: number;
  min_nights: number;
}

/** The price of a night for each day of the week. */
export interface WeeklyRate {
  sunday: number;
  monday: number;
  tuesday: number;
  wednesday: number;
  thursday: number;
  friday: number;
  saturday: number;
}

/** Input of `getAccount`. */
export interface GetAccountInput {
}

/** Input of `listProperties`. */
export interface ListPropertiesInput {
  /** Rows to skip. */
  offset?: number;
  /** Rows to answer, 100 at most. */
  limit?: number;
  /** An addition of this service, instead of offset, for pages that lose no row under change: start, then next_cursor of the page before, with the same filters. The rows fall by a key that never changes. */
  cursor?: string;
  /** One property. */
  id?: number;
  /** Members of one group. */
  group_id?: number;
  /** Carriers of one tag. */
  tag_id?: number;
}

/** Input of `createProperty`. */
export interface CreatePropertyInput extends CreatePropertyBody {
}

/** Input of `listRoomTypes`. */
export interface ListRoomTypesInput {
  /** Rows to skip. */
  offset?: number;
  /** Rows to answer, 100 at most. */
  limit?: number;
  /** An addition of this service, instead of offset, for pages that lose no row under change: start, then next_cursor of the page before, with the same filters. The rows fall by a key that never changes. */
  cursor?: string;
  /** One room type. */
  id?: number;
  /** Carriers of one tag. */
  tag_id?: number;
}

/** Input of `createRoomType`. */
export interface CreateRoomTypeInput extends CreateRoomTypeBody {
}

/** Input of `listPropertyGroups`. */
export interface ListPropertyGroupsInput {
  /** Rows to skip. */
  offset?: number;
  /** Rows to answer, 100 at most. */
  limit?: number;
  /** An addition of this service, instead of offset, for pages that lose no row under change: start, then next_cursor of the page before, with the same filters. The rows fall by a key that never changes. */
  cursor?: string;
  /** One group. */
  id?: number;
}

/** Input of `createPropertyGroup`. */
export interface CreatePropertyGroupInput extends CreatePropertyGroupBody {
}

/** Input of `updatePropertyGroup`. */
export interface UpdatePropertyGroupInput extends UpdatePropertyGroupBody {
  /** The group. */
  id: number;
}

/** Input of `deletePropertyGroup`. */
export interface DeletePropertyGroupInput {
  /** The group. */
  id: number;
}

/** Input of `listPropertyTags`. */
export interface ListPropertyTagsInput {
  /** Rows to skip. */
  offset?: number;
  /** Rows to answer, 100 at most. */
  limit?: number;
  /** An addition of this service, instead of offset, for pages that lose no row under change: start, then next_cursor of the page before, with the same filters. The rows fall by a key that never changes. */
  cursor?: string;
  /** One tag. */
  id?: number;
}

/** Input of `createPropertyTag`. */
export interface CreatePropertyTagInput extends CreatePropertyTagBody {
}

/** Input of `updatePropertyTag`. */
export interface UpdatePropertyTagInput extends UpdatePropertyTagBody {
  /** The tag. */
  id: number;
}

/** Input of `deletePropertyTag`. */
export interface DeletePropertyTagInput {
  /** The tag. */
  id: number;
}

/** Input of `listCustomChannels`. */
export interface ListCustomChannelsInput {
}

/** Input of `listIncomeItems`. */
export interface ListIncomeItemsInput {
}

/** Input of `listExpenseItems`. */
export interface ListExpenseItemsInput {
}

/** Input of `listIncomeMethods`. */
export interface ListIncomeMethodsInput {
}

/** Input of `listExpenseMethods`. */
export interface ListExpenseMethodsInput {
}

/** Input of `listReservations`. */
export interface ListReservationsInput {
  /** Rows to skip. */
  offset?: number;
  /** Rows to answer, 100 at most. */
  limit?: number;
  /** An addition of this service, instead of offset, for pages that lose no row under change: start, then next_cursor of the page before, with the same filters. The rows fall by a key that never changes. */
  cursor?: string;
  /** One stay, by its number. */
  id?: number;
  /** Stays of one reservation. */
  reservation_code?: string;
  /** Stays of the reservation that the channel, or you, call so. */
  channel_id?: string;
  /** Stays in one property. */
  property_id?: number;
  /** Stays of reservations in this state. */
  status?: 'wait_accept' | 'wait_pay' | 'accepted' | 'cancelled' | 'denied' | 'timeout';
  /** Stays that came by one channel. */
  channel_type?: string;
  /** Check-ins on this day or later. */
  start_check_in_date?: string;
  /** Check-ins on this day or earlier. */
  end_check_in_date?: string;
  /** Check-outs on this day or later. */
  start_check_out_date?: string;
  /** Check-outs on this day or earlier. */
  end_check_out_date?: string;
  /** Always latest first. */
  order_by?: 'booked_at' | 'check_in_date' | 'check_out_date' | 'cancelled_at' | 'created_at';
}

/** Input of `createReservation`. */
export interface CreateReservationInput extends CreateReservationBody {
}

/** Input of `updateReservation`. */
export interface UpdateReservationInput extends UpdateReservationBody {
  /** The stay_code. */
  code: string;
}

/** Input of `cancelReservation`. */
export interface CancelReservationInput {
  /** The reservation_code. */
  code: string;
}

/** Input of `updateCheckInDetails`. */
export interface UpdateCheckInDetailsInput extends UpdateCheckInDetailsBody {
  /** The stay. */
  stay_code: string;
}

/** Input of `getCustomFields`. */
export interface GetCustomFieldsInput {
  /** The stay. */
  stay_code: string;
}

/** Input of `updateCustomFields`. */
export interface UpdateCustomFieldsInput extends UpdateCustomFieldsBody {
  /** The stay. */
  stay_code: string;
}

/** Input of `updateStayStatus`. */
export interface UpdateStayStatusInput extends UpdateStayStatusBody {
  /** The stay. */
  stay_code: string;
}

/** Input of `approveReservation`. */
export interface ApproveReservationInput {
  /** The reservation. */
  reservation_code: string;
}

/** Input of `declineReservation`. */
export interface DeclineReservationInput {
  /** The reservation. */
  reservation_code: string;
}

/** Input of `allocateReservation`. */
export interface AllocateReservationInput extends AllocateReservationBody {
  /** The stay. */
  stay_code: string;
}

/** Input of `moveReservationToBox`. */
export interface MoveReservationToBoxInput {
  /** The stay. */
  stay_code: string;
}

/** Input of `listReservationTags`. */
export interface ListReservationTagsInput {
  /** Rows to skip. */
  offset?: number;
  /** Rows to answer, 100 at most. */
  limit?: number;
  /** An addition of this service, instead of offset, for pages that lose no row under change: start, then next_cursor of the page before, with the same filters. The rows fall by a key that never changes. */
  cursor?: string;
  /** One tag. */
  id?: number;
  /** Part of the name, in any case of letters. */
  keyword?: string;
}

/** Input of `createReservationTag`. */
export interface CreateReservationTagInput extends CreateReservationTagBody {
}

/** Input of `deleteReservationTag`. */
export interface DeleteReservationTagInput {
  /** The tag. */
  id: number;
}

/** Input of `addReservationTag`. */
export interface AddReservationTagInput extends AddReservationTagBody {
  /** The stay. */
  stay_code: string;
}

/** Input of `removeReservationTag`. */
export interface RemoveReservationTagInput extends RemoveReservationTagBody {
  /** The stay. */
  stay_code: string;
}

/** Input of `listConversations`. */
export interface ListConversationsInput {
  /** Rows to skip. */
  offset?: number;
  /** Rows to answer, 100 at most. */
  limit?: number;
  /** An addition of this service, instead of offset, for pages that lose no row under change: start, then next_cursor of the page before, with the same filters. The rows fall by a key that never changes. */
  cursor?: string;
}

/** Input of `getConversation`. */
export interface GetConversationInput {
  /** The conversation; opaque. */
  conversation_id: string;
  /** Rows to skip. */
  offset?: number;
  /** Messages to answer, 100 at most. */
  limit?: number;
  /** An addition of this service, instead of offset, for pages that lose no row under change: start, then next_cursor of the page before, with the same filters. The rows fall by a key that never changes. */
  cursor?: string;
}

/** Input of `sendMessage`. */
export interface SendMessageInput extends SendMessageBody {
  /** The conversation; opaque. */
  conversation_id: string;
}

/** Input of `updateConversationNote`. */
export interface UpdateConversationNoteInput extends UpdateConversationNoteBody {
  /** The conversation; opaque. */
  conversation_id: string;
}

/** Input of `listSpecialOffers`. */
export interface ListSpecialOffersInput {
  /** The conversation; opaque. */
  conversation_id: string;
  /** Rows to skip. */
  offset?: number;
  /** Rows to answer, 100 at most. */
  limit?: number;
  /** An addition of this service, instead of offset, for pages that lose no row under change: start, then next_cursor of the page before, with the same filters. The rows fall by a key that never changes. */
  cursor?: string;
}

/** Input of `createSpecialOffer`. */
export interface CreateSpecialOfferInput extends CreateSpecialOfferBody {
  /** The conversation; opaque. */
  conversation_id: string;
}

/** Input of `withdrawSpecialOffer`. */
export interface WithdrawSpecialOfferInput {
  /** The conversation; opaque. */
  conversation_id: string;
  /** The offer. */
  special_offer_id: string;
}

/** Input of `createPreapproval`. */
export interface CreatePreapprovalInput {
  /** The conversation; opaque. */
  conversation_id: string;
}

/** Input of `listReviews`. */
export interface ListReviewsInput {
  /** Rows to skip. */
  offset?: number;
  /** Rows to answer, 100 at most. */
  limit?: number;
  /** An addition of this service, instead of offset, for pages that lose no row under change: start, then next_cursor of the page before, with the same filters. The rows fall by a key that never changes. */
  cursor?: string;
  /** Reviews of one reservation. */
  reservation_code?: string;
  /** Stays in one property. */
  property_id?: number;
  /** Whose review is there or missing; reviewed (the guest’s is there) unless reservation_code is given. */
  review_status?: 'pending_guest_review' | 'pending_host_review' | 'reviewed';
  /** Default: 180 days before the end. */
  start_check_out_date?: string;
  /** Default: today. */
  end_check_out_date?: string;
}

/** Input of `createReview`. */
export interface CreateReviewInput extends CreateReviewBody {
  /** The reservation. */
  reservation_code: string;
}

/** Input of `listAvailabilities`. */
export interface ListAvailabilitiesInput {
  /** Properties, by their ids. */
  property_ids: string;
  /** The first night. */
  start_date: string;
  /** The last night. */
  end_date: string;
}

/** Input of `updateAvailabilities`. */
export interface UpdateAvailabilitiesInput extends UpdateAvailabilitiesBody {
}

/** Input of `listCalendarShareLinks`. */
export interface ListCalendarShareLinksInput {
  /** Rows to skip. */
  offset?: number;
  /** Rows to answer, 100 at most. */
  limit?: number;
  /** An addition of this service, instead of offset, for pages that lose no row under change: start, then next_cursor of the page before, with the same filters. The rows fall by a key that never changes. */
  cursor?: string;
  /** One link. */
  id?: number;
}

/** Input of `createCalendarShareLink`. */
export interface CreateCalendarShareLinkInput extends CreateCalendarShareLinkBody {
}

/** Input of `deleteCalendarShareLink`. */
export interface DeleteCalendarShareLinkInput {
  /** The link. */
  id: number;
}

/** Input of `getPricingRatios`. */
export interface GetPricingRatiosInput {
  /** Listings of a property. */
  property_id?: number;
  /** Listings of a room type. */
  room_type_id?: number;
}

/** Input of `listChannelAccounts`. */
export interface ListChannelAccountsInput {
  /** Rows to skip. */
  offset?: number;
  /** Rows to answer, 100 at most. */
  limit?: number;
  /** An addition of this service, instead of offset, for pages that lose no row under change: start, then next_cursor of the page before, with the same filters. The rows fall by a key that never changes. */
  cursor?: string;
  /** One account. */
  id?: number;
  /** Accounts of one channel. */
  channel_type?: string;
}

/** Input of `listListings`. */
export interface ListListingsInput {
  /** Rows to skip. */
  offset?: number;
  /** Rows to answer, 100 at most. */
  limit?: number;
  /** An addition of this service, instead of offset, for pages that lose no row under change: start, then next_cursor of the page before, with the same filters. The rows fall by a key that never changes. */
  cursor?: string;
  /** Listings of one channel account. */
  channel_account_id?: number;
  /** One listing. */
  listing_id?: string;
  /** Listings on one channel. */
  channel_type?: string;
}

/** Input of `listCalendars`. */
export interface ListCalendarsInput extends ListCalendarsBody {
}

/** Input of `updatePrices`. */
export interface UpdatePricesInput extends UpdatePricesBody {
}

/** Input of `updateInventories`. */
export interface UpdateInventoriesInput extends UpdateInventoriesBody {
}

/** Input of `updateRestrictions`. */
export interface UpdateRestrictionsInput extends UpdateRestrictionsBody {
}

/** Input of `getMarketplaceARules`. */
export interface GetMarketplaceARulesInput {
  /** The listing on this channel. */
  listing_id: string;
}

/** Input of `updateMarketplaceARules`. */
export interface UpdateMarketplaceARulesInput extends UpdateMarketplaceARulesBody {
}

/** Input of `getMarketplaceBRules`. */
export interface GetMarketplaceBRulesInput {
  /** The listing on this channel. */
  listing_id: string;
}

/** Input of `updateMarketplaceBRules`. */
export interface UpdateMarketplaceBRulesInput extends UpdateMarketplaceBRulesBody {
}

/** Input of `listTransactions`. */
export interface ListTransactionsInput {
  /** Rows to skip. */
  offset?: number;
  /** Rows to answer, 100 at most. */
  limit?: number;
  /** An addition of this service, instead of offset, for pages that lose no row under change: start, then next_cursor of the page before, with the same filters. The rows fall by a key that never changes. */
  cursor?: string;
  /** One entry; dates may then be left out. */
  id?: number;
  /** Entries of this day or later. */
  start_date?: string;
  /** Entries of this day or earlier. */
  end_date?: string;
  /** Linked directly or by a reservation there. */
  property_id?: number;
  /** Entries of one reservation. */
  reservation_code?: string;
  /** Deprecated; the same as reservation_code. */
  stay_code?: string;
  /** Income or expenses alone. */
  direction?: 'income' | 'expense';
  /** Category. */
  item_id?: number;
  /** Method. */
  payment_method_id?: number;
  /** Entries in one currency, such as EUR. */
  currency?: string;
  /** Part of the note. */
  keyword?: string;
}

/** Input of `createTransaction`. */
export interface CreateTransactionInput extends CreateTransactionBody {
}

/** Input of `updateTransaction`. */
export interface UpdateTransactionInput extends UpdateTransactionBody {
  /** The entry. */
  id: number;
}

/** Input of `deleteTransaction`. */
export interface DeleteTransactionInput {
  /** The entry. */
  id: number;
}

/** Input of `listAutomationActions`. */
export interface ListAutomationActionsInput {
  /** Rows to skip. */
  offset?: number;
  /** Rows to answer, 100 at most. */
  limit?: number;
  /** An addition of this service, instead of offset, for pages that lose no row under change: start, then next_cursor of the page before, with the same filters. The rows fall by a key that never changes. */
  cursor?: string;
  /** message, review or another. */
  type?: string;
  /** Part of the name. */
  keyword?: string;
  /** Actions about one stay. */
  stay_code?: string;
  /** Actions about these properties. */
  property_ids?: string;
  /** Due then or later. Without an offset: operator time. */
  start_time?: string;
  /** Due then or earlier; a bare date includes its day. */
  end_time?: string;
  /** Actions about stays of these channels. */
  channel_types?: string;
  /** What the rule counts from: booking, check_in, check_out. */
  rule_event?: string;
}

/** Input of `executeAutomationAction`. */
export interface ExecuteAutomationActionInput {
  /** The action. */
  plan_id: string;
}

/** Input of `deleteAutomationAction`. */
export interface DeleteAutomationActionInput {
  /** The action. */
  plan_id: string;
}

/** Input of `listKnowledgeBases`. */
export interface ListKnowledgeBasesInput {
  /** Rows to skip. */
  offset?: number;
  /** Rows to answer, 100 at most. */
  limit?: number;
  /** An addition of this service, instead of offset, for pages that lose no row under change: start, then next_cursor of the page before, with the same filters. The rows fall by a key that never changes. */
  cursor?: string;
  /** Entries that hold for one of these properties. */
  property_ids?: string;
  /** Entries that hold for one of these channels. */
  channel_types?: string;
  /** An addition of this service: only processed entries whose text holds all of these words. */
  search?: string;
}

/** Input of `createKnowledgeBase`. */
export interface CreateKnowledgeBaseInput extends CreateKnowledgeBaseBody {
}

/** Input of `getKnowledgeBase`. */
export interface GetKnowledgeBaseInput {
  /** The entry. */
  id: number;
}

/** Input of `updateKnowledgeBase`. */
export interface UpdateKnowledgeBaseInput extends UpdateKnowledgeBaseBody {
  /** The entry. */
  id: number;
}

/** Input of `deleteKnowledgeBase`. */
export interface DeleteKnowledgeBaseInput {
  /** The entry. */
  id: number;
}

/** Input of `listTasks`. */
export interface ListTasksInput {
  /** Rows to skip. */
  offset?: number;
  /** Rows to answer, 100 at most. */
  limit?: number;
  /** An addition of this service, instead of offset, for pages that lose no row under change: start, then next_cursor of the page before, with the same filters. The rows fall by a key that never changes. */
  cursor?: string;
  /** One task. */
  id?: number;
  /** Expected on this day or later. */
  start_date?: string;
  /** Expected on this day or earlier. */
  end_date?: string;
  /** Tasks of one member of staff. */
  staff_id?: number;
  /** Tasks in one property. */
  property_id?: number;
  /** Tasks of one kind. */
  type?: 'cleaning' | 'maintenance' | 'reception' | 'room_service' | 'other';
  /** Tasks in one state. */
  status?: 'pending' | 'in_progress' | 'completed' | 'cancelled';
}

/** Input of `createTask`. */
export interface CreateTaskInput extends CreateTaskBody {
}

/** Input of `updateTask`. */
export interface UpdateTaskInput extends UpdateTaskBody {
  /** The task. */
  id: number;
}

/** Input of `deleteTask`. */
export interface DeleteTaskInput {
  /** The task. */
  id: number;
}

/** Input of `listStaffs`. */
export interface ListStaffsInput {
  /** Rows to skip. */
  offset?: number;
  /** Rows to answer, 100 at most. */
  limit?: number;
  /** An addition of this service, instead of offset, for pages that lose no row under change: start, then next_cursor of the page before, with the same filters. The rows fall by a key that never changes. */
  cursor?: string;
  /** One member of staff. */
  id?: number;
  /** 1: those at work; 0: the others. */
  is_active?: boolean;
}

/** Input of `createStaff`. */
export interface CreateStaffInput extends CreateStaffBody {
}

/** Input of `updateStaff`. */
export interface UpdateStaffInput extends UpdateStaffBody {
  /** The member of staff. */
  id: number;
}

/** Input of `deleteStaff`. */
export interface DeleteStaffInput {
  /** The member of staff. */
  id: number;
}

/** Input of `listWebhooks`. */
export interface ListWebhooksInput {
}

/** Input of `createWebhook`. */
export interface CreateWebhookInput extends CreateWebhookBody {
}

/** Input of `updateWebhook`. */
export interface UpdateWebhookInput extends UpdateWebhookBody {
  /** The webhook. */
  id: number;
}

/** Input of `deleteWebhook`. */
export interface DeleteWebhookInput {
  /** The webhook. */
  id: number;
}

/** Input of `createAuthorization`. */
export interface CreateAuthorizationInput extends CreateAuthorizationBody {
}

/** Input of `revokeAuthorization`. */
export interface RevokeAuthorizationInput extends RevokeAuthorizationBody {
}

/** Any event that a webhook receives, told apart by `event`. */
export type StaydEvent = ReservationCreatedEvent | ReservationUpdatedEvent | PropertyAvailabilityUpdatedEvent | ListingCalendarUpdatedEvent | MessageCreatedEvent | ReviewCreatedEvent | ReviewUpdatedEvent | TransactionCreatedEvent | TransactionUpdatedEvent | TransactionDeletedEvent | AuthorizationRevokedEvent;
