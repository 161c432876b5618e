import { daysBetween } from '../../../kernel/dates.ts';
import { type Html, html } from '../../../kernel/markup/html.ts';
import { actionForm, choiceField, hiddenFields, inputField } from '../../frame/form.ts';
import type { Visit } from '../../visit.ts';
import type { Question } from '../state.ts';
import { guestOf, type Move, readMove } from './moveAction.ts';
import { hasReasons } from './ours.ts';
import { type Place, placesOf } from './query.ts';
import { lookForm, panel } from './view.ts';

/** Shows where a stay is to go and what comes of it, and asks before it moves. */
export async function movePanel(visit: Visit, code: string, asked: Question): Promise<Html> {
  const places = await placesOf(visit);
  const { to, arrive, leave, shift } = asked;
  const move = await readMove(visit, { code, to, arrive, leave, shift }, places);
  const words = visit.texts.calendar.panel;
  return panel(
    visit,
    words.moveOf(guestOf(move.stay)),
    html`<dl class="facts">
        <dt>${words.now}</dt>
        <dd>${placeText(visit, move.from, move.stay.check_in_date, move.stay.check_out_date)}</dd>
        ${
          move.kind === 'none'
            ? ''
            : html`<dt>${words.after}</dt>
                <dd><strong>${placeText(visit, move.to, move.arrive, move.leave)}</strong></dd>`
        }
        ${
          move.stay.rate_minor === null
            ? ''
            : html`<dt>${words.price}</dt>
                <dd>
                  ${words.priceStays(visit.format.money(move.stay.rate_minor, move.stay.currency ?? visit.currency))}
                </dd>`
        }
      </dl>
      ${consequence(visit, move)} ${wishForm(visit, move, places)}`,
  );
}

function placeText({ format, texts }: Visit, place: Place | undefined, from: string, to: string): string {
  const nights = texts.today.nights(daysBetween(from, to));
  const span = texts.calendar.panel.span(format.day(from), format.day(to));
  return `${place?.name ?? texts.today.box}, ${span} (${nights})`;
}

/** What stands in the way, and the button if it can be done all the same. */
function consequence(visit: Visit, move: Move): Html {
  const words = visit.texts.calendar.panel;
  if (move.kind === 'none') return html``;
  const names = move.inTheWay.map((stay) => guestOf(stay)).join(', ');
  const makesRoom = move.kind === 'property';
  const problem = move.isBlocked
    ? words.isBlocked
    : move.inTheWay.length > 0 && !makesRoom
      ? words.isTaken(names)
      : move.kind === 'both' && !hasReasons(visit)
        ? words.oneByOne
        : undefined;
  if (problem !== undefined) return html`<p class="bad" role="alert">${problem}</p>`;
  const { stay, to, arrive, leave } = move;
  return actionForm(
    visit,
    { page: 'calendar', action: 'move', label: words.move },
    html`${names === '' ? '' : html`<p class="bad">${words.makesRoom(names)}</p>`}
      ${hiddenFields({ move: stay.stay_code, to: to.id, arrive, leave })}
      <button type="submit" ${names === '' ? '' : html`class="danger"`}>${words.moveNow}</button>`,
  );
}

function wishForm(visit: Visit, { stay, to, arrive, leave }: Move, places: readonly Place[]): Html {
  const words = visit.texts.calendar.panel;
  const options = places.map(({ id, name }) => ({ value: id, text: name }));
  return lookForm(
    visit,
    words.elsewhere,
    html`${hiddenFields({ move: stay.stay_code })}
      ${choiceField({ name: 'to', label: visit.texts.today.property, options, chosen: to.id })}
      ${inputField({ name: 'arrive', label: words.arrive, type: 'date', value: arrive, isRequired: true })}
      ${inputField({ name: 'leave', label: words.leave, type: 'date', value: leave, isRequired: true })}
      <button type="submit" class="second">${words.preview}</button>`,
  );
}
