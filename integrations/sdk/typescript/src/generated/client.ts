// Made by `npm run integrations` from the OpenAPI document; do not change it by hand.

import { type CallOptions, Transport } from '../transport.js';
import type * as T from './types.js';

/** A client of a running stayd: one method for each operation of v3. */
export class Stayd extends Transport {
  /**
   * The account behind the token.
   * Any token.
   * `GET /v3/accounts/me`
   */
  getAccount(input: T.GetAccountInput = {}, options?: CallOptions): Promise<T.Account> {
    return this.call({ id: 'getAccount', method: 'GET', path: '/accounts/me', query: [], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /**
   * Properties, newest first.
   * Any token.
   * `GET /v3/properties`
   */
  listProperties(input: T.ListPropertiesInput = {}, options?: CallOptions): Promise<T.ListPropertiesAnswerData> {
    return this.call({ id: 'listProperties', method: 'GET', path: '/properties', query: ['offset', 'limit', 'cursor', 'id', 'group_id', 'tag_id'], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /** All rows of `listProperties`, page by page: Properties, newest first. */
  iterateProperties(input: Omit<T.ListPropertiesInput, 'cursor' | 'offset'> = {}, options?: CallOptions): AsyncGenerator<T.Property, void, undefined> {
    return this.pages((page) => this.listProperties({ ...input, ...page }, options), ({ properties }) => properties);
  }

  /**
   * Adds a property; uses up one of the subscription.
   * Takes the account’s currency and time zone. A writable token; an assistant asks a person first.
   * `POST /v3/properties`
   */
  createProperty(input: T.CreatePropertyInput = {}, options?: CallOptions): Promise<T.CreatePropertyAnswerData> {
    return this.call({ id: 'createProperty', method: 'POST', path: '/properties', query: [], hasBody: true, isKeyed: true, isRead: false }, input, options);
  }

  /**
   * Room types with their properties, newest first.
   * Any token.
   * `GET /v3/room_types`
   */
  listRoomTypes(input: T.ListRoomTypesInput = {}, options?: CallOptions): Promise<T.ListRoomTypesAnswerData> {
    return this.call({ id: 'listRoomTypes', method: 'GET', path: '/room_types', query: ['offset', 'limit', 'cursor', 'id', 'tag_id'], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /** All rows of `listRoomTypes`, page by page: Room types with their properties, newest first. */
  iterateRoomTypes(input: Omit<T.ListRoomTypesInput, 'cursor' | 'offset'> = {}, options?: CallOptions): AsyncGenerator<T.RoomType, void, undefined> {
    return this.pages((page) => this.listRoomTypes({ ...input, ...page }, options), ({ room_types }) => room_types);
  }

  /**
   * Adds a room type, at most as many as the subscription has properties.
   * A property belongs to one room type at most. Not on the Basic edition. A writable token; an assistant asks a person first.
   * `POST /v3/room_types`
   */
  createRoomType(input: T.CreateRoomTypeInput = {}, options?: CallOptions): Promise<T.CreateRoomTypeAnswerData> {
    return this.call({ id: 'createRoomType', method: 'POST', path: '/room_types', query: [], hasBody: true, isKeyed: true, isRead: false }, input, options);
  }

  /**
   * Groups with their properties, newest first.
   * Any token.
   * `GET /v3/groups`
   */
  listPropertyGroups(input: T.ListPropertyGroupsInput = {}, options?: CallOptions): Promise<T.ListPropertyGroupsAnswerData> {
    return this.call({ id: 'listPropertyGroups', method: 'GET', path: '/groups', query: ['offset', 'limit', 'cursor', 'id'], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /** All rows of `listPropertyGroups`, page by page: Groups with their properties, newest first. */
  iteratePropertyGroups(input: Omit<T.ListPropertyGroupsInput, 'cursor' | 'offset'> = {}, options?: CallOptions): AsyncGenerator<T.PropertyGroup, void, undefined> {
    return this.pages((page) => this.listPropertyGroups({ ...input, ...page }, options), ({ groups }) => groups);
  }

  /**
   * Adds a group of properties.
   * Names are unique in the account, in any case of letters. A writable token.
   * `POST /v3/groups`
   */
  createPropertyGroup(input: T.CreatePropertyGroupInput, options?: CallOptions): Promise<T.CreatePropertyGroupAnswerData> {
    return this.call({ id: 'createPropertyGroup', method: 'POST', path: '/groups', query: [], hasBody: true, isKeyed: true, isRead: false }, input, options);
  }

  /**
   * Renames a group or gives it other properties.
   * A sub-account’s list takes the place of the properties it sees; the others stay. A writable token.
   * `PATCH /v3/groups/{id}`
   */
  updatePropertyGroup(input: T.UpdatePropertyGroupInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'updatePropertyGroup', method: 'PATCH', path: '/groups/{id}', query: [], hasBody: true, isKeyed: false, isRead: false }, input, options);
  }

  /**
   * Deletes a group; its properties stay.
   * A writable token.
   * `DELETE /v3/groups/{id}`
   */
  deletePropertyGroup(input: T.DeletePropertyGroupInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'deletePropertyGroup', method: 'DELETE', path: '/groups/{id}', query: [], hasBody: false, isKeyed: false, isRead: false }, input, options);
  }

  /**
   * Tags of properties and room types, newest first.
   * Any token.
   * `GET /v3/tags`
   */
  listPropertyTags(input: T.ListPropertyTagsInput = {}, options?: CallOptions): Promise<T.ListPropertyTagsAnswerData> {
    return this.call({ id: 'listPropertyTags', method: 'GET', path: '/tags', query: ['offset', 'limit', 'cursor', 'id'], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /** All rows of `listPropertyTags`, page by page: Tags of properties and room types, newest first. */
  iteratePropertyTags(input: Omit<T.ListPropertyTagsInput, 'cursor' | 'offset'> = {}, options?: CallOptions): AsyncGenerator<T.PropertyTag, void, undefined> {
    return this.pages((page) => this.listPropertyTags({ ...input, ...page }, options), ({ tags }) => tags);
  }

  /**
   * Adds a tag for properties and room types.
   * Names are unique in the account, in any case of letters. A deleted tag of that name comes back with its id. At most 500. A writable token.
   * `POST /v3/tags`
   */
  createPropertyTag(input: T.CreatePropertyTagInput, options?: CallOptions): Promise<T.CreatePropertyTagAnswerData> {
    return this.call({ id: 'createPropertyTag', method: 'POST', path: '/tags', query: [], hasBody: true, isKeyed: true, isRead: false }, input, options);
  }

  /**
   * Changes a tag’s name, colour or carriers.
   * Each list takes the place of the whole one; an empty one detaches all. A sub-account’s leaves what it cannot see. A writable token.
   * `PATCH /v3/tags/{id}`
   */
  updatePropertyTag(input: T.UpdatePropertyTagInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'updatePropertyTag', method: 'PATCH', path: '/tags/{id}', query: [], hasBody: true, isKeyed: false, isRead: false }, input, options);
  }

  /**
   * Deletes a tag; what carried it stays.
   * A writable token.
   * `DELETE /v3/tags/{id}`
   */
  deletePropertyTag(input: T.DeletePropertyTagInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'deletePropertyTag', method: 'DELETE', path: '/tags/{id}', query: [], hasBody: false, isKeyed: false, isRead: false }, input, options);
  }

  /**
   * Sources an operator has defined for direct bookings.
   * Any token.
   * `GET /v3/custom_channels`
   */
  listCustomChannels(input: T.ListCustomChannelsInput = {}, options?: CallOptions): Promise<T.ListCustomChannelsAnswerData> {
    return this.call({ id: 'listCustomChannels', method: 'GET', path: '/custom_channels', query: [], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /**
   * Categories of income.
   * Changes rarely; may be kept for an hour. Any token.
   * `GET /v3/income_items`
   */
  listIncomeItems(input: T.ListIncomeItemsInput = {}, options?: CallOptions): Promise<T.ListIncomeItemsAnswerData> {
    return this.call({ id: 'listIncomeItems', method: 'GET', path: '/income_items', query: [], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /**
   * Categories of expense.
   * Changes rarely; may be kept for an hour. Any token.
   * `GET /v3/expense_items`
   */
  listExpenseItems(input: T.ListExpenseItemsInput = {}, options?: CallOptions): Promise<T.ListExpenseItemsAnswerData> {
    return this.call({ id: 'listExpenseItems', method: 'GET', path: '/expense_items', query: [], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /**
   * Ways in which income arrives.
   * Changes rarely; may be kept for an hour. Any token.
   * `GET /v3/income_methods`
   */
  listIncomeMethods(input: T.ListIncomeMethodsInput = {}, options?: CallOptions): Promise<T.ListIncomeMethodsAnswerData> {
    return this.call({ id: 'listIncomeMethods', method: 'GET', path: '/income_methods', query: [], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /**
   * Ways in which expenses are paid.
   * Changes rarely; may be kept for an hour. Any token.
   * `GET /v3/expense_methods`
   */
  listExpenseMethods(input: T.ListExpenseMethodsInput = {}, options?: CallOptions): Promise<T.ListExpenseMethodsAnswerData> {
    return this.call({ id: 'listExpenseMethods', method: 'GET', path: '/expense_methods', query: [], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /**
   * Stays, one entry per room.
   * With no date and none of id, reservation_code, channel_id: check-outs within 180 days from today. Any token.
   * `GET /v3/reservations`
   */
  listReservations(input: T.ListReservationsInput = {}, options?: CallOptions): Promise<T.ListReservationsAnswerData> {
    return this.call({ id: 'listReservations', method: 'GET', path: '/reservations', query: ['offset', 'limit', 'cursor', 'id', 'reservation_code', 'channel_id', 'property_id', 'status', 'channel_type', 'start_check_in_date', 'end_check_in_date', 'start_check_out_date', 'end_check_out_date', 'order_by'], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /** All rows of `listReservations`, page by page: Stays, one entry per room. */
  iterateReservations(input: Omit<T.ListReservationsInput, 'cursor' | 'offset'> = {}, options?: CallOptions): AsyncGenerator<T.Reservation, void, undefined> {
    return this.pages((page) => this.listReservations({ ...input, ...page }, options), ({ reservations }) => reservations);
  }

  /**
   * Makes a direct booking.
   * A channel_id yields one booking for ever, also after it was cancelled. A writable token; an assistant asks a person first. Events: reservation_created, property_availability_updated, transaction_created.
   * `POST /v3/reservations`
   */
  createReservation(input: T.CreateReservationInput, options?: CallOptions): Promise<T.CreateReservationAnswerData> {
    return this.call({ id: 'createReservation', method: 'POST', path: '/reservations', query: [], hasBody: true, isKeyed: true, isRead: false }, input, options);
  }

  /**
   * Changes dates, guest, rates or notes of one stay.
   * A writable token; an assistant asks a person first. Events: reservation_updated, property_availability_updated, transaction_created, transaction_updated, transaction_deleted.
   * `PATCH /v3/reservations/{code}`
   */
  updateReservation(input: T.UpdateReservationInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'updateReservation', method: 'PATCH', path: '/reservations/{code}', query: [], hasBody: true, isKeyed: false, isRead: false }, input, options);
  }

  /**
   * Cancels a direct booking and frees its nights at once.
   * A writable token; an assistant asks a person first. Events: reservation_updated, property_availability_updated.
   * `DELETE /v3/reservations/{code}`
   */
  cancelReservation(input: T.CancelReservationInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'cancelReservation', method: 'DELETE', path: '/reservations/{code}', query: [], hasBody: false, isKeyed: false, isRead: false }, input, options);
  }

  /**
   * Changes arrival, departure, lock code, deposit or identity check of one stay.
   * A writable token; an assistant asks a person first. Events: reservation_updated.
   * `PATCH /v3/reservations/{stay_code}/check_in_details`
   */
  updateCheckInDetails(input: T.UpdateCheckInDetailsInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'updateCheckInDetails', method: 'PATCH', path: '/reservations/{stay_code}/check_in_details', query: [], hasBody: true, isKeyed: false, isRead: false }, input, options);
  }

  /**
   * The operator’s own fields of one stay; null when it has none.
   * Any token.
   * `GET /v3/reservations/{stay_code}/custom_fields`
   */
  getCustomFields(input: T.GetCustomFieldsInput, options?: CallOptions): Promise<T.GetCustomFieldsAnswerData> {
    return this.call({ id: 'getCustomFields', method: 'GET', path: '/reservations/{stay_code}/custom_fields', query: [], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /**
   * Sets, makes or deletes the operator’s own fields of one stay.
   * A writable token; an assistant asks a person first. Events: reservation_updated.
   * `PATCH /v3/reservations/{stay_code}/custom_fields`
   */
  updateCustomFields(input: T.UpdateCustomFieldsInput, options?: CallOptions): Promise<T.UpdateCustomFieldsAnswerData> {
    return this.call({ id: 'updateCustomFields', method: 'PATCH', path: '/reservations/{stay_code}/custom_fields', query: [], hasBody: true, isKeyed: false, isRead: false }, input, options);
  }

  /**
   * Says whether the guests of one stay are still to come, in the house, or gone.
   * A writable token. Events: reservation_updated.
   * `PUT /v3/reservations/{stay_code}/stay_status`
   */
  updateStayStatus(input: T.UpdateStayStatusInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'updateStayStatus', method: 'PUT', path: '/reservations/{stay_code}/stay_status', query: [], hasBody: true, isKeyed: false, isRead: false }, input, options);
  }

  /**
   * Accepts a request to book and informs the channel, which informs the guest.
   * Only in status wait_accept; cannot be taken back. A writable token; an assistant asks a person first. Events: reservation_updated.
   * `POST /v3/reservations/{reservation_code}/approve`
   */
  approveReservation(input: T.ApproveReservationInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'approveReservation', method: 'POST', path: '/reservations/{reservation_code}/approve', query: [], hasBody: false, isKeyed: true, isRead: false }, input, options);
  }

  /**
   * Refuses a request to book and frees its nights and informs the channel, which informs the guest.
   * Only in status wait_accept; cannot be taken back. A writable token; an assistant asks a person first. Events: reservation_updated, property_availability_updated.
   * `POST /v3/reservations/{reservation_code}/decline`
   */
  declineReservation(input: T.DeclineReservationInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'declineReservation', method: 'POST', path: '/reservations/{reservation_code}/decline', query: [], hasBody: false, isKeyed: true, isRead: false }, input, options);
  }

  /**
   * Puts a stay into a property, from another one or from the reservation box.
   * A stay that holds one of its nights there goes to the reservation box. A writable token; an assistant asks a person first. Events: reservation_updated, property_availability_updated.
   * `POST /v3/reservations/{stay_code}/allocate`
   */
  allocateReservation(input: T.AllocateReservationInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'allocateReservation', method: 'POST', path: '/reservations/{stay_code}/allocate', query: [], hasBody: true, isKeyed: true, isRead: false }, input, options);
  }

  /**
   * Takes a stay out of its property into the reservation box and frees its nights.
   * A writable token; an assistant asks a person first. Events: reservation_updated, property_availability_updated.
   * `POST /v3/reservations/{stay_code}/move_to_box`
   */
  moveReservationToBox(input: T.MoveReservationToBoxInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'moveReservationToBox', method: 'POST', path: '/reservations/{stay_code}/move_to_box', query: [], hasBody: false, isKeyed: true, isRead: false }, input, options);
  }

  /**
   * Tags for reservations, newest first, the default ones last.
   * Any token.
   * `GET /v3/reservation_tags`
   */
  listReservationTags(input: T.ListReservationTagsInput = {}, options?: CallOptions): Promise<T.ListReservationTagsAnswerData> {
    return this.call({ id: 'listReservationTags', method: 'GET', path: '/reservation_tags', query: ['offset', 'limit', 'cursor', 'id', 'keyword'], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /** All rows of `listReservationTags`, page by page: Tags for reservations, newest first, the default ones last. */
  iterateReservationTags(input: Omit<T.ListReservationTagsInput, 'cursor' | 'offset'> = {}, options?: CallOptions): AsyncGenerator<T.ReservationTag, void, undefined> {
    return this.pages((page) => this.listReservationTags({ ...input, ...page }, options), ({ reservation_tags }) => reservation_tags);
  }

  /**
   * Adds a tag for reservations; its colour is assigned.
   * Names are unique, default tags included, in any case of letters. A deleted tag of that name comes back with its id. At most 500. A writable token.
   * `POST /v3/reservation_tags`
   */
  createReservationTag(input: T.CreateReservationTagInput, options?: CallOptions): Promise<T.CreateReservationTagAnswerData> {
    return this.call({ id: 'createReservationTag', method: 'POST', path: '/reservation_tags', query: [], hasBody: true, isKeyed: true, isRead: false }, input, options);
  }

  /**
   * Deletes a tag of the operator’s own and takes it off every reservation.
   * A writable token. Events: reservation_updated.
   * `DELETE /v3/reservation_tags/{id}`
   */
  deleteReservationTag(input: T.DeleteReservationTagInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'deleteReservationTag', method: 'DELETE', path: '/reservation_tags/{id}', query: [], hasBody: false, isKeyed: false, isRead: false }, input, options);
  }

  /**
   * Puts a tag on one stay; a tag that does not exist is made.
   * If the stay has the tag already, nothing changes and no event is sent. A writable token. Events: reservation_updated.
   * `POST /v3/reservations/{stay_code}/tags`
   */
  addReservationTag(input: T.AddReservationTagInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'addReservationTag', method: 'POST', path: '/reservations/{stay_code}/tags', query: [], hasBody: true, isKeyed: true, isRead: false }, input, options);
  }

  /**
   * Takes a tag off one stay.
   * A writable token. Events: reservation_updated.
   * `DELETE /v3/reservations/{stay_code}/tags`
   */
  removeReservationTag(input: T.RemoveReservationTagInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'removeReservationTag', method: 'DELETE', path: '/reservations/{stay_code}/tags', query: [], hasBody: true, isKeyed: false, isRead: false }, input, options);
  }

  /**
   * Conversations with guests, the one with the newest message first.
   * Any token.
   * `GET /v3/conversations`
   */
  listConversations(input: T.ListConversationsInput = {}, options?: CallOptions): Promise<T.ListConversationsAnswerData> {
    return this.call({ id: 'listConversations', method: 'GET', path: '/conversations', query: ['offset', 'limit', 'cursor'], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /** All rows of `listConversations`, page by page: Conversations with guests, the one with the newest message first. */
  iterateConversations(input: Omit<T.ListConversationsInput, 'cursor' | 'offset'> = {}, options?: CallOptions): AsyncGenerator<T.ConversationEntry, void, undefined> {
    return this.pages((page) => this.listConversations({ ...input, ...page }, options), ({ conversations }) => conversations);
  }

  /**
   * One conversation with its messages, newest first.
   * offset or cursor, and limit, page the messages. Reading does not mark them as read. Any token.
   * `GET /v3/conversations/{conversation_id}`
   */
  getConversation(input: T.GetConversationInput, options?: CallOptions): Promise<T.Conversation> {
    return this.call({ id: 'getConversation', method: 'GET', path: '/conversations/{conversation_id}', query: ['offset', 'limit', 'cursor'], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /**
   * Sends a text, a picture or both to the guest; cannot be undone.
   * Not idempotent: after a time-out, read the conversation before sending again. Limited per conversation. A writable token; an assistant asks a person first. Events: message_created.
   * `POST /v3/conversations/{conversation_id}`
   */
  sendMessage(input: T.SendMessageInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'sendMessage', method: 'POST', path: '/conversations/{conversation_id}', query: [], hasBody: true, isKeyed: true, isRead: false }, input, options);
  }

  /**
   * Sets the host’s private note on a conversation; never sent to anybody.
   * A writable token.
   * `PATCH /v3/conversations/{conversation_id}/note`
   */
  updateConversationNote(input: T.UpdateConversationNoteInput, options?: CallOptions): Promise<T.UpdateConversationNoteAnswerData> {
    return this.call({ id: 'updateConversationNote', method: 'PATCH', path: '/conversations/{conversation_id}/note', query: [], hasBody: true, isKeyed: false, isRead: false }, input, options);
  }

  /**
   * Offers and pre-approvals made in a conversation, newest first.
   * Any token.
   * `GET /v3/conversations/{conversation_id}/special_offers`
   */
  listSpecialOffers(input: T.ListSpecialOffersInput, options?: CallOptions): Promise<T.ListSpecialOffersAnswerData> {
    return this.call({ id: 'listSpecialOffers', method: 'GET', path: '/conversations/{conversation_id}/special_offers', query: ['offset', 'limit', 'cursor'], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /** All rows of `listSpecialOffers`, page by page: Offers and pre-approvals made in a conversation, newest first. */
  iterateSpecialOffers(input: Omit<T.ListSpecialOffersInput, 'cursor' | 'offset'>, options?: CallOptions): AsyncGenerator<T.SpecialOffer, void, undefined> {
    return this.pages((page) => this.listSpecialOffers({ ...input, ...page }, options), ({ special_offers }) => special_offers);
  }

  /**
   * Offers the guest of a conversation a stay at a price of its own.
   * In conversations of marketplace A and the booking site only. Stands for 24 hours. A writable token; an assistant asks a person first. Events: message_created.
   * `POST /v3/conversations/{conversation_id}/special_offers`
   */
  createSpecialOffer(input: T.CreateSpecialOfferInput, options?: CallOptions): Promise<T.CreateSpecialOfferAnswerData> {
    return this.call({ id: 'createSpecialOffer', method: 'POST', path: '/conversations/{conversation_id}/special_offers', query: [], hasBody: true, isKeyed: true, isRead: false }, input, options);
  }

  /**
   * Withdraws an offer that is still active.
   * A writable token; an assistant asks a person first.
   * `DELETE /v3/conversations/{conversation_id}/special_offers/{special_offer_id}`
   */
  withdrawSpecialOffer(input: T.WithdrawSpecialOfferInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'withdrawSpecialOffer', method: 'DELETE', path: '/conversations/{conversation_id}/special_offers/{special_offer_id}', query: [], hasBody: false, isKeyed: false, isRead: false }, input, options);
  }

  /**
   * Lets the guest of an inquiry book it at the standard price.
   * In conversations of marketplace A only. A writable token; an assistant asks a person first. Events: message_created.
   * `POST /v3/conversations/{conversation_id}/preapprovals`
   */
  createPreapproval(input: T.CreatePreapprovalInput, options?: CallOptions): Promise<T.CreatePreapprovalAnswerData> {
    return this.call({ id: 'createPreapproval', method: 'POST', path: '/conversations/{conversation_id}/preapprovals', query: [], hasBody: false, isKeyed: true, isRead: false }, input, options);
  }

  /**
   * Reviews by check-out date, newest first.
   * Any token.
   * `GET /v3/reviews`
   */
  listReviews(input: T.ListReviewsInput = {}, options?: CallOptions): Promise<T.ListReviewsAnswerData> {
    return this.call({ id: 'listReviews', method: 'GET', path: '/reviews', query: ['offset', 'limit', 'cursor', 'reservation_code', 'property_id', 'review_status', 'start_check_out_date', 'end_check_out_date'], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /** All rows of `listReviews`, page by page: Reviews by check-out date, newest first. */
  iterateReviews(input: Omit<T.ListReviewsInput, 'cursor' | 'offset'> = {}, options?: CallOptions): AsyncGenerator<T.Review, void, undefined> {
    return this.pages((page) => this.listReviews({ ...input, ...page }, options), ({ reviews }) => reviews);
  }

  /**
   * Reviews the guest of a finished stay, or replies to the guest’s review; public and final.
   * A writable token; an assistant asks a person first. Events: review_created, review_updated.
   * `POST /v3/reviews/{reservation_code}`
   */
  createReview(input: T.CreateReviewInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'createReview', method: 'POST', path: '/reviews/{reservation_code}', query: [], hasBody: true, isKeyed: true, isRead: false }, input, options);
  }

  /**
   * Free and taken nights on the master calendar, both dates included.
   * From one year back to three years ahead, in each property’s zone. Any token.
   * `GET /v3/availabilities`
   */
  listAvailabilities(input: T.ListAvailabilitiesInput, options?: CallOptions): Promise<T.ListAvailabilitiesAnswerData> {
    return this.call({ id: 'listAvailabilities', method: 'GET', path: '/availabilities', query: ['property_ids', 'start_date', 'end_date'], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /**
   * Opens or blocks nights on the master calendar.
   * From today to three years ahead, in each property’s zone. Nights of stays stay taken. The inventory of the properties’ listings follows shortly after. A writable token; an assistant asks a person first. Events: property_availability_updated, listing_calendar_updated.
   * `POST /v3/availabilities`
   */
  updateAvailabilities(input: T.UpdateAvailabilitiesInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'updateAvailabilities', method: 'POST', path: '/availabilities', query: [], hasBody: true, isKeyed: true, isRead: false }, input, options);
  }

  /**
   * Addresses under which anybody can see when properties are free, newest first.
   * Any token.
   * `GET /v3/calendar_share_links`
   */
  listCalendarShareLinks(input: T.ListCalendarShareLinksInput = {}, options?: CallOptions): Promise<T.ListCalendarShareLinksAnswerData> {
    return this.call({ id: 'listCalendarShareLinks', method: 'GET', path: '/calendar_share_links', query: ['offset', 'limit', 'cursor', 'id'], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /** All rows of `listCalendarShareLinks`, page by page: Addresses under which anybody can see when properties are free, newest first. */
  iterateCalendarShareLinks(input: Omit<T.ListCalendarShareLinksInput, 'cursor' | 'offset'> = {}, options?: CallOptions): AsyncGenerator<T.CalendarShareLink, void, undefined> {
    return this.pages((page) => this.listCalendarShareLinks({ ...input, ...page }, options), ({ calendar_share_links }) => calendar_share_links);
  }

  /**
   * Makes a public, read-only calendar of all properties or of some.
   * There is one link for the scope entire: a repeat answers it again. A sub-account makes partial ones only. A writable token.
   * `POST /v3/calendar_share_links`
   */
  createCalendarShareLink(input: T.CreateCalendarShareLinkInput, options?: CallOptions): Promise<T.CreateCalendarShareLinkAnswerData> {
    return this.call({ id: 'createCalendarShareLink', method: 'POST', path: '/calendar_share_links', query: [], hasBody: true, isKeyed: true, isRead: false }, input, options);
  }

  /**
   * Ends a link; its page is gone at once.
   * A writable token.
   * `DELETE /v3/calendar_share_links/{id}`
   */
  deleteCalendarShareLink(input: T.DeleteCalendarShareLinkInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'deleteCalendarShareLink', method: 'DELETE', path: '/calendar_share_links/{id}', query: [], hasBody: false, isKeyed: false, isRead: false }, input, options);
  }

  /**
   * By which percentage each listing’s price follows a base price.
   * A target price is round(base × ratio / 100); leave out listings that are readonly. Any token.
   * `GET /v3/pricing_ratios`
   */
  getPricingRatios(input: T.GetPricingRatiosInput = {}, options?: CallOptions): Promise<T.GetPricingRatiosAnswerData> {
    return this.call({ id: 'getPricingRatios', method: 'GET', path: '/pricing_ratios', query: ['property_id', 'room_type_id'], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /**
   * Accounts on channels, newest first.
   * Accounts of the direct booking site are left out. Any token.
   * `GET /v3/channel_accounts`
   */
  listChannelAccounts(input: T.ListChannelAccountsInput = {}, options?: CallOptions): Promise<T.ListChannelAccountsAnswerData> {
    return this.call({ id: 'listChannelAccounts', method: 'GET', path: '/channel_accounts', query: ['offset', 'limit', 'cursor', 'id', 'channel_type'], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /** All rows of `listChannelAccounts`, page by page: Accounts on channels, newest first. */
  iterateChannelAccounts(input: Omit<T.ListChannelAccountsInput, 'cursor' | 'offset'> = {}, options?: CallOptions): AsyncGenerator<T.ChannelAccount, void, undefined> {
    return this.pages((page) => this.listChannelAccounts({ ...input, ...page }, options), ({ channel_accounts }) => channel_accounts);
  }

  /**
   * Postings of properties on channels, newest first.
   * Any token.
   * `GET /v3/listings`
   */
  listListings(input: T.ListListingsInput = {}, options?: CallOptions): Promise<T.ListListingsAnswerData> {
    return this.call({ id: 'listListings', method: 'GET', path: '/listings', query: ['offset', 'limit', 'cursor', 'channel_account_id', 'listing_id', 'channel_type'], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /** All rows of `listListings`, page by page: Postings of properties on channels, newest first. */
  iterateListings(input: Omit<T.ListListingsInput, 'cursor' | 'offset'> = {}, options?: CallOptions): AsyncGenerator<T.Listing, void, undefined> {
    return this.pages((page) => this.listListings({ ...input, ...page }, options), ({ listings }) => listings);
  }

  /**
   * Price, inventory and restrictions of listings day by day, as their channels show them.
   * A read, though it is a POST. For the regional marketplace the price is the floor price: what the host receives after commission. Any token.
   * `POST /v3/listings/calendar`
   */
  listCalendars(input: T.ListCalendarsInput, options?: CallOptions): Promise<T.ListCalendarsAnswerData> {
    return this.call({ id: 'listCalendars', method: 'POST', path: '/listings/calendar', query: [], hasBody: true, isKeyed: false, isRead: true }, input, options);
  }

  /**
   * Sets selling prices of listings; the channels take them shortly after.
   * Amounts are in the listing’s currency. Of ranges that overlap, the later one counts. Listings with readonly prices are skipped and named; where all are, nothing is done and the answer is 422. A writable token; an assistant asks a person first. Events: listing_calendar_updated.
   * `POST /v3/listings/prices`
   */
  updatePrices(input: T.UpdatePricesInput = {}, options?: CallOptions): Promise<T.UpdatePricesAnswerData | undefined> {
    return this.call({ id: 'updatePrices', method: 'POST', path: '/listings/prices', query: [], hasBody: true, isKeyed: true, isRead: false }, input, options);
  }

  /**
   * Sets how many units of a listing can be booked; the channel takes it shortly after.
   * The master calendar stays as it is, and its later changes can overwrite what is set here. A writable token; an assistant asks a person first. Events: listing_calendar_updated.
   * `POST /v3/listings/inventories`
   */
  updateInventories(input: T.UpdateInventoriesInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'updateInventories', method: 'POST', path: '/listings/inventories', query: [], hasBody: true, isKeyed: true, isRead: false }, input, options);
  }

  /**
   * Sets who may arrive, leave or stay how long; the channel takes it shortly after.
   * Only what is given changes; null removes a restriction. No event is sent. A writable token; an assistant asks a person first.
   * `POST /v3/listings/restrictions`
   */
  updateRestrictions(input: T.UpdateRestrictionsInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'updateRestrictions', method: 'POST', path: '/listings/restrictions', query: [], hasBody: true, isKeyed: true, isRead: false }, input, options);
  }

  /**
   * Prices and rules of a listing, asked of the channel at this moment.
   * The fields stand in data itself and under settings. Any token.
   * `GET /v3/listings/marketplace_a/price_and_rules`
   */
  getMarketplaceARules(input: T.GetMarketplaceARulesInput, options?: CallOptions): Promise<T.GetMarketplaceARulesAnswerData> {
    return this.call({ id: 'getMarketplaceARules', method: 'GET', path: '/listings/marketplace_a/price_and_rules', query: ['listing_id'], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /**
   * Changes prices and rules of a listing on its channel, at once.
   * Only what is given changes; an empty list of blackout dates clears it, and such nights stay bookable. A writable token; an assistant asks a person first.
   * `POST /v3/listings/marketplace_a/price_and_rules`
   */
  updateMarketplaceARules(input: T.UpdateMarketplaceARulesInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'updateMarketplaceARules', method: 'POST', path: '/listings/marketplace_a/price_and_rules', query: [], hasBody: true, isKeyed: true, isRead: false }, input, options);
  }

  /**
   * Prices and rules of a listing as recorded here.
   * A snapshot: what was changed on the channel itself shows after the next synchronisation. Any token.
   * `GET /v3/listings/marketplace_b/price_and_rules`
   */
  getMarketplaceBRules(input: T.GetMarketplaceBRulesInput, options?: CallOptions): Promise<T.GetMarketplaceBRulesAnswerData> {
    return this.call({ id: 'getMarketplaceBRules', method: 'GET', path: '/listings/marketplace_b/price_and_rules', query: ['listing_id'], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /**
   * Changes prices and rules of a listing on its channel, at once.
   * Only what is given changes. A writable token; an assistant asks a person first.
   * `POST /v3/listings/marketplace_b/price_and_rules`
   */
  updateMarketplaceBRules(input: T.UpdateMarketplaceBRulesInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'updateMarketplaceBRules', method: 'POST', path: '/listings/marketplace_b/price_and_rules', query: [], hasBody: true, isKeyed: true, isRead: false }, input, options);
  }

  /**
   * Ledger entries by the operator’s date of action_at, newest id first.
   * Any token.
   * `GET /v3/transactions`
   */
  listTransactions(input: T.ListTransactionsInput = {}, options?: CallOptions): Promise<T.ListTransactionsAnswerData> {
    return this.call({ id: 'listTransactions', method: 'GET', path: '/transactions', query: ['offset', 'limit', 'cursor', 'id', 'start_date', 'end_date', 'property_id', 'reservation_code', 'stay_code', 'direction', 'item_id', 'payment_method_id', 'currency', 'keyword'], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /** All rows of `listTransactions`, page by page: Ledger entries by the operator’s date of action_at, newest id first. */
  iterateTransactions(input: Omit<T.ListTransactionsInput, 'cursor' | 'offset'> = {}, options?: CallOptions): AsyncGenerator<T.Transaction, void, undefined> {
    return this.pages((page) => this.listTransactions({ ...input, ...page }, options), ({ transactions }) => transactions);
  }

  /**
   * Adds a ledger entry to a reservation, a property or the operator.
   * Belongs to a reservation as a whole: a room’s share stands beside it, by room rates. A writable token; an assistant asks a person first. Events: transaction_created.
   * `POST /v3/transactions`
   */
  createTransaction(input: T.CreateTransactionInput, options?: CallOptions): Promise<T.CreateTransactionAnswerData> {
    return this.call({ id: 'createTransaction', method: 'POST', path: '/transactions', query: [], hasBody: true, isKeyed: true, isRead: false }, input, options);
  }

  /**
   * Changes an entry; its direction, link and currency stay.
   * A writable token; an assistant asks a person first. Events: transaction_updated.
   * `PATCH /v3/transactions/{id}`
   */
  updateTransaction(input: T.UpdateTransactionInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'updateTransaction', method: 'PATCH', path: '/transactions/{id}', query: [], hasBody: true, isKeyed: false, isRead: false }, input, options);
  }

  /**
   * Deletes an entry for good.
   * A writable token; an assistant asks a person first. Events: transaction_deleted.
   * `DELETE /v3/transactions/{id}`
   */
  deleteTransaction(input: T.DeleteTransactionInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'deleteTransaction', method: 'DELETE', path: '/transactions/{id}', query: [], hasBody: false, isKeyed: false, isRead: false }, input, options);
  }

  /**
   * What rules are going to do, the next first.
   * Up to 30 days ahead; of the whole account, whoever asks. Any token.
   * `GET /v3/automation/actions`
   */
  listAutomationActions(input: T.ListAutomationActionsInput = {}, options?: CallOptions): Promise<T.ListAutomationActionsAnswerData> {
    return this.call({ id: 'listAutomationActions', method: 'GET', path: '/automation/actions', query: ['offset', 'limit', 'cursor', 'type', 'keyword', 'stay_code', 'property_ids', 'start_time', 'end_time', 'channel_types', 'rule_event'], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /** All rows of `listAutomationActions`, page by page: What rules are going to do, the next first. */
  iterateAutomationActions(input: Omit<T.ListAutomationActionsInput, 'cursor' | 'offset'> = {}, options?: CallOptions): AsyncGenerator<T.AutomationAction, void, undefined> {
    return this.pages((page) => this.listAutomationActions({ ...input, ...page }, options), ({ actions }) => actions);
  }

  /**
   * Sends the message or posts the review now instead of when it is due.
   * Cannot be undone. A review waits for the day of check-out, in the property’s zone; a message needs a booking of a channel, or one that has a conversation. A writable token; an assistant asks a person first. Events: message_created, review_created, review_updated.
   * `POST /v3/automation/actions/{plan_id}/execute`
   */
  executeAutomationAction(input: T.ExecuteAutomationActionInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'executeAutomationAction', method: 'POST', path: '/automation/actions/{plan_id}/execute', query: [], hasBody: false, isKeyed: true, isRead: false }, input, options);
  }

  /**
   * Takes this one message or review off the plan for good; its rule goes on.
   * A writable token; an assistant asks a person first.
   * `DELETE /v3/automation/actions/{plan_id}`
   */
  deleteAutomationAction(input: T.DeleteAutomationActionInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'deleteAutomationAction', method: 'DELETE', path: '/automation/actions/{plan_id}', query: [], hasBody: false, isKeyed: false, isRead: false }, input, options);
  }

  /**
   * Entries of the knowledge base without their text, newest first.
   * Filters find every entry that holds for one of the properties or channels, those for all included. Any token.
   * `GET /v3/knowledge_bases`
   */
  listKnowledgeBases(input: T.ListKnowledgeBasesInput = {}, options?: CallOptions): Promise<T.ListKnowledgeBasesAnswerData> {
    return this.call({ id: 'listKnowledgeBases', method: 'GET', path: '/knowledge_bases', query: ['offset', 'limit', 'cursor', 'property_ids', 'channel_types', 'search'], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /** All rows of `listKnowledgeBases`, page by page: Entries of the knowledge base without their text, newest first. */
  iterateKnowledgeBases(input: Omit<T.ListKnowledgeBasesInput, 'cursor' | 'offset'> = {}, options?: CallOptions): AsyncGenerator<T.KnowledgeBase, void, undefined> {
    return this.pages((page) => this.listKnowledgeBases({ ...input, ...page }, options), ({ knowledge_bases }) => knowledge_bases);
  }

  /**
   * Adds an entry; its text can be found once process_status is done.
   * Without scopes it holds for all properties and channels; without a title it takes its first line. A writable token; an assistant asks a person first.
   * `POST /v3/knowledge_bases`
   */
  createKnowledgeBase(input: T.CreateKnowledgeBaseInput = {}, options?: CallOptions): Promise<T.CreateKnowledgeBaseAnswerData> {
    return this.call({ id: 'createKnowledgeBase', method: 'POST', path: '/knowledge_bases', query: [], hasBody: true, isKeyed: true, isRead: false }, input, options);
  }

  /**
   * One entry with its text.
   * Any token.
   * `GET /v3/knowledge_bases/{id}`
   */
  getKnowledgeBase(input: T.GetKnowledgeBaseInput, options?: CallOptions): Promise<T.KnowledgeBaseDetail> {
    return this.call({ id: 'getKnowledgeBase', method: 'GET', path: '/knowledge_bases/{id}', query: [], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /**
   * Changes an entry; other text is processed again.
   * A writable token; an assistant asks a person first.
   * `PATCH /v3/knowledge_bases/{id}`
   */
  updateKnowledgeBase(input: T.UpdateKnowledgeBaseInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'updateKnowledgeBase', method: 'PATCH', path: '/knowledge_bases/{id}', query: [], hasBody: true, isKeyed: false, isRead: false }, input, options);
  }

  /**
   * Deletes an entry for good.
   * A writable token; an assistant asks a person first.
   * `DELETE /v3/knowledge_bases/{id}`
   */
  deleteKnowledgeBase(input: T.DeleteKnowledgeBaseInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'deleteKnowledgeBase', method: 'DELETE', path: '/knowledge_bases/{id}', query: [], hasBody: false, isKeyed: false, isRead: false }, input, options);
  }

  /**
   * Tasks, newest first; the dates are those they are expected on, both included.
   * Any token.
   * `GET /v3/tasks`
   */
  listTasks(input: T.ListTasksInput = {}, options?: CallOptions): Promise<T.ListTasksAnswerData> {
    return this.call({ id: 'listTasks', method: 'GET', path: '/tasks', query: ['offset', 'limit', 'cursor', 'id', 'start_date', 'end_date', 'staff_id', 'property_id', 'type', 'status'], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /** All rows of `listTasks`, page by page: Tasks, newest first; the dates are those they are expected on, both included. */
  iterateTasks(input: Omit<T.ListTasksInput, 'cursor' | 'offset'> = {}, options?: CallOptions): AsyncGenerator<T.Task, void, undefined> {
    return this.pages((page) => this.listTasks({ ...input, ...page }, options), ({ tasks }) => tasks);
  }

  /**
   * Adds a task, for a stay, a property or neither.
   * With a stay and no property it is the stay’s property; with both they must belong together. A writable token; an assistant asks a person first.
   * `POST /v3/tasks`
   */
  createTask(input: T.CreateTaskInput, options?: CallOptions): Promise<T.CreateTaskAnswerData> {
    return this.call({ id: 'createTask', method: 'POST', path: '/tasks', query: [], hasBody: true, isKeyed: true, isRead: false }, input, options);
  }

  /**
   * Changes a task; what is left out stays.
   * property_id 0 takes it off its property and its stay, staff_id 0 takes it from whoever has it. A writable token; an assistant asks a person first.
   * `PATCH /v3/tasks/{id}`
   */
  updateTask(input: T.UpdateTaskInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'updateTask', method: 'PATCH', path: '/tasks/{id}', query: [], hasBody: true, isKeyed: false, isRead: false }, input, options);
  }

  /**
   * Deletes a task for good.
   * A writable token; an assistant asks a person first.
   * `DELETE /v3/tasks/{id}`
   */
  deleteTask(input: T.DeleteTaskInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'deleteTask', method: 'DELETE', path: '/tasks/{id}', query: [], hasBody: false, isKeyed: false, isRead: false }, input, options);
  }

  /**
   * The people who do tasks, newest first.
   * Any token.
   * `GET /v3/staffs`
   */
  listStaffs(input: T.ListStaffsInput = {}, options?: CallOptions): Promise<T.ListStaffsAnswerData> {
    return this.call({ id: 'listStaffs', method: 'GET', path: '/staffs', query: ['offset', 'limit', 'cursor', 'id', 'is_active'], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /** All rows of `listStaffs`, page by page: The people who do tasks, newest first. */
  iterateStaffs(input: Omit<T.ListStaffsInput, 'cursor' | 'offset'> = {}, options?: CallOptions): AsyncGenerator<T.Staff, void, undefined> {
    return this.pages((page) => this.listStaffs({ ...input, ...page }, options), ({ staffs }) => staffs);
  }

  /**
   * Adds a member of staff.
   * A writable token; an assistant asks a person first.
   * `POST /v3/staffs`
   */
  createStaff(input: T.CreateStaffInput, options?: CallOptions): Promise<T.CreateStaffAnswerData> {
    return this.call({ id: 'createStaff', method: 'POST', path: '/staffs', query: [], hasBody: true, isKeyed: true, isRead: false }, input, options);
  }

  /**
   * Changes a member of staff; property_ids replaces the whole list.
   * A writable token; an assistant asks a person first.
   * `PATCH /v3/staffs/{id}`
   */
  updateStaff(input: T.UpdateStaffInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'updateStaff', method: 'PATCH', path: '/staffs/{id}', query: [], hasBody: true, isKeyed: false, isRead: false }, input, options);
  }

  /**
   * Removes a member of staff; their open tasks are nobody’s then, those they did keep their name.
   * A writable token; an assistant asks a person first.
   * `DELETE /v3/staffs/{id}`
   */
  deleteStaff(input: T.DeleteStaffInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'deleteStaff', method: 'DELETE', path: '/staffs/{id}', query: [], hasBody: false, isKeyed: false, isRead: false }, input, options);
  }

  /**
   * Registered webhooks.
   * Any token.
   * `GET /v3/webhooks`
   */
  listWebhooks(input: T.ListWebhooksInput = {}, options?: CallOptions): Promise<T.ListWebhooksAnswerData> {
    return this.call({ id: 'listWebhooks', method: 'GET', path: '/webhooks', query: [], hasBody: false, isKeyed: false, isRead: true }, input, options);
  }

  /**
   * Registers a URL for thin events.
   * A writable token.
   * `POST /v3/webhooks`
   */
  createWebhook(input: T.CreateWebhookInput, options?: CallOptions): Promise<T.CreateWebhookAnswerData> {
    return this.call({ id: 'createWebhook', method: 'POST', path: '/webhooks', query: [], hasBody: true, isKeyed: true, isRead: false }, input, options);
  }

  /**
   * Changes where or which events are sent; the secret stays. For who registered it, and the main account.
   * A writable token.
   * `PATCH /v3/webhooks/{id}`
   */
  updateWebhook(input: T.UpdateWebhookInput, options?: CallOptions): Promise<T.Webhook> {
    return this.call({ id: 'updateWebhook', method: 'PATCH', path: '/webhooks/{id}', query: [], hasBody: true, isKeyed: false, isRead: false }, input, options);
  }

  /**
   * Ends deliveries to a URL. For who registered it, and the main account.
   * A writable token.
   * `DELETE /v3/webhooks/{id}`
   */
  deleteWebhook(input: T.DeleteWebhookInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'deleteWebhook', method: 'DELETE', path: '/webhooks/{id}', query: [], hasBody: false, isKeyed: false, isRead: false }, input, options);
  }

  /**
   * Exchanges an authorization code or a refresh token for tokens.
   * Takes no access token and counts against no limit of the account. After 10 wrong secrets or verifiers of one client in 10 minutes everything of it is answered 429 for the rest of them. A code or refresh token that comes a second time ends all tokens that descend from it. The same without envelope: POST /oauth/token. No token.
   * `POST /v3/oauth/authorizations`
   */
  createAuthorization(input: T.CreateAuthorizationInput, options?: CallOptions): Promise<T.CreateAuthorizationAnswerData> {
    return this.call({ id: 'createAuthorization', method: 'POST', path: '/oauth/authorizations', query: [], hasBody: true, isKeyed: false, isRead: false }, input, options);
  }

  /**
   * Ends one token of an application.
   * A token that is unknown, over, or of another client is answered like one that was ended. With the last token of an application in an account, it is disconnected there: its webhooks end and receive an event about it. No token. Events: authorization_revoked.
   * `POST /v3/oauth/revoke`
   */
  revokeAuthorization(input: T.RevokeAuthorizationInput, options?: CallOptions): Promise<void> {
    return this.call({ id: 'revokeAuthorization', method: 'POST', path: '/oauth/revoke', query: [], hasBody: true, isKeyed: false, isRead: false }, input, options);
  }
}
