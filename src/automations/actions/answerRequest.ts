import { plainDateFrom } from '../../sync/tables/wireValues.ts';
import { readStay, type WireStay } from '../perform/freshStay.ts';
import { nightsOfRequest } from '../perform/requestedNights.ts';
import { isDoneElsewhere } from '../perform/others.ts';
import { Stopped } from '../perform/stopped.ts';
import { TAKING, WAIT_ACCEPT } from '../plans/statuses.ts';
import type { ActionOf } from '../rules/actions.ts';
import type { Action, ActionContext } from './action.ts';

type Answer = ActionOf<'answer_request'>['with']['answer'];

const operations = { approve: 'approveReservation', decline: 'declineReservation' } as const;

/** Approves or declines an open reservation request. Never approves nights that are no longer free. */
export const answerRequest: Action<'answer_request'> = {
  isRepeatable: () => false,
  speaks: false,
  outline: ({ answer }) => answer,
  async prepare(actionContext) {
    const { context, plan, spec, fresh } = actionContext;
    if (!fresh) throw new Stopped('skipped', 'stay_gone');
    const { reservation_code, check_in_date, check_out_date } = fresh.stay;
    if (await isDoneElsewhere(context, plan, { reservation_code })) throw new Stopped('skipped', 'has_answer');
    const text = `${spec.answer} the request ${reservation_code}, ${check_in_date} to ${check_out_date}`;
    const isApproved = plan.approved === 1;
    const rooms = [fresh.wire, ...fresh.others];
    // The conditions examined only one of the rooms.
    if (rooms.length > 1 && !isApproved) throw new Stopped('awaiting_approval', 'several_rooms', { draft: text });
    if (spec.answer === 'approve') for (const room of rooms) await checkNights(actionContext, room, text);
    return {
      text,
      intent: { answer: spec.answer },
      async run(guard) {
        await context.client.call(operations[spec.answer], { reservation_code }, guard);
        return { answer: spec.answer };
      },
    };
  },
  async find(context, plan) {
    const { answer } = JSON.parse(plan.result ?? '{}') as { answer?: Answer };
    const { stay_code, reservation_code } = plan;
    if (answer === undefined || stay_code === null || reservation_code === null) return undefined;
    const status = (await readStay(context, { stay_code, reservation_code }))?.stay.status;
    return status && isAnswered(answer, status) ? { answer } : undefined;
  },
};

/** Returns true if a status can only follow from an answer that arrived. */
function isAnswered(answer: Answer, status: string): boolean {
  if (answer === 'approve') return (TAKING as readonly string[]).includes(status);
  return status === 'denied';
}

async function checkNights(
  { context, plan }: ActionContext<'answer_request'>,
  room: WireStay,
  draft: string,
): Promise<void> {
  const { status, property_id, reservation_code } = room;
  const [check_in_date, check_out_date] = [plainDateFrom(room.check_in_date), plainDateFrom(room.check_out_date)];
  if (status !== WAIT_ACCEPT) throw new Stopped('skipped', 'stay_status', { detail: status ?? 'unknown' });
  // A stay in the reservation box has no property to take.
  if (!property_id) throw new Stopped('skipped', 'no_property');
  const verdict =
    check_in_date === null || check_out_date === null
      ? 'unknown'
      : await nightsOfRequest(context, { property_id, check_in_date, check_out_date }, reservation_code);
  if (verdict === 'taken') throw new Stopped('skipped', 'nights_taken');
  if (verdict === 'unknown' && plan.approved === 0) throw new Stopped('awaiting_approval', 'nights_unknown', { draft });
}
