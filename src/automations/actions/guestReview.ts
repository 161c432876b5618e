import { addDaysWithin, dateIn } from '../../kernel/dates.ts';
import { REVIEW_LENGTH } from '../../contract/reviews.ts';
import { plainDateFrom } from '../../sync/tables/wireValues.ts';
import type { Facts } from '../facts/facts.ts';
import { textFor } from '../language.ts';
import { isDoneElsewhere } from '../perform/others.ts';
import { readReview } from '../perform/review.ts';
import { Stopped } from '../perform/stopped.ts';
import { type Conditions, failingCondition } from '../rules/conditions.ts';
import type { ActionOf } from '../rules/actions.ts';
import { renderTemplate } from '../../kernel/markup/templates.ts';
import type { Action, ActionContext } from './action.ts';

const NOT_OVER_MS = 60 * 60_000;

/** Reviews the guest of a finished stay once, within the days that the channel allows. */
export const guestReview: Action<'guest_review'> = {
  isRepeatable: () => false,
  speaks: false,
  readsReview: true,
  async prepare(actionContext) {
    const { context, plan, spec, fresh, facts, scope, language, approvedText } = actionContext;
    if (!fresh) throw new Stopped('skipped', 'stay_gone');
    const { reservation_code } = fresh.stay;
    checkDays(actionContext);
    if (facts.review?.host_reviewed === true) throw new Stopped('skipped', 'has_review');
    if (await isDoneElsewhere(context, plan, { reservation_code })) throw new Stopped('skipped', 'has_review');
    const text = approvedText ?? renderTemplate(textFor(spec.text, language, context.settings.language).text, scope);
    if (text.length > REVIEW_LENGTH)
      throw new Stopped('failed', 'refused', { detail: `longer than ${REVIEW_LENGTH} signs` });
    const failing = holding(spec.held_unless, facts);
    if (failing !== undefined && plan.approved === 0) {
      throw new Stopped('awaiting_approval', 'condition', { detail: failing, draft: text });
    }
    return {
      text,
      async run(guard) {
        await context.client.call('createReview', { reservation_code, ...bodyOf(spec, text) }, guard);
      },
    };
  },
  async find(context, plan) {
    const { reservation_code: code } = plan;
    if (code === null) return undefined;
    return (await readReview(context, code))?.host_reviewed === true ? {} : undefined;
  },
};

/** Checks the days. For a reservation of several rooms, the last departure counts. */
function checkDays({ context, fresh, facts, spec }: ActionContext<'guest_review'>): void {
  const today = dateIn(facts.property?.zone ?? context.zone(), context.clock.now());
  const ends = [fresh?.wire, ...(fresh?.others ?? [])].map((one) => plainDateFrom(one?.check_out_date));
  if (ends.includes(null)) throw new Stopped('waiting', 'missing', { detail: 'check_out_date' });
  const last = ends.reduce<string>((latest, one) => (one !== null && one > latest ? one : latest), '');
  if (today < last) throw new Stopped('waiting', 'not_over', { waitMs: NOT_OVER_MS });
  if (today > addDaysWithin(last, spec.within_days)) throw new Stopped('skipped', 'too_late');
}

/** Returns the first condition that prevents an automatic review. An unknown value prevents it too. */
function holding(wanted: Conditions | undefined, facts: Facts): string | undefined {
  return wanted && failingCondition(wanted, facts);
}

function bodyOf({ score, ratings }: ActionOf<'guest_review'>['with'], text: string) {
  const { recommend, ...categories } = ratings ?? {};
  const given = {
    ...categories,
    ...(recommend !== undefined && { recommend: recommend ? (1 as const) : (0 as const) }),
  };
  return {
    host_review_score: score,
    host_review_content: text,
    ...(ratings && { category_ratings: given }),
  };
}
