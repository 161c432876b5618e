import { type Html, html } from '../../kernel/markup/html.ts';
import { channelName } from '../frame/channelName.ts';
import { section, table } from '../frame/table.ts';
import type { Visit } from '../visit.ts';
import { datesText, facts, type StayContent, titleOf } from './content.ts';
import { agreedPart } from './bookingView.ts';
import { answerForms, moveForms } from './answers.ts';
import { guestPagePart } from './guestPage.ts';
import { changeForm, checkInForm, fieldForm, tagForms } from './forms.ts';
import { historyPart, reviewsPart } from './story.ts';
import { depositPart, moneyPart } from './money.ts';
import type { Stay } from './query.ts';

/** Shows a stay: what it is, what can be done, its money, and what happened to it. */
export function stayView(visit: Visit, content: StayContent): Html {
  const { stay } = content;
  return html`${headOf(visit, content)} ${answerForms(visit, content)}
    <div class="panels">
      ${stayPart(visit, content)} ${checkInPart(visit, content)} ${guestsPart(visit, content)}
      ${agreedPart(visit, content)} ${guestPagePart(visit, stay.stay_code, content.guestPage)}
      ${moneyPart(visit, content)} ${depositPart(visit, content)} ${moveForms(visit, content)}
    </div>
    ${roomsPart(visit, content)} ${tasksPart(visit, content)} ${reviewsPart(visit, content)}
    ${historyPart(visit, content)}
    <p class="dim"><code>${stay.stay_code}</code></p>`;
}

function headOf(visit: Visit, content: StayContent): Html {
  const { texts, format } = visit;
  const { stay } = content;
  const words = texts.stay;
  const status = stay.status ?? '';
  const parts = [
    stay.in_reservation_box === 1 ? texts.today.box : (stay.property ?? `#${stay.property_id ?? ''}`),
    datesText(visit, stay),
    stay.nights === null ? '' : texts.today.nights(stay.nights),
    stay.number_of_guests === null ? '' : texts.today.guests(stay.number_of_guests),
  ].filter((part) => part !== '');
  return html`<header class="head">
    <h1>${titleOf(visit, content)}</h1>
    <span class="badge ${BADGES[status] ?? ''}">${words.status[status] ?? status}</span>
    ${
      status === 'accepted' && stay.stay_status !== null
        ? html`<span class="badge">${words.stayStatus[stay.stay_status] ?? stay.stay_status}</span>`
        : ''
    }
    <p>${parts.join(' · ')}</p>
    ${stay.cancelled_at === null ? '' : html`<p class="dim">${words.cancelledAt(format.moment(stay.cancelled_at))}</p>`}
  </header>`;
}

const BADGES: Readonly<Record<string, string>> = {
  accepted: 'ok',
  wait_accept: 'wait',
  wait_pay: 'wait',
  cancelled: 'gone',
};

function stayPart(visit: Visit, content: StayContent): Html {
  const { texts, format } = visit;
  const { stay, details } = content;
  const words = texts.stay;
  const people = [
    [stay.number_of_adults, words.adults],
    [stay.number_of_children, words.children],
    [stay.number_of_infants, words.infants],
    [stay.number_of_pets, words.pets],
  ] as const;
  const parts = people.flatMap(([count, say]) => (count === null || count === 0 ? [] : [say(count)]));
  return section(
    'stay-facts',
    words.facts,
    '',
    html`${facts([
      [texts.today.source, channelName(visit, stay)],
      [words.channelId, stay.channel_id === stay.reservation_code ? null : stay.channel_id],
      [texts.today.people, parts.join(', ')],
      [words.bookedAt, stay.booked_at === null ? null : format.moment(stay.booked_at)],
      [words.policy, stay.cancellation_policy_category],
      [words.note, details.note],
      [words.remarks, details.remarks],
      ...details.custom.map(([name, text]) => [name, text] as const),
      [words.conversation, conversationLink(visit, stay)],
    ])}
    ${tagForms(visit, content)}
    ${visit.may('stay.change') ? html`${changeForm(visit, content)} ${fieldForm(visit)}` : ''}`,
  );
}

function conversationLink(visit: Visit, { conversation_id }: Stay): Html | null {
  if (conversation_id === null || !visit.may('inbox')) return null;
  return html`<a href="${visit.address('inbox', { conversation: conversation_id })}"
    >${visit.texts.stay.openConversation}</a
  >`;
}

function checkInPart(visit: Visit, content: StayContent): Html {
  const { texts } = visit;
  const { stay, details } = content;
  const words = texts.stay;
  return section(
    'check-in',
    words.checkIn,
    '',
    html`${facts([
      [words.arrival, details.arrival],
      [words.departure, details.departure],
      [words.lockCode, lockCodeFact(visit, content)],
      [words.lockCodeAfter, details.hasLockCode ? details.lockCodeAfter : null],
      [words.identity, identityText(visit, content)],
      [words.guide, guideLink(details.guide, words.openGuide)],
      [words.address, stay.address],
    ])}
    ${visit.may('stay.change') ? checkInForm(visit, content) : ''}`,
  );
}

/** Links only to addresses of the web, since a channel wrote it. */
function guideLink(guide: string | null, text: string): Html | null {
  if (guide === null || !/^https?:\/\//i.test(guide)) return null;
  return html`<a href="${guide}" rel="noreferrer noopener">${text}</a>`;
}

function lockCodeFact(visit: Visit, { stay, details, lockCode }: StayContent): Html | string | null {
  const words = visit.texts.stay;
  if (!details.hasLockCode) return null;
  if (lockCode !== undefined) return html`<code>${lockCode ?? ''}</code>`;
  if (!visit.may('stay.change')) return '••••';
  return html`••••
    <a href="${visit.address('stay', { code: stay.stay_code, lock: 'show' })}">${words.showLockCode}</a>`;
}

function identityText(visit: Visit, { stay, around }: StayContent): string | Html {
  const words = visit.texts.stay;
  const required = stay.id_required ?? 'not_required';
  const isThere = around.guests.some(({ has_identity }) => Number(has_identity) === 1);
  if (isThere) return words.identityThere;
  return required === 'not_required' ? words.identityFree : html`<strong>${words.identityMissing}</strong>`;
}

function guestsPart(visit: Visit, { around }: StayContent): Html {
  const { texts } = visit;
  const words = texts.stay;
  if (!visit.may('persons')) return html``;
  const [booker] = around.guests.filter(({ guest_key }) => guest_key === 'booker');
  const named = around.guests.filter(({ guest_key, is_booker }) => guest_key !== 'booker' && is_booker !== 1);
  return section(
    'guests',
    words.guests,
    '',
    html`${facts([
      [words.name, booker?.name],
      [words.email, booker?.email ? html`<a href="mailto:${booker.email}">${booker.email}</a>` : null],
      [words.phone, booker?.phone ? html`<a href="tel:${booker.phone}">${booker.phone}</a>` : null],
      [words.country, booker?.country],
    ])}
    ${
      named.length === 0
        ? ''
        : html`<ul class="plain">
            ${named.map(
              ({ name, country, has_identity }) =>
                html`<li>
                  ${name ?? texts.today.unknownGuest}
                  ${country === null ? '' : html`<span class="dim">${country}</span>`}
                  ${Number(has_identity) === 1 ? html`<span class="dim">${words.identityThere}</span>` : ''}
                </li>`,
            )}
          </ul>`
    }
    ${around.guests.length === 0 ? html`<p class="dim">${words.noGuests}</p>` : ''}`,
  );
}

function roomsPart(visit: Visit, { stay, around }: StayContent): Html {
  const { texts } = visit;
  const words = texts.stay;
  const others = around.rooms.filter(({ stay_code }) => stay_code !== stay.stay_code);
  if (others.length === 0) return html``;
  const rows = others.map((room) => [
    html`<a href="${visit.address('stay', { code: room.stay_code })}"
      >${room.in_reservation_box === 1 ? texts.today.box : (room.property ?? room.stay_code)}</a
    >`,
    datesText(visit, { ...stay, ...room }),
    words.status[room.status ?? ''] ?? room.status ?? '',
  ]);
  return section('rooms', words.rooms, '', table([texts.today.unit, words.dates, words.state], rows));
}

function tasksPart(visit: Visit, { around }: StayContent): Html {
  const { texts, format } = visit;
  const words = texts.stay;
  if (around.tasks.length === 0) return html``;
  const rows = around.tasks.map((task) => [
    words.taskTypes[task.type ?? ''] ?? task.type ?? '',
    `${task.expected_date === null ? '' : format.day(task.expected_date)} ${(task.expected_time ?? '').slice(0, 5)}`,
    task.staff_name ?? words.nobody,
    words.taskStates[task.status ?? ''] ?? task.status ?? '',
  ]);
  return section('tasks', words.tasks, '', table([words.task, words.when, words.who, words.state], rows));
}
