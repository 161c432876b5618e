import { addDays } from '../../kernel/dates.ts';
import type { ReservationCode } from '../../kernel/ids.ts';
import type { Change } from '../../core/context.ts';
import { sendMessage } from '../../core/conversations/handlers.ts';
import { approveReservation, declineReservation } from '../../core/reservations/answer.ts';
import { staysOf } from '../../core/reservations/lookup.ts';
import { updateStayStatus } from '../../core/reservations/stayStatus.ts';
import { timeOut } from '../../core/reservations/times/timeouts.ts';
import { createReview } from '../../core/reviews/handlers.ts';
import { alter, answerRequest, cancel, giveUp, moveDeposit, pay, showDetails } from '../change.ts';
import { handInImage, register } from '../register.ts';
import { review, writeInConversation } from '../write.ts';
import type { Booked } from './reservationActs.ts';
import type { PlannedReservation, Step } from './scenario.ts';
import type { Stage } from './stage.ts';

const QUESTION = { type: 'image', name: 'question.jpg', url: 'https://pictures.example/question.jpg' };
const DOCUMENT = 'https://pictures.example/passport.jpg';

/** A reservation in the course of its story. */
export interface Story {
  planned: PlannedReservation;
  booked: Booked;
}

interface Moment {
  /** Time of the step as the channel reports it. */
  at: string;
}

type Act<Kind extends Step['kind']> = (
  stage: Stage,
  story: Story,
  step: Extract<Step, { kind: Kind }> & Moment,
) => Promise<unknown>;

/** Returns an act that consists of one change. */
function changes<Kind extends Step['kind']>(
  work: (
    change: Change,
    named: { reservation_code: ReservationCode },
    step: Extract<Step, { kind: Kind }> & Moment,
    story: Story,
  ) => Promise<unknown>,
): Act<Kind> {
  return (stage, story, step) =>
    stage.change((change) => work(change, { reservation_code: story.booked.reservation_code }, step, story));
}

const acts: { [Kind in Step['kind']]: Act<Kind> } = {
  approve(stage, { booked: { reservation_code } }, { over }) {
    if (over === 'v3') return approveReservation({ reservation_code }, stage.host());
    return stage.change((change) => answerRequest(change, { reservation_code }, 'approve'));
  },
  decline(stage, { booked: { reservation_code } }, { over }) {
    if (over === 'v3') return declineReservation({ reservation_code }, stage.host());
    return stage.change((change) => answerRequest(change, { reservation_code }, 'decline'));
  },
  give_up: changes((change, named) => giveUp(change, named)),
  // The service's own clock may have ended it first.
  lapse: ({ core, owner }, { booked }) => timeOut(core, owner.account, booked.reservation_code),
  pay: changes((change, named, { share, at }) => pay(change, named, { share, paid_at: at })),
  cancel: changes((change, named, { at }) => cancel(change, named, at)),
  alter: changes((change, named, { nights, guests }, { planned }) => {
    const check_out_date = addDays(planned.check_in_date, nights);
    return alter(change, named, { room: 0, check_out_date, number_of_guests: guests });
  }),
  details: changes((change, named, { policy }) => showDetails(change, named, { cancellation_policy_category: policy })),
  deposit: changes((change, named, { event, amount }) =>
    moveDeposit(change, named, { event, room: 0, ...(event !== 'returned' && { amount }) }),
  ),
  register: changes((change, named, { country, pictures }, { planned }) => {
    const id_images = Array.from({ length: pictures }, () => DOCUMENT);
    const guest = { name: planned.guest, country, id_type: 'passport' as const, id_images };
    return register(change, { ...named, room: 0 }, guest);
  }),
  guide_image: changes((change, named) => handInImage(change, { ...named, room: 0 }, { url: DOCUMENT })),
  async stay_status(stage, { booked }, { status: stay_status }) {
    const { core, owner } = stage;
    const [stay] = await staysOf(core.store.db, owner.account.account_id, booked.reservation_code);
    if (stay) await updateStayStatus({ stay_code: stay.stay_code, stay_status }, stage.host());
  },
  message(stage, { booked: { conversation_id } }, { from, over, content, picture, at }) {
    if (over === 'v3') return sendMessage({ conversation_id, message: content }, stage.host());
    const attachments = picture ? [QUESTION] : [];
    return stage.change((change) =>
      writeInConversation(change, { conversation_id }, { from, content, attachments, sent_at: at }),
    );
  },
  announce_review: changes((change, named) => review(change, named, {})),
  review: changes((change, named, { score, category, content, feedback, at }) =>
    review(change, named, {
      score,
      sub_score: [{ category, rating: score, review_category_tags: [] }],
      content,
      created_at: at,
      ...(feedback !== null && { private_feedback: feedback }),
    }),
  ),
  host_review: (stage, { booked: { reservation_code } }, { score, content }) => {
    const category_ratings = {
      cleanliness: score,
      communication: 5,
      respect_of_house_rules: score,
      recommend: 1 as const,
    };
    const words = { host_review_score: score, host_review_content: content, category_ratings };
    return createReview({ reservation_code, ...words }, stage.host());
  },
  reply(stage, { booked: { reservation_code } }, { over, content }) {
    if (over === 'v3') return createReview({ reservation_code, host_reply_content: content }, stage.host());
    return stage.change((change) => review(change, { reservation_code }, { reply: content }));
  },
};

/** Performs the next step of a reservation. */
export async function takeStep(stage: Stage, story: Story, step: Step & Moment): Promise<void> {
  const act = acts[step.kind] as Act<Step['kind']>;
  await act(stage, story, step);
}

/** Returns the name under which a step is counted. */
export function nameOf(step: Step): string {
  if (step.kind === 'deposit') return `deposit_${step.event}`;
  if (step.kind === 'message') return `message_of_${step.from}`;
  return step.kind;
}
