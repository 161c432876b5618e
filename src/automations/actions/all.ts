import type { ActionName } from '../rules/actions.ts';
import { aiDraft } from './aiDraft.ts';
import { answerRequest } from './answerRequest.ts';
import { availability } from './availability.ts';
import type { Action } from './action.ts';
import { guestReview } from './guestReview.ts';
import { http } from './http.ts';
import { message } from './message.ts';
import { minStay } from './nights/minStay.ts';
import { note } from './note.ts';
import { notify } from './notify.ts';
import { preapproval, specialOffer } from './offers.ts';
import { price } from './price.ts';
import { reviewReply } from './reviewReply.ts';
import { customField, lockCode, tag } from './stayFields.ts';
import { task } from './task.ts';

/** The implementation of each action. */
export const actions: { readonly [Name in ActionName]: Action<Name> } = {
  message,
  draft: message,
  ai_draft: aiDraft,
  task,
  lock_code: lockCode,
  tag,
  custom_field: customField,
  note,
  availability,
  price,
  min_stay: minStay,
  review_reply: reviewReply,
  answer_request: answerRequest,
  guest_review: guestReview,
  special_offer: specialOffer,
  preapproval,
  notify,
  http,
};
