// Made by `npm run integrations` from the OpenAPI document; do not change it by hand.

import type { OfferedOperation } from './operation';

export const OPERATIONS: readonly OfferedOperation[] = [
	{
		"resource": "availability",
		"operation": "getAll",
		"name": "Get Many",
		"action": "Get free and blocked nights",
		"description": "Free and taken nights on the master calendar, both dates included.",
		"id": "listAvailabilities",
		"method": "GET",
		"path": "/availabilities",
		"hasBody": false,
		"isPaged": false,
		"rows": "properties",
		"fields": [
			{
				"name": "property_ids",
				"where": "query",
				"required": true,
				"displayName": "Property IDs",
				"description": "Properties, by their ids.",
				"type": "string",
				"default": ""
			},
			{
				"name": "start_date",
				"where": "query",
				"required": true,
				"displayName": "Start Date",
				"description": "The first night.",
				"type": "string",
				"default": ""
			},
			{
				"name": "end_date",
				"where": "query",
				"required": true,
				"displayName": "End Date",
				"description": "The last night.",
				"type": "string",
				"default": ""
			}
		]
	},
	{
		"resource": "availability",
		"operation": "update",
		"name": "Update",
		"action": "Open or block nights",
		"description": "Opens or blocks nights on the master calendar.",
		"id": "updateAvailabilities",
		"method": "POST",
		"path": "/availabilities",
		"hasBody": true,
		"isPaged": false,
		"rows": null,
		"fields": [
			{
				"name": "property_ids",
				"where": "body",
				"required": true,
				"displayName": "Property IDs",
				"description": "",
				"type": "json",
				"default": "[]"
			},
			{
				"name": "available",
				"where": "body",
				"required": true,
				"displayName": "Available",
				"description": "true opens the nights, false blocks them.",
				"type": "boolean",
				"default": false
			},
			{
				"name": "start_date",
				"where": "body",
				"required": false,
				"displayName": "Start Date",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "end_date",
				"where": "body",
				"required": false,
				"displayName": "End Date",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "dates",
				"where": "body",
				"required": false,
				"displayName": "Dates",
				"description": "Instead of a range.",
				"type": "json",
				"default": "[]"
			}
		]
	},
	{
		"resource": "calendar",
		"operation": "getAll",
		"name": "Get Many",
		"action": "Get the calendars of listings",
		"description": "Price, inventory and restrictions of listings day by day, as their channels show them.",
		"id": "listCalendars",
		"method": "POST",
		"path": "/listings/calendar",
		"hasBody": true,
		"isPaged": false,
		"rows": "listings",
		"fields": [
			{
				"name": "start_date",
				"where": "body",
				"required": true,
				"displayName": "Start Date",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "end_date",
				"where": "body",
				"required": true,
				"displayName": "End Date",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "listings",
				"where": "body",
				"required": false,
				"displayName": "Listings",
				"description": "",
				"type": "json",
				"default": "[]"
			},
			{
				"name": "channel_type",
				"where": "body",
				"required": false,
				"displayName": "Channel Type",
				"description": "With listing_id in place of listings: that one.",
				"type": "string",
				"default": ""
			},
			{
				"name": "listing_id",
				"where": "body",
				"required": false,
				"displayName": "Listing ID",
				"description": "",
				"type": "string",
				"default": ""
			}
		]
	},
	{
		"resource": "calendar",
		"operation": "updatePrices",
		"name": "Update Prices",
		"action": "Set prices of listings",
		"description": "Sets selling prices of listings; the channels take them shortly after.",
		"id": "updatePrices",
		"method": "POST",
		"path": "/listings/prices",
		"hasBody": true,
		"isPaged": false,
		"rows": "skipped",
		"fields": [
			{
				"name": "channel_type",
				"where": "body",
				"required": false,
				"displayName": "Channel Type",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "listing_id",
				"where": "body",
				"required": false,
				"displayName": "Listing ID",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "prices",
				"where": "body",
				"required": false,
				"displayName": "Prices",
				"description": "",
				"type": "json",
				"default": "[]"
			},
			{
				"name": "entries",
				"where": "body",
				"required": false,
				"displayName": "Entries",
				"description": "Instead: many listings at once.",
				"type": "json",
				"default": "[]"
			}
		]
	},
	{
		"resource": "conversation",
		"operation": "get",
		"name": "Get",
		"action": "Get a conversation with its messages",
		"description": "One conversation with its messages, newest first.",
		"id": "getConversation",
		"method": "GET",
		"path": "/conversations/{conversation_id}",
		"hasBody": false,
		"isPaged": false,
		"rows": null,
		"fields": [
			{
				"name": "conversation_id",
				"where": "path",
				"required": true,
				"displayName": "Conversation ID",
				"description": "The conversation; opaque.",
				"type": "string",
				"default": ""
			}
		]
	},
	{
		"resource": "conversation",
		"operation": "getAll",
		"name": "Get Many",
		"action": "Get many conversations",
		"description": "Conversations with guests, the one with the newest message first.",
		"id": "listConversations",
		"method": "GET",
		"path": "/conversations",
		"hasBody": false,
		"isPaged": true,
		"rows": "conversations",
		"fields": []
	},
	{
		"resource": "conversation",
		"operation": "updateNote",
		"name": "Update Note",
		"action": "Write the note of a conversation",
		"description": "Sets the host’s private note on a conversation; never sent to anybody.",
		"id": "updateConversationNote",
		"method": "PATCH",
		"path": "/conversations/{conversation_id}/note",
		"hasBody": true,
		"isPaged": false,
		"rows": null,
		"fields": [
			{
				"name": "conversation_id",
				"where": "path",
				"required": true,
				"displayName": "Conversation ID",
				"description": "The conversation; opaque.",
				"type": "string",
				"default": ""
			},
			{
				"name": "note",
				"where": "body",
				"required": true,
				"displayName": "Note",
				"description": "Empty or null clears it.",
				"type": "string",
				"default": ""
			}
		]
	},
	{
		"resource": "message",
		"operation": "send",
		"name": "Send",
		"action": "Send a message to a guest",
		"description": "Sends a text, a picture or both to the guest; cannot be undone.",
		"id": "sendMessage",
		"method": "POST",
		"path": "/conversations/{conversation_id}",
		"hasBody": true,
		"isPaged": false,
		"rows": null,
		"fields": [
			{
				"name": "conversation_id",
				"where": "path",
				"required": true,
				"displayName": "Conversation ID",
				"description": "The conversation; opaque.",
				"type": "string",
				"default": ""
			},
			{
				"name": "message",
				"where": "body",
				"required": false,
				"displayName": "Message",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "jpeg_base64",
				"where": "body",
				"required": false,
				"displayName": "Jpeg Base64",
				"description": "A JPEG picture, base64.",
				"type": "string",
				"default": ""
			}
		]
	},
	{
		"resource": "property",
		"operation": "create",
		"name": "Create",
		"action": "Create a property",
		"description": "Adds a property; uses up one of the subscription.",
		"id": "createProperty",
		"method": "POST",
		"path": "/properties",
		"hasBody": true,
		"isPaged": false,
		"rows": null,
		"fields": [
			{
				"name": "name",
				"where": "body",
				"required": false,
				"displayName": "Name",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "title",
				"where": "body",
				"required": false,
				"displayName": "Title",
				"description": "The same as name; one of the two is required.",
				"type": "string",
				"default": ""
			}
		]
	},
	{
		"resource": "property",
		"operation": "getAll",
		"name": "Get Many",
		"action": "Get many properties",
		"description": "Properties, newest first.",
		"id": "listProperties",
		"method": "GET",
		"path": "/properties",
		"hasBody": false,
		"isPaged": true,
		"rows": "properties",
		"fields": [
			{
				"name": "id",
				"where": "query",
				"required": false,
				"displayName": "ID",
				"description": "One property.",
				"type": "number",
				"default": 0
			},
			{
				"name": "group_id",
				"where": "query",
				"required": false,
				"displayName": "Group ID",
				"description": "Members of one group.",
				"type": "number",
				"default": 0
			},
			{
				"name": "tag_id",
				"where": "query",
				"required": false,
				"displayName": "Tag ID",
				"description": "Carriers of one tag.",
				"type": "number",
				"default": 0
			}
		]
	},
	{
		"resource": "reservation",
		"operation": "cancel",
		"name": "Cancel",
		"action": "Cancel a reservation",
		"description": "Cancels a direct booking and frees its nights at once.",
		"id": "cancelReservation",
		"method": "DELETE",
		"path": "/reservations/{code}",
		"hasBody": false,
		"isPaged": false,
		"rows": null,
		"fields": [
			{
				"name": "code",
				"where": "path",
				"required": true,
				"displayName": "Code",
				"description": "The reservation_code.",
				"type": "string",
				"default": ""
			}
		]
	},
	{
		"resource": "reservation",
		"operation": "create",
		"name": "Create",
		"action": "Create a reservation",
		"description": "Makes a direct booking.",
		"id": "createReservation",
		"method": "POST",
		"path": "/reservations",
		"hasBody": true,
		"isPaged": false,
		"rows": null,
		"fields": [
			{
				"name": "property_id",
				"where": "body",
				"required": true,
				"displayName": "Property ID",
				"description": "Where.",
				"type": "number",
				"default": 0
			},
			{
				"name": "check_in_date",
				"where": "body",
				"required": true,
				"displayName": "Check In Date",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "check_out_date",
				"where": "body",
				"required": true,
				"displayName": "Check Out Date",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "guest_name",
				"where": "body",
				"required": true,
				"displayName": "Guest Name",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "rate_amount",
				"where": "body",
				"required": true,
				"displayName": "Rate Amount",
				"description": "",
				"type": "number",
				"default": 0
			},
			{
				"name": "commission_amount",
				"where": "body",
				"required": true,
				"displayName": "Commission Amount",
				"description": "",
				"type": "number",
				"default": 0
			},
			{
				"name": "received_amount",
				"where": "body",
				"required": true,
				"displayName": "Received Amount",
				"description": "Above zero: one income entry is made.",
				"type": "number",
				"default": 0
			},
			{
				"name": "custom_channel_id",
				"where": "body",
				"required": false,
				"displayName": "Custom Channel ID",
				"description": "The source of the booking.",
				"type": "number",
				"default": 0
			},
			{
				"name": "currency",
				"where": "body",
				"required": false,
				"displayName": "Currency",
				"description": "Default: the property’s, else the operator’s.",
				"type": "string",
				"default": ""
			},
			{
				"name": "income_method_id",
				"where": "body",
				"required": false,
				"displayName": "Income Method ID",
				"description": "How the received amount came. Default: the first method.",
				"type": "number",
				"default": 0
			},
			{
				"name": "number_of_guests",
				"where": "body",
				"required": false,
				"displayName": "Number Of Guests",
				"description": "",
				"type": "number",
				"default": 0
			},
			{
				"name": "email",
				"where": "body",
				"required": false,
				"displayName": "Email",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "mobile",
				"where": "body",
				"required": false,
				"displayName": "Mobile",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "note",
				"where": "body",
				"required": false,
				"displayName": "Note",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "channel_id",
				"where": "body",
				"required": false,
				"displayName": "Channel ID",
				"description": "Your own reference; a repeat answers the booking made first.",
				"type": "string",
				"default": ""
			},
			{
				"name": "remarks",
				"where": "body",
				"required": false,
				"displayName": "Remarks",
				"description": "The same as note.",
				"type": "string",
				"default": ""
			}
		]
	},
	{
		"resource": "reservation",
		"operation": "getAll",
		"name": "Get Many",
		"action": "Get many reservations",
		"description": "Stays, one entry per room.",
		"id": "listReservations",
		"method": "GET",
		"path": "/reservations",
		"hasBody": false,
		"isPaged": true,
		"rows": "reservations",
		"fields": [
			{
				"name": "id",
				"where": "query",
				"required": false,
				"displayName": "ID",
				"description": "One stay, by its number.",
				"type": "number",
				"default": 0
			},
			{
				"name": "reservation_code",
				"where": "query",
				"required": false,
				"displayName": "Reservation Code",
				"description": "Stays of one reservation.",
				"type": "string",
				"default": ""
			},
			{
				"name": "channel_id",
				"where": "query",
				"required": false,
				"displayName": "Channel ID",
				"description": "Stays of the reservation that the channel, or you, call so.",
				"type": "string",
				"default": ""
			},
			{
				"name": "property_id",
				"where": "query",
				"required": false,
				"displayName": "Property ID",
				"description": "Stays in one property.",
				"type": "number",
				"default": 0
			},
			{
				"name": "status",
				"where": "query",
				"required": false,
				"displayName": "Status",
				"description": "Stays of reservations in this state.",
				"type": "options",
				"options": [
					{
						"name": "Accepted",
						"value": "accepted"
					},
					{
						"name": "Cancelled",
						"value": "cancelled"
					},
					{
						"name": "Denied",
						"value": "denied"
					},
					{
						"name": "Timeout",
						"value": "timeout"
					},
					{
						"name": "Wait Accept",
						"value": "wait_accept"
					},
					{
						"name": "Wait Pay",
						"value": "wait_pay"
					}
				],
				"default": "wait_accept"
			},
			{
				"name": "channel_type",
				"where": "query",
				"required": false,
				"displayName": "Channel Type",
				"description": "Stays that came by one channel.",
				"type": "string",
				"default": ""
			},
			{
				"name": "start_check_in_date",
				"where": "query",
				"required": false,
				"displayName": "Start Check In Date",
				"description": "Check-ins on this day or later.",
				"type": "string",
				"default": ""
			},
			{
				"name": "end_check_in_date",
				"where": "query",
				"required": false,
				"displayName": "End Check In Date",
				"description": "Check-ins on this day or earlier.",
				"type": "string",
				"default": ""
			},
			{
				"name": "start_check_out_date",
				"where": "query",
				"required": false,
				"displayName": "Start Check Out Date",
				"description": "Check-outs on this day or later.",
				"type": "string",
				"default": ""
			},
			{
				"name": "end_check_out_date",
				"where": "query",
				"required": false,
				"displayName": "End Check Out Date",
				"description": "Check-outs on this day or earlier.",
				"type": "string",
				"default": ""
			},
			{
				"name": "order_by",
				"where": "query",
				"required": false,
				"displayName": "Order By",
				"description": "Always latest first.",
				"type": "options",
				"options": [
					{
						"name": "Booked At",
						"value": "booked_at"
					},
					{
						"name": "Cancelled At",
						"value": "cancelled_at"
					},
					{
						"name": "Check In Date",
						"value": "check_in_date"
					},
					{
						"name": "Check Out Date",
						"value": "check_out_date"
					},
					{
						"name": "Created At",
						"value": "created_at"
					}
				],
				"default": "booked_at"
			}
		]
	},
	{
		"resource": "reservation",
		"operation": "update",
		"name": "Update",
		"action": "Update a reservation",
		"description": "Changes dates, guest, rates or notes of one stay.",
		"id": "updateReservation",
		"method": "PATCH",
		"path": "/reservations/{code}",
		"hasBody": true,
		"isPaged": false,
		"rows": null,
		"fields": [
			{
				"name": "code",
				"where": "path",
				"required": true,
				"displayName": "Code",
				"description": "The stay_code.",
				"type": "string",
				"default": ""
			},
			{
				"name": "note",
				"where": "body",
				"required": false,
				"displayName": "Note",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "creator",
				"where": "body",
				"required": false,
				"displayName": "Creator",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "custom_channel_id",
				"where": "body",
				"required": false,
				"displayName": "Custom Channel ID",
				"description": "The source of the booking.",
				"type": "number",
				"default": 0
			},
			{
				"name": "check_in_date",
				"where": "body",
				"required": false,
				"displayName": "Check In Date",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "check_out_date",
				"where": "body",
				"required": false,
				"displayName": "Check Out Date",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "number_of_guests",
				"where": "body",
				"required": false,
				"displayName": "Number Of Guests",
				"description": "",
				"type": "number",
				"default": 0
			},
			{
				"name": "guest_name",
				"where": "body",
				"required": false,
				"displayName": "Guest Name",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "mobile",
				"where": "body",
				"required": false,
				"displayName": "Mobile",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "email",
				"where": "body",
				"required": false,
				"displayName": "Email",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "currency",
				"where": "body",
				"required": false,
				"displayName": "Currency",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "rate_amount",
				"where": "body",
				"required": false,
				"displayName": "Rate Amount",
				"description": "",
				"type": "number",
				"default": 0
			},
			{
				"name": "commission_amount",
				"where": "body",
				"required": false,
				"displayName": "Commission Amount",
				"description": "",
				"type": "number",
				"default": 0
			},
			{
				"name": "received_amount",
				"where": "body",
				"required": false,
				"displayName": "Received Amount",
				"description": "Makes or edits the booking’s own income entry.",
				"type": "number",
				"default": 0
			},
			{
				"name": "remarks",
				"where": "body",
				"required": false,
				"displayName": "Remarks",
				"description": "The same as note.",
				"type": "string",
				"default": ""
			}
		]
	},
	{
		"resource": "review",
		"operation": "create",
		"name": "Create",
		"action": "Review a guest",
		"description": "Reviews the guest of a finished stay, or replies to the guest’s review; public and final.",
		"id": "createReview",
		"method": "POST",
		"path": "/reviews/{reservation_code}",
		"hasBody": true,
		"isPaged": false,
		"rows": null,
		"fields": [
			{
				"name": "reservation_code",
				"where": "path",
				"required": true,
				"displayName": "Reservation Code",
				"description": "The reservation.",
				"type": "string",
				"default": ""
			},
			{
				"name": "host_review_score",
				"where": "body",
				"required": false,
				"displayName": "Host Review Score",
				"description": "Default: category_ratings.overall_rating.",
				"type": "number",
				"default": 0
			},
			{
				"name": "host_review_content",
				"where": "body",
				"required": false,
				"displayName": "Host Review Content",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "host_reply_content",
				"where": "body",
				"required": false,
				"displayName": "Host Reply Content",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "category_ratings",
				"where": "body",
				"required": false,
				"displayName": "Category Ratings",
				"description": "Taken over by channels that know them.",
				"type": "json",
				"default": "{}"
			}
		]
	},
	{
		"resource": "review",
		"operation": "getAll",
		"name": "Get Many",
		"action": "Get many reviews",
		"description": "Reviews by check-out date, newest first.",
		"id": "listReviews",
		"method": "GET",
		"path": "/reviews",
		"hasBody": false,
		"isPaged": true,
		"rows": "reviews",
		"fields": [
			{
				"name": "reservation_code",
				"where": "query",
				"required": false,
				"displayName": "Reservation Code",
				"description": "Reviews of one reservation.",
				"type": "string",
				"default": ""
			},
			{
				"name": "property_id",
				"where": "query",
				"required": false,
				"displayName": "Property ID",
				"description": "Stays in one property.",
				"type": "number",
				"default": 0
			},
			{
				"name": "review_status",
				"where": "query",
				"required": false,
				"displayName": "Review Status",
				"description": "Whose review is there or missing; reviewed (the guest’s is there) unless reservation_code is given.",
				"type": "options",
				"options": [
					{
						"name": "Pending Guest Review",
						"value": "pending_guest_review"
					},
					{
						"name": "Pending Host Review",
						"value": "pending_host_review"
					},
					{
						"name": "Reviewed",
						"value": "reviewed"
					}
				],
				"default": "pending_guest_review"
			},
			{
				"name": "start_check_out_date",
				"where": "query",
				"required": false,
				"displayName": "Start Check Out Date",
				"description": "Default: 180 days before the end.",
				"type": "string",
				"default": ""
			},
			{
				"name": "end_check_out_date",
				"where": "query",
				"required": false,
				"displayName": "End Check Out Date",
				"description": "Default: today.",
				"type": "string",
				"default": ""
			}
		]
	},
	{
		"resource": "task",
		"operation": "create",
		"name": "Create",
		"action": "Create a task",
		"description": "Adds a task, for a stay, a property or neither.",
		"id": "createTask",
		"method": "POST",
		"path": "/tasks",
		"hasBody": true,
		"isPaged": false,
		"rows": null,
		"fields": [
			{
				"name": "type",
				"where": "body",
				"required": true,
				"displayName": "Type",
				"description": "",
				"type": "options",
				"options": [
					{
						"name": "Cleaning",
						"value": "cleaning"
					},
					{
						"name": "Maintenance",
						"value": "maintenance"
					},
					{
						"name": "Other",
						"value": "other"
					},
					{
						"name": "Reception",
						"value": "reception"
					},
					{
						"name": "Room Service",
						"value": "room_service"
					}
				],
				"default": "cleaning"
			},
			{
				"name": "expected_date",
				"where": "body",
				"required": true,
				"displayName": "Expected Date",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "currency",
				"where": "body",
				"required": true,
				"displayName": "Currency",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "stay_code",
				"where": "body",
				"required": false,
				"displayName": "Stay Code",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "property_id",
				"where": "body",
				"required": false,
				"displayName": "Property ID",
				"description": "Left out: that of the stay. 0: none.",
				"type": "number",
				"default": 0
			},
			{
				"name": "staff_id",
				"where": "body",
				"required": false,
				"displayName": "Staff ID",
				"description": "Who does it. 0: nobody yet.",
				"type": "number",
				"default": 0
			},
			{
				"name": "expected_time",
				"where": "body",
				"required": false,
				"displayName": "Expected Time",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "level",
				"where": "body",
				"required": false,
				"displayName": "Level",
				"description": "",
				"type": "options",
				"options": [
					{
						"name": "Advanced",
						"value": "advanced"
					},
					{
						"name": "Simple",
						"value": "simple"
					},
					{
						"name": "Standard",
						"value": "standard"
					}
				],
				"default": "standard"
			},
			{
				"name": "fee",
				"where": "body",
				"required": false,
				"displayName": "Fee",
				"description": "",
				"type": "number",
				"default": 0
			},
			{
				"name": "note",
				"where": "body",
				"required": false,
				"displayName": "Note",
				"description": "",
				"type": "string",
				"default": ""
			}
		]
	},
	{
		"resource": "task",
		"operation": "delete",
		"name": "Delete",
		"action": "Delete a task",
		"description": "Deletes a task for good.",
		"id": "deleteTask",
		"method": "DELETE",
		"path": "/tasks/{id}",
		"hasBody": false,
		"isPaged": false,
		"rows": null,
		"fields": [
			{
				"name": "id",
				"where": "path",
				"required": true,
				"displayName": "ID",
				"description": "The task.",
				"type": "number",
				"default": 0
			}
		]
	},
	{
		"resource": "task",
		"operation": "getAll",
		"name": "Get Many",
		"action": "Get many tasks",
		"description": "Tasks, newest first; the dates are those they are expected on, both included.",
		"id": "listTasks",
		"method": "GET",
		"path": "/tasks",
		"hasBody": false,
		"isPaged": true,
		"rows": "tasks",
		"fields": [
			{
				"name": "id",
				"where": "query",
				"required": false,
				"displayName": "ID",
				"description": "One task.",
				"type": "number",
				"default": 0
			},
			{
				"name": "start_date",
				"where": "query",
				"required": false,
				"displayName": "Start Date",
				"description": "Expected on this day or later.",
				"type": "string",
				"default": ""
			},
			{
				"name": "end_date",
				"where": "query",
				"required": false,
				"displayName": "End Date",
				"description": "Expected on this day or earlier.",
				"type": "string",
				"default": ""
			},
			{
				"name": "staff_id",
				"where": "query",
				"required": false,
				"displayName": "Staff ID",
				"description": "Tasks of one member of staff.",
				"type": "number",
				"default": 0
			},
			{
				"name": "property_id",
				"where": "query",
				"required": false,
				"displayName": "Property ID",
				"description": "Tasks in one property.",
				"type": "number",
				"default": 0
			},
			{
				"name": "type",
				"where": "query",
				"required": false,
				"displayName": "Type",
				"description": "Tasks of one kind.",
				"type": "options",
				"options": [
					{
						"name": "Cleaning",
						"value": "cleaning"
					},
					{
						"name": "Maintenance",
						"value": "maintenance"
					},
					{
						"name": "Other",
						"value": "other"
					},
					{
						"name": "Reception",
						"value": "reception"
					},
					{
						"name": "Room Service",
						"value": "room_service"
					}
				],
				"default": "cleaning"
			},
			{
				"name": "status",
				"where": "query",
				"required": false,
				"displayName": "Status",
				"description": "Tasks in one state.",
				"type": "options",
				"options": [
					{
						"name": "Cancelled",
						"value": "cancelled"
					},
					{
						"name": "Completed",
						"value": "completed"
					},
					{
						"name": "In Progress",
						"value": "in_progress"
					},
					{
						"name": "Pending",
						"value": "pending"
					}
				],
				"default": "pending"
			}
		]
	},
	{
		"resource": "task",
		"operation": "update",
		"name": "Update",
		"action": "Update a task",
		"description": "Changes a task; what is left out stays.",
		"id": "updateTask",
		"method": "PATCH",
		"path": "/tasks/{id}",
		"hasBody": true,
		"isPaged": false,
		"rows": null,
		"fields": [
			{
				"name": "id",
				"where": "path",
				"required": true,
				"displayName": "ID",
				"description": "The task.",
				"type": "number",
				"default": 0
			},
			{
				"name": "type",
				"where": "body",
				"required": false,
				"displayName": "Type",
				"description": "",
				"type": "options",
				"options": [
					{
						"name": "Cleaning",
						"value": "cleaning"
					},
					{
						"name": "Maintenance",
						"value": "maintenance"
					},
					{
						"name": "Other",
						"value": "other"
					},
					{
						"name": "Reception",
						"value": "reception"
					},
					{
						"name": "Room Service",
						"value": "room_service"
					}
				],
				"default": "cleaning"
			},
			{
				"name": "status",
				"where": "body",
				"required": false,
				"displayName": "Status",
				"description": "",
				"type": "options",
				"options": [
					{
						"name": "Cancelled",
						"value": "cancelled"
					},
					{
						"name": "Completed",
						"value": "completed"
					},
					{
						"name": "In Progress",
						"value": "in_progress"
					},
					{
						"name": "Pending",
						"value": "pending"
					}
				],
				"default": "pending"
			},
			{
				"name": "expected_date",
				"where": "body",
				"required": false,
				"displayName": "Expected Date",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "currency",
				"where": "body",
				"required": false,
				"displayName": "Currency",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "stay_code",
				"where": "body",
				"required": false,
				"displayName": "Stay Code",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "property_id",
				"where": "body",
				"required": false,
				"displayName": "Property ID",
				"description": "Left out: that of the stay. 0: none.",
				"type": "number",
				"default": 0
			},
			{
				"name": "staff_id",
				"where": "body",
				"required": false,
				"displayName": "Staff ID",
				"description": "Who does it. 0: nobody yet.",
				"type": "number",
				"default": 0
			},
			{
				"name": "expected_time",
				"where": "body",
				"required": false,
				"displayName": "Expected Time",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "level",
				"where": "body",
				"required": false,
				"displayName": "Level",
				"description": "",
				"type": "options",
				"options": [
					{
						"name": "Advanced",
						"value": "advanced"
					},
					{
						"name": "Simple",
						"value": "simple"
					},
					{
						"name": "Standard",
						"value": "standard"
					}
				],
				"default": "standard"
			},
			{
				"name": "fee",
				"where": "body",
				"required": false,
				"displayName": "Fee",
				"description": "",
				"type": "number",
				"default": 0
			},
			{
				"name": "note",
				"where": "body",
				"required": false,
				"displayName": "Note",
				"description": "",
				"type": "string",
				"default": ""
			}
		]
	},
	{
		"resource": "transaction",
		"operation": "create",
		"name": "Create",
		"action": "Create a transaction",
		"description": "Adds a ledger entry to a reservation, a property or the operator.",
		"id": "createTransaction",
		"method": "POST",
		"path": "/transactions",
		"hasBody": true,
		"isPaged": false,
		"rows": null,
		"fields": [
			{
				"name": "direction",
				"where": "body",
				"required": true,
				"displayName": "Direction",
				"description": "",
				"type": "options",
				"options": [
					{
						"name": "Expense",
						"value": "expense"
					},
					{
						"name": "Income",
						"value": "income"
					}
				],
				"default": "income"
			},
			{
				"name": "amount",
				"where": "body",
				"required": true,
				"displayName": "Amount",
				"description": "",
				"type": "number",
				"default": 0
			},
			{
				"name": "item_id",
				"where": "body",
				"required": true,
				"displayName": "Item ID",
				"description": "From the items of the direction.",
				"type": "number",
				"default": 0
			},
			{
				"name": "payment_method_id",
				"where": "body",
				"required": true,
				"displayName": "Payment Method ID",
				"description": "From the methods of the direction.",
				"type": "number",
				"default": 0
			},
			{
				"name": "reservation_code",
				"where": "body",
				"required": false,
				"displayName": "Reservation Code",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "stay_code",
				"where": "body",
				"required": false,
				"displayName": "Stay Code",
				"description": "Deprecated; the same as reservation_code.",
				"type": "string",
				"default": ""
			},
			{
				"name": "property_id",
				"where": "body",
				"required": false,
				"displayName": "Property ID",
				"description": "Instead of a reservation.",
				"type": "number",
				"default": 0
			},
			{
				"name": "currency",
				"where": "body",
				"required": false,
				"displayName": "Currency",
				"description": "A reservation’s is taken from it.",
				"type": "string",
				"default": ""
			},
			{
				"name": "action_at",
				"where": "body",
				"required": false,
				"displayName": "Action At",
				"description": "Without an offset: operator time. Default: now.",
				"type": "string",
				"default": ""
			},
			{
				"name": "note",
				"where": "body",
				"required": false,
				"displayName": "Note",
				"description": "",
				"type": "string",
				"default": ""
			}
		]
	},
	{
		"resource": "transaction",
		"operation": "delete",
		"name": "Delete",
		"action": "Delete a transaction",
		"description": "Deletes an entry for good.",
		"id": "deleteTransaction",
		"method": "DELETE",
		"path": "/transactions/{id}",
		"hasBody": false,
		"isPaged": false,
		"rows": null,
		"fields": [
			{
				"name": "id",
				"where": "path",
				"required": true,
				"displayName": "ID",
				"description": "The entry.",
				"type": "number",
				"default": 0
			}
		]
	},
	{
		"resource": "transaction",
		"operation": "getAll",
		"name": "Get Many",
		"action": "Get many transactions",
		"description": "Ledger entries by the operator’s date of action_at, newest id first.",
		"id": "listTransactions",
		"method": "GET",
		"path": "/transactions",
		"hasBody": false,
		"isPaged": true,
		"rows": "transactions",
		"fields": [
			{
				"name": "id",
				"where": "query",
				"required": false,
				"displayName": "ID",
				"description": "One entry; dates may then be left out.",
				"type": "number",
				"default": 0
			},
			{
				"name": "start_date",
				"where": "query",
				"required": false,
				"displayName": "Start Date",
				"description": "Entries of this day or later.",
				"type": "string",
				"default": ""
			},
			{
				"name": "end_date",
				"where": "query",
				"required": false,
				"displayName": "End Date",
				"description": "Entries of this day or earlier.",
				"type": "string",
				"default": ""
			},
			{
				"name": "property_id",
				"where": "query",
				"required": false,
				"displayName": "Property ID",
				"description": "Linked directly or by a reservation there.",
				"type": "number",
				"default": 0
			},
			{
				"name": "reservation_code",
				"where": "query",
				"required": false,
				"displayName": "Reservation Code",
				"description": "Entries of one reservation.",
				"type": "string",
				"default": ""
			},
			{
				"name": "stay_code",
				"where": "query",
				"required": false,
				"displayName": "Stay Code",
				"description": "Deprecated; the same as reservation_code.",
				"type": "string",
				"default": ""
			},
			{
				"name": "direction",
				"where": "query",
				"required": false,
				"displayName": "Direction",
				"description": "Income or expenses alone.",
				"type": "options",
				"options": [
					{
						"name": "Expense",
						"value": "expense"
					},
					{
						"name": "Income",
						"value": "income"
					}
				],
				"default": "income"
			},
			{
				"name": "item_id",
				"where": "query",
				"required": false,
				"displayName": "Item ID",
				"description": "Category.",
				"type": "number",
				"default": 0
			},
			{
				"name": "payment_method_id",
				"where": "query",
				"required": false,
				"displayName": "Payment Method ID",
				"description": "Method.",
				"type": "number",
				"default": 0
			},
			{
				"name": "currency",
				"where": "query",
				"required": false,
				"displayName": "Currency",
				"description": "Entries in one currency, such as EUR.",
				"type": "string",
				"default": ""
			},
			{
				"name": "keyword",
				"where": "query",
				"required": false,
				"displayName": "Keyword",
				"description": "Part of the note.",
				"type": "string",
				"default": ""
			}
		]
	},
	{
		"resource": "transaction",
		"operation": "update",
		"name": "Update",
		"action": "Update a transaction",
		"description": "Changes an entry; its direction, link and currency stay.",
		"id": "updateTransaction",
		"method": "PATCH",
		"path": "/transactions/{id}",
		"hasBody": true,
		"isPaged": false,
		"rows": null,
		"fields": [
			{
				"name": "id",
				"where": "path",
				"required": true,
				"displayName": "ID",
				"description": "The entry.",
				"type": "number",
				"default": 0
			},
			{
				"name": "amount",
				"where": "body",
				"required": false,
				"displayName": "Amount",
				"description": "",
				"type": "number",
				"default": 0
			},
			{
				"name": "item_id",
				"where": "body",
				"required": false,
				"displayName": "Item ID",
				"description": "From the items of its direction.",
				"type": "number",
				"default": 0
			},
			{
				"name": "payment_method_id",
				"where": "body",
				"required": false,
				"displayName": "Payment Method ID",
				"description": "From the methods of its direction.",
				"type": "number",
				"default": 0
			},
			{
				"name": "action_at",
				"where": "body",
				"required": false,
				"displayName": "Action At",
				"description": "",
				"type": "string",
				"default": ""
			},
			{
				"name": "note",
				"where": "body",
				"required": false,
				"displayName": "Note",
				"description": "",
				"type": "string",
				"default": ""
			}
		]
	}
];
