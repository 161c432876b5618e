import { type Html, html } from '../../kernel/markup/html.ts';
import { isPlainDate } from '../../kernel/dates.ts';
import { actionForm, typed } from '../frame/form.ts';
import { openable } from '../frame/openable.ts';
import { section } from '../frame/table.ts';
import type { Visit } from '../visit.ts';
import type { FieldStep, Step } from './history.ts';
import type { Review } from './query.ts';
import type { StayContent } from './content.ts';

const HUNDREDTHS = 100;

/** Shows what both sides have said of the stay; what is missing can be written. */
export function reviewsPart(visit: Visit, { stay, around }: StayContent): Html {
  const words = visit.texts.stay;
  const isOver = stay.status === 'accepted' && stay.check_out_date !== null && stay.check_out_date <= visit.today;
  if (around.reviews.length === 0 && !isOver) return html``;
  const [first] = around.reviews;
  const reply = first && first.score !== null && first.repliedAt === null;
  const own = isOver && (first === undefined || first.hostReviewedAt === null);
  return section(
    'reviews',
    words.reviews,
    '',
    html`${around.reviews.map((review) => reviewWords(visit, review))}
    ${around.reviews.length === 0 ? html`<p class="dim">${words.noReviews}</p>` : ''}
    ${reply && visit.may('inbox.send') ? writeForm(visit, 'host_reply_content', words.reply) : ''}
    ${own && visit.may('inbox.send') ? writeForm(visit, 'host_review_content', words.reviewGuest) : ''}`,
  );
}

function reviewWords(visit: Visit, { score, words: said }: Review): Html {
  const words = visit.texts.stay;
  // What guests write names people.
  const text = (path: string) => (visit.may('persons') ? said[path] : undefined);
  const parts = [
    [words.guestReview, text('guest_review.content')],
    [words.privateFeedback, text('guest_review.private_feedback')],
    [words.hostReply, text('host_reply.content')],
    [words.hostReview, text('host_review.content')],
  ] as const;
  return html`<div class="review">
    ${score === null ? '' : html`<p><strong>${visit.format.count(score / HUNDREDTHS)}</strong></p>`}
    ${parts.flatMap(([name, content]) =>
      content === undefined || content === ''
        ? []
        : [
            html`<figure>
              <figcaption class="dim">${name}</figcaption>
              <blockquote>${content}</blockquote>
            </figure>`,
          ],
    )}
  </div>`;
}

function writeForm(visit: Visit, field: 'host_reply_content' | 'host_review_content', open: string): Html {
  const words = visit.texts.stay;
  const id = `review-${field}`;
  const isRefused =
    visit.refused?.action === 'review' && visit.refused.field !== undefined && visit.refused.field !== field;
  return openable(
    isRefused ? { ...visit, refused: undefined } : visit,
    { action: 'review', open },
    actionForm(
      visit,
      { page: 'stay', action: 'review', label: open },
      html`<div class="field wide">
          <label for="${id}">${open}</label>
          <textarea id="${id}" name="${field}" maxlength="5000" required>${typed(visit, 'review', field)}</textarea>
          <p class="dim">${words.publicAndFinal}</p>
        </div>
        ${field === 'host_review_content' ? scoreField(visit) : ''}
        <button type="submit">${words.publish}</button>`,
    ),
  );
}

function scoreField(visit: Visit): Html {
  const words = visit.texts.stay;
  return html`<div class="field">
    <label for="review-score">${words.score}</label>
    <select id="review-score" name="host_review_score">
      ${[5, 4, 3, 2, 1].map((score) => html`<option value="${score}">${score}</option>`)}
    </select>
  </div>`;
}

/** Shows what changed of the stay, newest first, in words. */
export function historyPart(visit: Visit, { history }: StayContent): Html {
  const words = visit.texts.stay;
  return section(
    'history',
    words.history,
    history.length === 0 ? words.noHistory : '',
    html`<ol class="steps">
      ${history.map(
        (step) =>
          html`<li>
            <span class="dim">${visit.format.moment(step.at)}</span>
            <span>${stepText(visit, step)}</span>
          </li>`,
      )}
    </ol>`,
  );
}

function stepText(visit: Visit, { op, fields }: Step): string {
  const words = visit.texts.stay;
  if (op === 'created') return words.first;
  if (op === 'deleted') return words.gone;
  return fields.map((field) => fieldText(visit, field)).join('; ');
}

function fieldText(visit: Visit, { path, before, after }: FieldStep): string {
  const words = visit.texts.stay;
  const name = fieldName(words.fields, path);
  const [from, to] = [valueText(visit, path, before), valueText(visit, path, after)];
  if (from === undefined && to === undefined) return words.changedField(name);
  if (from === undefined || from === '') return words.setField(name, to ?? '');
  return to === undefined || to === '' ? words.removedField(name, from) : words.movedField(name, from, to);
}

/** Returns the name of a field for people; the longest beginning of its path that has one. */
function fieldName(names: Readonly<Record<string, string>>, path: string): string {
  const parts = path.split('.');
  for (let length = parts.length; length > 0; length -= 1) {
    const name = names[parts.slice(0, length).join('.')];
    if (name !== undefined) return name;
  }
  return path.replaceAll(/[._]/g, ' ');
}

function valueText({ format, texts }: Visit, path: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (isPlainDate(value)) return format.day(value);
  const { status, stayStatus, depositStatus, idRequired } = texts.stay;
  const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    status,
    stay_status: stayStatus,
    'check_in_details.id_required': idRequired,
    'check_in_details.deposit_details.status': depositStatus,
  };
  return words[path]?.[value] ?? value;
}
