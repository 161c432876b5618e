import { NOTE_LENGTH } from '../../contract/conversations.ts';
import { offerChannels, preapprovalChannels } from '../../contract/specialOffers.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import { isCurrency } from '../../kernel/money.ts';
import { channelName } from '../frame/channelName.ts';
import { actionForm, askFirst, inputField, typed } from '../frame/form.ts';
import type { Visit } from '../visit.ts';
import type { Inquiry, Thread, ThreadOffer, ThreadStay } from './thread.ts';

const ACTIVE = 'active';

/** Shows what a conversation is about: stays, request, offers, the guest's addresses, and the private note. */
export function asideView(visit: Visit, thread: Thread): Html {
  const words = visit.texts.inbox;
  const { stays, offers, inquiry, guest } = thread;
  return html`<aside class="beside" aria-label="${words.beside}">
    ${inquiry ? inquiryPart(visit, thread, inquiry) : ''} ${stays.map((stay) => stayPart(visit, stay, guest.name))}
    ${offers.length === 0 ? '' : offersPart(visit, offers)}
    <section aria-labelledby="guest">
      <h3 id="guest">${words.guest}</h3>
      <dl class="facts">
        <dt>${words.name}</dt>
        <dd>${guest.name ?? words.unknownGuest}</dd>
        ${
          guest.email === null
            ? ''
            : html`<dt>${words.email}</dt>
                <dd>${guest.email}</dd>`
        }
        ${
          guest.phone === null
            ? ''
            : html`<dt>${words.phone}</dt>
                <dd>${guest.phone}</dd>`
        }
        <dt>${words.channel}</dt>
        <dd>${channelName(visit, thread)}</dd>
      </dl>
    </section>
    ${notePart(visit, thread)}
  </aside>`;
}

function stayPart(visit: Visit, stay: ThreadStay, writer: string | null): Html {
  const { texts, format } = visit;
  const words = texts.inbox;
  const { stay_code, property, guest, check_in_date, check_out_date, number_of_guests, status, balance_minor } = stay;
  const currency = stay.payment_currency ?? stay.currency ?? visit.currency;
  const name = [property, guest === writer ? null : guest].filter((one) => one !== null).join(' · ');
  const owes = balance_minor !== null && balance_minor > 0;
  return html`<section aria-labelledby="stay-${stay_code}">
    <h3 id="stay-${stay_code}">
      <a href="${visit.address('stay', { code: stay_code })}">${name === '' ? stay_code : name}</a>
    </h3>
    <dl class="facts">
      <dt>${words.code}</dt>
      <dd><code>${stay_code}</code></dd>
      <dt>${words.dates}</dt>
      <dd>${range(visit, check_in_date, check_out_date)}</dd>
      ${
        number_of_guests === null
          ? ''
          : html`<dt>${words.people}</dt>
              <dd>${texts.today.guests(number_of_guests)}</dd>`
      }
      <dt>${words.status}</dt>
      <dd>${words.statuses[status ?? ''] ?? status ?? ''}</dd>
      ${
        balance_minor === null
          ? ''
          : html`<dt>${words.balance}</dt>
              <dd class="${owes ? 'bad' : ''}">
                ${isCurrency(currency) ? format.money(balance_minor, currency) : `${balance_minor} ${currency}`}
              </dd>`
      }
    </dl>
  </section>`;
}

function range({ format }: Visit, from: string | null, to: string | null): string {
  return [from, to].map((date) => (date === null ? '?' : format.day(date))).join(' – ');
}

/** The dates that a guest asks for, with what the channel lets a host answer. */
function inquiryPart(visit: Visit, thread: Thread, inquiry: Inquiry): Html {
  const words = visit.texts.inbox;
  const channel = thread.channel_type ?? '';
  const maySend = visit.may('inbox.send');
  const when = range(visit, inquiry.check_in_date, inquiry.check_out_date);
  return html`<section aria-labelledby="inquiry" class="note">
    <h3 id="inquiry">${words.inquiry}</h3>
    <p>${[inquiry.property ?? '', when].filter((one) => one !== '').join(' · ')}</p>
    ${
      maySend && preapprovalChannels.includes(channel)
        ? askFirst(visit, {
            page: 'inbox',
            action: 'preapprove',
            open: words.preapprove,
            consequence: words.preapproveHint(thread.guest.name ?? words.unknownGuest, when),
            confirm: words.preapproveReally,
          })
        : ''
    }
    ${maySend && offerChannels.includes(channel) ? offerForm(visit, inquiry) : ''}
  </section>`;
}

function offerForm(visit: Visit, { check_in_date, check_out_date }: Inquiry): Html {
  const words = visit.texts.inbox;
  const value = (field: string, otherwise: string) => typed(visit, 'offer', field, otherwise);
  const isRequired = true;
  const of = 'offer-';
  return html`<details class="ask" ${visit.refused?.action === 'offer' ? 'open' : ''}>
    <summary>${words.offer}</summary>
    ${actionForm(
      visit,
      { page: 'inbox', action: 'offer' },
      html`<p>${words.offerHint}</p>
        ${inputField({ name: 'check_in_date', label: words.from, type: 'date', value: value('check_in_date', check_in_date), isRequired, of })}
        ${inputField({ name: 'check_out_date', label: words.to, type: 'date', value: value('check_out_date', check_out_date), isRequired, of })}
        ${inputField({ name: 'price', label: words.price, type: 'number', value: value('price', ''), isRequired, min: 1, step: 'any', of })}
        ${inputField({ name: 'number_of_adults', label: words.adults, type: 'number', value: value('number_of_adults', '2'), isRequired, min: 1, max: 99, of })}
        <button type="submit">${words.sendOffer}</button>`,
    )}
  </details>`;
}

function offersPart(visit: Visit, offers: readonly ThreadOffer[]): Html {
  const { texts, format } = visit;
  const words = texts.inbox;
  return html`<section aria-labelledby="offers">
    <h3 id="offers">${words.offers}</h3>
    <ul class="plain">
      ${offers.map(({ id, offer_type, status, check_in_date, check_out_date, price_minor, currency, expires_at }) => {
        const price =
          price_minor === null || currency === null ? words.standardPrice : format.money(price_minor, currency);
        const kind = words.offerTypes[offer_type ?? ''] ?? offer_type ?? '';
        const when = range(visit, check_in_date, check_out_date);
        const own = visit.refused?.fields['special_offer_id'] === id ? visit : { ...visit, refused: undefined };
        return html`<li>
          <p>${kind}: ${when}, ${price}</p>
          <p class="dim">
            ${words.offerStatuses[status ?? ''] ?? status ?? ''}
            ${status === ACTIVE && expires_at !== null ? words.until(format.moment(expires_at)) : ''}
          </p>
          ${
            status === ACTIVE && visit.may('inbox.send')
              ? askFirst(own, {
                  page: 'inbox',
                  action: 'withdraw',
                  open: words.withdraw,
                  consequence: words.withdrawHint(`${kind}: ${when}, ${price}`),
                  confirm: words.withdrawReally,
                  hidden: { special_offer_id: id },
                })
              : ''
          }
        </li>`;
      })}
    </ul>
  </section>`;
}

function notePart(visit: Visit, { note }: Thread): Html {
  const words = visit.texts.inbox;
  return html`<section aria-labelledby="note">
    <h3 id="note">${words.note}</h3>
    ${
      visit.may('inbox.send')
        ? actionForm(
            visit,
            { page: 'inbox', keeps: true, action: 'note' },
            html`<div class="wide">
                <textarea id="private-note" name="note" maxlength="${NOTE_LENGTH}" aria-labelledby="note">
${typed(visit, 'note', 'note', note ?? '')}</textarea>
                <p class="dim">${words.noteHint}</p>
              </div>
              <button type="submit" class="second">${visit.texts.form.save}</button>`,
          )
        : html`<p>${note ?? ''}</p>`
    }
  </section>`;
}
