import type { components, operations } from './api.ts';

type Schemas = components['schemas'];

/** An answer is a success with its data, or a failure; its code tells. */
export function propertiesOf(answer: Schemas['ListPropertiesAnswer'] | Schemas['Failure']): Schemas['Property'][] {
  if (answer.error_code === 200) return answer.data.properties;
  throw new Error(`${answer.error_code}: ${answer.error_msg}`);
}

/** The same part has one type wherever it occurs. */
export const first: (of: Schemas['Conversation']) => Schemas['Message'] | undefined = ({ messages }) => messages[0];

export const booking: operations['createReservation']['requestBody']['content']['application/json'] = {
  property_id: 12,
  check_in_date: '2027-03-05',
  check_out_date: '2027-03-08',
  guest_name: 'Clara Hofmann',
  rate_amount: 300,
  commission_amount: 0,
  received_amount: 100,
} satisfies Schemas['CreateReservationBody'];

// @ts-expect-error A body without dates is none.
export const incomplete: Schemas['CreateReservationBody'] = { property_id: 12 };

export const heard: Schemas['ReservationUpdatedEvent']['event'] = 'reservation_updated';
