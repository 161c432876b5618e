import { z } from 'zod';
import { reservationStatuses, stayStatuses } from '../../contract/reservations.ts';
import { isPlainDate, type PlainDate } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import { wireAmount } from '../../kernel/money.ts';
import { readProperties } from '../properties.ts';
import { type ConsoleAction, consoleAction } from '../page.ts';
import type { Visit } from '../visit.ts';
import { detailsOf } from './details.ts';
import { nameOf, requireStay } from './lookup.ts';
import type { Stay } from './query.ts';

const date = z.string().refine(isPlainDate, 'must be a date such as 2027-03-01');
const amount = z.coerce.number().min(0).max(99_999_999);
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 16:30');
const none = z.object({});
const WAITING: (typeof reservationStatuses)[number] = 'wait_accept';

/** Changes dates, people, guest, price or note; what stays as it is is not sent. */
const change = consoleAction({
  name: 'change',
  right: 'stay.change',
  fields: z.object({
    check_in_date: date,
    check_out_date: date,
    number_of_guests: z.coerce.number().int().min(1).max(99),
    guest_name: z.string().trim().min(1).max(100),
    email: z.string().trim().max(50).default(''),
    mobile: z.string().trim().max(50).default(''),
    rate_amount: amount.optional(),
    note: z.string().trim().max(500).default(''),
  }),
  async run(visit, fields) {
    const stay = await requireStay(visit);
    const { booker } = await nameOf(visit, stay);
    const { note } = detailsOf(stay.raw);
    const { check_in_date, check_out_date } = fields;
    if (check_in_date >= check_out_date) {
      throw new ApiError(422, 'check_out_date: must be after check_in_date', { field: 'check_out_date' });
    }
    const changed = {
      ...differing({ check_in_date, check_out_date }, stay),
      ...differing({ number_of_guests: fields.number_of_guests }, stay),
      ...differing({ guest_name: fields.guest_name }, { guest_name: booker?.name }),
      ...differing({ email: fields.email }, { email: booker?.email ?? '' }),
      ...differing({ mobile: fields.mobile }, { mobile: booker?.phone ?? '' }),
      ...differing({ rate_amount: fields.rate_amount }, { rate_amount: rateOf(stay) }),
      ...differing({ note: fields.note }, { note: note ?? '' }),
    };
    const words = visit.texts.stay.done;
    if (Object.keys(changed).length === 0) return { said: words.same };
    await visit.v3('updateReservation', { stay_code: stay.stay_code, ...changed });
    return { said: words.changed(fields.guest_name, ...datesOf(visit, check_in_date, check_out_date)) };
  },
});

function datesOf({ format }: Visit, from: PlainDate, to: PlainDate): [string, string] {
  return [format.day(from), format.day(to)];
}

function rateOf({ rate_minor, currency }: Stay): number | undefined {
  return rate_minor === null ? undefined : wireAmount(rate_minor, currency ?? '');
}

/** Returns the fields whose values are given and differ. */
function differing<Fields extends object>(
  given: Fields,
  present: { [Name in keyof Fields]?: unknown },
): Partial<Fields> {
  const names = Object.keys(given) as (keyof Fields)[];
  const changed: Partial<Fields> = {};
  for (const name of names) {
    if (given[name] !== undefined && given[name] !== present[name]) changed[name] = given[name];
  }
  return changed;
}

/** Changes arrival and departure times, the lock code, the deposit that is asked for, and if a document is. */
const checkIn = consoleAction({
  name: 'check-in',
  right: 'stay.change',
  fields: z.object({
    arrival_at: time.optional(),
    departure_at: time.optional(),
    lock_code: z.string().trim().min(1).max(50).optional(),
    remove_lock_code: z.literal('1').optional(),
    lock_code_visible_after: time.optional(),
    deposit: amount.default(0),
    id_required: z.enum(['not_required', 'required', 'required_with_review']),
  }),
  async run(visit, { remove_lock_code, lock_code, deposit, ...fields }) {
    const stay = await requireStay(visit);
    const now = detailsOf(stay.raw);
    const asked = wireAmount(stay.deposit_minor ?? 0, stay.deposit_currency ?? stay.currency ?? '');
    const present = {
      arrival_at: now.arrival ?? undefined,
      departure_at: now.departure ?? undefined,
      lock_code_visible_after: now.lockCodeAfter ?? undefined,
    };
    const { arrival_at, departure_at, lock_code_visible_after } = fields;
    await visit.v3('updateCheckInDetails', {
      stay_code: stay.stay_code,
      ...(arrival_at !== present.arrival_at && { arrival_at: clockTime(arrival_at) }),
      ...(departure_at !== present.departure_at && { departure_at: clockTime(departure_at) }),
      ...(lock_code_visible_after !== present.lock_code_visible_after && {
        lock_code_visible_after: lock_code_visible_after ?? null,
      }),
      ...(remove_lock_code !== undefined ? { lock_code: null } : lock_code !== undefined && { lock_code }),
      ...(deposit !== asked && { deposit }),
      ...(fields.id_required !== stay.id_required && { id_required: fields.id_required }),
    });
    return { said: visit.texts.stay.done.checkIn((await nameOf(visit, stay)).name) };
  },
});

function clockTime(text: string | undefined): { hour: number; minute: number } | null {
  if (text === undefined) return null;
  const [hour = 0, minute = 0] = text.split(':').map(Number);
  return { hour, minute };
}

/** Accepts a request; the channel tells the guest. */
const approve = consoleAction({
  name: 'approve',
  right: 'stay.answer',
  fields: none,
  async run(visit) {
    const stay = await requireRequest(visit);
    await visit.v3('approveReservation', { reservation_code: stay.reservation_code });
    return { said: visit.texts.stay.done.approved((await nameOf(visit, stay)).name) };
  },
});

/** Refuses a request; the channel tells the guest. */
const decline = consoleAction({
  name: 'decline',
  right: 'stay.answer',
  fields: none,
  async run(visit) {
    const stay = await requireRequest(visit);
    await visit.v3('declineReservation', { reservation_code: stay.reservation_code });
    return { said: visit.texts.stay.done.declined((await nameOf(visit, stay)).name) };
  },
});

async function requireRequest(visit: Visit): Promise<Stay> {
  const stay = await requireStay(visit);
  if (stay.status !== WAITING) throw new ApiError(409, visit.texts.stay.answered);
  return stay;
}

/** Puts a stay into a property, from the reservation box or from another property. */
const allocate = consoleAction({
  name: 'allocate',
  right: 'stay.change',
  fields: z.object({ property_id: z.coerce.number().int().positive() }),
  async run(visit, { property_id }) {
    const stay = await requireStay(visit);
    const { connection, person, services, texts } = visit;
    const seen = await readProperties(services.db, { connection, properties: person.properties ?? undefined });
    const property = seen.find(({ id }) => id === property_id);
    if (!property) throw new ApiError(422, `property_id: ${texts.stay.noProperty}`, { field: 'property_id' });
    await visit.v3('allocateReservation', { stay_code: stay.stay_code, property_id });
    return { said: texts.stay.done.allocated((await nameOf(visit, stay)).name, property.name ?? `#${property_id}`) };
  },
});

/** Takes a stay out of its property. */
const toBox = consoleAction({
  name: 'to-box',
  right: 'stay.change',
  fields: none,
  async run(visit) {
    const stay = await requireStay(visit);
    await visit.v3('moveReservationToBox', { stay_code: stay.stay_code });
    const { name } = await nameOf(visit, stay);
    // Who sees some properties only does not see the reservation box.
    const to = visit.person.properties === null ? {} : { to: visit.address('today') };
    return { said: visit.texts.stay.done.boxed(name), ...to };
  },
});

/** Cancels a direct reservation, with all its rooms. */
const cancel = consoleAction({
  name: 'cancel',
  right: 'stay.cancel',
  fields: none,
  async run(visit) {
    const stay = await requireStay(visit);
    await visit.v3('cancelReservation', { reservation_code: stay.reservation_code });
    return { said: visit.texts.stay.done.cancelled((await nameOf(visit, stay)).name) };
  },
});

/** Says if the guests are still to come, in the house, or gone. */
const status = consoleAction({
  name: 'status',
  right: 'stay.change',
  fields: z.object({ stay_status: z.enum(stayStatuses) }),
  async run(visit, { stay_status }) {
    const stay = await requireStay(visit);
    await visit.v3('updateStayStatus', { stay_code: stay.stay_code, stay_status });
    const { done, stayStatus } = visit.texts.stay;
    return { said: done.status((await nameOf(visit, stay)).name, stayStatus[stay_status] ?? stay_status) };
  },
});

const tagName = z.string().trim().min(1).max(15);

/** Puts a tag on a stay. */
const tag = consoleAction({
  name: 'tag',
  right: 'stay.change',
  fields: z.object({ tag_name: tagName }),
  async run(visit, { tag_name }) {
    const { stay_code } = await requireStay(visit);
    await visit.v3('addReservationTag', { stay_code, tag_name });
    return { said: visit.texts.stay.done.tagged(tag_name) };
  },
});

/** Takes a tag off a stay. */
const untag = consoleAction({
  name: 'untag',
  right: 'stay.change',
  fields: z.object({ tag_name: z.string().min(1).max(100) }),
  async run(visit, { tag_name }) {
    const { stay_code } = await requireStay(visit);
    await visit.v3('removeReservationTag', { stay_code, tag_name });
    return { said: visit.texts.stay.done.untagged(tag_name) };
  },
});

/** Sets one of the operator's own fields; without a text it is taken away. */
const field = consoleAction({
  name: 'field',
  right: 'stay.change',
  fields: z.object({ name: z.string().trim().min(1).max(100), text: z.string().trim().max(2_000).optional() }),
  async run(visit, { name, text }) {
    const { stay_code } = await requireStay(visit);
    await visit.v3('updateCustomFields', { stay_code, custom_fields: { [name]: text ?? null } });
    return { said: visit.texts.stay.done.field(name) };
  },
});

/** Answers the guest's review, or reviews the guest; public and final. */
const review = consoleAction({
  name: 'review',
  right: 'inbox.send',
  fields: z.object({
    host_reply_content: z.string().trim().min(1).max(5_000).optional(),
    host_review_content: z.string().trim().min(1).max(5_000).optional(),
    host_review_score: z.coerce.number().min(1).max(5).optional(),
  }),
  async run(visit, fields) {
    const stay = await requireStay(visit);
    const { host_reply_content, host_review_content } = fields;
    if (host_reply_content === undefined && host_review_content === undefined) {
      const name = visit.at['side'] === 'host' ? 'host_review_content' : 'host_reply_content';
      throw new ApiError(422, `${name}: ${visit.texts.stay.isEmpty}`, { field: name });
    }
    await visit.v3('createReview', { reservation_code: stay.reservation_code, ...fields });
    return { said: visit.texts.stay.done.reviewed((await nameOf(visit, stay)).name) };
  },
});

/** What a person may do to a stay beside its money. */
export const stayActions: readonly ConsoleAction[] = [
  change,
  checkIn,
  approve,
  decline,
  allocate,
  toBox,
  cancel,
  status,
  tag,
  untag,
  field,
  review,
];
