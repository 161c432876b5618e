import type { ActionName } from '../rules/actions.ts';
import { aiDraft } from './aiDraft.ts';
import { availability } from './availability.ts';
import type { Deed } from './deed.ts';
import { http } from './http.ts';
import { message } from './message.ts';
import { note } from './note.ts';
import { price } from './price.ts';
import { reviewReply } from './reviewReply.ts';
import { customField, lockCode, tag } from './stayFields.ts';
import { task } from './task.ts';

/** How each action is done. */
export const deeds: { readonly [Name in ActionName]: Deed<Name> } = {
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
  review_reply: reviewReply,
  http,
};
