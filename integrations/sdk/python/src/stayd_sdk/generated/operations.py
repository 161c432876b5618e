# Made by `npm run integrations` from the OpenAPI document; do not change it by hand.
from __future__ import annotations

from typing import Any, Iterator, Literal

from ..transport import LEFT_OUT, LeftOut, Operation, Transport
from . import types as t


class Operations(Transport):
    """One method for each operation of v3."""

    def get_account(self) -> t.Account:
        """The account behind the token.

        Any token.

        `GET /v3/accounts/me`
        """
        operation = Operation("getAccount", "GET", "/accounts/me", (), has_body=False, is_keyed=False, is_read=True)
        answer: t.Account = self._call(operation, {})
        return answer

    def list_properties(self, *, offset: int | LeftOut = LEFT_OUT, limit: int | LeftOut = LEFT_OUT, cursor: str | LeftOut = LEFT_OUT, id: int | LeftOut = LEFT_OUT, group_id: int | LeftOut = LEFT_OUT, tag_id: int | LeftOut = LEFT_OUT) -> t.ListPropertiesAnswerData:
        """Properties, newest first.

        Any token.

        `GET /v3/properties`
        """
        operation = Operation("listProperties", "GET", "/properties", ("offset", "limit", "cursor", "id", "group_id", "tag_id", ), has_body=False, is_keyed=False, is_read=True)
        answer: t.ListPropertiesAnswerData = self._call(operation, {"offset": offset, "limit": limit, "cursor": cursor, "id": id, "group_id": group_id, "tag_id": tag_id})
        return answer

    def iterate_properties(self, *, id: int | LeftOut = LEFT_OUT, group_id: int | LeftOut = LEFT_OUT, tag_id: int | LeftOut = LEFT_OUT) -> Iterator[t.Property]:
        """All rows of `list_properties`, page by page: Properties, newest first."""
        return self._pages(self.list_properties, {"id": id, "group_id": group_id, "tag_id": tag_id}, "properties")

    def create_property(self, *, name: str | LeftOut = LEFT_OUT, title: str | LeftOut = LEFT_OUT, idempotency_key: str | LeftOut = LEFT_OUT) -> t.CreatePropertyAnswerData:
        """Adds a property; uses up one of the subscription.

        Takes the account’s currency and time zone. A writable token; an assistant asks a person first.

        `POST /v3/properties`
        """
        operation = Operation("createProperty", "POST", "/properties", (), has_body=True, is_keyed=True, is_read=False)
        answer: t.CreatePropertyAnswerData = self._call(operation, {"name": name, "title": title}, idempotency_key)
        return answer

    def list_room_types(self, *, offset: int | LeftOut = LEFT_OUT, limit: int | LeftOut = LEFT_OUT, cursor: str | LeftOut = LEFT_OUT, id: int | LeftOut = LEFT_OUT, tag_id: int | LeftOut = LEFT_OUT) -> t.ListRoomTypesAnswerData:
        """Room types with their properties, newest first.

        Any token.

        `GET /v3/room_types`
        """
        operation = Operation("listRoomTypes", "GET", "/room_types", ("offset", "limit", "cursor", "id", "tag_id", ), has_body=False, is_keyed=False, is_read=True)
        answer: t.ListRoomTypesAnswerData = self._call(operation, {"offset": offset, "limit": limit, "cursor": cursor, "id": id, "tag_id": tag_id})
        return answer

    def iterate_room_types(self, *, id: int | LeftOut = LEFT_OUT, tag_id: int | LeftOut = LEFT_OUT) -> Iterator[t.RoomType]:
        """All rows of `list_room_types`, page by page: Room types with their properties, newest first."""
        return self._pages(self.list_room_types, {"id": id, "tag_id": tag_id}, "room_types")

    def create_room_type(self, *, name: str | LeftOut = LEFT_OUT, property_ids: list[int] | LeftOut = LEFT_OUT, title: str | LeftOut = LEFT_OUT, idempotency_key: str | LeftOut = LEFT_OUT) -> t.CreateRoomTypeAnswerData:
        """Adds a room type, at most as many as the subscription has properties.

        A property belongs to one room type at most. Not on the Basic edition. A writable token; an assistant asks a person first.

        `POST /v3/room_types`
        """
        operation = Operation("createRoomType", "POST", "/room_types", (), has_body=True, is_keyed=True, is_read=False)
        answer: t.CreateRoomTypeAnswerData = self._call(operation, {"name": name, "property_ids": property_ids, "title": title}, idempotency_key)
        return answer

    def list_property_groups(self, *, offset: int | LeftOut = LEFT_OUT, limit: int | LeftOut = LEFT_OUT, cursor: str | LeftOut = LEFT_OUT, id: int | LeftOut = LEFT_OUT) -> t.ListPropertyGroupsAnswerData:
        """Groups with their properties, newest first.

        Any token.

        `GET /v3/groups`
        """
        operation = Operation("listPropertyGroups", "GET", "/groups", ("offset", "limit", "cursor", "id", ), has_body=False, is_keyed=False, is_read=True)
        answer: t.ListPropertyGroupsAnswerData = self._call(operation, {"offset": offset, "limit": limit, "cursor": cursor, "id": id})
        return answer

    def iterate_property_groups(self, *, id: int | LeftOut = LEFT_OUT) -> Iterator[t.PropertyGroup]:
        """All rows of `list_property_groups`, page by page: Groups with their properties, newest first."""
        return self._pages(self.list_property_groups, {"id": id}, "groups")

    def create_property_group(self, *, name: str, property_ids: list[int] | LeftOut = LEFT_OUT, idempotency_key: str | LeftOut = LEFT_OUT) -> t.CreatePropertyGroupAnswerData:
        """Adds a group of properties.

        Names are unique in the account, in any case of letters. A writable token.

        `POST /v3/groups`
        """
        operation = Operation("createPropertyGroup", "POST", "/groups", (), has_body=True, is_keyed=True, is_read=False)
        answer: t.CreatePropertyGroupAnswerData = self._call(operation, {"name": name, "property_ids": property_ids}, idempotency_key)
        return answer

    def update_property_group(self, *, id: int, name: str | LeftOut = LEFT_OUT, property_ids: list[int] | LeftOut = LEFT_OUT) -> None:
        """Renames a group or gives it other properties.

        A sub-account’s list takes the place of the properties it sees; the others stay. A writable token.

        `PATCH /v3/groups/{id}`
        """
        operation = Operation("updatePropertyGroup", "PATCH", "/groups/{id}", (), has_body=True, is_keyed=False, is_read=False)
        self._call(operation, {"id": id, "name": name, "property_ids": property_ids})

    def delete_property_group(self, *, id: int) -> None:
        """Deletes a group; its properties stay.

        A writable token.

        `DELETE /v3/groups/{id}`
        """
        operation = Operation("deletePropertyGroup", "DELETE", "/groups/{id}", (), has_body=False, is_keyed=False, is_read=False)
        self._call(operation, {"id": id})

    def list_property_tags(self, *, offset: int | LeftOut = LEFT_OUT, limit: int | LeftOut = LEFT_OUT, cursor: str | LeftOut = LEFT_OUT, id: int | LeftOut = LEFT_OUT) -> t.ListPropertyTagsAnswerData:
        """Tags of properties and room types, newest first.

        Any token.

        `GET /v3/tags`
        """
        operation = Operation("listPropertyTags", "GET", "/tags", ("offset", "limit", "cursor", "id", ), has_body=False, is_keyed=False, is_read=True)
        answer: t.ListPropertyTagsAnswerData = self._call(operation, {"offset": offset, "limit": limit, "cursor": cursor, "id": id})
        return answer

    def iterate_property_tags(self, *, id: int | LeftOut = LEFT_OUT) -> Iterator[t.PropertyTag]:
        """All rows of `list_property_tags`, page by page: Tags of properties and room types, newest first."""
        return self._pages(self.list_property_tags, {"id": id}, "tags")

    def create_property_tag(self, *, name: str, color: Literal["#FD587B", "#1BBFA4", "#FFA410", "#F3D432", "#2CBCFD", "#7175FA", "#EF7EDE"] | LeftOut = LEFT_OUT, property_ids: list[int] | LeftOut = LEFT_OUT, room_type_ids: list[int] | LeftOut = LEFT_OUT, idempotency_key: str | LeftOut = LEFT_OUT) -> t.CreatePropertyTagAnswerData:
        """Adds a tag for properties and room types.

        Names are unique in the account, in any case of letters. A deleted tag of that name comes back with its id. At most 500. A writable token.

        `POST /v3/tags`
        """
        operation = Operation("createPropertyTag", "POST", "/tags", (), has_body=True, is_keyed=True, is_read=False)
        answer: t.CreatePropertyTagAnswerData = self._call(operation, {"name": name, "color": color, "property_ids": property_ids, "room_type_ids": room_type_ids}, idempotency_key)
        return answer

    def update_property_tag(self, *, id: int, name: str | LeftOut = LEFT_OUT, color: Literal["#FD587B", "#1BBFA4", "#FFA410", "#F3D432", "#2CBCFD", "#7175FA", "#EF7EDE"] | LeftOut = LEFT_OUT, property_ids: list[int] | LeftOut = LEFT_OUT, room_type_ids: list[int] | LeftOut = LEFT_OUT) -> None:
        """Changes a tag’s name, colour or carriers.

        Each list takes the place of the whole one; an empty one detaches all. A sub-account’s leaves what it cannot see. A writable token.

        `PATCH /v3/tags/{id}`
        """
        operation = Operation("updatePropertyTag", "PATCH", "/tags/{id}", (), has_body=True, is_keyed=False, is_read=False)
        self._call(operation, {"id": id, "name": name, "color": color, "property_ids": property_ids, "room_type_ids": room_type_ids})

    def delete_property_tag(self, *, id: int) -> None:
        """Deletes a tag; what carried it stays.

        A writable token.

        `DELETE /v3/tags/{id}`
        """
        operation = Operation("deletePropertyTag", "DELETE", "/tags/{id}", (), has_body=False, is_keyed=False, is_read=False)
        self._call(operation, {"id": id})

    def list_custom_channels(self) -> t.ListCustomChannelsAnswerData:
        """Sources an operator has defined for direct bookings.

        Any token.

        `GET /v3/custom_channels`
        """
        operation = Operation("listCustomChannels", "GET", "/custom_channels", (), has_body=False, is_keyed=False, is_read=True)
        answer: t.ListCustomChannelsAnswerData = self._call(operation, {})
        return answer

    def list_income_items(self) -> t.ListIncomeItemsAnswerData:
        """Categories of income.

        Changes rarely; may be kept for an hour. Any token.

        `GET /v3/income_items`
        """
        operation = Operation("listIncomeItems", "GET", "/income_items", (), has_body=False, is_keyed=False, is_read=True)
        answer: t.ListIncomeItemsAnswerData = self._call(operation, {})
        return answer

    def list_expense_items(self) -> t.ListExpenseItemsAnswerData:
        """Categories of expense.

        Changes rarely; may be kept for an hour. Any token.

        `GET /v3/expense_items`
        """
        operation = Operation("listExpenseItems", "GET", "/expense_items", (), has_body=False, is_keyed=False, is_read=True)
        answer: t.ListExpenseItemsAnswerData = self._call(operation, {})
        return answer

    def list_income_methods(self) -> t.ListIncomeMethodsAnswerData:
        """Ways in which income arrives.

        Changes rarely; may be kept for an hour. Any token.

        `GET /v3/income_methods`
        """
        operation = Operation("listIncomeMethods", "GET", "/income_methods", (), has_body=False, is_keyed=False, is_read=True)
        answer: t.ListIncomeMethodsAnswerData = self._call(operation, {})
        return answer

    def list_expense_methods(self) -> t.ListExpenseMethodsAnswerData:
        """Ways in which expenses are paid.

        Changes rarely; may be kept for an hour. Any token.

        `GET /v3/expense_methods`
        """
        operation = Operation("listExpenseMethods", "GET", "/expense_methods", (), has_body=False, is_keyed=False, is_read=True)
        answer: t.ListExpenseMethodsAnswerData = self._call(operation, {})
        return answer

    def list_reservations(self, *, offset: int | LeftOut = LEFT_OUT, limit: int | LeftOut = LEFT_OUT, cursor: str | LeftOut = LEFT_OUT, id: int | LeftOut = LEFT_OUT, reservation_code: str | LeftOut = LEFT_OUT, channel_id: str | LeftOut = LEFT_OUT, property_id: int | LeftOut = LEFT_OUT, status: Literal["wait_accept", "wait_pay", "accepted", "cancelled", "denied", "timeout"] | LeftOut = LEFT_OUT, channel_type: str | LeftOut = LEFT_OUT, start_check_in_date: str | LeftOut = LEFT_OUT, end_check_in_date: str | LeftOut = LEFT_OUT, start_check_out_date: str | LeftOut = LEFT_OUT, end_check_out_date: str | LeftOut = LEFT_OUT, order_by: Literal["booked_at", "check_in_date", "check_out_date", "cancelled_at", "created_at"] | LeftOut = LEFT_OUT) -> t.ListReservationsAnswerData:
        """Stays, one entry per room.

        With no date and none of id, reservation_code, channel_id: check-outs within 180 days from today. Any token.

        `GET /v3/reservations`
        """
        operation = Operation("listReservations", "GET", "/reservations", ("offset", "limit", "cursor", "id", "reservation_code", "channel_id", "property_id", "status", "channel_type", "start_check_in_date", "end_check_in_date", "start_check_out_date", "end_check_out_date", "order_by", ), has_body=False, is_keyed=False, is_read=True)
        answer: t.ListReservationsAnswerData = self._call(operation, {"offset": offset, "limit": limit, "cursor": cursor, "id": id, "reservation_code": reservation_code, "channel_id": channel_id, "property_id": property_id, "status": status, "channel_type": channel_type, "start_check_in_date": start_check_in_date, "end_check_in_date": end_check_in_date, "start_check_out_date": start_check_out_date, "end_check_out_date": end_check_out_date, "order_by": order_by})
        return answer

    def iterate_reservations(self, *, id: int | LeftOut = LEFT_OUT, reservation_code: str | LeftOut = LEFT_OUT, channel_id: str | LeftOut = LEFT_OUT, property_id: int | LeftOut = LEFT_OUT, status: Literal["wait_accept", "wait_pay", "accepted", "cancelled", "denied", "timeout"] | LeftOut = LEFT_OUT, channel_type: str | LeftOut = LEFT_OUT, start_check_in_date: str | LeftOut = LEFT_OUT, end_check_in_date: str | LeftOut = LEFT_OUT, start_check_out_date: str | LeftOut = LEFT_OUT, end_check_out_date: str | LeftOut = LEFT_OUT, order_by: Literal["booked_at", "check_in_date", "check_out_date", "cancelled_at", "created_at"] | LeftOut = LEFT_OUT) -> Iterator[t.Reservation]:
        """All rows of `list_reservations`, page by page: Stays, one entry per room."""
        return self._pages(self.list_reservations, {"id": id, "reservation_code": reservation_code, "channel_id": channel_id, "property_id": property_id, "status": status, "channel_type": channel_type, "start_check_in_date": start_check_in_date, "end_check_in_date": end_check_in_date, "start_check_out_date": start_check_out_date, "end_check_out_date": end_check_out_date, "order_by": order_by}, "reservations")

    def create_reservation(self, *, property_id: int, check_in_date: str, check_out_date: str, guest_name: str, rate_amount: float, commission_amount: float, received_amount: float, custom_channel_id: int | LeftOut = LEFT_OUT, currency: str | LeftOut = LEFT_OUT, income_method_id: int | LeftOut = LEFT_OUT, number_of_guests: int | LeftOut = LEFT_OUT, email: str | LeftOut = LEFT_OUT, mobile: str | LeftOut = LEFT_OUT, note: str | LeftOut = LEFT_OUT, channel_id: str | LeftOut = LEFT_OUT, remarks: str | LeftOut = LEFT_OUT, idempotency_key: str | LeftOut = LEFT_OUT) -> t.CreateReservationAnswerData:
        """Makes a direct booking.

        A channel_id yields one booking for ever, also after it was cancelled. A writable token; an assistant asks a person first. Events: reservation_created, property_availability_updated, transaction_created.

        `POST /v3/reservations`
        """
        operation = Operation("createReservation", "POST", "/reservations", (), has_body=True, is_keyed=True, is_read=False)
        answer: t.CreateReservationAnswerData = self._call(operation, {"property_id": property_id, "check_in_date": check_in_date, "check_out_date": check_out_date, "guest_name": guest_name, "rate_amount": rate_amount, "commission_amount": commission_amount, "received_amount": received_amount, "custom_channel_id": custom_channel_id, "currency": currency, "income_method_id": income_method_id, "number_of_guests": number_of_guests, "email": email, "mobile": mobile, "note": note, "channel_id": channel_id, "remarks": remarks}, idempotency_key)
        return answer

    def update_reservation(self, *, code: str, note: str | LeftOut = LEFT_OUT, creator: str | LeftOut = LEFT_OUT, custom_channel_id: int | LeftOut = LEFT_OUT, check_in_date: str | LeftOut = LEFT_OUT, check_out_date: str | LeftOut = LEFT_OUT, number_of_guests: int | LeftOut = LEFT_OUT, guest_name: str | LeftOut = LEFT_OUT, mobile: str | LeftOut = LEFT_OUT, email: str | LeftOut = LEFT_OUT, currency: str | LeftOut = LEFT_OUT, rate_amount: float | LeftOut = LEFT_OUT, commission_amount: float | LeftOut = LEFT_OUT, received_amount: float | LeftOut = LEFT_OUT, remarks: str | LeftOut = LEFT_OUT) -> None:
        """Changes dates, guest, rates or notes of one stay.

        A writable token; an assistant asks a person first. Events: reservation_updated, property_availability_updated, transaction_created, transaction_updated, transaction_deleted.

        `PATCH /v3/reservations/{code}`
        """
        operation = Operation("updateReservation", "PATCH", "/reservations/{code}", (), has_body=True, is_keyed=False, is_read=False)
        self._call(operation, {"code": code, "note": note, "creator": creator, "custom_channel_id": custom_channel_id, "check_in_date": check_in_date, "check_out_date": check_out_date, "number_of_guests": number_of_guests, "guest_name": guest_name, "mobile": mobile, "email": email, "currency": currency, "rate_amount": rate_amount, "commission_amount": commission_amount, "received_amount": received_amount, "remarks": remarks})

    def cancel_reservation(self, *, code: str) -> None:
        """Cancels a direct booking and frees its nights at once.

        A writable token; an assistant asks a person first. Events: reservation_updated, property_availability_updated.

        `DELETE /v3/reservations/{code}`
        """
        operation = Operation("cancelReservation", "DELETE", "/reservations/{code}", (), has_body=False, is_keyed=False, is_read=False)
        self._call(operation, {"code": code})

    def update_check_in_details(self, *, stay_code: str, arrival_at: t.ClockTime | None | LeftOut = LEFT_OUT, departure_at: t.ClockTime | None | LeftOut = LEFT_OUT, lock_code: str | None | LeftOut = LEFT_OUT, lock_code_visible_after: str | None | LeftOut = LEFT_OUT, deposit: float | LeftOut = LEFT_OUT, id_required: Literal["not_required", "required", "required_with_review"] | LeftOut = LEFT_OUT) -> None:
        """Changes arrival, departure, lock code, deposit or identity check of one stay.

        A writable token; an assistant asks a person first. Events: reservation_updated.

        `PATCH /v3/reservations/{stay_code}/check_in_details`
        """
        operation = Operation("updateCheckInDetails", "PATCH", "/reservations/{stay_code}/check_in_details", (), has_body=True, is_keyed=False, is_read=False)
        self._call(operation, {"stay_code": stay_code, "arrival_at": arrival_at, "departure_at": departure_at, "lock_code": lock_code, "lock_code_visible_after": lock_code_visible_after, "deposit": deposit, "id_required": id_required})

    def get_custom_fields(self, *, stay_code: str) -> t.GetCustomFieldsAnswerData:
        """The operator’s own fields of one stay; null when it has none.

        Any token.

        `GET /v3/reservations/{stay_code}/custom_fields`
        """
        operation = Operation("getCustomFields", "GET", "/reservations/{stay_code}/custom_fields", (), has_body=False, is_keyed=False, is_read=True)
        answer: t.GetCustomFieldsAnswerData = self._call(operation, {"stay_code": stay_code})
        return answer

    def update_custom_fields(self, *, stay_code: str, custom_fields: dict[str, str | None]) -> t.UpdateCustomFieldsAnswerData:
        """Sets, makes or deletes the operator’s own fields of one stay.

        A writable token; an assistant asks a person first. Events: reservation_updated.

        `PATCH /v3/reservations/{stay_code}/custom_fields`
        """
        operation = Operation("updateCustomFields", "PATCH", "/reservations/{stay_code}/custom_fields", (), has_body=True, is_keyed=False, is_read=False)
        answer: t.UpdateCustomFieldsAnswerData = self._call(operation, {"stay_code": stay_code, "custom_fields": custom_fields})
        return answer

    def update_stay_status(self, *, stay_code: str, stay_status: Literal["checkin_pending", "in_house", "stay_completed"]) -> None:
        """Says whether the guests of one stay are still to come, in the house, or gone.

        A writable token. Events: reservation_updated.

        `PUT /v3/reservations/{stay_code}/stay_status`
        """
        operation = Operation("updateStayStatus", "PUT", "/reservations/{stay_code}/stay_status", (), has_body=True, is_keyed=False, is_read=False)
        self._call(operation, {"stay_code": stay_code, "stay_status": stay_status})

    def approve_reservation(self, *, reservation_code: str, idempotency_key: str | LeftOut = LEFT_OUT) -> None:
        """Accepts a request to book and informs the channel, which informs the guest.

        Only in status wait_accept; cannot be taken back. A writable token; an assistant asks a person first. Events: reservation_updated.

        `POST /v3/reservations/{reservation_code}/approve`
        """
        operation = Operation("approveReservation", "POST", "/reservations/{reservation_code}/approve", (), has_body=False, is_keyed=True, is_read=False)
        self._call(operation, {"reservation_code": reservation_code}, idempotency_key)

    def decline_reservation(self, *, reservation_code: str, idempotency_key: str | LeftOut = LEFT_OUT) -> None:
        """Refuses a request to book and frees its nights and informs the channel, which informs the guest.

        Only in status wait_accept; cannot be taken back. A writable token; an assistant asks a person first. Events: reservation_updated, property_availability_updated.

        `POST /v3/reservations/{reservation_code}/decline`
        """
        operation = Operation("declineReservation", "POST", "/reservations/{reservation_code}/decline", (), has_body=False, is_keyed=True, is_read=False)
        self._call(operation, {"reservation_code": reservation_code}, idempotency_key)

    def allocate_reservation(self, *, stay_code: str, property_id: int, idempotency_key: str | LeftOut = LEFT_OUT) -> None:
        """Puts a stay into a property, from another one or from the reservation box.

        A stay that holds one of its nights there goes to the reservation box. A writable token; an assistant asks a person first. Events: reservation_updated, property_availability_updated.

        `POST /v3/reservations/{stay_code}/allocate`
        """
        operation = Operation("allocateReservation", "POST", "/reservations/{stay_code}/allocate", (), has_body=True, is_keyed=True, is_read=False)
        self._call(operation, {"stay_code": stay_code, "property_id": property_id}, idempotency_key)

    def move_reservation_to_box(self, *, stay_code: str, idempotency_key: str | LeftOut = LEFT_OUT) -> None:
        """Takes a stay out of its property into the reservation box and frees its nights.

        A writable token; an assistant asks a person first. Events: reservation_updated, property_availability_updated.

        `POST /v3/reservations/{stay_code}/move_to_box`
        """
        operation = Operation("moveReservationToBox", "POST", "/reservations/{stay_code}/move_to_box", (), has_body=False, is_keyed=True, is_read=False)
        self._call(operation, {"stay_code": stay_code}, idempotency_key)

    def list_reservation_tags(self, *, offset: int | LeftOut = LEFT_OUT, limit: int | LeftOut = LEFT_OUT, cursor: str | LeftOut = LEFT_OUT, id: int | LeftOut = LEFT_OUT, keyword: str | LeftOut = LEFT_OUT) -> t.ListReservationTagsAnswerData:
        """Tags for reservations, newest first, the default ones last.

        Any token.

        `GET /v3/reservation_tags`
        """
        operation = Operation("listReservationTags", "GET", "/reservation_tags", ("offset", "limit", "cursor", "id", "keyword", ), has_body=False, is_keyed=False, is_read=True)
        answer: t.ListReservationTagsAnswerData = self._call(operation, {"offset": offset, "limit": limit, "cursor": cursor, "id": id, "keyword": keyword})
        return answer

    def iterate_reservation_tags(self, *, id: int | LeftOut = LEFT_OUT, keyword: str | LeftOut = LEFT_OUT) -> Iterator[t.ReservationTag]:
        """All rows of `list_reservation_tags`, page by page: Tags for reservations, newest first, the default ones last."""
        return self._pages(self.list_reservation_tags, {"id": id, "keyword": keyword}, "reservation_tags")

    def create_reservation_tag(self, *, tag_name: str, idempotency_key: str | LeftOut = LEFT_OUT) -> t.CreateReservationTagAnswerData:
        """Adds a tag for reservations; its colour is assigned.

        Names are unique, default tags included, in any case of letters. A deleted tag of that name comes back with its id. At most 500. A writable token.

        `POST /v3/reservation_tags`
        """
        operation = Operation("createReservationTag", "POST", "/reservation_tags", (), has_body=True, is_keyed=True, is_read=False)
        answer: t.CreateReservationTagAnswerData = self._call(operation, {"tag_name": tag_name}, idempotency_key)
        return answer

    def delete_reservation_tag(self, *, id: int) -> None:
        """Deletes a tag of the operator’s own and takes it off every reservation.

        A writable token. Events: reservation_updated.

        `DELETE /v3/reservation_tags/{id}`
        """
        operation = Operation("deleteReservationTag", "DELETE", "/reservation_tags/{id}", (), has_body=False, is_keyed=False, is_read=False)
        self._call(operation, {"id": id})

    def add_reservation_tag(self, *, stay_code: str, tag_name: str, idempotency_key: str | LeftOut = LEFT_OUT) -> None:
        """Puts a tag on one stay; a tag that does not exist is made.

        If the stay has the tag already, nothing changes and no event is sent. A writable token. Events: reservation_updated.

        `POST /v3/reservations/{stay_code}/tags`
        """
        operation = Operation("addReservationTag", "POST", "/reservations/{stay_code}/tags", (), has_body=True, is_keyed=True, is_read=False)
        self._call(operation, {"stay_code": stay_code, "tag_name": tag_name}, idempotency_key)

    def remove_reservation_tag(self, *, stay_code: str, tag_name: str) -> None:
        """Takes a tag off one stay.

        A writable token. Events: reservation_updated.

        `DELETE /v3/reservations/{stay_code}/tags`
        """
        operation = Operation("removeReservationTag", "DELETE", "/reservations/{stay_code}/tags", (), has_body=True, is_keyed=False, is_read=False)
        self._call(operation, {"stay_code": stay_code, "tag_name": tag_name})

    def list_conversations(self, *, offset: int | LeftOut = LEFT_OUT, limit: int | LeftOut = LEFT_OUT, cursor: str | LeftOut = LEFT_OUT) -> t.ListConversationsAnswerData:
        """Conversations with guests, the one with the newest message first.

        Any token.

        `GET /v3/conversations`
        """
        operation = Operation("listConversations", "GET", "/conversations", ("offset", "limit", "cursor", ), has_body=False, is_keyed=False, is_read=True)
        answer: t.ListConversationsAnswerData = self._call(operation, {"offset": offset, "limit": limit, "cursor": cursor})
        return answer

    def iterate_conversations(self) -> Iterator[t.ConversationEntry]:
        """All rows of `list_conversations`, page by page: Conversations with guests, the one with the newest message first."""
        return self._pages(self.list_conversations, {}, "conversations")

    def get_conversation(self, *, conversation_id: str, offset: int | LeftOut = LEFT_OUT, limit: int | LeftOut = LEFT_OUT, cursor: str | LeftOut = LEFT_OUT) -> t.Conversation:
        """One conversation with its messages, newest first.

        offset or cursor, and limit, page the messages. Reading does not mark them as read. Any token.

        `GET /v3/conversations/{conversation_id}`
        """
        operation = Operation("getConversation", "GET", "/conversations/{conversation_id}", ("offset", "limit", "cursor", ), has_body=False, is_keyed=False, is_read=True)
        answer: t.Conversation = self._call(operation, {"conversation_id": conversation_id, "offset": offset, "limit": limit, "cursor": cursor})
        return answer

    def send_message(self, *, conversation_id: str, message: str | LeftOut = LEFT_OUT, jpeg_base64: str | LeftOut = LEFT_OUT, idempotency_key: str | LeftOut = LEFT_OUT) -> None:
        """Sends a text, a picture or both to the guest; cannot be undone.

        Not idempotent: after a time-out, read the conversation before sending again. Limited per conversation. A writable token; an assistant asks a person first. Events: message_created.

        `POST /v3/conversations/{conversation_id}`
        """
        operation = Operation("sendMessage", "POST", "/conversations/{conversation_id}", (), has_body=True, is_keyed=True, is_read=False)
        self._call(operation, {"conversation_id": conversation_id, "message": message, "jpeg_base64": jpeg_base64}, idempotency_key)

    def update_conversation_note(self, *, conversation_id: str, note: str | None) -> t.UpdateConversationNoteAnswerData:
        """Sets the host’s private note on a conversation; never sent to anybody.

        A writable token.

        `PATCH /v3/conversations/{conversation_id}/note`
        """
        operation = Operation("updateConversationNote", "PATCH", "/conversations/{conversation_id}/note", (), has_body=True, is_keyed=False, is_read=False)
        answer: t.UpdateConversationNoteAnswerData = self._call(operation, {"conversation_id": conversation_id, "note": note})
        return answer

    def list_special_offers(self, *, conversation_id: str, offset: int | LeftOut = LEFT_OUT, limit: int | LeftOut = LEFT_OUT, cursor: str | LeftOut = LEFT_OUT) -> t.ListSpecialOffersAnswerData:
        """Offers and pre-approvals made in a conversation, newest first.

        Any token.

        `GET /v3/conversations/{conversation_id}/special_offers`
        """
        operation = Operation("listSpecialOffers", "GET", "/conversations/{conversation_id}/special_offers", ("offset", "limit", "cursor", ), has_body=False, is_keyed=False, is_read=True)
        answer: t.ListSpecialOffersAnswerData = self._call(operation, {"conversation_id": conversation_id, "offset": offset, "limit": limit, "cursor": cursor})
        return answer

    def iterate_special_offers(self, *, conversation_id: str) -> Iterator[t.SpecialOffer]:
        """All rows of `list_special_offers`, page by page: Offers and pre-approvals made in a conversation, newest first."""
        return self._pages(self.list_special_offers, {"conversation_id": conversation_id}, "special_offers")

    def create_special_offer(self, *, conversation_id: str, listing_id: str, check_in_date: str, check_out_date: str, price: float, number_of_adults: int, number_of_children: int | LeftOut = LEFT_OUT, number_of_infants: int | LeftOut = LEFT_OUT, number_of_pets: int | LeftOut = LEFT_OUT, rate_plan_id: str | LeftOut = LEFT_OUT, currency: str | LeftOut = LEFT_OUT, idempotency_key: str | LeftOut = LEFT_OUT) -> t.CreateSpecialOfferAnswerData:
        """Offers the guest of a conversation a stay at a price of its own.

        In conversations of marketplace A and the booking site only. Stands for 24 hours. A writable token; an assistant asks a person first. Events: message_created.

        `POST /v3/conversations/{conversation_id}/special_offers`
        """
        operation = Operation("createSpecialOffer", "POST", "/conversations/{conversation_id}/special_offers", (), has_body=True, is_keyed=True, is_read=False)
        answer: t.CreateSpecialOfferAnswerData = self._call(operation, {"conversation_id": conversation_id, "listing_id": listing_id, "check_in_date": check_in_date, "check_out_date": check_out_date, "price": price, "number_of_adults": number_of_adults, "number_of_children": number_of_children, "number_of_infants": number_of_infants, "number_of_pets": number_of_pets, "rate_plan_id": rate_plan_id, "currency": currency}, idempotency_key)
        return answer

    def withdraw_special_offer(self, *, conversation_id: str, special_offer_id: str) -> None:
        """Withdraws an offer that is still active.

        A writable token; an assistant asks a person first.

        `DELETE /v3/conversations/{conversation_id}/special_offers/{special_offer_id}`
        """
        operation = Operation("withdrawSpecialOffer", "DELETE", "/conversations/{conversation_id}/special_offers/{special_offer_id}", (), has_body=False, is_keyed=False, is_read=False)
        self._call(operation, {"conversation_id": conversation_id, "special_offer_id": special_offer_id})

    def create_preapproval(self, *, conversation_id: str, idempotency_key: str | LeftOut = LEFT_OUT) -> t.CreatePreapprovalAnswerData:
        """Lets the guest of an inquiry book it at the standard price.

        In conversations of marketplace A only. A writable token; an assistant asks a person first. Events: message_created.

        `POST /v3/conversations/{conversation_id}/preapprovals`
        """
        operation = Operation("createPreapproval", "POST", "/conversations/{conversation_id}/preapprovals", (), has_body=False, is_keyed=True, is_read=False)
        answer: t.CreatePreapprovalAnswerData = self._call(operation, {"conversation_id": conversation_id}, idempotency_key)
        return answer

    def list_reviews(self, *, offset: int | LeftOut = LEFT_OUT, limit: int | LeftOut = LEFT_OUT, cursor: str | LeftOut = LEFT_OUT, reservation_code: str | LeftOut = LEFT_OUT, property_id: int | LeftOut = LEFT_OUT, review_status: Literal["pending_guest_review", "pending_host_review", "reviewed"] | LeftOut = LEFT_OUT, start_check_out_date: str | LeftOut = LEFT_OUT, end_check_out_date: str | LeftOut = LEFT_OUT) -> t.ListReviewsAnswerData:
        """Reviews by check-out date, newest first.

        Any token.

        `GET /v3/reviews`
        """
        operation = Operation("listReviews", "GET", "/reviews", ("offset", "limit", "cursor", "reservation_code", "property_id", "review_status", "start_check_out_date", "end_check_out_date", ), has_body=False, is_keyed=False, is_read=True)
        answer: t.ListReviewsAnswerData = self._call(operation, {"offset": offset, "limit": limit, "cursor": cursor, "reservation_code": reservation_code, "property_id": property_id, "review_status": review_status, "start_check_out_date": start_check_out_date, "end_check_out_date": end_check_out_date})
        return answer

    def iterate_reviews(self, *, reservation_code: str | LeftOut = LEFT_OUT, property_id: int | LeftOut = LEFT_OUT, review_status: Literal["pending_guest_review", "pending_host_review", "reviewed"] | LeftOut = LEFT_OUT, start_check_out_date: str | LeftOut = LEFT_OUT, end_check_out_date: str | LeftOut = LEFT_OUT) -> Iterator[t.Review]:
        """All rows of `list_reviews`, page by page: Reviews by check-out date, newest first."""
        return self._pages(self.list_reviews, {"reservation_code": reservation_code, "property_id": property_id, "review_status": review_status, "start_check_out_date": start_check_out_date, "end_check_out_date": end_check_out_date}, "reviews")

    def create_review(self, *, reservation_code: str, host_review_score: float | LeftOut = LEFT_OUT, host_review_content: str | LeftOut = LEFT_OUT, host_reply_content: str | LeftOut = LEFT_OUT, category_ratings: t.CategoryRatings | LeftOut = LEFT_OUT, idempotency_key: str | LeftOut = LEFT_OUT) -> None:
        """Reviews the guest of a finished stay, or replies to the guest’s review; public and final.

        A writable token; an assistant asks a person first. Events: review_created, review_updated.

        `POST /v3/reviews/{reservation_code}`
        """
        operation = Operation("createReview", "POST", "/reviews/{reservation_code}", (), has_body=True, is_keyed=True, is_read=False)
        self._call(operation, {"reservation_code": reservation_code, "host_review_score": host_review_score, "host_review_content": host_review_content, "host_reply_content": host_reply_content, "category_ratings": category_ratings}, idempotency_key)

    def list_availabilities(self, *, property_ids: str, start_date: str, end_date: str) -> t.ListAvailabilitiesAnswerData:
        """Free and taken nights on the master calendar, both dates included.

        From one year back to three years ahead, in each property’s zone. Any token.

        `GET /v3/availabilities`
        """
        operation = Operation("listAvailabilities", "GET", "/availabilities", ("property_ids", "start_date", "end_date", ), has_body=False, is_keyed=False, is_read=True)
        answer: t.ListAvailabilitiesAnswerData = self._call(operation, {"property_ids": property_ids, "start_date": start_date, "end_date": end_date})
        return answer

    def update_availabilities(self, *, property_ids: list[int], available: bool, start_date: str | LeftOut = LEFT_OUT, end_date: str | LeftOut = LEFT_OUT, dates: list[str] | LeftOut = LEFT_OUT, idempotency_key: str | LeftOut = LEFT_OUT) -> None:
        """Opens or blocks nights on the master calendar.

        From today to three years ahead, in each property’s zone. Nights of stays stay taken. The inventory of the properties’ listings follows shortly after. A writable token; an assistant asks a person first. Events: property_availability_updated, listing_calendar_updated.

        `POST /v3/availabilities`
        """
        operation = Operation("updateAvailabilities", "POST", "/availabilities", (), has_body=True, is_keyed=True, is_read=False)
        self._call(operation, {"property_ids": property_ids, "available": available, "start_date": start_date, "end_date": end_date, "dates": dates}, idempotency_key)

    def list_calendar_share_links(self, *, offset: int | LeftOut = LEFT_OUT, limit: int | LeftOut = LEFT_OUT, cursor: str | LeftOut = LEFT_OUT, id: int | LeftOut = LEFT_OUT) -> t.ListCalendarShareLinksAnswerData:
        """Addresses under which anybody can see when properties are free, newest first.

        Any token.

        `GET /v3/calendar_share_links`
        """
        operation = Operation("listCalendarShareLinks", "GET", "/calendar_share_links", ("offset", "limit", "cursor", "id", ), has_body=False, is_keyed=False, is_read=True)
        answer: t.ListCalendarShareLinksAnswerData = self._call(operation, {"offset": offset, "limit": limit, "cursor": cursor, "id": id})
        return answer

    def iterate_calendar_share_links(self, *, id: int | LeftOut = LEFT_OUT) -> Iterator[t.CalendarShareLink]:
        """All rows of `list_calendar_share_links`, page by page: Addresses under which anybody can see when properties are free, newest first."""
        return self._pages(self.list_calendar_share_links, {"id": id}, "calendar_share_links")

    def create_calendar_share_link(self, *, scope: Literal["entire", "partial"], property_ids: list[int] | LeftOut = LEFT_OUT, idempotency_key: str | LeftOut = LEFT_OUT) -> t.CreateCalendarShareLinkAnswerData:
        """Makes a public, read-only calendar of all properties or of some.

        There is one link for the scope entire: a repeat answers it again. A sub-account makes partial ones only. A writable token.

        `POST /v3/calendar_share_links`
        """
        operation = Operation("createCalendarShareLink", "POST", "/calendar_share_links", (), has_body=True, is_keyed=True, is_read=False)
        answer: t.CreateCalendarShareLinkAnswerData = self._call(operation, {"scope": scope, "property_ids": property_ids}, idempotency_key)
        return answer

    def delete_calendar_share_link(self, *, id: int) -> None:
        """Ends a link; its page is gone at once.

        A writable token.

        `DELETE /v3/calendar_share_links/{id}`
        """
        operation = Operation("deleteCalendarShareLink", "DELETE", "/calendar_share_links/{id}", (), has_body=False, is_keyed=False, is_read=False)
        self._call(operation, {"id": id})

    def get_pricing_ratios(self, *, property_id: int | LeftOut = LEFT_OUT, room_type_id: int | LeftOut = LEFT_OUT) -> t.GetPricingRatiosAnswerData:
        """By which percentage each listing’s price follows a base price.

        A target price is round(base × ratio / 100); leave out listings that are readonly. Any token.

        `GET /v3/pricing_ratios`
        """
        operation = Operation("getPricingRatios", "GET", "/pricing_ratios", ("property_id", "room_type_id", ), has_body=False, is_keyed=False, is_read=True)
        answer: t.GetPricingRatiosAnswerData = self._call(operation, {"property_id": property_id, "room_type_id": room_type_id})
        return answer

    def list_channel_accounts(self, *, offset: int | LeftOut = LEFT_OUT, limit: int | LeftOut = LEFT_OUT, cursor: str | LeftOut = LEFT_OUT, id: int | LeftOut = LEFT_OUT, channel_type: str | LeftOut = LEFT_OUT) -> t.ListChannelAccountsAnswerData:
        """Accounts on channels, newest first.

        Accounts of the direct booking site are left out. Any token.

        `GET /v3/channel_accounts`
        """
        operation = Operation("listChannelAccounts", "GET", "/channel_accounts", ("offset", "limit", "cursor", "id", "channel_type", ), has_body=False, is_keyed=False, is_read=True)
        answer: t.ListChannelAccountsAnswerData = self._call(operation, {"offset": offset, "limit": limit, "cursor": cursor, "id": id, "channel_type": channel_type})
        return answer

    def iterate_channel_accounts(self, *, id: int | LeftOut = LEFT_OUT, channel_type: str | LeftOut = LEFT_OUT) -> Iterator[t.ChannelAccount]:
        """All rows of `list_channel_accounts`, page by page: Accounts on channels, newest first."""
        return self._pages(self.list_channel_accounts, {"id": id, "channel_type": channel_type}, "channel_accounts")

    def list_listings(self, *, offset: int | LeftOut = LEFT_OUT, limit: int | LeftOut = LEFT_OUT, cursor: str | LeftOut = LEFT_OUT, channel_account_id: int | LeftOut = LEFT_OUT, listing_id: str | LeftOut = LEFT_OUT, channel_type: str | LeftOut = LEFT_OUT) -> t.ListListingsAnswerData:
        """Postings of properties on channels, newest first.

        Any token.

        `GET /v3/listings`
        """
        operation = Operation("listListings", "GET", "/listings", ("offset", "limit", "cursor", "channel_account_id", "listing_id", "channel_type", ), has_body=False, is_keyed=False, is_read=True)
        answer: t.ListListingsAnswerData = self._call(operation, {"offset": offset, "limit": limit, "cursor": cursor, "channel_account_id": channel_account_id, "listing_id": listing_id, "channel_type": channel_type})
        return answer

    def iterate_listings(self, *, channel_account_id: int | LeftOut = LEFT_OUT, listing_id: str | LeftOut = LEFT_OUT, channel_type: str | LeftOut = LEFT_OUT) -> Iterator[t.Listing]:
        """All rows of `list_listings`, page by page: Postings of properties on channels, newest first."""
        return self._pages(self.list_listings, {"channel_account_id": channel_account_id, "listing_id": listing_id, "channel_type": channel_type}, "listings")

    def list_calendars(self, *, start_date: str, end_date: str, listings: list[t.ListingName] | LeftOut = LEFT_OUT, channel_type: str | LeftOut = LEFT_OUT, listing_id: str | LeftOut = LEFT_OUT) -> t.ListCalendarsAnswerData:
        """Price, inventory and restrictions of listings day by day, as their channels show them.

        A read, though it is a POST. For the regional marketplace the price is the floor price: what the host receives after commission. Any token.

        `POST /v3/listings/calendar`
        """
        operation = Operation("listCalendars", "POST", "/listings/calendar", (), has_body=True, is_keyed=False, is_read=True)
        answer: t.ListCalendarsAnswerData = self._call(operation, {"start_date": start_date, "end_date": end_date, "listings": listings, "channel_type": channel_type, "listing_id": listing_id})
        return answer

    def update_prices(self, *, channel_type: str | LeftOut = LEFT_OUT, listing_id: str | LeftOut = LEFT_OUT, prices: list[t.PriceRange] | LeftOut = LEFT_OUT, entries: list[t.PriceEntry] | LeftOut = LEFT_OUT, idempotency_key: str | LeftOut = LEFT_OUT) -> t.UpdatePricesAnswerData | None:
        """Sets selling prices of listings; the channels take them shortly after.

        Amounts are in the listing’s currency. Of ranges that overlap, the later one counts. Listings with readonly prices are skipped and named; where all are, nothing is done and the answer is 422. A writable token; an assistant asks a person first. Events: listing_calendar_updated.

        `POST /v3/listings/prices`
        """
        operation = Operation("updatePrices", "POST", "/listings/prices", (), has_body=True, is_keyed=True, is_read=False)
        answer: t.UpdatePricesAnswerData | None = self._call(operation, {"channel_type": channel_type, "listing_id": listing_id, "prices": prices, "entries": entries}, idempotency_key)
        return answer

    def update_inventories(self, *, channel_type: str, listing_id: str, inventories: list[t.InventoryRange], idempotency_key: str | LeftOut = LEFT_OUT) -> None:
        """Sets how many units of a listing can be booked; the channel takes it shortly after.

        The master calendar stays as it is, and its later changes can overwrite what is set here. A writable token; an assistant asks a person first. Events: listing_calendar_updated.

        `POST /v3/listings/inventories`
        """
        operation = Operation("updateInventories", "POST", "/listings/inventories", (), has_body=True, is_keyed=True, is_read=False)
        self._call(operation, {"channel_type": channel_type, "listing_id": listing_id, "inventories": inventories}, idempotency_key)

    def update_restrictions(self, *, channel_type: str, listing_id: str, restrictions: list[t.RestrictionRange], idempotency_key: str | LeftOut = LEFT_OUT) -> None:
        """Sets who may arrive, leave or stay how long; the channel takes it shortly after.

        Only what is given changes; null removes a restriction. No event is sent. A writable token; an assistant asks a person first.

        `POST /v3/listings/restrictions`
        """
        operation = Operation("updateRestrictions", "POST", "/listings/restrictions", (), has_body=True, is_keyed=True, is_read=False)
        self._call(operation, {"channel_type": channel_type, "listing_id": listing_id, "restrictions": restrictions}, idempotency_key)

    def get_marketplace_a_rules(self, *, listing_id: str) -> t.GetMarketplaceARulesAnswerData:
        """Prices and rules of a listing, asked of the channel at this moment.

        The fields stand in data itself and under settings. Any token.

        `GET /v3/listings/marketplace_a/price_and_rules`
        """
        operation = Operation("getMarketplaceARules", "GET", "/listings/marketplace_a/price_and_rules", ("listing_id", ), has_body=False, is_keyed=False, is_read=True)
        answer: t.GetMarketplaceARulesAnswerData = self._call(operation, {"listing_id": listing_id})
        return answer

    def update_marketplace_a_rules(self, *, listing_id: str, settings: t.MarketplaceASettings, idempotency_key: str | LeftOut = LEFT_OUT) -> None:
        """Changes prices and rules of a listing on its channel, at once.

        Only what is given changes; an empty list of blackout dates clears it, and such nights stay bookable. A writable token; an assistant asks a person first.

        `POST /v3/listings/marketplace_a/price_and_rules`
        """
        operation = Operation("updateMarketplaceARules", "POST", "/listings/marketplace_a/price_and_rules", (), has_body=True, is_keyed=True, is_read=False)
        self._call(operation, {"listing_id": listing_id, "settings": settings}, idempotency_key)

    def get_marketplace_b_rules(self, *, listing_id: str) -> t.GetMarketplaceBRulesAnswerData:
        """Prices and rules of a listing as recorded here.

        A snapshot: what was changed on the channel itself shows after the next synchronisation. Any token.

        `GET /v3/listings/marketplace_b/price_and_rules`
        """
        operation = Operation("getMarketplaceBRules", "GET", "/listings/marketplace_b/price_and_rules", ("listing_id", ), has_body=False, is_keyed=False, is_read=True)
        answer: t.GetMarketplaceBRulesAnswerData = self._call(operation, {"listing_id": listing_id})
        return answer

    def update_marketplace_b_rules(self, *, listing_id: str, settings: t.MarketplaceBSettings, idempotency_key: str | LeftOut = LEFT_OUT) -> None:
        """Changes prices and rules of a listing on its channel, at once.

        Only what is given changes. A writable token; an assistant asks a person first.

        `POST /v3/listings/marketplace_b/price_and_rules`
        """
        operation = Operation("updateMarketplaceBRules", "POST", "/listings/marketplace_b/price_and_rules", (), has_body=True, is_keyed=True, is_read=False)
        self._call(operation, {"listing_id": listing_id, "settings": settings}, idempotency_key)

    def list_transactions(self, *, offset: int | LeftOut = LEFT_OUT, limit: int | LeftOut = LEFT_OUT, cursor: str | LeftOut = LEFT_OUT, id: int | LeftOut = LEFT_OUT, start_date: str | LeftOut = LEFT_OUT, end_date: str | LeftOut = LEFT_OUT, property_id: int | LeftOut = LEFT_OUT, reservation_code: str | LeftOut = LEFT_OUT, stay_code: str | LeftOut = LEFT_OUT, direction: Literal["income", "expense"] | LeftOut = LEFT_OUT, item_id: int | LeftOut = LEFT_OUT, payment_method_id: int | LeftOut = LEFT_OUT, currency: str | LeftOut = LEFT_OUT, keyword: str | LeftOut = LEFT_OUT) -> t.ListTransactionsAnswerData:
        """Ledger entries by the operator’s date of action_at, newest id first.

        Any token.

        `GET /v3/transactions`
        """
        operation = Operation("listTransactions", "GET", "/transactions", ("offset", "limit", "cursor", "id", "start_date", "end_date", "property_id", "reservation_code", "stay_code", "direction", "item_id", "payment_method_id", "currency", "keyword", ), has_body=False, is_keyed=False, is_read=True)
        answer: t.ListTransactionsAnswerData = self._call(operation, {"offset": offset, "limit": limit, "cursor": cursor, "id": id, "start_date": start_date, "end_date": end_date, "property_id": property_id, "reservation_code": reservation_code, "stay_code": stay_code, "direction": direction, "item_id": item_id, "payment_method_id": payment_method_id, "currency": currency, "keyword": keyword})
        return answer

    def iterate_transactions(self, *, id: int | LeftOut = LEFT_OUT, start_date: str | LeftOut = LEFT_OUT, end_date: str | LeftOut = LEFT_OUT, property_id: int | LeftOut = LEFT_OUT, reservation_code: str | LeftOut = LEFT_OUT, stay_code: str | LeftOut = LEFT_OUT, direction: Literal["income", "expense"] | LeftOut = LEFT_OUT, item_id: int | LeftOut = LEFT_OUT, payment_method_id: int | LeftOut = LEFT_OUT, currency: str | LeftOut = LEFT_OUT, keyword: str | LeftOut = LEFT_OUT) -> Iterator[t.Transaction]:
        """All rows of `list_transactions`, page by page: Ledger entries by the operator’s date of action_at, newest id first."""
        return self._pages(self.list_transactions, {"id": id, "start_date": start_date, "end_date": end_date, "property_id": property_id, "reservation_code": reservation_code, "stay_code": stay_code, "direction": direction, "item_id": item_id, "payment_method_id": payment_method_id, "currency": currency, "keyword": keyword}, "transactions")

    def create_transaction(self, *, direction: Literal["income", "expense"], amount: float, item_id: int, payment_method_id: int, reservation_code: str | LeftOut = LEFT_OUT, stay_code: str | LeftOut = LEFT_OUT, property_id: int | LeftOut = LEFT_OUT, currency: str | LeftOut = LEFT_OUT, action_at: str | LeftOut = LEFT_OUT, note: str | LeftOut = LEFT_OUT, idempotency_key: str | LeftOut = LEFT_OUT) -> t.CreateTransactionAnswerData:
        """Adds a ledger entry to a reservation, a property or the operator.

        Belongs to a reservation as a whole: a room’s share stands beside it, by room rates. A writable token; an assistant asks a person first. Events: transaction_created.

        `POST /v3/transactions`
        """
        operation = Operation("createTransaction", "POST", "/transactions", (), has_body=True, is_keyed=True, is_read=False)
        answer: t.CreateTransactionAnswerData = self._call(operation, {"direction": direction, "amount": amount, "item_id": item_id, "payment_method_id": payment_method_id, "reservation_code": reservation_code, "stay_code": stay_code, "property_id": property_id, "currency": currency, "action_at": action_at, "note": note}, idempotency_key)
        return answer

    def update_transaction(self, *, id: int, amount: float | LeftOut = LEFT_OUT, item_id: int | LeftOut = LEFT_OUT, payment_method_id: int | LeftOut = LEFT_OUT, action_at: str | LeftOut = LEFT_OUT, note: str | LeftOut = LEFT_OUT) -> None:
        """Changes an entry; its direction, link and currency stay.

        A writable token; an assistant asks a person first. Events: transaction_updated.

        `PATCH /v3/transactions/{id}`
        """
        operation = Operation("updateTransaction", "PATCH", "/transactions/{id}", (), has_body=True, is_keyed=False, is_read=False)
        self._call(operation, {"id": id, "amount": amount, "item_id": item_id, "payment_method_id": payment_method_id, "action_at": action_at, "note": note})

    def delete_transaction(self, *, id: int) -> None:
        """Deletes an entry for good.

        A writable token; an assistant asks a person first. Events: transaction_deleted.

        `DELETE /v3/transactions/{id}`
        """
        operation = Operation("deleteTransaction", "DELETE", "/transactions/{id}", (), has_body=False, is_keyed=False, is_read=False)
        self._call(operation, {"id": id})

    def list_automation_actions(self, *, offset: int | LeftOut = LEFT_OUT, limit: int | LeftOut = LEFT_OUT, cursor: str | LeftOut = LEFT_OUT, type: str | LeftOut = LEFT_OUT, keyword: str | LeftOut = LEFT_OUT, stay_code: str | LeftOut = LEFT_OUT, property_ids: str | LeftOut = LEFT_OUT, start_time: str | LeftOut = LEFT_OUT, end_time: str | LeftOut = LEFT_OUT, channel_types: str | LeftOut = LEFT_OUT, rule_event: str | LeftOut = LEFT_OUT) -> t.ListAutomationActionsAnswerData:
        """What rules are going to do, the next first.

        Up to 30 days ahead; of the whole account, whoever asks. Any token.

        `GET /v3/automation/actions`
        """
        operation = Operation("listAutomationActions", "GET", "/automation/actions", ("offset", "limit", "cursor", "type", "keyword", "stay_code", "property_ids", "start_time", "end_time", "channel_types", "rule_event", ), has_body=False, is_keyed=False, is_read=True)
        answer: t.ListAutomationActionsAnswerData = self._call(operation, {"offset": offset, "limit": limit, "cursor": cursor, "type": type, "keyword": keyword, "stay_code": stay_code, "property_ids": property_ids, "start_time": start_time, "end_time": end_time, "channel_types": channel_types, "rule_event": rule_event})
        return answer

    def iterate_automation_actions(self, *, type: str | LeftOut = LEFT_OUT, keyword: str | LeftOut = LEFT_OUT, stay_code: str | LeftOut = LEFT_OUT, property_ids: str | LeftOut = LEFT_OUT, start_time: str | LeftOut = LEFT_OUT, end_time: str | LeftOut = LEFT_OUT, channel_types: str | LeftOut = LEFT_OUT, rule_event: str | LeftOut = LEFT_OUT) -> Iterator[t.AutomationAction]:
        """All rows of `list_automation_actions`, page by page: What rules are going to do, the next first."""
        return self._pages(self.list_automation_actions, {"type": type, "keyword": keyword, "stay_code": stay_code, "property_ids": property_ids, "start_time": start_time, "end_time": end_time, "channel_types": channel_types, "rule_event": rule_event}, "actions")

    def execute_automation_action(self, *, plan_id: str, idempotency_key: str | LeftOut = LEFT_OUT) -> None:
        """Sends the message or posts the review now instead of when it is due.

        Cannot be undone. A review waits for the day of check-out, in the property’s zone; a message needs a booking of a channel, or one that has a conversation. A writable token; an assistant asks a person first. Events: message_created, review_created, review_updated.

        `POST /v3/automation/actions/{plan_id}/execute`
        """
        operation = Operation("executeAutomationAction", "POST", "/automation/actions/{plan_id}/execute", (), has_body=False, is_keyed=True, is_read=False)
        self._call(operation, {"plan_id": plan_id}, idempotency_key)

    def delete_automation_action(self, *, plan_id: str) -> None:
        """Takes this one message or review off the plan for good; its rule goes on.

        A writable token; an assistant asks a person first.

        `DELETE /v3/automation/actions/{plan_id}`
        """
        operation = Operation("deleteAutomationAction", "DELETE", "/automation/actions/{plan_id}", (), has_body=False, is_keyed=False, is_read=False)
        self._call(operation, {"plan_id": plan_id})

    def list_knowledge_bases(self, *, offset: int | LeftOut = LEFT_OUT, limit: int | LeftOut = LEFT_OUT, cursor: str | LeftOut = LEFT_OUT, property_ids: str | LeftOut = LEFT_OUT, channel_types: str | LeftOut = LEFT_OUT, search: str | LeftOut = LEFT_OUT) -> t.ListKnowledgeBasesAnswerData:
        """Entries of the knowledge base without their text, newest first.

        Filters find every entry that holds for one of the properties or channels, those for all included. Any token.

        `GET /v3/knowledge_bases`
        """
        operation = Operation("listKnowledgeBases", "GET", "/knowledge_bases", ("offset", "limit", "cursor", "property_ids", "channel_types", "search", ), has_body=False, is_keyed=False, is_read=True)
        answer: t.ListKnowledgeBasesAnswerData = self._call(operation, {"offset": offset, "limit": limit, "cursor": cursor, "property_ids": property_ids, "channel_types": channel_types, "search": search})
        return answer

    def iterate_knowledge_bases(self, *, property_ids: str | LeftOut = LEFT_OUT, channel_types: str | LeftOut = LEFT_OUT, search: str | LeftOut = LEFT_OUT) -> Iterator[t.KnowledgeBase]:
        """All rows of `list_knowledge_bases`, page by page: Entries of the knowledge base without their text, newest first."""
        return self._pages(self.list_knowledge_bases, {"property_ids": property_ids, "channel_types": channel_types, "search": search}, "knowledge_bases")

    def create_knowledge_base(self, *, content: str | LeftOut = LEFT_OUT, title: str | LeftOut = LEFT_OUT, contents: list[t.GivenKnowledgeBasePart] | LeftOut = LEFT_OUT, scope_property: t.GivenPropertyScope | LeftOut = LEFT_OUT, scope_channel: t.GivenChannelScope | LeftOut = LEFT_OUT, is_enable: bool | LeftOut = LEFT_OUT, idempotency_key: str | LeftOut = LEFT_OUT) -> t.CreateKnowledgeBaseAnswerData:
        """Adds an entry; its text can be found once process_status is done.

        Without scopes it holds for all properties and channels; without a title it takes its first line. A writable token; an assistant asks a person first.

        `POST /v3/knowledge_bases`
        """
        operation = Operation("createKnowledgeBase", "POST", "/knowledge_bases", (), has_body=True, is_keyed=True, is_read=False)
        answer: t.CreateKnowledgeBaseAnswerData = self._call(operation, {"content": content, "title": title, "contents": contents, "scope_property": scope_property, "scope_channel": scope_channel, "is_enable": is_enable}, idempotency_key)
        return answer

    def get_knowledge_base(self, *, id: int) -> t.KnowledgeBaseDetail:
        """One entry with its text.

        Any token.

        `GET /v3/knowledge_bases/{id}`
        """
        operation = Operation("getKnowledgeBase", "GET", "/knowledge_bases/{id}", (), has_body=False, is_keyed=False, is_read=True)
        answer: t.KnowledgeBaseDetail = self._call(operation, {"id": id})
        return answer

    def update_knowledge_base(self, *, id: int, content: str | LeftOut = LEFT_OUT, title: str | LeftOut = LEFT_OUT, contents: list[t.GivenKnowledgeBasePart] | LeftOut = LEFT_OUT, scope_property: t.GivenPropertyScope | LeftOut = LEFT_OUT, scope_channel: t.GivenChannelScope | LeftOut = LEFT_OUT, is_enable: bool | LeftOut = LEFT_OUT) -> None:
        """Changes an entry; other text is processed again.

        A writable token; an assistant asks a person first.

        `PATCH /v3/knowledge_bases/{id}`
        """
        operation = Operation("updateKnowledgeBase", "PATCH", "/knowledge_bases/{id}", (), has_body=True, is_keyed=False, is_read=False)
        self._call(operation, {"id": id, "content": content, "title": title, "contents": contents, "scope_property": scope_property, "scope_channel": scope_channel, "is_enable": is_enable})

    def delete_knowledge_base(self, *, id: int) -> None:
        """Deletes an entry for good.

        A writable token; an assistant asks a person first.

        `DELETE /v3/knowledge_bases/{id}`
        """
        operation = Operation("deleteKnowledgeBase", "DELETE", "/knowledge_bases/{id}", (), has_body=False, is_keyed=False, is_read=False)
        self._call(operation, {"id": id})

    def list_tasks(self, *, offset: int | LeftOut = LEFT_OUT, limit: int | LeftOut = LEFT_OUT, cursor: str | LeftOut = LEFT_OUT, id: int | LeftOut = LEFT_OUT, start_date: str | LeftOut = LEFT_OUT, end_date: str | LeftOut = LEFT_OUT, staff_id: int | LeftOut = LEFT_OUT, property_id: int | LeftOut = LEFT_OUT, type: Literal["cleaning", "maintenance", "reception", "room_service", "other"] | LeftOut = LEFT_OUT, status: Literal["pending", "in_progress", "completed", "cancelled"] | LeftOut = LEFT_OUT) -> t.ListTasksAnswerData:
        """Tasks, newest first; the dates are those they are expected on, both included.

        Any token.

        `GET /v3/tasks`
        """
        operation = Operation("listTasks", "GET", "/tasks", ("offset", "limit", "cursor", "id", "start_date", "end_date", "staff_id", "property_id", "type", "status", ), has_body=False, is_keyed=False, is_read=True)
        answer: t.ListTasksAnswerData = self._call(operation, {"offset": offset, "limit": limit, "cursor": cursor, "id": id, "start_date": start_date, "end_date": end_date, "staff_id": staff_id, "property_id": property_id, "type": type, "status": status})
        return answer

    def iterate_tasks(self, *, id: int | LeftOut = LEFT_OUT, start_date: str | LeftOut = LEFT_OUT, end_date: str | LeftOut = LEFT_OUT, staff_id: int | LeftOut = LEFT_OUT, property_id: int | LeftOut = LEFT_OUT, type: Literal["cleaning", "maintenance", "reception", "room_service", "other"] | LeftOut = LEFT_OUT, status: Literal["pending", "in_progress", "completed", "cancelled"] | LeftOut = LEFT_OUT) -> Iterator[t.Task]:
        """All rows of `list_tasks`, page by page: Tasks, newest first; the dates are those they are expected on, both included."""
        return self._pages(self.list_tasks, {"id": id, "start_date": start_date, "end_date": end_date, "staff_id": staff_id, "property_id": property_id, "type": type, "status": status}, "tasks")

    def create_task(self, *, type: Literal["cleaning", "maintenance", "reception", "room_service", "other"], expected_date: str, currency: str, stay_code: str | None | LeftOut = LEFT_OUT, property_id: int | LeftOut = LEFT_OUT, staff_id: int | LeftOut = LEFT_OUT, expected_time: str | None | LeftOut = LEFT_OUT, level: Literal["standard", "simple", "advanced"] | None | LeftOut = LEFT_OUT, fee: float | None | LeftOut = LEFT_OUT, note: str | LeftOut = LEFT_OUT, idempotency_key: str | LeftOut = LEFT_OUT) -> t.CreateTaskAnswerData:
        """Adds a task, for a stay, a property or neither.

        With a stay and no property it is the stay’s property; with both they must belong together. A writable token; an assistant asks a person first.

        `POST /v3/tasks`
        """
        operation = Operation("createTask", "POST", "/tasks", (), has_body=True, is_keyed=True, is_read=False)
        answer: t.CreateTaskAnswerData = self._call(operation, {"type": type, "expected_date": expected_date, "currency": currency, "stay_code": stay_code, "property_id": property_id, "staff_id": staff_id, "expected_time": expected_time, "level": level, "fee": fee, "note": note}, idempotency_key)
        return answer

    def update_task(self, *, id: int, type: Literal["cleaning", "maintenance", "reception", "room_service", "other"] | LeftOut = LEFT_OUT, status: Literal["pending", "in_progress", "completed", "cancelled"] | LeftOut = LEFT_OUT, expected_date: str | LeftOut = LEFT_OUT, currency: str | LeftOut = LEFT_OUT, stay_code: str | None | LeftOut = LEFT_OUT, property_id: int | LeftOut = LEFT_OUT, staff_id: int | LeftOut = LEFT_OUT, expected_time: str | None | LeftOut = LEFT_OUT, level: Literal["standard", "simple", "advanced"] | None | LeftOut = LEFT_OUT, fee: float | None | LeftOut = LEFT_OUT, note: str | LeftOut = LEFT_OUT) -> None:
        """Changes a task; what is left out stays.

        property_id 0 takes it off its property and its stay, staff_id 0 takes it from whoever has it. A writable token; an assistant asks a person first.

        `PATCH /v3/tasks/{id}`
        """
        operation = Operation("updateTask", "PATCH", "/tasks/{id}", (), has_body=True, is_keyed=False, is_read=False)
        self._call(operation, {"id": id, "type": type, "status": status, "expected_date": expected_date, "currency": currency, "stay_code": stay_code, "property_id": property_id, "staff_id": staff_id, "expected_time": expected_time, "level": level, "fee": fee, "note": note})

    def delete_task(self, *, id: int) -> None:
        """Deletes a task for good.

        A writable token; an assistant asks a person first.

        `DELETE /v3/tasks/{id}`
        """
        operation = Operation("deleteTask", "DELETE", "/tasks/{id}", (), has_body=False, is_keyed=False, is_read=False)
        self._call(operation, {"id": id})

    def list_staffs(self, *, offset: int | LeftOut = LEFT_OUT, limit: int | LeftOut = LEFT_OUT, cursor: str | LeftOut = LEFT_OUT, id: int | LeftOut = LEFT_OUT, is_active: bool | LeftOut = LEFT_OUT) -> t.ListStaffsAnswerData:
        """The people who do tasks, newest first.

        Any token.

        `GET /v3/staffs`
        """
        operation = Operation("listStaffs", "GET", "/staffs", ("offset", "limit", "cursor", "id", "is_active", ), has_body=False, is_keyed=False, is_read=True)
        answer: t.ListStaffsAnswerData = self._call(operation, {"offset": offset, "limit": limit, "cursor": cursor, "id": id, "is_active": is_active})
        return answer

    def iterate_staffs(self, *, id: int | LeftOut = LEFT_OUT, is_active: bool | LeftOut = LEFT_OUT) -> Iterator[t.Staff]:
        """All rows of `list_staffs`, page by page: The people who do tasks, newest first."""
        return self._pages(self.list_staffs, {"id": id, "is_active": is_active}, "staffs")

    def create_staff(self, *, name: str, mobile: str, email: str | None | LeftOut = LEFT_OUT, note: str | LeftOut = LEFT_OUT, property_ids: list[int] | LeftOut = LEFT_OUT, idempotency_key: str | LeftOut = LEFT_OUT) -> t.CreateStaffAnswerData:
        """Adds a member of staff.

        A writable token; an assistant asks a person first.

        `POST /v3/staffs`
        """
        operation = Operation("createStaff", "POST", "/staffs", (), has_body=True, is_keyed=True, is_read=False)
        answer: t.CreateStaffAnswerData = self._call(operation, {"name": name, "mobile": mobile, "email": email, "note": note, "property_ids": property_ids}, idempotency_key)
        return answer

    def update_staff(self, *, id: int, name: str | LeftOut = LEFT_OUT, mobile: str | LeftOut = LEFT_OUT, email: str | None | LeftOut = LEFT_OUT, note: str | LeftOut = LEFT_OUT, property_ids: list[int] | LeftOut = LEFT_OUT, is_active: bool | Literal[0, 1] | LeftOut = LEFT_OUT) -> None:
        """Changes a member of staff; property_ids replaces the whole list.

        A writable token; an assistant asks a person first.

        `PATCH /v3/staffs/{id}`
        """
        operation = Operation("updateStaff", "PATCH", "/staffs/{id}", (), has_body=True, is_keyed=False, is_read=False)
        self._call(operation, {"id": id, "name": name, "mobile": mobile, "email": email, "note": note, "property_ids": property_ids, "is_active": is_active})

    def delete_staff(self, *, id: int) -> None:
        """Removes a member of staff; their open tasks are nobody’s then, those they did keep their name.

        A writable token; an assistant asks a person first.

        `DELETE /v3/staffs/{id}`
        """
        operation = Operation("deleteStaff", "DELETE", "/staffs/{id}", (), has_body=False, is_keyed=False, is_read=False)
        self._call(operation, {"id": id})

    def list_webhooks(self) -> t.ListWebhooksAnswerData:
        """Registered webhooks.

        Any token.

        `GET /v3/webhooks`
        """
        operation = Operation("listWebhooks", "GET", "/webhooks", (), has_body=False, is_keyed=False, is_read=True)
        answer: t.ListWebhooksAnswerData = self._call(operation, {})
        return answer

    def create_webhook(self, *, url: str, events: list[Literal["reservation_created", "reservation_updated", "property_availability_updated", "listing_calendar_updated", "message_created", "review_created", "review_updated", "transaction_created", "transaction_updated", "transaction_deleted"]] | LeftOut = LEFT_OUT, idempotency_key: str | LeftOut = LEFT_OUT) -> t.CreateWebhookAnswerData:
        """Registers a URL for thin events.

        A writable token.

        `POST /v3/webhooks`
        """
        operation = Operation("createWebhook", "POST", "/webhooks", (), has_body=True, is_keyed=True, is_read=False)
        answer: t.CreateWebhookAnswerData = self._call(operation, {"url": url, "events": events}, idempotency_key)
        return answer

    def update_webhook(self, *, id: int, url: str | LeftOut = LEFT_OUT, events: list[Literal["reservation_created", "reservation_updated", "property_availability_updated", "listing_calendar_updated", "message_created", "review_created", "review_updated", "transaction_created", "transaction_updated", "transaction_deleted"]] | LeftOut = LEFT_OUT) -> t.Webhook:
        """Changes where or which events are sent; the secret stays. For who registered it, and the main account.

        A writable token.

        `PATCH /v3/webhooks/{id}`
        """
        operation = Operation("updateWebhook", "PATCH", "/webhooks/{id}", (), has_body=True, is_keyed=False, is_read=False)
        answer: t.Webhook = self._call(operation, {"id": id, "url": url, "events": events})
        return answer

    def delete_webhook(self, *, id: int) -> None:
        """Ends deliveries to a URL. For who registered it, and the main account.

        A writable token.

        `DELETE /v3/webhooks/{id}`
        """
        operation = Operation("deleteWebhook", "DELETE", "/webhooks/{id}", (), has_body=False, is_keyed=False, is_read=False)
        self._call(operation, {"id": id})

    def create_authorization(self, *, client_id: str, grant_type: Literal["authorization_code", "refresh_token"], client_secret: str | LeftOut = LEFT_OUT, code: str | LeftOut = LEFT_OUT, code_verifier: str | LeftOut = LEFT_OUT, redirect_uri: str | LeftOut = LEFT_OUT, refresh_token: str | LeftOut = LEFT_OUT) -> t.CreateAuthorizationAnswerData:
        """Exchanges an authorization code or a refresh token for tokens.

        Takes no access token and counts against no limit of the account. After 10 wrong secrets or verifiers of one client in 10 minutes everything of it is answered 429 for the rest of them. A code or refresh token that comes a second time ends all tokens that descend from it. The same without envelope: POST /oauth/token. No token.

        `POST /v3/oauth/authorizations`
        """
        operation = Operation("createAuthorization", "POST", "/oauth/authorizations", (), has_body=True, is_keyed=False, is_read=False)
        answer: t.CreateAuthorizationAnswerData = self._call(operation, {"client_id": client_id, "grant_type": grant_type, "client_secret": client_secret, "code": code, "code_verifier": code_verifier, "redirect_uri": redirect_uri, "refresh_token": refresh_token})
        return answer

    def revoke_authorization(self, *, client_id: str, token: str, client_secret: str | LeftOut = LEFT_OUT) -> None:
        """Ends one token of an application.

        A token that is unknown, over, or of another client is answered like one that was ended. With the last token of an application in an account, it is disconnected there: its webhooks end and receive an event about it. No token. Events: authorization_revoked.

        `POST /v3/oauth/revoke`
        """
        operation = Operation("revokeAuthorization", "POST", "/oauth/revoke", (), has_body=True, is_keyed=False, is_read=False)
        self._call(operation, {"client_id": client_id, "token": token, "client_secret": client_secret})
