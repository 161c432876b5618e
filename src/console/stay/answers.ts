import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm, askFirst, choiceField, hiddenFields } from '../frame/form.ts';
import { section } from '../frame/table.ts';
import type { Visit } from '../visit.ts';
import { datesText, type StayContent, titleOf } from './content.ts';

const MOVABLE: ReadonlySet<string | null> = new Set(['accepted', 'wait_accept', 'wait_pay']);

/** The one thing that the stay waits for, at the top: an answer, or a property. */
export function answerForms(visit: Visit, content: StayContent): Html {
  const { stay } = content;
  const parts = [
    ...(stay.status === 'wait_accept' && visit.may('stay.answer')
      ? [requestForms(visit, requestOf(visit, content))]
      : []),
    ...(stay.in_reservation_box === 1 && MOVABLE.has(stay.status) && visit.may('stay.change')
      ? [allocateForm(visit, content)]
      : []),
    ...(stay.status === 'accepted' && visit.may('stay.change') ? [statusForms(visit, content)] : []),
  ];
  return parts.length === 0 ? html`` : html`<div class="actions">${parts}</div>`;
}

/** What is said of a request before it is answered. */
export interface Request {
  readonly code: string;
  readonly guest: string;
  readonly property: string;
  readonly dates: string;
  readonly amount: string;
}

function requestOf(visit: Visit, content: StayContent): Request {
  const { stay } = content;
  const { format, texts } = visit;
  return {
    code: stay.stay_code,
    guest: titleOf(visit, content),
    property: stay.property ?? texts.today.box,
    dates: datesText(visit, stay),
    amount: stay.total_rate_minor === null ? '' : format.money(stay.total_rate_minor, stay.currency ?? ''),
  };
}

/** Builds the two answers to a request to book; neither can be taken back. */
export function requestForms(visit: Visit, request: Request): Html {
  const words = visit.texts.stay;
  const at = { code: request.code };
  return html`${askFirst(visit, {
    page: 'stay',
    action: 'approve',
    at,
    open: words.approve,
    consequence: words.approves(request),
    confirm: words.approve,
    isGood: true,
  })}
  ${askFirst(visit, {
    page: 'stay',
    action: 'decline',
    at,
    open: words.decline,
    consequence: words.declines(request),
    confirm: words.decline,
  })}`;
}

function allocateForm(visit: Visit, { around }: StayContent): Html {
  const words = visit.texts.stay;
  if (around.free.length === 0) return html`<p class="bad">${words.noneFree}</p>`;
  return actionForm(
    visit,
    { page: 'stay', action: 'allocate', label: words.allocate },
    html`${propertyChoice(visit, around.free)} <button type="submit">${words.allocate}</button>`,
  );
}

function propertyChoice(visit: Visit, free: readonly { id: number; name: string | null }[]): Html {
  return choiceField({
    name: 'property_id',
    label: visit.texts.stay.freeProperties,
    options: free.map(({ id, name }) => ({ value: id, text: name ?? `#${id}` })),
  });
}

/** Builds the buttons for arrival and departure. */
export function statusForms(visit: Visit, { stay }: StayContent): Html {
  const words = visit.texts.stay;
  const steps: Readonly<Record<string, readonly (readonly [to: string, text: string])[]>> = {
    checkin_pending: [['in_house', words.arrived]],
    in_house: [
      ['stay_completed', words.left],
      ['checkin_pending', words.notArrived],
    ],
    stay_completed: [['in_house', words.notLeft]],
  };
  return html`${(steps[stay.stay_status ?? ''] ?? []).map(([to, text], index) =>
    actionForm(
      visit,
      { page: 'stay', action: 'status', classes: 'inline', label: text },
      html`${hiddenFields({ stay_status: to })}
        <button type="submit" ${index > 0 || stay.stay_status === 'stay_completed' ? html`class="second"` : ''}>
          ${text}
        </button>`,
    ),
  )}`;
}

/** What moves or ends the stay; said first, with names, dates and amounts. */
export function moveForms(visit: Visit, content: StayContent): Html {
  const { stay, around } = content;
  const words = visit.texts.stay;
  if (!MOVABLE.has(stay.status) || !visit.may('stay.change')) return html``;
  const title = titleOf(visit, content);
  const isPlaced = stay.in_reservation_box !== 1;
  const others = around.free.filter(({ id }) => id !== stay.property_id);
  return section(
    'moving',
    words.moving,
    '',
    html`<div class="actions">
      ${
        isPlaced && others.length > 0
          ? askFirst(visit, {
              page: 'stay',
              action: 'allocate',
              open: words.otherProperty,
              consequence: words.movesTo(title, datesText(visit, stay), stay.property ?? ''),
              more: propertyChoice(visit, others),
              confirm: words.move,
            })
          : ''
      }
      ${
        isPlaced
          ? askFirst(visit, {
              page: 'stay',
              action: 'to-box',
              open: words.toBox,
              consequence: words.boxes(title, stay.property ?? '', datesText(visit, stay)),
              confirm: words.toBox,
            })
          : ''
      }
      ${cancelForm(visit, content, title)}
    </div>`,
  );
}

const CANCELLABLE: ReadonlySet<string | null> = new Set(['wait_pay', 'accepted']);

function cancelForm(visit: Visit, { stay, around }: StayContent, title: string): Html {
  const words = visit.texts.stay;
  if (stay.channel_type !== 'direct' || !CANCELLABLE.has(stay.status) || !visit.may('stay.cancel')) return html``;
  const rooms = around.rooms.length;
  const received = visit.format.money(stay.received_minor ?? 0, stay.payment_currency ?? stay.currency ?? '');
  return askFirst(visit, {
    page: 'stay',
    action: 'cancel',
    open: words.cancel,
    consequence: words.cancels({ guest: title, dates: datesText(visit, stay), rooms, received }),
    confirm: words.cancel,
  });
}
