// Made by `npm run integrations` from the OpenAPI document; do not change it by hand.

/** The kinds of events that a webhook can select. */
export const EVENTS: ReadonlyArray<{ name: string; value: string; description: string }> = [
	{
		"name": "Listing Calendar Updated",
		"value": "listing_calendar_updated",
		"description": "Names channel_type, listing_id, start_date, end_date"
	},
	{
		"name": "Message Created",
		"value": "message_created",
		"description": "Names conversation_id, message_id"
	},
	{
		"name": "Property Availability Updated",
		"value": "property_availability_updated",
		"description": "Names property_id, availabilities"
	},
	{
		"name": "Reservation Created",
		"value": "reservation_created",
		"description": "Names reservation_code, stay_code, property_id"
	},
	{
		"name": "Reservation Updated",
		"value": "reservation_updated",
		"description": "Names sub_event, reservation_code, stay_code, property_id"
	},
	{
		"name": "Review Created",
		"value": "review_created",
		"description": "Names reservation_code, stay_code, property_id"
	},
	{
		"name": "Review Updated",
		"value": "review_updated",
		"description": "Names reservation_code, stay_code, property_id"
	},
	{
		"name": "Transaction Created",
		"value": "transaction_created",
		"description": "Names transaction_id"
	},
	{
		"name": "Transaction Deleted",
		"value": "transaction_deleted",
		"description": "Names transaction_id"
	},
	{
		"name": "Transaction Updated",
		"value": "transaction_updated",
		"description": "Names transaction_id"
	}
];

