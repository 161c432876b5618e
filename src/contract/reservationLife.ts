import { z } from 'zod';
import { id, none, nothing } from './fields.ts';
import { operation } from './operation.ts';
import { stayStatuses } from './reservations.ts';

const ofStay = z.object({ stay_code: z.string().describe('The stay.') });
const ofReservation = z.object({ reservation_code: z.string().describe('The reservation.') });

/** Most custom fields of one stay, and most characters of a name and a text. */
export const CUSTOM_FIELDS = { most: 100, name: 100, text: 2_000 };

const customFields = z.record(z.string(), z.string()).nullable();

/** Returns the operator's own fields of one stay; null when it has none. */
export const getCustomFields = operation({
  method: 'GET',
  path: '/reservations/{stay_code}/custom_fields',
  params: ofStay,
  query: none,
  body: null,
  data: z.object({ custom_fields: customFields }),
  scope: 'read',
  rate: 'default',
  tool: { name: 'search_reservation_custom_fields', category: 'reservation' },
  since: '3.5.0',
  summary: 'The operator’s own fields of one stay; null when it has none.',
  example: { stay_code: '0-HM8KQ2-SDUV3F' },
  errors: [404],
  emits: [],
});

/** Sets, creates or deletes the operator's own fields of one stay. */
export const updateCustomFields = operation({
  method: 'PATCH',
  path: '/reservations/{stay_code}/custom_fields',
  params: ofStay,
  query: none,
  body: z.object({
    custom_fields: z
      .record(z.string().min(1).max(CUSTOM_FIELDS.name), z.string().max(CUSTOM_FIELDS.text).nullable())
      .describe('A text sets or makes a field, null deletes it; fields not named stay.'),
  }),
  data: z.object({ custom_fields: customFields }),
  scope: 'confirm',
  rate: 'default',
  tool: { name: 'update_reservation_custom_fields', category: 'reservation' },
  since: '3.5.0',
  summary: 'Sets, makes or deletes the operator’s own fields of one stay.',
  example: { stay_code: '0-HM8KQ2-SDUV3F', custom_fields: { car: 'A1 123', dog: null } },
  errors: [404],
  emits: ['reservation_updated'],
});

/** Sets whether the guests of one stay are still to come, in the property, or gone. */
export const updateStayStatus = operation({
  method: 'PUT',
  path: '/reservations/{stay_code}/stay_status',
  params: ofStay,
  query: none,
  body: z.object({ stay_status: z.enum(stayStatuses).meta({ vocabulary: 'stay_status' }) }),
  data: nothing,
  scope: 'write',
  rate: 'default',
  tool: { name: 'update_reservation_stay_status', category: 'reservation' },
  since: '3.5.0',
  summary: 'Says whether the guests of one stay are still to come, in the house, or gone.',
  example: { stay_code: '0-HM8KQ2-SDUV3F', stay_status: 'in_house' },
  errors: [404],
  emits: ['reservation_updated'],
});

/** Accepts a request to book, in status wait_accept only. The channel informs the guest. The step cannot be undone. */
export const approveReservation = operation({
  method: 'POST',
  path: '/reservations/{reservation_code}/approve',
  params: ofReservation,
  query: none,
  body: null,
  data: nothing,
  scope: 'confirm',
  rate: 'default',
  tool: { name: 'approve_reservation', category: 'reservation' },
  since: '3.2.0',
  summary: 'Accepts a request to book and informs the channel, which informs the guest.',
  notes: 'Only in status wait_accept; cannot be taken back.',
  example: { reservation_code: '0-HM8KQ2-SDUV3F' },
  errors: [400, 404, 502],
  emits: ['reservation_updated'],
});

/**
 * Refuses a request to book, in status wait_accept only, and frees its nights. The channel informs the guest. The step
 * cannot be undone.
 */
export const declineReservation = operation({
  method: 'POST',
  path: '/reservations/{reservation_code}/decline',
  params: ofReservation,
  query: none,
  body: null,
  data: nothing,
  scope: 'confirm',
  rate: 'default',
  tool: { name: 'decline_reservation', category: 'reservation' },
  since: '3.2.0',
  summary: 'Refuses a request to book and frees its nights and informs the channel, which informs the guest.',
  notes: 'Only in status wait_accept; cannot be taken back.',
  example: { reservation_code: '0-HM8KQ2-SDUV3F' },
  errors: [400, 404, 502],
  emits: ['reservation_updated', 'property_availability_updated'],
});

/**
 * Puts a stay into a property, from another one or from the reservation box. A stay that already holds one of its
 * nights there goes to the reservation box.
 */
export const allocateReservation = operation({
  method: 'POST',
  path: '/reservations/{stay_code}/allocate',
  params: ofStay,
  query: none,
  body: z.object({ property_id: id('Where the stay is to be.') }),
  data: nothing,
  scope: 'confirm',
  rate: 'default',
  tool: { name: 'allocate_reservation', category: 'reservation' },
  since: '3.2.0',
  summary: 'Puts a stay into a property, from another one or from the reservation box.',
  notes: 'A stay that holds one of its nights there goes to the reservation box.',
  example: { stay_code: '0-HM8KQ2-SDUV3F', property_id: 12 },
  errors: [403, 404, 409],
  emits: ['reservation_updated', 'property_availability_updated'],
});

/** Moves a stay from its property to the reservation box and frees its nights. */
export const moveReservationToBox = operation({
  method: 'POST',
  path: '/reservations/{stay_code}/move_to_box',
  params: ofStay,
  query: none,
  body: null,
  data: nothing,
  scope: 'confirm',
  rate: 'default',
  tool: { name: 'move_reservation_to_box', category: 'reservation' },
  since: '3.2.0',
  summary: 'Takes a stay out of its property into the reservation box and frees its nights.',
  example: { stay_code: '0-HM8KQ2-SDUV3F' },
  errors: [404],
  emits: ['reservation_updated', 'property_availability_updated'],
});
