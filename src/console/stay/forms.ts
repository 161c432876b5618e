import { decimalText } from '../../kernel/money.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm, choiceField, hiddenFields, inputField, typed } from '../frame/form.ts';
import { openable } from '../frame/openable.ts';
import type { Visit } from '../visit.ts';
import { amountText } from './deposit.ts';
import type { StayContent } from './content.ts';

const CHANGE = 'change';
const CHECK_IN = 'check-in';

/** Builds the form for dates, people, guest, price and note. */
export function changeForm(visit: Visit, { stay, details, around }: StayContent): Html {
  const words = visit.texts.stay;
  const booker = around.guests.find(({ guest_key }) => guest_key === 'booker');
  const currency = stay.currency ?? '';
  const field = (name: string, label: string, value: string | number | null | undefined, more: object = {}) =>
    inputField({ name, label, value: typed(visit, CHANGE, name, String(value ?? '')), of: 'change-', ...more });
  const rate = stay.rate_minor === null ? '' : decimalText(stay.rate_minor, currency);
  return openable(
    visit,
    { action: CHANGE, open: words.change },
    actionForm(
      visit,
      { page: 'stay', action: CHANGE, label: words.change },
      html`${field('check_in_date', words.fields['check_in_date'] ?? '', stay.check_in_date, { type: 'date', isRequired: true })}
        ${field('check_out_date', words.fields['check_out_date'] ?? '', stay.check_out_date, { type: 'date', isRequired: true })}
        ${field('number_of_guests', visit.texts.today.people, stay.number_of_guests, { type: 'number', min: 1, max: 99, isRequired: true })}
        ${field('guest_name', words.name, booker?.name, { isRequired: true, longest: 100 })}
        ${field('email', words.email, booker?.email, { type: 'email', longest: 50 })}
        ${field('mobile', words.phone, booker?.phone, { type: 'tel', longest: 50 })}
        ${field('rate_amount', words.price(currency), rate, { type: 'number', min: 0, step: 'any' })}
        <div class="field wide">
          <label for="change-note">${words.note}</label>
          <textarea id="change-note" name="note" maxlength="500" rows="3">
${typed(visit, CHANGE, 'note', details.note ?? '')}</textarea>
        </div>
        <button type="submit">${visit.texts.form.save}</button>`,
    ),
  );
}

/** Builds the form for arrival, lock code, deposit and identity. */
export function checkInForm(visit: Visit, { stay, details, deposit }: StayContent): Html {
  const { texts } = visit;
  const words = texts.stay;
  const field = (name: string, label: string, value: string | null, more: object = {}) =>
    inputField({ name, label, value: typed(visit, CHECK_IN, name, value ?? ''), of: 'check-in-', ...more });
  return openable(
    visit,
    { action: CHECK_IN, open: words.changeCheckIn },
    actionForm(
      visit,
      { page: 'stay', action: CHECK_IN, label: words.changeCheckIn },
      html`${field('arrival_at', words.arrival, details.arrival, { type: 'time' })}
        ${field('departure_at', words.departure, details.departure, { type: 'time' })}
        ${field('lock_code', details.hasLockCode ? words.newLockCode : words.lockCode, null, { longest: 50 })}
        ${field('lock_code_visible_after', words.lockCodeAfter, details.lockCodeAfter, { type: 'time' })}
        ${
          details.hasLockCode
            ? html`<p>
                <label><input type="checkbox" name="remove_lock_code" value="1" /> ${words.removeLockCode}</label>
              </p>`
            : ''
        }
        ${field('deposit', words.depositAsked(deposit.currency), amountText(stay.deposit_minor, deposit.currency), {
          type: 'number',
          min: 0,
          step: 'any',
        })}
        ${choiceField({
          name: 'id_required',
          label: words.identity,
          of: 'check-in-',
          chosen: typed(visit, CHECK_IN, 'id_required', stay.id_required ?? 'not_required'),
          options: ['not_required', 'required', 'required_with_review'].map((value) => ({
            value,
            text: words.idRequired[value] ?? value,
          })),
        })} <button type="submit">${texts.form.save}</button>`,
    ),
  );
}

/** Builds the tags of a stay, each with a button that takes it off, and a form for another. */
export function tagForms(visit: Visit, { stay, around }: StayContent): Html {
  const words = visit.texts.stay;
  const tags = tagsOf(stay.tags);
  if (!visit.may('stay.change')) {
    return html`<p class="tags">${tags.map((name) => html`<span class="tag">${name}</span>`)}</p>`;
  }
  const others = around.tags.filter((name) => !tags.includes(name));
  return html`<div class="tags">
    ${tags.map((name) =>
      actionForm(
        visit,
        { page: 'stay', action: 'untag', classes: 'inline' },
        html`${hiddenFields({ tag_name: name })}
          <span class="tag"
            >${name} <button type="submit" class="bare" aria-label="${words.removeTag(name)}">×</button></span
          >`,
      ),
    )}
    ${actionForm(
      visit,
      { page: 'stay', action: 'tag', classes: 'inline', label: words.addTag },
      html`<input
          name="tag_name"
          aria-label="${words.addTag}"
          placeholder="${words.addTag}"
          list="tag-names"
          maxlength="15"
          required
          value="${typed(visit, 'tag', 'tag_name')}"
        />
        <datalist id="tag-names">${others.map((name) => html`<option value="${name}"></option>`)}</datalist>
        <button type="submit" class="second">${words.add}</button>`,
    )}
  </div>`;
}

/** Reads the list of tags of a stay. */
function tagsOf(json: string | null): string[] {
  try {
    const tags: unknown = JSON.parse(json ?? '[]');
    return Array.isArray(tags) ? tags.map(String) : [];
  } catch {
    return [];
  }
}

/** Builds the form for one of the operator's own fields. */
export function fieldForm(visit: Visit): Html {
  const words = visit.texts.stay;
  return openable(
    visit,
    { action: 'field', open: words.customField },
    actionForm(
      visit,
      { page: 'stay', action: 'field', label: words.customField },
      html`${inputField({
          name: 'name',
          label: words.fieldName,
          value: typed(visit, 'field', 'name'),
          isRequired: true,
          longest: 100,
          of: 'field-',
        })}
        ${inputField({
          name: 'text',
          label: words.fieldText,
          value: typed(visit, 'field', 'text'),
          hint: words.fieldHint,
          longest: 2_000,
          of: 'field-',
        })} <button type="submit">${visit.texts.form.save}</button>`,
    ),
  );
}
