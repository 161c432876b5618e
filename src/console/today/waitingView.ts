import { type Html, html } from '../../kernel/markup/html.ts';
import { requestForms } from '../stay/answers.ts';
import { returnForm } from '../stay/returnForm.ts';
import { channelName } from '../frame/channelName.ts';
import { type Column, table } from '../frame/table.ts';
import type { Visit } from '../visit.ts';
import { MOST_ROWS, type StayRow } from './query.ts';
import { type Wait, type WaitingStay, waits } from './waiting.ts';

/** Shows what waits as links to its lists; nothing if nothing waits. */
export function waitingNote(visit: Visit, counts: Readonly<Record<Wait, number>>, chosen?: Wait): Html {
  const words = visit.texts.today;
  const lines = waits.filter((wait) => counts[wait] > 0);
  if (lines.length === 0) return html``;
  return html`<section class="note" aria-labelledby="waiting">
    <h2 id="waiting">${words.waiting}</h2>
    <ul>
      ${lines.map(
        (wait) =>
          html`<li>
            <a href="${visit.address('today', { waiting: wait })}" ${wait === chosen ? html`aria-current="true"` : ''}
              >${words.waits[wait](counts[wait])}</a
            >
          </li>`,
      )}
    </ul>
  </section>`;
}

/** Builds the guest's name, which leads to the page of the stay. */
export function stayLink(visit: Visit, { stay_code, guest }: Pick<StayRow, 'stay_code' | 'guest'>): Html {
  const name = visit.may('persons') ? guest : null;
  return html`<a href="${visit.address('stay', { code: stay_code })}">${name ?? visit.texts.today.unknownGuest}</a>`;
}

interface Waiting {
  readonly wait: Wait;
  readonly counts: Readonly<Record<Wait, number>>;
  readonly stays: readonly WaitingStay[];
}

/** Shows one list of what waits; what can be answered with one button has it in its row. */
export function waitingView(visit: Visit, { wait, counts, stays }: Waiting): Html {
  const words = visit.texts.today;
  return html`<header class="head">
      <h1>${words.waits[wait](counts[wait])}</h1>
      <p><a href="${visit.address('today')}">${words.backToDay}</a></p>
    </header>
    ${waitingNote(visit, counts, wait)}
    <section aria-label="${words.waits[wait](counts[wait])}">
      ${stays.length === 0 ? html`<p class="dim">${words.nothingWaits}</p>` : waitingTable(visit, wait, stays)}
      ${stays.length === MOST_ROWS ? html`<p class="dim">${words.more(MOST_ROWS)}</p>` : ''}
    </section>`;
}

function waitingTable(visit: Visit, wait: Wait, stays: readonly WaitingStay[]): Html {
  const words = visit.texts.today;
  const columns: Column[] = [
    words.guest,
    words.unit,
    words.dates,
    words.source,
    { head: wait === 'deposits' ? words.owedBack : words.price, isAmount: true },
    words.answer,
  ];
  return table(
    columns,
    stays.map((stay) => [
      stayLink(visit, stay),
      stay.in_reservation_box === 1 ? words.box : (stay.property ?? ''),
      datesOf(visit, stay),
      channelName(visit, stay),
      amountOf(visit, wait, stay),
      answerTo(visit, wait, stay),
    ]),
  );
}

function datesOf({ format, texts }: Visit, { check_in_date, check_out_date, nights }: WaitingStay): string {
  const dates = [check_in_date, check_out_date].map((date) => (date === null ? '?' : format.day(date))).join(' – ');
  return nights === null ? dates : `${dates}, ${texts.today.nights(nights)}`;
}

function amountOf({ format }: Visit, wait: Wait, stay: WaitingStay): string {
  if (wait === 'deposits') {
    return format.money(stay.deposit_pending_refund_minor ?? 0, stay.deposit_currency ?? stay.currency ?? '');
  }
  return stay.total_rate_minor === null ? '' : format.money(stay.total_rate_minor, stay.currency ?? '');
}

function answerTo(visit: Visit, wait: Wait, stay: WaitingStay): Html {
  const words = visit.texts.today;
  const guest = (visit.may('persons') ? stay.guest : null) ?? stay.stay_code;
  if (wait === 'requests' && visit.may('stay.answer')) {
    const property = stay.in_reservation_box === 1 ? words.box : (stay.property ?? '');
    const amount = amountOf(visit, wait, stay);
    const request = { code: stay.stay_code, guest, property, dates: datesOf(visit, stay), amount };
    return html`<div class="actions">${requestForms(visit, request)}</div>`;
  }
  if (wait === 'deposits' && visit.may('stay.money') && stay.channel_type === 'direct') {
    return returnForm(visit, {
      code: stay.stay_code,
      guest,
      deposit: {
        currency: stay.deposit_currency ?? stay.currency ?? '',
        paid: stay.deposit_paid_minor ?? 0,
        deducted: stay.deposit_deducted_minor ?? 0,
        refunded: stay.deposit_refunded_minor ?? 0,
        owed: stay.deposit_pending_refund_minor ?? 0,
      },
    });
  }
  return html`<a href="${visit.address('stay', { code: stay.stay_code })}">${words.open}</a>`;
}
