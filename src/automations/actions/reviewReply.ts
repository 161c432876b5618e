import { textFor } from '../language.ts';
import { readReview } from '../perform/review.ts';
import { Stopped } from '../perform/stopped.ts';
import { renderTemplate } from '../../kernel/markup/templates.ts';
import type { Action } from './action.ts';

/** Drafts the public reply to a guest's review. A person always decides. */
export const reviewReply: Action<'review_reply'> = {
  isRepeatable: () => false,
  speaks: false,
  prepare({ facts: { review }, spec, scope, language, context, approvedText }) {
    if (!review) throw new Stopped('skipped', 'stay_gone');
    if (review.host_replied) throw new Stopped('skipped', 'answered');
    // A review that is only announced has no content to reply to yet.
    if (review.score === null && review.content === null)
      throw new Stopped('waiting', 'missing', { detail: 'review.text' });
    const text = approvedText ?? renderTemplate(textFor(spec.text, language, context.settings.language).text, scope);
    const { reservation_code } = review;
    return {
      text,
      async run(guard) {
        await context.client.call('createReview', { reservation_code, host_reply_content: text }, guard);
      },
    };
  },
  async find(context, plan) {
    const review = plan.reservation_code === null ? null : await readReview(context, plan.reservation_code);
    return review?.host_replied ? {} : undefined;
  },
};
