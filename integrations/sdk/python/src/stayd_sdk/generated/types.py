# Made by `npm run integrations` from the OpenAPI document; do not change it by hand.
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, Union


class Account(TypedDict):
    """The account behind a token."""
    account_id: str
    """Stable; shared by the main account and its sub-accounts."""
    name: str
    time_zone: str
    """IANA zone of the operator."""
    currency: str


class ActivityProperty(TypedDict):
    """The property that an inquiry or a reservation of a conversation is about."""
    id: int
    name: str
    cover_url: str | None
    room_type: ActivityRoomType | None
    title: NotRequired[str]
    """The same as name."""


class ActivityRoomType(TypedDict):
    """The room type of such a property."""
    id: int
    name: str
    title: NotRequired[str]
    """The same as name."""


class AddReservationTagBody(TypedDict):
    """What `addReservationTag` takes. Puts a tag on one stay; a tag that does not exist is made."""
    tag_name: str


class AdditionalFee(TypedDict):
    """A fee that the guest pays beside the rate."""
    name: str
    currency: str
    amount: float


class AllocateReservationBody(TypedDict):
    """What `allocateReservation` takes. Puts a stay into a property, from another one or from the reservation box."""
    property_id: int
    """Where the stay is to be."""


class Attachment(TypedDict):
    """A file sent with a message."""
    type: str
    url: str
    name: str


class AuthorizationRevokedEvent(TypedDict):
    """The event `authorization_revoked`: a hint what to read again, never the new state."""
    event: Literal["authorization_revoked"]
    event_id: str
    account_id: str
    client_id: str
    timestamp: str


class AutomationAction(TypedDict):
    """A message, a review or other work that a rule plans for a stay."""
    plan_id: str
    type: str
    """one of message, review, task, lock_code; more may come"""
    status: str
    """one of waiting; more may come"""
    name: str
    send_to: str | None
    stay_code: str | None
    property_id: int | None
    property_title: str | None
    scheduled_at: str
    """When it is due, with the operator’s offset."""
    channel_type: str | None
    id: NotRequired[str]
    """The same as plan_id."""


class AvailabilityChange(TypedDict):
    """A night that became free or taken."""
    date: str
    available: bool


class AvailabilityDay(TypedDict):
    """One night of a property on the master calendar."""
    date: str
    available: bool
    remarks: str | None
    """Reserved: a stay holds the night. Blocked: it was closed by hand, or no channel sells the property any more; in place of it the reason, where one was given, or the name of the calendar feed that closes it."""


class BlackoutQuota(TypedDict):
    """How many dates of this year a discount leaves out, and how many more it may."""
    dates_used_count: int
    dates_available_count: int


class CalendarDay(TypedDict):
    """Price, inventory and restrictions of a listing on one date."""
    date: str
    price: float | None
    """In the listing’s currency; null while the channel has none."""
    inventory: int
    restrictions: Restrictions


class CalendarShareLink(TypedDict):
    """An address under which anybody can see when properties are free."""
    id: int
    scope: str
    """one of entire, partial; more may come"""
    property_ids: list[int]
    """Empty for the scope entire."""
    url: str
    """A public page; whoever has the address can read it."""
    created_at: str


class CategoryRatings(TypedDict):
    """The host’s ratings of a guest by category, for channels that know them."""
    overall_rating: NotRequired[float]
    cleanliness: NotRequired[float]
    communication: NotRequired[float]
    respect_of_house_rules: NotRequired[float]
    recommend: NotRequired[Literal[0] | Literal[1]]


class CategoryScore(TypedDict):
    """A rating in one category, with the channel’s tags for it."""
    category: str
    rating: float
    review_category_tags: list[str]


class ChannelAccount(TypedDict):
    """An account on a marketplace, and whether the connection to it works."""
    id: int
    channel_type: str
    username: str
    origin_account_id: str
    auth_status: str
    """one of active, connecting, disconnected, exception, unknown; more may come"""
    created_at: str


class ChannelDetails(TypedDict):
    """What a channel alone says of a reservation, under the name of the channel."""
    marketplace_a: NotRequired[MarketplaceADetails]


class ChannelScope(TypedDict):
    """The channels that an entry of the knowledge base is for."""
    type: str
    """one of all, by_channel; more may come"""
    channels: list[str]


class CheckInDetails(TypedDict):
    """How guests come and go: times, the code of the lock, the deposit and the check of identity."""
    arrival_at: ClockTime | None
    departure_at: ClockTime | None
    lock_code: str | None
    lock_code_visible_after: str | None
    deposit: float
    id_required: str
    """one of not_required, required, required_with_review; more may come"""
    check_in_guide_url: str | None
    deposit_details: Deposit | None


class CheckInGuideImage(TypedDict):
    """A picture of a document that a guest has sent through the check-in guide."""
    id: int
    client_id: int | None
    url: str


class ClockTime(TypedDict):
    """A time of day, where the property is."""
    hour: int
    minute: int


class Conversation(TypedDict):
    """A conversation with its messages."""
    conversation_id: str
    channel_type: str
    guest: ConversationGuest
    activities: list[ConversationActivity]
    messages: list[Message]
    note: str | None
    note_updated_at: str | None
    next_cursor: NotRequired[str | None]
    """An addition of this service, only with cursor: the cursor of the next page; null at the end."""
    id: NotRequired[str]
    """The same as conversation_id."""


class ConversationActivity(TypedDict):
    """An inquiry or a reservation that a conversation is about."""
    activity_type: str
    """one of inquiry, reservation; more may come"""
    reservation_code: str | None
    check_in_date: str | None
    check_out_date: str | None
    listing_id: str
    property: ActivityProperty | None


class ConversationEntry(TypedDict):
    """A conversation as lists show it, with its newest message shortened."""
    conversation_id: str
    channel_type: str
    last_message_at: str | None
    last_message: str
    """The newest message, shortened."""
    unread_count: int
    guest: ConversationGuest
    property_title: str | None
    check_in_date: str | None
    check_out_date: str | None
    id: NotRequired[str]
    """The same as conversation_id."""


class ConversationGuest(TypedDict):
    """The guest of a conversation, as the channel names them."""
    name: str | None
    email: str | None
    phone: str | None


class CreateAuthorizationAnswerData(TypedDict):
    """What `createAuthorization` answers with. Exchanges an authorization code or a refresh token for tokens."""
    access_token: str
    refresh_token: str
    """Ends the one it was got with: keep it before you use it."""
    expires_in: int
    """Seconds that the access token lives: 7 days."""


class CreateAuthorizationBody(TypedDict):
    """What `createAuthorization` takes. Exchanges an authorization code or a refresh token for tokens."""
    client_id: str
    """Of the registered application."""
    client_secret: NotRequired[str]
    """Of confidential clients."""
    grant_type: Literal["authorization_code", "refresh_token"]
    code: NotRequired[str]
    """With authorization_code: as the redirect has brought it."""
    code_verifier: NotRequired[str]
    """With authorization_code, where a challenge was sent."""
    redirect_uri: NotRequired[str]
    """With authorization_code: as in the request for the code."""
    refresh_token: NotRequired[str]
    """With refresh_token: the last one that was given."""


class CreateCalendarShareLinkAnswerData(TypedDict):
    """What `createCalendarShareLink` answers with. Makes a public, read-only calendar of all properties or of some."""
    calendar_share_link: CalendarShareLink
    id: int
    scope: str
    """one of entire, partial; more may come"""
    property_ids: list[int]
    """Empty for the scope entire."""
    url: str
    """A public page; whoever has the address can read it."""
    created_at: str


class CreateCalendarShareLinkBody(TypedDict):
    """What `createCalendarShareLink` takes. Makes a public, read-only calendar of all properties or of some."""
    scope: Literal["entire", "partial"]
    property_ids: NotRequired[list[int]]
    """For the scope partial: at least one."""


class CreateKnowledgeBaseAnswerData(TypedDict):
    """What `createKnowledgeBase` answers with. Adds an entry; its text can be found once process_status is done."""
    id: int


class CreateKnowledgeBaseBody(TypedDict):
    """What `createKnowledgeBase` takes. Adds an entry; its text can be found once process_status is done."""
    content: NotRequired[str]
    title: NotRequired[str]
    contents: NotRequired[list[GivenKnowledgeBasePart]]
    """The same as content, in parts that may have titles."""
    scope_property: NotRequired[GivenPropertyScope]
    scope_channel: NotRequired[GivenChannelScope]
    is_enable: NotRequired[bool]


class CreatePreapprovalAnswerData(TypedDict):
    """What `createPreapproval` answers with. Lets the guest of an inquiry book it at the standard price."""
    id: str


class CreatePropertyAnswerData(TypedDict):
    """What `createProperty` answers with. Adds a property; uses up one of the subscription."""
    property_id: int


class CreatePropertyBody(TypedDict):
    """What `createProperty` takes. Adds a property; uses up one of the subscription."""
    name: NotRequired[str]
    title: NotRequired[str]
    """The same as name; one of the two is required."""


class CreatePropertyGroupAnswerData(TypedDict):
    """What `createPropertyGroup` answers with. Adds a group of properties."""
    group: PropertyGroup
    id: int
    name: str
    property_ids: list[int]


class CreatePropertyGroupBody(TypedDict):
    """What `createPropertyGroup` takes. Adds a group of properties."""
    name: str
    property_ids: NotRequired[list[int]]


class CreatePropertyTagAnswerData(TypedDict):
    """What `createPropertyTag` answers with. Adds a tag for properties and room types."""
    tag: PropertyTag
    id: int
    name: str
    color: str
    """one of #FD587B, #1BBFA4, #FFA410, #F3D432, #2CBCFD, #7175FA, #EF7EDE; more may come"""
    property_ids: list[int]
    room_type_ids: list[int]


class CreatePropertyTagBody(TypedDict):
    """What `createPropertyTag` takes. Adds a tag for properties and room types."""
    name: str
    color: NotRequired[Literal["#FD587B", "#1BBFA4", "#FFA410", "#F3D432", "#2CBCFD", "#7175FA", "#EF7EDE"]]
    """Left out: assigned."""
    property_ids: NotRequired[list[int]]
    room_type_ids: NotRequired[list[int]]


class CreateReservationAnswerData(TypedDict):
    """What `createReservation` answers with. Makes a direct booking."""
    reservation: CreatedReservation
    reservation_code: str
    status: str
    """one of wait_accept, wait_pay, accepted, cancelled, denied, timeout; more may come"""


class CreateReservationBody(TypedDict):
    """What `createReservation` takes. Makes a direct booking."""
    property_id: int
    """Where."""
    check_in_date: str
    check_out_date: str
    guest_name: str
    rate_amount: float
    commission_amount: float
    received_amount: float
    """Above zero: one income entry is made."""
    custom_channel_id: NotRequired[int]
    """The source of the booking."""
    currency: NotRequired[str]
    """Default: the property’s, else the operator’s."""
    income_method_id: NotRequired[int]
    """How the received amount came. Default: the first method."""
    number_of_guests: NotRequired[int]
    email: NotRequired[str]
    mobile: NotRequired[str]
    note: NotRequired[str]
    channel_id: NotRequired[str]
    """Your own reference; a repeat answers the booking made first."""
    remarks: NotRequired[str]
    """The same as note."""


class CreateReservationTagAnswerData(TypedDict):
    """What `createReservationTag` answers with. Adds a tag for reservations; its colour is assigned."""
    reservation_tag: ReservationTag
    id: int
    tag_name: str
    color: str
    """one of #FD587B, #1BBFA4, #FFA410, #F3D432, #2CBCFD, #7175FA, #EF7EDE; more may come"""
    is_default: bool
    """Everybody has it; it cannot be deleted."""


class CreateReservationTagBody(TypedDict):
    """What `createReservationTag` takes. Adds a tag for reservations; its colour is assigned."""
    tag_name: str


class CreateReviewBody(TypedDict):
    """What `createReview` takes. Reviews the guest of a finished stay, or replies to the guest’s review; public and final."""
    host_review_score: NotRequired[float]
    """Default: category_ratings.overall_rating."""
    host_review_content: NotRequired[str]
    host_reply_content: NotRequired[str]
    category_ratings: NotRequired[CategoryRatings]
    """Taken over by channels that know them."""


class CreateRoomTypeAnswerData(TypedDict):
    """What `createRoomType` answers with. Adds a room type, at most as many as the subscription has properties."""
    room_type_id: int


class CreateRoomTypeBody(TypedDict):
    """What `createRoomType` takes. Adds a room type, at most as many as the subscription has properties."""
    name: NotRequired[str]
    property_ids: NotRequired[list[int]]
    title: NotRequired[str]
    """The same as name; one of the two is required."""


class CreateSpecialOfferAnswerData(TypedDict):
    """What `createSpecialOffer` answers with. Offers the guest of a conversation a stay at a price of its own."""
    id: str


class CreateSpecialOfferBody(TypedDict):
    """What `createSpecialOffer` takes. Offers the guest of a conversation a stay at a price of its own."""
    listing_id: str
    check_in_date: str
    check_out_date: str
    price: float
    """Total for the stay."""
    number_of_adults: int
    number_of_children: NotRequired[int]
    number_of_infants: NotRequired[int]
    number_of_pets: NotRequired[int]
    rate_plan_id: NotRequired[str]
    """Booking-site conversations only."""
    currency: NotRequired[str]
    """Booking-site conversations only; default: the property’s."""


class CreateStaffAnswerData(TypedDict):
    """What `createStaff` answers with. Adds a member of staff."""
    staff_id: int


class CreateStaffBody(TypedDict):
    """What `createStaff` takes. Adds a member of staff."""
    name: str
    mobile: str
    email: NotRequired[str | None]
    note: NotRequired[str]
    property_ids: NotRequired[list[int]]
    """Where they work; left out: everywhere."""


class CreateTaskAnswerData(TypedDict):
    """What `createTask` answers with. Adds a task, for a stay, a property or neither."""
    task_id: int


class CreateTaskBody(TypedDict):
    """What `createTask` takes. Adds a task, for a stay, a property or neither."""
    type: Literal["cleaning", "maintenance", "reception", "room_service", "other"]
    expected_date: str
    currency: str
    stay_code: NotRequired[str | None]
    property_id: NotRequired[int]
    """Left out: that of the stay. 0: none."""
    staff_id: NotRequired[int]
    """Who does it. 0: nobody yet."""
    expected_time: NotRequired[str | None]
    level: NotRequired[Literal["standard", "simple", "advanced"] | None]
    fee: NotRequired[float | None]
    note: NotRequired[str]


class CreateTransactionAnswerData(TypedDict):
    """What `createTransaction` answers with. Adds a ledger entry to a reservation, a property or the operator."""
    transaction_id: int


class CreateTransactionBody(TypedDict):
    """What `createTransaction` takes. Adds a ledger entry to a reservation, a property or the operator."""
    direction: Literal["income", "expense"]
    amount: float
    item_id: int
    """From the items of the direction."""
    payment_method_id: int
    """From the methods of the direction."""
    reservation_code: NotRequired[str]
    stay_code: NotRequired[str]
    """Deprecated; the same as reservation_code."""
    property_id: NotRequired[int]
    """Instead of a reservation."""
    currency: NotRequired[str]
    """A reservation’s is taken from it."""
    action_at: NotRequired[str]
    """Without an offset: operator time. Default: now."""
    note: NotRequired[str]


class CreateWebhookAnswerData(TypedDict):
    """What `createWebhook` answers with. Registers a URL for thin events."""
    id: int
    secret_token: str
    """Shown this once."""


class CreateWebhookBody(TypedDict):
    """What `createWebhook` takes. Registers a URL for thin events."""
    url: str
    events: NotRequired[list[Literal["reservation_created", "reservation_updated", "property_availability_updated", "listing_calendar_updated", "message_created", "review_created", "review_updated", "transaction_created", "transaction_updated", "transaction_deleted"]]]
    """Left out: all."""


class CreatedReservation(TypedDict):
    """The reservation that was made, and its state."""
    reservation_code: str
    status: str
    """one of wait_accept, wait_pay, accepted, cancelled, denied, timeout; more may come"""


class CustomChannel(TypedDict):
    """A source of direct reservations."""
    id: int
    name: str


class Deposit(TypedDict):
    """The deposit of a stay, in its own currency: what was asked for, paid, kept and given back."""
    amount: float
    paid_amount: float
    deducted_amount: float
    pending_refund_amount: float
    refunded_amount: float
    currency: str
    status: str
    """one of unpaid, paid, refunded; more may come"""


class DictionaryEntry(TypedDict):
    """An item or a method of the ledger, by its id and name."""
    id: int
    name: str


class Discount(TypedDict):
    """A discount in percent, with the number of days that it depends on."""
    discount: float
    days: int


class GetCustomFieldsAnswerData(TypedDict):
    """What `getCustomFields` answers with. The operator’s own fields of one stay; null when it has none."""
    custom_fields: dict[str, str] | None


class GetMarketplaceARulesAnswerData(TypedDict):
    """What `getMarketplaceARules` answers with. Prices and rules of a listing, asked of the channel at this moment."""
    listing_currency: NotRequired[str]
    base_price: NotRequired[float]
    weekend_price: NotRequired[float]
    """Friday and Saturday nights; 0: as the others."""
    cleaning_fee: NotRequired[float]
    short_term_cleaning_fee: NotRequired[float]
    security_deposit: NotRequired[float]
    pet_fee: NotRequired[float]
    pet_fee_obj: NotRequired[PetFee]
    extra_guest_fee: NotRequired[float]
    max_guests: NotRequired[int]
    early_bird_discount: NotRequired[Discount | list[Discount]]
    last_minute_discount: NotRequired[Discount | list[Discount]]
    long_term_discount: NotRequired[Discount | list[Discount]]
    check_in_start_time: NotRequired[int | Literal["FLEXIBLE"]]
    check_in_end_time: NotRequired[int | Literal["FLEXIBLE"]]
    check_out_before: NotRequired[int]
    instant_booking: NotRequired[bool]
    minimum_stay: NotRequired[int]
    maximum_stay: NotRequired[int]
    advance_notice: NotRequired[int]
    """Hours."""
    preparation_time: NotRequired[int]
    """Days."""
    availability_window: NotRequired[int]
    """Days."""
    cancellation_policy: NotRequired[str]
    non_refundable_price_factor: NotRequired[float]
    new_listing_promotion: NotRequired[bool]
    days_of_week_check_in: NotRequired[list[int]]
    days_of_week_check_out: NotRequired[list[int]]
    day_of_week_min_nights: NotRequired[list[WeekdayMinimumStay]]
    seasonal_min_stay: NotRequired[list[SeasonalMinimumStay]]
    high_rated_guest_discount: NotRequired[bool]
    mobile_only_discount: NotRequired[bool]
    high_rated_guest_discount_blackout_dates: NotRequired[list[str]]
    mobile_only_discount_blackout_dates: NotRequired[list[str]]
    eligible_cancellation_policies: list[str]
    high_rated_guest_discount_blackout_dates_quota: BlackoutQuota | None
    mobile_only_discount_blackout_dates_quota: BlackoutQuota | None
    settings: MarketplaceARules


class GetMarketplaceBRulesAnswerData(TypedDict):
    """What `getMarketplaceBRules` answers with. Prices and rules of a listing as recorded here."""
    base_price: NotRequired[float]
    """Every night of the week; wins over nightly_rate."""
    nightly_rate: NotRequired[WeeklyRate]
    security_deposit: NotRequired[float]
    cleaning_fee: NotRequired[float]
    extra_guest_fee: NotRequired[float]
    """0 takes it away."""
    extra_guest_number: NotRequired[int]
    max_guests: NotRequired[int]
    weekly_discount: NotRequired[float]
    monthly_discount: NotRequired[float]
    check_in_start_time: NotRequired[int]
    check_out_before: NotRequired[int]
    instant_booking: NotRequired[bool]
    minimum_stay: NotRequired[int]
    advance_notice: NotRequired[int]
    """Hours."""
    availability_window: NotRequired[int]
    """Days."""
    settings: MarketplaceBRules


class GetPricingRatiosAnswerData(TypedDict):
    """What `getPricingRatios` answers with. By which percentage each listing’s price follows a base price."""
    link_type: str
    """one of property, room_type; more may come"""
    link_id: int
    channels: list[PricingRatio]


class GivenChannelScope(TypedDict):
    """The channels that an entry of the knowledge base is to be for."""
    type: Literal["all", "by_channel"]
    channels: NotRequired[list[str]]


class GivenKnowledgeBasePart(TypedDict):
    """A part of the text of an entry that is written, with or without a title."""
    text: str
    sub_title: NotRequired[str]


class GivenPropertyScope(TypedDict):
    """The properties that an entry of the knowledge base is to be for."""
    type: Literal["all", "by_property", "by_group", "by_room_type"]
    ids: NotRequired[list[int]]


class GroupOfProperty(TypedDict):
    """A group that a property belongs to."""
    id: int
    name: str


class Guest(TypedDict):
    """A guest of a reservation."""
    id: int
    name: str | None
    phone: str | None
    email: str | None
    id_type: str | None
    id_number: str | None
    gender: str | None
    country: str | None
    is_booker: bool
    id_images: list[IdentityImage]


class GuestReview(TypedDict):
    """The guest’s review, with the private feedback to the host."""
    score: float | None
    sub_score: list[CategoryScore]
    content: str
    created_at: str
    private_feedback: str | None
    """For the host alone, never to be quoted in public; null but on marketplace A."""


class IdentityImage(TypedDict):
    """A picture of a guest’s document."""
    id: int
    url: str


class InventoryRange(TypedDict):
    """The number of units that can be booked on each date of a range, both ends included."""
    start_date: str
    end_date: str
    inventory: int


class KnowledgeBase(TypedDict):
    """An entry of the knowledge base without its text."""
    id: int
    title: str
    scope_property: PropertyScope
    scope_channel: ChannelScope
    is_enable: bool
    process_status: str
    """one of waiting, processing, done, failed; more may come"""


class KnowledgeBaseDetail(TypedDict):
    """An entry of the knowledge base with its text."""
    id: int
    title: str
    scope_property: PropertyScope
    scope_channel: ChannelScope
    is_enable: bool
    process_status: str
    """one of waiting, processing, done, failed; more may come"""
    content: str
    contents: list[KnowledgeBasePart]


class KnowledgeBasePart(TypedDict):
    """A part of the text of an entry, with its title."""
    text: str
    sub_title: str


class ListAutomationActionsAnswerData(TypedDict):
    """What `listAutomationActions` answers with. What rules are going to do, the next first."""
    actions: list[AutomationAction]
    total: int
    next_cursor: NotRequired[str | None]
    """An addition of this service, only with cursor: the cursor of the next page; null at the end."""


class ListAvailabilitiesAnswerData(TypedDict):
    """What `listAvailabilities` answers with. Free and taken nights on the master calendar, both dates included."""
    properties: list[PropertyAvailability]


class ListCalendarShareLinksAnswerData(TypedDict):
    """What `listCalendarShareLinks` answers with. Addresses under which anybody can see when properties are free, newest first."""
    calendar_share_links: list[CalendarShareLink]
    total: int
    next_cursor: NotRequired[str | None]
    """An addition of this service, only with cursor: the cursor of the next page; null at the end."""


class ListCalendarsAnswerData(TypedDict):
    """What `listCalendars` answers with. Price, inventory and restrictions of listings day by day, as their channels show them."""
    listings: list[ListingCalendar]


class ListCalendarsBody(TypedDict):
    """What `listCalendars` takes. Price, inventory and restrictions of listings day by day, as their channels show them."""
    start_date: str
    end_date: str
    listings: NotRequired[list[ListingName]]
    channel_type: NotRequired[str]
    """With listing_id in place of listings: that one."""
    listing_id: NotRequired[str]


class ListChannelAccountsAnswerData(TypedDict):
    """What `listChannelAccounts` answers with. Accounts on channels, newest first."""
    channel_accounts: list[ChannelAccount]
    total: int
    next_cursor: NotRequired[str | None]
    """An addition of this service, only with cursor: the cursor of the next page; null at the end."""


class ListConversationsAnswerData(TypedDict):
    """What `listConversations` answers with. Conversations with guests, the one with the newest message first."""
    conversations: list[ConversationEntry]
    total: int
    next_cursor: NotRequired[str | None]
    """An addition of this service, only with cursor: the cursor of the next page; null at the end."""


class ListCustomChannelsAnswerData(TypedDict):
    """What `listCustomChannels` answers with. Sources an operator has defined for direct bookings."""
    custom_channels: list[CustomChannel]
    total: NotRequired[int]


class ListExpenseItemsAnswerData(TypedDict):
    """What `listExpenseItems` answers with. Categories of expense."""
    expense_items: list[DictionaryEntry]
    total: NotRequired[int]


class ListExpenseMethodsAnswerData(TypedDict):
    """What `listExpenseMethods` answers with. Ways in which expenses are paid."""
    expense_methods: list[DictionaryEntry]
    total: NotRequired[int]


class ListIncomeItemsAnswerData(TypedDict):
    """What `listIncomeItems` answers with. Categories of income."""
    income_items: list[DictionaryEntry]
    total: NotRequired[int]


class ListIncomeMethodsAnswerData(TypedDict):
    """What `listIncomeMethods` answers with. Ways in which income arrives."""
    income_methods: list[DictionaryEntry]
    total: NotRequired[int]


class ListKnowledgeBasesAnswerData(TypedDict):
    """What `listKnowledgeBases` answers with. Entries of the knowledge base without their text, newest first."""
    knowledge_bases: list[KnowledgeBase]
    total: int
    next_cursor: NotRequired[str | None]
    """An addition of this service, only with cursor: the cursor of the next page; null at the end."""


class ListListingsAnswerData(TypedDict):
    """What `listListings` answers with. Postings of properties on channels, newest first."""
    listings: list[Listing]
    total: int
    next_cursor: NotRequired[str | None]
    """An addition of this service, only with cursor: the cursor of the next page; null at the end."""


class ListPropertiesAnswerData(TypedDict):
    """What `listProperties` answers with. Properties, newest first."""
    properties: list[Property]
    total: int
    next_cursor: NotRequired[str | None]
    """An addition of this service, only with cursor: the cursor of the next page; null at the end."""


class ListPropertyGroupsAnswerData(TypedDict):
    """What `listPropertyGroups` answers with. Groups with their properties, newest first."""
    groups: list[PropertyGroup]
    total: int
    next_cursor: NotRequired[str | None]
    """An addition of this service, only with cursor: the cursor of the next page; null at the end."""


class ListPropertyTagsAnswerData(TypedDict):
    """What `listPropertyTags` answers with. Tags of properties and room types, newest first."""
    tags: list[PropertyTag]
    total: int
    next_cursor: NotRequired[str | None]
    """An addition of this service, only with cursor: the cursor of the next page; null at the end."""


class ListReservationTagsAnswerData(TypedDict):
    """What `listReservationTags` answers with. Tags for reservations, newest first, the default ones last."""
    reservation_tags: list[ReservationTag]
    total: int
    next_cursor: NotRequired[str | None]
    """An addition of this service, only with cursor: the cursor of the next page; null at the end."""


class ListReservationsAnswerData(TypedDict):
    """What `listReservations` answers with. Stays, one entry per room."""
    reservations: list[Reservation]
    total: int
    next_cursor: NotRequired[str | None]
    """An addition of this service, only with cursor: the cursor of the next page; null at the end."""


class ListReviewsAnswerData(TypedDict):
    """What `listReviews` answers with. Reviews by check-out date, newest first."""
    reviews: list[Review]
    total: int
    next_cursor: NotRequired[str | None]
    """An addition of this service, only with cursor: the cursor of the next page; null at the end."""


class ListRoomTypesAnswerData(TypedDict):
    """What `listRoomTypes` answers with. Room types with their properties, newest first."""
    room_types: list[RoomType]
    total: int
    next_cursor: NotRequired[str | None]
    """An addition of this service, only with cursor: the cursor of the next page; null at the end."""


class ListSpecialOffersAnswerData(TypedDict):
    """What `listSpecialOffers` answers with. Offers and pre-approvals made in a conversation, newest first."""
    special_offers: list[SpecialOffer]
    total: int
    next_cursor: NotRequired[str | None]
    """An addition of this service, only with cursor: the cursor of the next page; null at the end."""


class ListStaffsAnswerData(TypedDict):
    """What `listStaffs` answers with. The people who do tasks, newest first."""
    staffs: list[Staff]
    total: int
    next_cursor: NotRequired[str | None]
    """An addition of this service, only with cursor: the cursor of the next page; null at the end."""


class ListTasksAnswerData(TypedDict):
    """What `listTasks` answers with. Tasks, newest first; the dates are those they are expected on, both included."""
    tasks: list[Task]
    total: int
    next_cursor: NotRequired[str | None]
    """An addition of this service, only with cursor: the cursor of the next page; null at the end."""


class ListTransactionsAnswerData(TypedDict):
    """What `listTransactions` answers with. Ledger entries by the operator’s date of action_at, newest id first."""
    transactions: list[Transaction]
    total: int
    next_cursor: NotRequired[str | None]
    """An addition of this service, only with cursor: the cursor of the next page; null at the end."""


class ListWebhooksAnswerData(TypedDict):
    """What `listWebhooks` answers with. Registered webhooks."""
    webhooks: list[Webhook]
    total: NotRequired[int]


class Listing(TypedDict):
    """A property as a channel offers it."""
    id: int
    listing_id: str
    channel_type: str
    channel_account_id: int
    origin_account_id: str
    url: str
    title: str
    cover: str
    inventory: int
    shelf_status: str
    """one of on, off, deleted, unknown; more may come"""
    metadata: dict[str, Any]
    """As the channel has it."""
    created_at: str
    updated_at: str


class ListingCalendar(TypedDict):
    """The calendar of one listing."""
    channel_type: str
    listing_id: str
    calendar: list[CalendarDay]


class ListingCalendarUpdatedEvent(TypedDict):
    """The event `listing_calendar_updated`: a hint what to read again, never the new state."""
    event: Literal["listing_calendar_updated"]
    event_id: str
    channel_type: str
    listing_id: str
    start_date: str
    end_date: str
    timestamp: str


class ListingLink(TypedDict):
    """A listing through which a channel sells."""
    channel_type: str
    listing_id: str
    currency: NotRequired[str]


class ListingName(TypedDict):
    """A listing, by its channel and its id there."""
    channel_type: str
    listing_id: str


class MarketplaceADetails(TypedDict):
    """What marketplace A says of its reservations."""
    cancellation_policy_category: str | None


class MarketplaceARules(TypedDict):
    """Prices and rules of a listing on marketplace A, as they are read."""
    listing_currency: NotRequired[str]
    base_price: NotRequired[float]
    weekend_price: NotRequired[float]
    """Friday and Saturday nights; 0: as the others."""
    cleaning_fee: NotRequired[float]
    short_term_cleaning_fee: NotRequired[float]
    security_deposit: NotRequired[float]
    pet_fee: NotRequired[float]
    pet_fee_obj: NotRequired[PetFee]
    extra_guest_fee: NotRequired[float]
    max_guests: NotRequired[int]
    early_bird_discount: NotRequired[Discount | list[Discount]]
    last_minute_discount: NotRequired[Discount | list[Discount]]
    long_term_discount: NotRequired[Discount | list[Discount]]
    check_in_start_time: NotRequired[int | Literal["FLEXIBLE"]]
    check_in_end_time: NotRequired[int | Literal["FLEXIBLE"]]
    check_out_before: NotRequired[int]
    instant_booking: NotRequired[bool]
    minimum_stay: NotRequired[int]
    maximum_stay: NotRequired[int]
    advance_notice: NotRequired[int]
    """Hours."""
    preparation_time: NotRequired[int]
    """Days."""
    availability_window: NotRequired[int]
    """Days."""
    cancellation_policy: NotRequired[str]
    non_refundable_price_factor: NotRequired[float]
    new_listing_promotion: NotRequired[bool]
    days_of_week_check_in: NotRequired[list[int]]
    days_of_week_check_out: NotRequired[list[int]]
    day_of_week_min_nights: NotRequired[list[WeekdayMinimumStay]]
    seasonal_min_stay: NotRequired[list[SeasonalMinimumStay]]
    high_rated_guest_discount: NotRequired[bool]
    mobile_only_discount: NotRequired[bool]
    high_rated_guest_discount_blackout_dates: NotRequired[list[str]]
    mobile_only_discount_blackout_dates: NotRequired[list[str]]
    eligible_cancellation_policies: list[str]
    high_rated_guest_discount_blackout_dates_quota: BlackoutQuota | None
    mobile_only_discount_blackout_dates_quota: BlackoutQuota | None


class MarketplaceASettings(TypedDict):
    """Prices and rules of a listing on marketplace A that are to change; what is left out stays."""
    listing_currency: NotRequired[str]
    base_price: NotRequired[float]
    weekend_price: NotRequired[float]
    """Friday and Saturday nights; 0: as the others."""
    cleaning_fee: NotRequired[float]
    short_term_cleaning_fee: NotRequired[float]
    security_deposit: NotRequired[float]
    pet_fee: NotRequired[float]
    pet_fee_obj: NotRequired[PetFee]
    extra_guest_fee: NotRequired[float]
    max_guests: NotRequired[int]
    early_bird_discount: NotRequired[Discount | list[Discount]]
    last_minute_discount: NotRequired[Discount | list[Discount]]
    long_term_discount: NotRequired[Discount | list[Discount]]
    check_in_start_time: NotRequired[int | Literal["FLEXIBLE"]]
    check_in_end_time: NotRequired[int | Literal["FLEXIBLE"]]
    check_out_before: NotRequired[int]
    instant_booking: NotRequired[bool]
    minimum_stay: NotRequired[int]
    maximum_stay: NotRequired[int]
    advance_notice: NotRequired[int]
    """Hours."""
    preparation_time: NotRequired[int]
    """Days."""
    availability_window: NotRequired[int]
    """Days."""
    cancellation_policy: NotRequired[str]
    non_refundable_price_factor: NotRequired[float]
    new_listing_promotion: NotRequired[bool]
    days_of_week_check_in: NotRequired[list[int]]
    days_of_week_check_out: NotRequired[list[int]]
    day_of_week_min_nights: NotRequired[list[WeekdayMinimumStay]]
    seasonal_min_stay: NotRequired[list[SeasonalMinimumStay]]
    high_rated_guest_discount: NotRequired[bool]
    mobile_only_discount: NotRequired[bool]
    high_rated_guest_discount_blackout_dates: NotRequired[list[str]]
    mobile_only_discount_blackout_dates: NotRequired[list[str]]


class MarketplaceBRules(TypedDict):
    """Prices and rules of a listing on marketplace B, as they are read."""
    base_price: NotRequired[float]
    """Every night of the week; wins over nightly_rate."""
    nightly_rate: NotRequired[WeeklyRate]
    security_deposit: NotRequired[float]
    cleaning_fee: NotRequired[float]
    extra_guest_fee: NotRequired[float]
    """0 takes it away."""
    extra_guest_number: NotRequired[int]
    max_guests: NotRequired[int]
    weekly_discount: NotRequired[float]
    monthly_discount: NotRequired[float]
    check_in_start_time: NotRequired[int]
    check_out_before: NotRequired[int]
    instant_booking: NotRequired[bool]
    minimum_stay: NotRequired[int]
    advance_notice: NotRequired[int]
    """Hours."""
    availability_window: NotRequired[int]
    """Days."""


class MarketplaceBSettings(TypedDict):
    """Prices and rules of a listing on marketplace B that are to change; what is left out stays."""
    base_price: NotRequired[float]
    """Every night of the week; wins over nightly_rate."""
    nightly_rate: NotRequired[WeeklyRate]
    security_deposit: NotRequired[float]
    cleaning_fee: NotRequired[float]
    extra_guest_fee: NotRequired[float]
    """0 takes it away."""
    extra_guest_number: NotRequired[int]
    max_guests: NotRequired[int]
    weekly_discount: NotRequired[float]
    monthly_discount: NotRequired[float]
    check_in_start_time: NotRequired[int]
    check_out_before: NotRequired[int]
    instant_booking: NotRequired[bool]
    minimum_stay: NotRequired[int]
    advance_notice: NotRequired[int]
    """Hours."""
    availability_window: NotRequired[int]
    """Days."""


class Message(TypedDict):
    """One message of a conversation."""
    message_id: str
    sender_role: str
    """Anything but guest is the host’s side."""
    sender_name: str | None
    display_type: str
    """one of Text, Box, FileAttachment, RequestToBook, BsRequestBook, SpecialOffer, ReservationAlteration, HouseLinkCard; more may come"""
    content: str
    """Empty for a mere attachment."""
    attachments: list[Attachment]
    timestamp: str
    sources: list[MessageSource]
    """What an automatic message was made from; empty for human ones."""
    id: NotRequired[str]
    """The same as message_id."""
    created_at: NotRequired[str]
    """The same as timestamp."""
    attachment: NotRequired[Attachment | None]
    """The same as attachments."""


class MessageCreatedEvent(TypedDict):
    """The event `message_created`: a hint what to read again, never the new state."""
    event: Literal["message_created"]
    event_id: str
    conversation_id: str
    message_id: str
    timestamp: str


class MessageSource(TypedDict):
    """A kind of source that an automatic message was made from, with the documents behind it."""
    type: str
    """one of checkin_guide, automation_reply, host_knowledge, thread, host_assistant; more may come"""
    docs: list[MessageSourceDocument]


class MessageSourceDocument(TypedDict):
    """A document behind an automatic message, with the pieces that were used."""
    title: str
    fragment: list[str]
    source_type: str
    link_id: str | None


class Money(TypedDict):
    """An amount in a named currency."""
    currency: str
    amount: float


class PetFee(TypedDict):
    """A fee for pets, with what it is charged for."""
    amount: float
    charge_type: str
    charge_period: str


class PriceEntry(TypedDict):
    """The price of a listing for each date of a range, both ends included."""
    channel_type: str
    listing_id: str
    start_date: str
    end_date: str
    currency: NotRequired[str]
    """Must be the listing’s."""
    price: NotRequired[float]
    amount: NotRequired[float]
    """The same as price; one of the two is required."""


class PriceRange(TypedDict):
    """The price for each date of a range, both ends included."""
    start_date: str
    end_date: str
    price: NotRequired[float]
    amount: NotRequired[float]
    """The same as price; one of the two is required."""


class PricingRatio(TypedDict):
    """The percentage with which a listing’s price follows a base price."""
    channel_type: str
    listing_id: str
    listing_title: str
    ratio: float
    """Percent of the base price; -1 when readonly."""
    readonly: bool
    """Prices of the listing cannot be set from here."""


class Property(TypedDict):
    """A property of the account."""
    id: int
    name: str
    status: str
    """one of active, inactive; more may come"""
    address: str
    longitude: str
    latitude: str
    channels: list[ListingLink]
    groups: list[GroupOfProperty]
    tags: list[TagOfProperty]
    time_zone: NotRequired[str]
    """IANA zone in which its nights and check-in times are meant."""
    check_in_time: NotRequired[str | None]
    """Time of day from which guests may come, such as 15:00."""
    check_out_time: NotRequired[str | None]
    """Time of day until which guests go."""
    title: NotRequired[str]
    """The same as name."""


class PropertyAvailability(TypedDict):
    """Nights of one property on the master calendar."""
    id: int
    availabilities: list[AvailabilityDay]


class PropertyAvailabilityUpdatedEvent(TypedDict):
    """The event `property_availability_updated`: a hint what to read again, never the new state."""
    event: Literal["property_availability_updated"]
    event_id: str
    property_id: int
    availabilities: list[AvailabilityChange]
    timestamp: str


class PropertyGroup(TypedDict):
    """A group of properties."""
    id: int
    name: str
    property_ids: list[int]


class PropertyScope(TypedDict):
    """The properties that an entry of the knowledge base is for."""
    type: str
    """one of all, by_property, by_group, by_room_type; more may come"""
    ids: list[int]


class PropertyTag(TypedDict):
    """A tag of properties and room types, with those that carry it."""
    id: int
    name: str
    color: str
    """one of #FD587B, #1BBFA4, #FFA410, #F3D432, #2CBCFD, #7175FA, #EF7EDE; more may come"""
    property_ids: list[int]
    room_type_ids: list[int]


class RateDetail(TypedDict):
    """One part of what a stay costs."""
    type: str
    description: str
    currency: str
    amount: float


class RemoveReservationTagBody(TypedDict):
    """What `removeReservationTag` takes. Takes a tag off one stay."""
    tag_name: str


class Reservation(TypedDict):
    """One stay. A reservation of several rooms is as many stays under one `reservation_code`."""
    id: int
    reservation_code: str
    stay_code: str
    channel_id: str
    property_id: int
    """0 when it could not be placed: it is in the reservation box."""
    channel_type: str
    listing_id: str
    check_in_date: str
    check_out_date: str
    number_of_guests: int
    number_of_adults: int | None
    number_of_children: int | None
    number_of_infants: int | None
    number_of_pets: int | None
    status: str
    """one of wait_accept, wait_pay, accepted, cancelled, denied, timeout; more may come"""
    stay_status: str
    """one of checkin_pending, in_house, stay_completed; more may come"""
    guest_name: str | None
    guest_phone: str | None
    guest_email: str | None
    booked_at: str
    created_at: str
    cancelled_at: str | None
    creator: str | None
    rates: ReservationRates
    payment: ReservationPayment
    check_in_details: CheckInDetails
    note: str | None
    channel_remarks: str | None
    conversation_id: str | None
    tags: list[str]
    custom_channel: ReservationSource | None
    guests: list[Guest]
    custom_fields: dict[str, str] | None
    in_reservation_box: bool
    additional_fees: list[AdditionalFee]
    checkin_guide_images: list[CheckInGuideImage]
    channel_details: ChannelDetails | None
    remarks: NotRequired[str | None]
    """The same as note."""


class ReservationCreatedEvent(TypedDict):
    """The event `reservation_created`: a hint what to read again, never the new state."""
    event: Literal["reservation_created"]
    event_id: str
    reservation_code: str
    stay_code: str
    property_id: int
    timestamp: str


class ReservationPayment(TypedDict):
    """What was received for a reservation and what is open; the same on all of its stays."""
    currency: str
    total_amount: float
    received_amount: float
    balance_amount: float
    status: str
    """one of unreceived, partial, received, over_received; more may come"""


class ReservationRates(TypedDict):
    """What a stay costs, the commission and the taxes."""
    total_rate: Money | None
    total_commission: Money | None
    rate: Money | None
    commission: Money | None
    tax: Money | None
    details: list[RateDetail]


class ReservationSource(TypedDict):
    """The source that a direct reservation came from."""
    id: int
    name: str


class ReservationTag(TypedDict):
    """A tag of reservations."""
    id: int
    tag_name: str
    color: str
    """one of #FD587B, #1BBFA4, #FFA410, #F3D432, #2CBCFD, #7175FA, #EF7EDE; more may come"""
    is_default: bool
    """Everybody has it; it cannot be deleted."""


class ReservationUpdatedEvent(TypedDict):
    """The event `reservation_updated`: a hint what to read again, never the new state."""
    event: Literal["reservation_updated"]
    event_id: str
    sub_event: NotRequired[Literal["arrival_and_departure_time_updated", "rates_updated", "lock_code_updated", "lock_code_deleted", "check_in_details_updated", "remarks_updated"]]
    reservation_code: str
    stay_code: str
    property_id: int
    timestamp: str


class RestrictionRange(TypedDict):
    """Restrictions to be set on each date of a range, both ends included; null removes one."""
    start_date: str
    end_date: str
    closed_on_arrival: NotRequired[bool]
    closed_on_departure: NotRequired[bool]
    min_stay_on_arrival: NotRequired[int | None]
    max_stay_on_arrival: NotRequired[int | None]
    min_stay_through: NotRequired[int | None]
    max_stay_through: NotRequired[int | None]
    exact_stay_on_arrival: NotRequired[int | None]
    min_advance_reservation: NotRequired[str | None]
    max_advance_reservation: NotRequired[str | None]


class Restrictions(TypedDict):
    """Who may arrive, leave or stay how long on one date."""
    closed_on_arrival: bool
    closed_on_departure: bool
    min_stay_on_arrival: int | None
    max_stay_on_arrival: int | None
    min_stay_through: int | None
    max_stay_through: int | None
    exact_stay_on_arrival: int | None
    min_advance_reservation: str | None
    max_advance_reservation: str | None


class Review(TypedDict):
    """The reviews of one stay."""
    reservation_code: str
    stay_code: str
    property_id: int
    channel_type: str
    listing_id: str
    check_in_date: str
    check_out_date: str
    host_review: ReviewPart | None
    guest_review: GuestReview | None
    host_reply: ReviewPart | None


class ReviewCreatedEvent(TypedDict):
    """The event `review_created`: a hint what to read again, never the new state."""
    event: Literal["review_created"]
    event_id: str
    reservation_code: str
    stay_code: str
    property_id: int
    timestamp: str


class ReviewPart(TypedDict):
    """What the host says: a review of the guest, or the reply to the guest’s."""
    score: float | None
    sub_score: list[CategoryScore]
    content: str
    created_at: str


class ReviewUpdatedEvent(TypedDict):
    """The event `review_updated`: a hint what to read again, never the new state."""
    event: Literal["review_updated"]
    event_id: str
    reservation_code: str
    stay_code: str
    property_id: int
    timestamp: str


class RevokeAuthorizationBody(TypedDict):
    """What `revokeAuthorization` takes. Ends one token of an application."""
    client_id: str
    """Of the registered application."""
    client_secret: NotRequired[str]
    """Of confidential clients."""
    token: str
    """An access or a refresh token; only this one ends."""


class RoomType(TypedDict):
    """Properties of one kind, which are sold together."""
    id: int
    name: str
    properties: list[RoomTypeProperty]
    """Its rooms; their number bounds the inventory."""
    channels: list[ListingLink]
    tags: list[TagOfRoomType]
    title: NotRequired[str]
    """The same as name."""


class RoomTypeProperty(TypedDict):
    """A property of a room type."""
    id: int
    name: str
    title: NotRequired[str]
    """The same as name."""


class SeasonalMinimumStay(TypedDict):
    """The least nights of a stay in a range of dates."""
    start_date: str
    end_date: str
    min_nights: int


class SendMessageBody(TypedDict):
    """What `sendMessage` takes. Sends a text, a picture or both to the guest; cannot be undone."""
    message: NotRequired[str]
    jpeg_base64: NotRequired[str]
    """A JPEG picture, base64."""


class SkippedListing(TypedDict):
    """A listing of the request that was left out, with the reason."""
    channel_type: str
    listing_id: str
    reason: str
    """one of readonly; more may come"""


class SpecialOffer(TypedDict):
    """An offer or a pre-approval in a conversation."""
    id: str
    offer_type: str
    """one of special_offer, preapproval; more may come"""
    status: str
    """one of active, accepted, declined, expired, withdrawn; more may come"""
    listing_id: str
    check_in_date: str
    check_out_date: str
    nights: int
    number_of_guests: int
    price: float | None
    """Total; null for a pre-approval, which is at the standard price."""
    currency: str
    expire_time: str
    create_time: str


class Staff(TypedDict):
    """A person who does tasks."""
    id: int
    name: str
    mobile: str
    """+<country code> <number>."""
    email: str | None
    note: str
    is_active: bool


class TagOfProperty(TypedDict):
    """A tag that a property carries."""
    id: int
    name: str
    color: str


class TagOfRoomType(TypedDict):
    """A tag that a room type carries."""
    id: int
    name: str
    color: str
    """one of #FD587B, #1BBFA4, #FFA410, #F3D432, #2CBCFD, #7175FA, #EF7EDE; more may come"""


class Task(TypedDict):
    """A cleaning, a repair or other work for staff."""
    id: int
    type: str
    """one of cleaning, maintenance, reception, room_service, other; more may come"""
    status: str
    """one of pending, in_progress, completed, cancelled; more may come"""
    property_id: int | None
    property_title: str | None
    stay_code: str | None
    staff_id: int | None
    staff_name: str | None
    expected_date: str
    expected_time: str | None
    """HH:mm:ss, where the property is."""
    expected: str
    """Date and time as one moment, in the property’s zone; without a time the start of the day."""
    level: str | None
    currency: str
    fee: float | None
    note: str
    create_time: str
    update_time: str


class Transaction(TypedDict):
    """An entry of the ledger: income or expense."""
    id: int
    reservation_code: str | None
    stay_code: str | None
    """Deprecated; equals reservation_code."""
    property_id: int | None
    direction: str
    """one of income, expense; more may come"""
    item_id: int
    item_name: str
    payment_method_id: int
    payment_method_name: str
    amount: float
    currency: str
    action_at: str
    """When it took place, with the operator’s offset."""
    note: str
    status: str
    """one of paid, outstanding; more may come"""
    operator_name: str
    link_type: str
    """one of property, reservation, operator; more may come"""
    property_title: str | None
    created_at: str
    updated_at: str


class TransactionCreatedEvent(TypedDict):
    """The event `transaction_created`: a hint what to read again, never the new state."""
    event: Literal["transaction_created"]
    event_id: str
    transaction_id: int
    timestamp: str


class TransactionDeletedEvent(TypedDict):
    """The event `transaction_deleted`: a hint what to read again, never the new state."""
    event: Literal["transaction_deleted"]
    event_id: str
    transaction_id: int
    timestamp: str


class TransactionUpdatedEvent(TypedDict):
    """The event `transaction_updated`: a hint what to read again, never the new state."""
    event: Literal["transaction_updated"]
    event_id: str
    transaction_id: int
    timestamp: str


class UpdateAvailabilitiesBody(TypedDict):
    """What `updateAvailabilities` takes. Opens or blocks nights on the master calendar."""
    property_ids: list[int]
    available: bool
    """true opens the nights, false blocks them."""
    start_date: NotRequired[str]
    end_date: NotRequired[str]
    dates: NotRequired[list[str]]
    """Instead of a range."""


class UpdateCheckInDetailsBody(TypedDict):
    """What `updateCheckInDetails` takes. Changes arrival, departure, lock code, deposit or identity check of one stay."""
    arrival_at: NotRequired[ClockTime | None]
    departure_at: NotRequired[ClockTime | None]
    lock_code: NotRequired[str | None]
    """null deletes it."""
    lock_code_visible_after: NotRequired[str | None]
    deposit: NotRequired[float]
    id_required: NotRequired[Literal["not_required", "required", "required_with_review"]]


class UpdateConversationNoteAnswerData(TypedDict):
    """What `updateConversationNote` answers with. Sets the host’s private note on a conversation; never sent to anybody."""
    conversation_id: str
    note: str | None
    updated_at: str
    id: NotRequired[str]
    """The same as conversation_id."""


class UpdateConversationNoteBody(TypedDict):
    """What `updateConversationNote` takes. Sets the host’s private note on a conversation; never sent to anybody."""
    note: str | None
    """Empty or null clears it."""


class UpdateCustomFieldsAnswerData(TypedDict):
    """What `updateCustomFields` answers with. Sets, makes or deletes the operator’s own fields of one stay."""
    custom_fields: dict[str, str] | None


class UpdateCustomFieldsBody(TypedDict):
    """What `updateCustomFields` takes. Sets, makes or deletes the operator’s own fields of one stay."""
    custom_fields: dict[str, str | None]
    """A text sets or makes a field, null deletes it; fields not named stay."""


class UpdateInventoriesBody(TypedDict):
    """What `updateInventories` takes. Sets how many units of a listing can be booked; the channel takes it shortly after."""
    channel_type: str
    listing_id: str
    inventories: list[InventoryRange]


class UpdateKnowledgeBaseBody(TypedDict):
    """What `updateKnowledgeBase` takes. Changes an entry; other text is processed again."""
    content: NotRequired[str]
    title: NotRequired[str]
    contents: NotRequired[list[GivenKnowledgeBasePart]]
    """The same as content, in parts that may have titles."""
    scope_property: NotRequired[GivenPropertyScope]
    scope_channel: NotRequired[GivenChannelScope]
    is_enable: NotRequired[bool]


class UpdateMarketplaceARulesBody(TypedDict):
    """What `updateMarketplaceARules` takes. Changes prices and rules of a listing on its channel, at once."""
    listing_id: str
    settings: MarketplaceASettings


class UpdateMarketplaceBRulesBody(TypedDict):
    """What `updateMarketplaceBRules` takes. Changes prices and rules of a listing on its channel, at once."""
    listing_id: str
    settings: MarketplaceBSettings


class UpdatePricesAnswerData(TypedDict):
    """What `updatePrices` answers with. Sets selling prices of listings; the channels take them shortly after."""
    skipped: list[SkippedListing]
    """Listings of the request whose prices are readonly: nothing is pushed to them."""


class UpdatePricesBody(TypedDict):
    """What `updatePrices` takes. Sets selling prices of listings; the channels take them shortly after."""
    channel_type: NotRequired[str]
    listing_id: NotRequired[str]
    prices: NotRequired[list[PriceRange]]
    entries: NotRequired[list[PriceEntry]]
    """Instead: many listings at once."""


class UpdatePropertyGroupBody(TypedDict):
    """What `updatePropertyGroup` takes. Renames a group or gives it other properties."""
    name: NotRequired[str]
    property_ids: NotRequired[list[int]]
    """Takes the place of the whole list; an empty one detaches all."""


class UpdatePropertyTagBody(TypedDict):
    """What `updatePropertyTag` takes. Changes a tag’s name, colour or carriers."""
    name: NotRequired[str]
    color: NotRequired[Literal["#FD587B", "#1BBFA4", "#FFA410", "#F3D432", "#2CBCFD", "#7175FA", "#EF7EDE"]]
    property_ids: NotRequired[list[int]]
    room_type_ids: NotRequired[list[int]]


class UpdateReservationBody(TypedDict):
    """What `updateReservation` takes. Changes dates, guest, rates or notes of one stay."""
    note: NotRequired[str]
    creator: NotRequired[str]
    custom_channel_id: NotRequired[int]
    """The source of the booking."""
    check_in_date: NotRequired[str]
    check_out_date: NotRequired[str]
    number_of_guests: NotRequired[int]
    guest_name: NotRequired[str]
    mobile: NotRequired[str]
    email: NotRequired[str]
    currency: NotRequired[str]
    rate_amount: NotRequired[float]
    commission_amount: NotRequired[float]
    received_amount: NotRequired[float]
    """Makes or edits the booking’s own income entry."""
    remarks: NotRequired[str]
    """The same as note."""


class UpdateRestrictionsBody(TypedDict):
    """What `updateRestrictions` takes. Sets who may arrive, leave or stay how long; the channel takes it shortly after."""
    channel_type: str
    listing_id: str
    restrictions: list[RestrictionRange]


class UpdateStaffBody(TypedDict):
    """What `updateStaff` takes. Changes a member of staff; property_ids replaces the whole list."""
    name: NotRequired[str]
    mobile: NotRequired[str]
    email: NotRequired[str | None]
    note: NotRequired[str]
    property_ids: NotRequired[list[int]]
    """Where they work; left out: everywhere."""
    is_active: NotRequired[bool | Literal[0, 1]]


class UpdateStayStatusBody(TypedDict):
    """What `updateStayStatus` takes. Says whether the guests of one stay are still to come, in the house, or gone."""
    stay_status: Literal["checkin_pending", "in_house", "stay_completed"]


class UpdateTaskBody(TypedDict):
    """What `updateTask` takes. Changes a task; what is left out stays."""
    type: NotRequired[Literal["cleaning", "maintenance", "reception", "room_service", "other"]]
    status: NotRequired[Literal["pending", "in_progress", "completed", "cancelled"]]
    expected_date: NotRequired[str]
    currency: NotRequired[str]
    stay_code: NotRequired[str | None]
    property_id: NotRequired[int]
    """Left out: that of the stay. 0: none."""
    staff_id: NotRequired[int]
    """Who does it. 0: nobody yet."""
    expected_time: NotRequired[str | None]
    level: NotRequired[Literal["standard", "simple", "advanced"] | None]
    fee: NotRequired[float | None]
    note: NotRequired[str]


class UpdateTransactionBody(TypedDict):
    """What `updateTransaction` takes. Changes an entry; its direction, link and currency stay."""
    amount: NotRequired[float]
    item_id: NotRequired[int]
    """From the items of its direction."""
    payment_method_id: NotRequired[int]
    """From the methods of its direction."""
    action_at: NotRequired[str]
    note: NotRequired[str]


class UpdateWebhookBody(TypedDict):
    """What `updateWebhook` takes. Changes where or which events are sent; the secret stays. For who registered it, and the main account."""
    url: NotRequired[str]
    events: NotRequired[list[Literal["reservation_created", "reservation_updated", "property_availability_updated", "listing_calendar_updated", "message_created", "review_created", "review_updated", "transaction_created", "transaction_updated", "transaction_deleted"]]]


class Webhook(TypedDict):
    """A URL that events are sent to."""
    id: int
    url: str
    events: list[str]
    manageable: bool
    """false: you cannot change it here. It was made by hand in the portal, or somebody else registered it."""
    created_at: str


class WeekdayMinimumStay(TypedDict):
    """The least nights of a stay, for a day of the week."""
    day_of_week: int
    """0 is Sunday."""
    min_nights: int


class WeeklyRate(TypedDict):
    """The price of a night for each day of the week."""
    sunday: float
    monday: float
    tuesday: float
    wednesday: float
    thursday: float
    friday: float
    saturday: float


StaydEvent = Union[ReservationCreatedEvent, ReservationUpdatedEvent, PropertyAvailabilityUpdatedEvent, ListingCalendarUpdatedEvent, MessageCreatedEvent, ReviewCreatedEvent, ReviewUpdatedEvent, TransactionCreatedEvent, TransactionUpdatedEvent, TransactionDeletedEvent, AuthorizationRevokedEvent]
"""Any event that a webhook receives, told apart by `event`."""
