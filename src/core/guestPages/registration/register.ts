import { dateIn, instantOf } from '../../../kernel/dates.ts';
import { ApiError } from '../../../kernel/errors.ts';
import { runChange } from '../../change.ts';
import type { Change, Core } from '../../context.ts';
import { lockReservation } from '../../reservations/lookup.ts';
import type { OpenPage } from '../open.ts';
import { formOf } from './countries.ts';
import { type Problems, readRegistration } from './fields.ts';
import { sealRegistration } from './secrets.ts';
import { addRegistration, dropRegistrations, registeringStays, registrationById } from './table.ts';

/** The form of the number of a sent form. */
const ONCE = /^[A-Za-z0-9_-]{22}$/;

interface Filled {
  readonly stayCode: string;
  /** The number of the form: sent twice, it registers one guest. */
  readonly once: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Registers one guest of a stay. The record of actions says for which stay, and not who.
 * @returns the problems of the fields; none: it is done
 * @throws ApiError 404 for a stay that nothing is asked of, 409 if all of its guests have registered
 */
export function registerGuest(core: Core, { account, code }: OpenPage, filled: Filled): Promise<Problems> {
  return runChange(core, { account, operator: null }, async (change) => {
    const { trx, now } = change;
    const { account_id } = account;
    await lockReservation(trx, account_id, code);
    const stay = (await registeringStays(trx, account_id, code)).find((one) => one.stay_code === filled.stayCode);
    const form = formOf(stay?.country ?? null);
    if (!stay || stay.country === null || !form || stay.stay_status === 'stay_completed') {
      throw new ApiError(404, 'stay not found.', { field: 'stay' });
    }
    if (!ONCE.test(filled.once)) throw new ApiError(422, 'once: is no number of a form of ours', { field: 'once' });
    const id = filled.once;
    if (await registrationById(trx, { account_id, id })) return {};
    const registered = Number(stay.registered ?? 0);
    if (registered >= stay.number_of_guests) {
      throw new ApiError(409, 'All guests of this stay have registered.', { field: 'stay' });
    }
    const read = readRegistration(filled.fields, {
      form,
      country: stay.country,
      checkIn: stay.check_in_date,
      today: dateIn(account.time_zone, now),
      isFirst: registered === 0,
    });
    if ('problems' in read) return read.problems;
    await addRegistration(trx, {
      account_id,
      id,
      reservation_code: code,
      stay_id: stay.id,
      country: stay.country,
      sealed: sealRegistration(core, id, read.values),
      registered_at: instantOf(now),
    });
    change.audit('register guest', stay.stay_code);
    return {};
  });
}

/** Deletes what one guest of this reservation has registered. @throws ApiError 404 for that of another reservation */
export function removeRegistration(core: Core, { account, code }: OpenPage, id: string): Promise<void> {
  return runChange(core, { account, operator: null }, async (change) => {
    await drop(change, { code, id });
  });
}

async function drop({ trx, account, audit }: Change, { code, id }: { code: string; id: string }): Promise<void> {
  const { account_id } = account;
  const row = await registrationById(trx, { account_id, id });
  if (row?.reservation_code !== code) throw new ApiError(404, 'guest not found.', { field: 'guest' });
  await dropRegistrations(trx, account_id, [id]);
  audit('remove guest registration', code);
}
